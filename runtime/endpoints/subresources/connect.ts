import type { SubresourceDefinition } from '../../machinery/resource.ts';
import { badRequest, internalError, methodNotAllowed, serviceUnavailable } from '../../machinery/status.ts';
import type { ResourceRequest } from '../dispatch.ts';
import { objectAt } from '../forms/versioned.ts';

/**
 * Subresources that reach through the server to a node: exec, attach, portforward, log, proxy. There are no nodes, so
 * the answer is what a cluster gives whose node cannot be reached.
 */
export async function connectSubresource(
  request: ResourceRequest,
  { name: subresource }: SubresourceDefinition,
): Promise<void> {
  const { definition, store, namespace, name, ctx } = request;
  if (ctx.method === 'TRACE') throw methodNotAllowed(definition, ctx.method);
  const object = objectAt(definition, store.get(namespace, bareName(name)));
  if (definition.resource === 'services')
    throw serviceUnavailable(`no endpoints available for service ${JSON.stringify(name)}`);
  if (definition.resource === 'nodes') throw unreachable(name);
  if (!object.spec?.nodeName) {
    const what =
      subresource === 'proxy' ? `address not allowed` : `pod ${object.metadata.name} does not have a host assigned`;
    throw badRequest(what);
  }
  throw unreachable(object.spec.nodeName);
}

/** Services and pods are named `scheme:name:port` below proxy. */
function bareName(name: string): string {
  const parts = name.split(':');
  return parts.length === 3 ? parts[1] : parts[0];
}

function unreachable(node: string) {
  return internalError(`error dialing backend: no connection to node ${JSON.stringify(node)}`);
}
