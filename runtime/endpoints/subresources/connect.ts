import { podLogOptions } from '../../http/options/pod-log-options.ts';
import { respondBytes } from '../../http/respond.ts';
import { methodNotAllowed, pathNotFound } from '../../machinery/errors/status.ts';
import { unstructuredContent } from '../../machinery/object.ts';
import type { SubresourceDefinition } from '../../machinery/resource.ts';
import { type ConnectOptions, unreachableNodes } from '../../streaming/node-backend.ts';
import { admissionOf, connectOptions } from '../admission.ts';
import { objectAt } from '../encodings/versioned.ts';
import type { ResourceRequest } from '../resource-request.ts';

/**
 * Connects to a node for exec, attach, portforward, log and proxy. Without a backend, responds like a cluster whose nodes
 * cannot be reached. (handlers.ConnectResource)
 */
export async function connectSubresource(
  request: ResourceRequest,
  { name: subresource, gvk, type }: SubresourceDefinition,
): Promise<void> {
  const { definition, store, namespace, name, ctx, scope, info } = request;
  if (ctx.method === 'TRACE') throw methodNotAllowed(definition, ctx.method);
  const rest = info.parts.slice(3).join('/');
  const optionsType = type ?? { ...definition.type, ...gvk };
  const { query } = ctx.state;
  const isLog = subresource === 'log';
  const connect = connectOptions(gvk.kind, query, rest);
  const options: ConnectOptions = isLog ? podLogOptions(query, name) : unstructuredContent(connect);
  if (!isLog) await admissionOf(request, false, { type: optionsType })?.connect(connect);
  const object = objectAt(definition, await store.newest(namespace, objectName(name)));
  const { strategy } = store;
  if (strategy.resourceLocation === undefined) throw pathNotFound();
  const location = strategy.resourceLocation(object, { subresource, name, container: options.container });
  if (location === undefined) return respondBytes(ctx, 204, 'text/plain', new Uint8Array());
  const { node, container = '' } = location;
  await (scope.nodes ?? unreachableNodes).connect({ ctx, node, object, subresource, options, container, rest });
}

/** The name in the path of a proxy may be `scheme:name:port`. */
function objectName(name: string): string {
  const parts = name.split(':');
  return parts.length === 3 ? parts[1] : parts[0];
}
