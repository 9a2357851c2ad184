import type { Container, Node, Pod, ResourceFieldSelector } from '../../../generated/v1.35/core/v1/types.ts';
import { parseQuantity, scaledQuantityValue } from '../../machinery/scalars/quantity.ts';

/** Resources for which containers without a limit have the node's. */
const limitedByNode: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);

/**
 * Returns the value of a `resourceFieldRef`, in units of its divisor, rounded up. A container without a limit has its
 * pod's, or else the allocatable amount of its node. (pkg/api/v1/resource ExtractContainerResourceValue;
 * defaultPodLimitsForDownwardAPI)
 *
 * @param own the container with the variable
 */
export function resourceValue(
  { containerName, resource, divisor }: ResourceFieldSelector,
  { pod, own, node }: { readonly pod: Pod; readonly own?: Container | undefined; readonly node: Node | undefined },
): string {
  const named = [...(pod.spec?.containers ?? []), ...(pod.spec?.initContainers ?? [])];
  const container = containerName ? named.find(({ name }) => name === containerName) : own;
  const [kind, ...rest] = resource.split('.');
  const name = rest.join('.');
  const amounts = kind === 'limits' ? container?.resources?.limits : container?.resources?.requests;
  const given = amounts?.[name];
  const isLimited = kind === 'limits' && limitedByNode.has(name);
  const amount = isLimited && isZero(given) ? limitOf(name, pod, node) : given;
  const scale = name === 'cpu' ? -3 : 0;
  const unit = scaledQuantityValue(parseQuantity(isZero(divisor) ? '1' : (divisor as string)), scale);
  return String(Math.ceil(Number(scaledQuantityValue(parseQuantity(amount ?? '0'), scale)) / Number(unit)));
}

function limitOf(name: string, { spec }: Pod, node: Node | undefined): string | undefined {
  const ofPod = name === 'ephemeral-storage' ? undefined : spec?.resources?.limits?.[name];
  return isZero(ofPod) ? node?.status?.allocatable?.[name] : ofPod;
}

const isZero = (quantity: string | undefined): boolean => !quantity || parseQuantity(quantity).unscaled === 0n;
