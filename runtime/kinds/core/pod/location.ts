import type { Pod } from '../../../../generated/v1.35/core/v1/types.ts';
import { badRequest } from '../../../machinery/errors/status.ts';
import type { ConnectTarget } from '../../../resources/rest.ts';
import { containerLists } from './container-visitor.ts';

/**
 * Returns the node of a pod; for the log of a pod that has none, undefined.
 * (pkg/registry/core/pod/strategy.go, ResourceLocation, LogLocation, streamLocation, PortForwardLocation)
 *
 * @throws StatusError 400 for a container that the pod does not have, and for a pod without a node
 */
export function podLocation({ metadata, spec }: Pod, { subresource, container }: ConnectTarget): string | undefined {
  if (['attach', 'exec', 'log'].includes(subresource)) validateContainer({ metadata, spec }, container);
  if (spec?.nodeName) return spec.nodeName;
  if (subresource === 'log') return undefined;
  if (subresource === 'proxy') throw badRequest('address not allowed');
  throw badRequest(`pod ${metadata.name} does not have a host assigned`);
}

/** (validateContainer) */
function validateContainer({ metadata: { name }, spec }: Pod, container: string | undefined): void {
  const names = containerLists.flatMap((list) => (spec?.[list] ?? []).map((one) => one.name));
  if (container) {
    if (!names.includes(container)) throw badRequest(`container ${container} is not valid for pod ${name}`);
    return;
  }
  const count = spec?.containers?.length ?? 0;
  if (count === 1) return;
  const choice = count === 0 ? '' : `, choose one of: [${names.join(' ')}]`;
  throw badRequest(`a container name must be specified for pod ${name}${choice}`);
}
