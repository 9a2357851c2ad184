import type { Pod } from '../../../../generated/v1.35/core/v1/types.ts';
import { badRequest } from '../../../machinery/errors/status.ts';
import type { ConnectTarget, ResourceLocation } from '../../../resources/rest.ts';
import { containerLists } from './container-visitor.ts';

/**
 * Returns the node and the container of a request. Returns undefined for the log of a pod without a node.
 * (pkg/registry/core/pod/strategy.go, ResourceLocation, LogLocation, streamLocation, PortForwardLocation)
 *
 * @throws StatusError 400 for a container that the pod does not have, and for a pod without a node
 */
export function podLocation({ metadata, spec }: Pod, { subresource, container }: ConnectTarget): ResourceLocation | undefined {
  const isOfContainer = ['attach', 'exec', 'log'].includes(subresource);
  const chosen = isOfContainer ? validateContainer({ metadata, ...(spec && { spec }) }, container) : undefined;
  if (spec?.nodeName) return { node: spec.nodeName, container: chosen };
  if (subresource === 'log') return undefined;
  throw badRequest(`pod ${metadata.name} does not have a host assigned`);
}

/** (validateContainer) */
function validateContainer({ metadata: { name }, spec }: Pod, container: string | undefined): string {
  const names = containerLists.flatMap((list) => (spec?.[list] ?? []).map((one) => one.name));
  if (container) {
    if (!names.includes(container)) throw badRequest(`container ${container} is not valid for pod ${name}`);
    return container;
  }
  const [only, ...others] = spec?.containers ?? [];
  if (only !== undefined && others.length === 0) return only.name ?? '';
  const choice = only === undefined ? '' : `, choose one of: [${names.join(' ')}]`;
  throw badRequest(`a container name must be specified for pod ${name}${choice}`);
}
