import type { ApiContext, ApiMiddleware, Next } from '../http/context.ts';
import { supportedMediaTypes } from '../http/negotiation.ts';
import { producedTypes, requireRoute } from '../http/route.ts';
import {
  badRequest,
  internalError,
  methodNotAllowed,
  notFound,
  pathMethodNotAllowed,
  pathNotFound,
  plainError,
} from '../machinery/errors/status.ts';
import { quoteExcerpt } from '../machinery/go/quote.ts';
import { formatGroupResource, type RecognizesKind } from '../machinery/gvk.ts';
import type { ResourceDefinition, SubresourceDefinition, Verb } from '../machinery/resource.ts';
import type { RegistryEntry } from '../resources/registry.ts';
import { checkKey, type ResourceStore } from '../resources/resource-store.ts';
import { methodsAt } from './methods.ts';
import { isWrite, runWrite } from './offload.ts';
import { patchTypesOf } from './patch-types.ts';
import type { RequestScope, ResourceRequest, VerbHandler } from './resource-request.ts';
import { connectSubresource } from './subresources/connect.ts';
import { type SubresourceHandler, subresourceHandlers } from './subresources/handlers.ts';
import { createResource } from './verbs/create.ts';
import { createUnstored } from './verbs/create-unstored.ts';
import { deleteResource } from './verbs/delete.ts';
import { deleteCollection } from './verbs/delete-collection.ts';
import { getResource } from './verbs/get.ts';
import { listResources } from './verbs/list.ts';
import { patchResource } from './verbs/patch.ts';
import { getUnstored, listUnstored } from './verbs/read-unstored.ts';
import { updateResource } from './verbs/update.ts';
import { watchResources } from './verbs/watch.ts';

const verbHandlers: Readonly<Record<Verb, VerbHandler>> = {
  get: getResource,
  list: listResources,
  watch: watchResources,
  create: createResource,
  update: updateResource,
  patch: patchResource,
  delete: deleteResource,
  deletecollection: deleteCollection,
};

/** The handlers of kinds that are not stored. */
const unstoredHandlers: Readonly<Record<Verb, VerbHandler>> = {
  ...verbHandlers,
  get: getUnstored,
  list: listUnstored,
  create: createUnstored,
};

/** Handles requests for resources, and passes all other paths on. */
export function createResourceHandler(scope: RequestScope): ApiMiddleware {
  const dispatcher = new ResourceDispatcher(scope);
  return (ctx, next) => dispatcher.handle(ctx, next);
}

class ResourceDispatcher {
  readonly #scope: RequestScope;
  readonly #recognizesKind: RecognizesKind;

  constructor(scope: RequestScope) {
    this.#scope = scope;
    this.#recognizesKind = (kind) => scope.registry.hasKind(kind);
  }

  handle(ctx: ApiContext, next: Next): unknown {
    const { registry, stores } = this.#scope;
    const info = ctx.state.requestInfo;
    const isResource = info.isResourceRequest && !info.path.startsWith('//');
    const entry = isResource ? registry.lookup(info.group, info.version, info.resource) : undefined;
    if (entry === undefined) return next();
    ctx.state.recognizesKind = this.#recognizesKind;
    const { definition } = entry;
    const store = definition && stores.ifOpen(definition);
    return definition && store ? this.#run(ctx, definition, store, next) : this.#loadAndRun(ctx, entry, next);
  }

  /** Handles the first request for a resource, whose definition and store are not loaded. */
  async #loadAndRun(ctx: ApiContext, entry: RegistryEntry, next: Next): Promise<unknown> {
    const definition = entry.definition ?? (await entry.load());
    return this.#run(ctx, definition, await this.#scope.stores.open(definition), next);
  }

  #run(ctx: ApiContext, definition: ResourceDefinition, store: ResourceStore, next: Next): unknown {
    const info = ctx.state.requestInfo;
    const { name } = info;
    const namespace = definition.namespaced ? info.namespace : '';
    const request: ResourceRequest = { ctx, scope: this.#scope, info, definition, store, namespace, name };
    if (definition.type.unstructured && !isScopeRight(request)) return next();
    if (definition.warnings) this.#recordDeprecated(ctx, definition.warnings);
    return isWrite(request) ? runWrite(request, dispatch) : dispatch(request);
  }

  /** (apiserver pkg/endpoints/metrics MonitorRequest) */
  #recordDeprecated({ state }: ApiContext, warnings: readonly string[]): void {
    const release = removedRelease(warnings);
    this.#scope.metrics?.recordDeprecated(state.requestInfo, release);
    state.audit?.addAnnotation('k8s.io/deprecated', 'true');
    if (release !== '') state.audit?.addAnnotation('k8s.io/removed-release', release);
  }
}

