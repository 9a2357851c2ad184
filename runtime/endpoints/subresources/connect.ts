import { badRequest, methodNotAllowed, serviceUnavailable } from '../../machinery/errors/status.ts';
import type { SubresourceDefinition } from '../../machinery/resource.ts';
import { objectAt } from '../encodings/versioned.ts';
import type { ResourceRequest } from '../resource-request.ts';
import { unreachableNodes } from './node-backend.ts';

/**
 * Connects to a node for exec, attach, portforward, log and proxy. Without a backend, responds like a cluster whose nodes
 * cannot be reached. (handlers.ConnectResource)
 */
export async function connectSubresource(
  request: ResourceRequest,
  { name: subresource }: SubresourceDefinition,
): Promise<void> {
  const { definition, store, namespace, name, ctx, scope, info } = request;
  if (ctx.method === 'TRACE') throw methodNotAllowed(definition, ctx.method);
  const object = objectAt(definition, store.get(namespace, objectName(name)));
  if (definition.resource === 'services')
    throw serviceUnavailable(`no endpoints available for service ${JSON.stringify(name)}`);
  const node = definition.resource === 'nodes' ? objectName(name) : object.spec?.nodeName;
  if (!node) {
    const what =
      subresource === 'proxy' ? `address not allowed` : `pod ${object.metadata.name} does not have a host assigned`;
    throw badRequest(what);
  }
  const rest = info.parts.slice(3).join('/');
  await (scope.nodes ?? unreachableNodes).connect({ ctx, node, object, subresource, rest });
}

/** The name in the path of a proxy may be `scheme:name:port`. */
function objectName(name: string): string {
  const parts = name.split(':');
  return parts.length === 3 ? parts[1] : parts[0];
}
