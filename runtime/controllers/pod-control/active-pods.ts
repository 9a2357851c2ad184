import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { isPodReady } from '../../kinds/core/pod/conditions.ts';
import { podCondition } from './pod-states.ts';

/**
 * Compares pods by deletion preference. First: pods that are not assigned, not running or not ready. Then: pods that
 * were ready for a shorter time, restarted more often, or are younger. (pkg/controller ActivePods)
 */
export function compareActivePods(a: Pod, b: Pod): number {
  return (
    compareStates(a, b) ||
    (isPodReady(a) ? youngestFirst(readyTime(a), readyTime(b)) : 0) ||
    compareRestarts(a, b) ||
    youngestFirst(a.metadata.creationTimestamp, b.metadata.creationTimestamp)
  );
}

/** Sorts pods first that are not assigned, not running or not ready. */
export function compareStates(a: Pod, b: Pod): number {
  return (
    Number(Boolean(a.spec?.nodeName)) - Number(Boolean(b.spec?.nodeName)) ||
    phaseOrdinal(a) - phaseOrdinal(b) ||
    Number(isPodReady(a)) - Number(isPodReady(b))
  );
}

/** Sorts pods first whose containers restarted most often. (compareMaxContainerRestarts) */
export function compareRestarts(a: Pod, b: Pod): number {
  return maxContainerRestarts(b) - maxContainerRestarts(a) || maxSidecarRestarts(b) - maxSidecarRestarts(a);
}

const phaseOrdinals: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };
const phaseOrdinal = ({ status }: Pod): number => phaseOrdinals[status?.phase ?? ''] ?? 0;

const readyTime = (pod: Pod) => podCondition(pod, 'Ready')?.lastTransitionTime;

type Time = string | null | undefined;

/** Compares times, youngest first. A missing time is the youngest. (afterOrZero) */
function youngestFirst(a: Time, b: Time): number {
  if (!a || !b) return Number(Boolean(a)) - Number(Boolean(b));
  return Date.parse(b) - Date.parse(a);
}

function maxContainerRestarts({ status }: Pod): number {
  return Math.max(0, ...(status?.containerStatuses ?? []).map(({ restartCount }) => restartCount));
}

function maxSidecarRestarts({ spec, status }: Pod): number {
  const sidecars = new Set<string>();
  for (const { name, restartPolicy } of spec?.initContainers ?? []) if (restartPolicy === 'Always') sidecars.add(name);
  const statuses = (status?.initContainerStatuses ?? []).filter(({ name }) => sidecars.has(name));
  return Math.max(0, ...statuses.map(({ restartCount }) => restartCount));
}
