import { badRequest, methodNotAllowed, serviceUnavailable } from '../../machinery/errors/status.ts';
import type { SubresourceDefinition } from '../../machinery/resource.ts';
import { objectAt } from '../encodings/versioned.ts';
import type { ResourceRequest } from '../resource-request.ts';
import { unreachableNodes } from './node-backend.ts';

/**
 * Subresources that reach through the server to a node: exec, attach, portforward, log, proxy. Without a backend the
 * answer is what a cluster gives whose node cannot be reached.
 */
export async function connectSubresource(
  request: ResourceRequest,
  { name: subresource }: SubresourceDefinition,
): Promise<void> {
  const { definition, store, namespace, name, ctx, scope, info } = request;
  if (ctx.method === 'TRACE') throw methodNotAllowed(definition, ctx.method);
  const object = objectAt(definition, store.get(namespace, bareName(name)));
  if (definition.resource === 'services')
    throw serviceUnavailable(`no endpoints available for service ${JSON.stringify(name)}`);
  const node = definition.resource === 'nodes' ? bareName(name) : object.spec?.nodeName;
  if (!node) {
    const what =
      subresource === 'proxy' ? `address not allowed` : `pod ${object.metadata.name} does not have a host assigned`;
    throw badRequest(what);
  }
  const rest = info.parts.slice(3).join('/');
  await (scope.nodes ?? unreachableNodes).connect({ ctx, node, object, subresource, rest });
}

/** Services and pods are named `scheme:name:port` below proxy. */
function bareName(name: string): string {
  const parts = name.split(':');
  return parts.length === 3 ? parts[1] : parts[0];
}