/** Returns the release that removes a deprecated version, read from its warning. */
function removedRelease(warnings: readonly string[]): string {
  return / unavailable in v(\d+\.\d+)\+/.exec(warnings[0] ?? '')?.[1] ?? '';
}

function dispatch(request: ResourceRequest): void | Promise<void> {
  const { definition, info } = request;
  if (definition.type.unstructured) warn(request);
  requireKey(request);
  return info.subresource === '' ? dispatchVerb(request) : dispatchSubresource(request, info.subresource);
}

/** Adds the warnings of a deprecated version. Requests that have no route get none. (installer.go AddWarningsHandler) */
function warn({ ctx, definition: { warnings } }: ResourceRequest): void {
  if (warnings) ctx.state.addWarnings(...warnings);
}

/**
 * Checks that objects of the namespace can have keys.
 *
 * @throws StatusError 500 for `.` and `..` (apiserver storage PrepareKey; for creates, client-go's Request.Name within
 * NamespaceLifecycle)
 */
function requireKey({ definition, info, namespace, name }: ResourceRequest): void {
  if ((namespace !== '.' && namespace !== '..') || !definition.stored) return;
  if (info.verb === 'create') throw internalError(`invalid resource name "${namespace}": [may not be '${namespace}']`);
  if (name !== '') checkKey(definition, namespace, name);
  throw plainError(`invalid key: ${quoteExcerpt(`/${definition.resourcePrefix}/${namespace}${name === '' ? '' : `/${name}`}`)}`);
}

/** Unstructured types have no routes: a path with the wrong scope does not exist. (crdHandler.ServeHTTP) */
function isScopeRight({ definition, info }: ResourceRequest): boolean {
  if (!definition.namespaced) return info.namespace === '';
  return info.namespace !== '' || info.verb === 'list' || info.verb === 'watch' || info.verb === '';
}

function dispatchVerb(request: ResourceRequest): void | Promise<void> {
  const { definition, info } = request;
  const verb = info.verb as Verb;
  if (info.parts.length > 2) throw pathNotFound();
  if (definition.type.unstructured && !info.verbInPath) {
    if (!definition.verbs.includes(verb)) throw methodNotAllowed(definition, verb);
    return verbHandlers[verb](request);
  }
  const methods = methodsAt(definition, info);
  if (methods.size === 0) throw pathNotFound();
  if (!methods.has(methodOf(request))) throw pathMethodNotAllowed();
  requireRouteOf(request);
  return (definition.stored ? verbHandlers : unstoredHandlers)[verb](request);
}

/** Routes exist for GET and not for HEAD. Unstructured types, which have no routes, treat HEAD like GET. */
function methodOf({ ctx, definition }: ResourceRequest): string {
  return ctx.method === 'HEAD' && definition.type.unstructured ? 'GET' : ctx.method;
}

function dispatchSubresource(request: ResourceRequest, name: string): void | Promise<void> {
  const { definition, info } = request;
  const subresource = definition.subresources.find((one) => one.name === name);
  if (subresource === undefined && definition.type.unstructured) throw notFound(definition, info.name);
  if (subresource === undefined || (info.parts.length > 3 && !subresource.connect)) throw pathNotFound();
  const methods = methodsAt(definition, info);
  if (methods.size === 0) throw pathNotFound();
  if (subresource.connect || subresource.name === 'log') {
    if (!definition.type.unstructured) warn(request);
    return connectSubresource(request, subresource);
  }
  if (!methods.has(methodOf(request))) {
    throw definition.type.unstructured ? methodNotAllowed(definition, info.verb) : pathMethodNotAllowed();
  }
  requireRouteOf(request);
  if (info.name === '') throw badRequest('name must be provided');
  return subresourceHandler(definition, subresource)(request, subresource);
}

/** Unstructured types have no routes, and only patches have a route that needs a Content-Type. */
function requireRouteOf(request: ResourceRequest): void {
  const { ctx, definition, info } = request;
  if (definition.type.unstructured) return;
  const { list, object } = producedTypes(supportedMediaTypes(ctx));
  const produces = info.verb === 'list' || info.verb === 'watch' ? list : object;
  requireRoute(ctx, ctx.method === 'PATCH' ? { produces, consumes: patchTypesOf(ctx, definition) } : { produces });
  warn(request);
}

function subresourceHandler(definition: ResourceDefinition, { name }: SubresourceDefinition): SubresourceHandler {
  const handler = subresourceHandlers[`${formatGroupResource(definition)}/${name}`] ?? subresourceHandlers[name];
  if (handler === undefined) throw pathNotFound();
  return handler;
}
