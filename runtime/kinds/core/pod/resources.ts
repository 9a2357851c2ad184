import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import type { Quantity } from '../../../machinery/scalars/quantity.ts';
import { type Amounts, addTo, amountsOf, none, raiseTo } from '../../../machinery/scalars/resource-amounts.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import { isHugePageResourceName } from '../resource-list.ts';

/** Requests and limits of a pod as a whole. (component-helpers/resource/helpers.go) */

type Pod = Unvalidated<core.Pod>;
type PodSpec = Unvalidated<core.PodSpec>;
type Container = Unvalidated<core.Container>;
type ContainerStatus = Unvalidated<core.ContainerStatus>;

const podLevelResources: ReadonlySet<string> = new Set(['cpu', 'memory']);

/** Reports whether a pod can state the resource for all its containers together. (IsSupportedPodLevelResource) */
export const isSupportedPodLevelResource = (name: string): boolean => podLevelResources.has(name) || isHugePageResourceName(name);

/** (IsPodLevelResourcesSet) */
export function isPodLevelResourcesSet({ spec }: Pod): boolean {
  const { requests, limits } = spec?.resources ?? {};
  return [requests, limits].some((list) => Object.keys(list ?? {}).some(isSupportedPodLevelResource));
}

export const isRestartable = ({ restartPolicy }: Container): boolean => restartPolicy === 'Always';

/**
 * Returns the sum that containers need at once. A restartable init container runs beside all later containers; any
 * other init container runs alone. (KEP-753)
 */
export function sumOfContainers(spec: PodSpec, amountsOfOne: (container: Container) => Amounts): Map<string, Quantity> {
  const sum = new Map<string, Quantity>();
  for (const container of spec.containers ?? []) addTo(sum, amountsOfOne(container));
  const restartable = new Map<string, Quantity>();
  const most = new Map<string, Quantity>();
  for (const container of spec.initContainers ?? []) {
    const amounts = amountsOfOne(container);
    const beside = new Map(restartable);
    addTo(beside, amounts);
    raiseTo(most, beside);
    if (!isRestartable(container)) continue;
    addTo(sum, amounts);
    addTo(restartable, amounts);
  }
  raiseTo(sum, most);
  return sum;
}

/**
 * Returns the requests, with the overhead and with amounts still allocated to resized containers. (PodRequests)
 *
 * @param missing amounts for a container that does not request the resource (NonMissingContainerRequests)
 */
export function podRequests(pod: Pod, missing: Amounts = none): Amounts {
  const spec = pod.spec ?? {};
  const amountsOfOne = effectiveAmounts(pod, 'requests', ({ resources, allocatedResources }) => [
    amountsOf(resources?.requests),
    amountsOf(allocatedResources),
  ]);
  const requests = sumOfContainers(
    spec,
    missing.size === 0 ? amountsOfOne : (container) => new Map([...missing, ...amountsOfOne(container)]),
  );
  overrideWithPodLevel(requests, spec.resources?.requests);
  addTo(requests, amountsOf(spec.overhead));
  return requests;
}

/** Returns the limits, with the overhead of limited resources. (PodLimits) */
export function podLimits(pod: Pod): Amounts {
  const spec = pod.spec ?? {};
  const limits = sumOfContainers(
    spec,
    effectiveAmounts(pod, 'limits', ({ resources }) => [amountsOf(resources?.limits)]),
  );
  overrideWithPodLevel(limits, spec.resources?.limits);
  const overhead = amountsOf(spec.overhead);
  addTo(limits, new Map([...overhead].filter(([name]) => (limits.get(name)?.unscaled ?? 0n) !== 0n)));
  return limits;
}

function overrideWithPodLevel(amounts: Map<string, Quantity>, podLevel: Record<string, string> | undefined): void {
  for (const [name, amount] of amountsOf(podLevel)) if (isSupportedPodLevelResource(name)) amounts.set(name, amount);
}

/**
 * max(desired, current); the current amounts alone if the node refused the resize as infeasible.
 * (determineEffectiveRequests, determineEffectiveLimits)
 */
function effectiveAmounts(
  pod: Pod,
  list: 'requests' | 'limits',
  amountsInStatus: (status: ContainerStatus) => readonly Amounts[],
): (container: Container) => Amounts {
  const { containerStatuses, initContainerStatuses, conditions } = pod.status ?? {};
  const statuses = new Map<string | undefined, ContainerStatus>();
  for (const status of [...(containerStatuses ?? []), ...(initContainerStatuses ?? [])]) {
    if (status.resources) statuses.set(status.name, status);
  }
  const runsOnce = new Set((pod.spec?.initContainers ?? []).filter((container) => !isRestartable(container)));
  const isInfeasible = conditions?.find(({ type }) => type === 'PodResizePending')?.reason === 'Infeasible';
  return (container) => {
    const wanted = amountsOf(container.resources?.[list]);
    const status = statuses.size === 0 || runsOnce.has(container) ? undefined : statuses.get(container.name);
    if (status === undefined) return wanted;
    const effective = new Map(isInfeasible ? [] : wanted);
    for (const amounts of amountsInStatus(status)) raiseTo(effective, amounts);
    return effective;
  };
}
