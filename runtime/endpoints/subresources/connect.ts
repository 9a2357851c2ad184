import { serveProxy } from '../../client/proxy/upgrade-aware.ts';
import { podLogOptions } from '../../http/options/pod-log-options.ts';
import { requireUser } from '../../http/request-state.ts';
import { respondBytes } from '../../http/respond.ts';
import { badRequest, forbidden, internalError, pathMethodNotAllowed, pathNotFound } from '../../machinery/errors/status.ts';
import { joinPreservingTrailingSlash } from '../../machinery/go/path.ts';
import { quote } from '../../machinery/go/quote.ts';
import { unstructuredContent } from '../../machinery/object.ts';
import type { SubresourceDefinition } from '../../machinery/resource.ts';
import { splitSchemeNamePort } from '../../machinery/scheme-name-port.ts';
import type { ProxyLocation } from '../../resources/rest.ts';
import { admitConnection } from '../../resources/write/admission.ts';
import { connectOptions } from '../../streaming/connect-options.ts';
import { type ConnectOptions, unreachableNodes } from '../../streaming/node-backend.ts';
import { ClientWriter } from '../client-writer.ts';
import { objectAt } from '../encodings/versioned.ts';
import type { ResourceRequest } from '../resource-request.ts';

/** The methods of each subresource that connects. (ConnectMethods) */
const proxyMethods: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);
const upgradeableMethods: ReadonlySet<string> = new Set(['GET', 'POST']);
const logMethods: ReadonlySet<string> = new Set(['GET']);

/**
 * Connects to a node for exec, attach, portforward and log, and to the server behind a proxy. Without a backend, responds
 * like a cluster whose nodes cannot be reached. (handlers.ConnectResource)
 */
export async function connectSubresource(request: ResourceRequest, { name: subresource, gvk, type }: SubresourceDefinition): Promise<void> {
  const { definition, store, namespace, name, ctx, scope } = request;
  const isLog = subresource === 'log';
  const isProxy = subresource === 'proxy';
  const methods = isLog ? logMethods : isProxy ? proxyMethods : upgradeableMethods;
  if (!methods.has(ctx.method)) throw pathMethodNotAllowed();
  const { query } = ctx.state;
  if (!isLog && query.has('dryRun')) throw badRequest('dryRun is not supported');
  const path = pathBehind(request);
  const connect = connectOptions(gvk.kind, query, path);
  const options: ConnectOptions = isLog ? podLogOptions(query, name) : unstructuredContent(connect);
  if (!isLog) {
    const target = { namespace, name, subresource, type: type ?? { ...definition.type, ...gvk } };
    const write = store.write('CONNECT', definition, target, new ClientWriter(request, false));
    write.object = connect;
    await admitConnection(write);
    if (!isProxy) await requireCreate(request);
  }
  const { strategy } = store;
  if (isProxy && strategy.proxyLocation !== undefined) {
    const server = await strategy.proxyLocation(name, { namespace, stores: scope.stores });
    return proxy(request, server, path);
  }
  const objectName = isProxy ? splitSchemeNamePort(name)?.name : name;
  if (objectName === undefined) throw badRequest(`invalid node request ${quote(name)}`);
  const object = objectAt(definition, await store.newest(namespace, objectName));
  if (strategy.resourceLocation === undefined) throw pathNotFound();
  const location = strategy.resourceLocation(object, { subresource, name, container: options.container });
  if (location === undefined) return respondBytes(ctx, 204, 'text/plain', new Uint8Array());
  const { node, container = '' } = location;
  const backend = scope.nodes ?? unreachableNodes;
  await backend.connect({ ctx, node, object, subresource, options, container, name, path });
}

function proxy({ ctx, scope }: ResourceRequest, server: ProxyLocation, path: string): Promise<void> {
  const transport = scope.proxyTransports?.[server.scheme];
  if (transport === undefined) throw pathNotFound();
  return serveProxy(ctx, { ...server, transport, path: joinPreservingTrailingSlash('', path) }, scope.clock);
}

/** What stands behind the subresource in the path, with its slashes; "" for nothing. (getRequestOptions) */
function pathBehind({ info: { parts, path } }: ResourceRequest): string {
  const rest = parts.slice(3).join('/');
  const rooted = rest === '' || rest.startsWith('/') ? rest : `/${rest}`;
  return path.endsWith('/') && !rooted.endsWith('/') ? `${rooted}/` : rooted;
}

/**
 * Whoever may only get a subresource may not connect to it: over WebSockets, clients use GET for what they use POST for
 * otherwise. (ensureAuthorizedForVerb; AuthorizePodWebsocketUpgradeCreatePermission)
 */
async function requireCreate({ ctx: { state }, scope, info }: ResourceRequest): Promise<void> {
  if (info.verb === 'create') return;
  const user = requireUser(state);
  const { decision, reason, evaluationError } = await scope.authorizer.authorize({ ...info, user, verb: 'create' });
  if (decision === 'allow') return;
  if (evaluationError !== undefined) throw internalError(evaluationError);
  throw forbidden(info, info.name, reason);
}
