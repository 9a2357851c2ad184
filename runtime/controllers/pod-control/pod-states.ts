import type { Pod, PodCondition } from '../../../generated/v1.35/core/v1/types.ts';
import { isPodReady } from '../../kinds/core/pod/conditions.ts';

/** States of pods. (pkg/controller/controller_utils.go, pkg/api/v1/pod/util.go) */

/** Reports whether a pod is neither finished nor being deleted. */
export function isPodActive(pod: Pod): boolean {
  return !isPodTerminal(pod) && !pod.metadata.deletionTimestamp;
}

/** Reports whether a pod has finished, successfully or not. */
export function isPodTerminal({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

/** Reports whether a pod is being deleted and has not finished. */
export function isPodTerminating(pod: Pod): boolean {
  return !isPodTerminal(pod) && Boolean(pod.metadata.deletionTimestamp);
}

export function podCondition({ status }: Pod, type: string): PodCondition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

/** Reports whether a pod's readiness has changed. */
export function isReadinessChanged(before: Pod, after: Pod): boolean {
  const [old, ready] = [podCondition(before, 'Ready'), podCondition(after, 'Ready')];
  return old?.status !== ready?.status || old?.lastTransitionTime !== ready?.lastTransitionTime;
}

/** Reports whether a pod's phase or readiness has changed, or its deletion has begun. */
export function isPodStateChanged(before: Pod, after: Pod): boolean {
  return (
    before.status?.phase !== after.status?.phase ||
    before.metadata.deletionTimestamp !== after.metadata.deletionTimestamp ||
    isReadinessChanged(before, after)
  );
}

/** Reports whether the pod has been ready for some seconds. `now` is milliseconds since the epoch. */
export function isPodAvailable(pod: Pod, minReadySeconds: number, now: number): boolean {
  return isPodReady(pod) && (minReadySeconds === 0 || untilAvailable(pod, minReadySeconds, now) === 0);
}

/**
 * Returns the milliseconds until the next ready pod is available; undefined if there is none.
 * (FindMinNextPodAvailabilityCheck)
 */
export function nextAvailabilityCheck(pods: readonly Pod[], minReadySeconds: number, now: number): number | undefined {
  let next: number | undefined;
  for (const pod of pods) {
    const wait = isPodReady(pod) ? untilAvailable(pod, minReadySeconds, now) : undefined;
    if (wait && (next === undefined || wait < next)) next = wait;
  }
  return next;
}

/** Returns undefined if the pod does not report since when it has been ready. */
function untilAvailable(pod: Pod, minReadySeconds: number, now: number): number | undefined {
  const since = podCondition(pod, 'Ready')?.lastTransitionTime;
  return since ? Math.max(0, Date.parse(since) + minReadySeconds * 1000 - now) : undefined;
}
