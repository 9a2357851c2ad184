import type { ApiContext, ApiMiddleware, Next } from '../http/context.ts';
import type { RecognizesKind } from '../http/request-state.ts';
import { methodNotAllowed, notFound, pathMethodNotAllowed, pathNotFound } from '../machinery/errors/status.ts';
import { formatGroupResource } from '../machinery/gvk.ts';
import type { ResourceDefinition, SubresourceDefinition, Verb } from '../machinery/resource.ts';
import type { RegistryEntry } from '../resources/registry.ts';
import type { ResourceStore } from '../resources/resource-store.ts';
import { methodsAt } from './methods.ts';
import { isWrite, runWrite } from './offload.ts';
import type { RequestScope, ResourceRequest, VerbHandler } from './resource-request.ts';
import { connectSubresource } from './subresources/connect.ts';
import { subresourceHandlers } from './subresources/handlers.ts';
import { createResource } from './verbs/create.ts';
import { createUnstored } from './verbs/create-unstored.ts';
import { deleteResource } from './verbs/delete.ts';
import { deleteCollection } from './verbs/delete-collection.ts';
import { getResource } from './verbs/get.ts';
import { listResources } from './verbs/list.ts';
import { tellOptions } from './verbs/options.ts';
import { patchResource } from './verbs/patch.ts';
import { updateResource } from './verbs/update.ts';
import { watchResources } from './verbs/watch.ts';

const verbs: Readonly<Record<Verb, VerbHandler>> = {
  get: getResource,
  list: listResources,
  watch: watchResources,
  create: createResource,
  update: updateResource,
  patch: patchResource,
  delete: deleteResource,
  deletecollection: deleteCollection,
};

/** Answers requests for resources; calls the next middleware for every other path. */
export function createResourceHandler(scope: RequestScope): ApiMiddleware {
  const recognizesKind: RecognizesKind = (kind) => scope.registry.hasKind(kind);
  return (ctx, next) => {
    const info = ctx.state.requestInfo;
    const isOne = info.isResourceRequest && !info.path.startsWith('//');
    const entry = isOne ? scope.registry.lookup(info.group, info.version, info.resource) : undefined;
    if (entry === undefined) return next();
    ctx.state.recognizesKind = recognizesKind;
    const { definition } = entry;
    const store = definition && scope.stores.opened(definition);
    return definition && store ? answer(ctx, definition, store, next) : open(ctx, entry, next);
  };

  /** The first request for a resource. */
  async function open(ctx: ApiContext, entry: RegistryEntry, next: Next): Promise<unknown> {
    const definition = entry.definition ?? (await entry.load());
    return answer(ctx, definition, await scope.stores.of(definition), next);
  }

  function answer(ctx: ApiContext, definition: ResourceDefinition, store: ResourceStore, next: Next): unknown {
    const info = ctx.state.requestInfo;
    const { name } = info;
    const namespace = definition.namespaced ? info.namespace : '';
    const request: ResourceRequest = { ctx, scope, info, definition, store, namespace, name };
    if (definition.type.unstructured && !isScopeRight(request)) return next();
    return isWrite(request) ? runWrite(request, run) : run(request);
  }
}

function run(request: ResourceRequest): void | Promise<void> {
  const { ctx, definition, info } = request;
  if (definition.warnings) ctx.state.addWarnings(...definition.warnings);
  return info.subresource === '' ? dispatchVerb(request) : dispatchSubresource(request, info.subresource);
}

/** Custom resources are not found by routes: where the scope is wrong, there is no such path. (crdHandler.ServeHTTP) */
function isScopeRight({ definition, info }: ResourceRequest): boolean {
  if (!definition.namespaced) return info.namespace === '';
  return info.namespace !== '' || info.verb === 'list' || info.verb === 'watch' || info.verb === '';
}

function dispatchVerb(request: ResourceRequest): void | Promise<void> {
  const { definition, info, ctx } = request;
  const verb = info.verb as Verb;
  if (info.parts.length > 2) throw pathNotFound();
  const methods = methodsAt(definition, info);
  if (methods.size === 0) throw pathNotFound();
  if (ctx.method === 'OPTIONS') return tellOptions(request);
  if (!methods.has(methodOf(request))) throw pathMethodNotAllowed();
  return !definition.stored && verb === 'create' ? createUnstored(request) : verbs[verb](request);
}

/** Routes of the API are for GET and not for HEAD; custom resources, which have none, take HEAD for GET. */
function methodOf({ ctx, definition }: ResourceRequest): string {
  return ctx.method === 'HEAD' && definition.type.unstructured ? 'GET' : ctx.method;
}

function dispatchSubresource(request: ResourceRequest, name: string): void | Promise<void> {
  const { definition, info } = request;
  const found = definition.subresources.find((one) => one.name === name);
  if (found === undefined && definition.type.unstructured) throw notFound(definition, info.name);
  if (found === undefined || (info.parts.length > 3 && !found.connect)) throw pathNotFound();
  const methods = methodsAt(definition, info);
  if (methods.size === 0) throw pathNotFound();
  if (found.connect || found.name === 'log') return connectSubresource(request, found);
  if (request.ctx.method === 'OPTIONS') return tellOptions(request);
  if (!methods.has(methodOf(request))) {
    throw definition.type.unstructured ? methodNotAllowed(definition, info.verb) : pathMethodNotAllowed();
  }
  return handlerOf(definition, found)(request, found);
}

function handlerOf(definition: ResourceDefinition, { name }: SubresourceDefinition) {
  const handler = subresourceHandlers[`${formatGroupResource(definition)}/${name}`] ?? subresourceHandlers[name];
  if (handler === undefined) throw pathNotFound();
  return handler;
}
