import type { Pod, PodCondition } from '../../../generated/v1.35/core/v1/types.ts';
import { isPodReady } from '../../kinds/core/pod/conditions.ts';

/** What controllers ask of pods. (pkg/controller/controller_utils.go, pkg/api/v1/pod/util.go) */

/** Neither finished nor being deleted. */
export function isPodActive(pod: Pod): boolean {
  return !isPodTerminal(pod) && !pod.metadata.deletionTimestamp;
}

/** It has finished, whatever it came to. */
export function isPodTerminal({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

/** It is being deleted and has not finished. */
export function isPodTerminating(pod: Pod): boolean {
  return !isPodTerminal(pod) && Boolean(pod.metadata.deletionTimestamp);
}

export function podCondition({ status }: Pod, type: string): PodCondition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

/** Whether a pod has become ready or is no longer. */
export function isReadinessChanged(before: Pod, after: Pod): boolean {
  const [old, ready] = [podCondition(before, 'Ready'), podCondition(after, 'Ready')];
  return old?.status !== ready?.status || old?.lastTransitionTime !== ready?.lastTransitionTime;
}

/** Whether a pod has got another phase, has become ready or is no longer, or is being deleted now. */
export function isPodStateChanged(before: Pod, after: Pod): boolean {
  return (
    before.status?.phase !== after.status?.phase ||
    before.metadata.deletionTimestamp !== after.metadata.deletionTimestamp ||
    isReadinessChanged(before, after)
  );
}

/** Whether the pod has been ready for some seconds. `now` is in milliseconds. */
export function isPodAvailable(pod: Pod, minReadySeconds: number, now: number): boolean {
  return isPodReady(pod) && (minReadySeconds === 0 || untilAvailable(pod, minReadySeconds, now) === 0);
}

/** Milliseconds after which the next of the ready pods is available; undefined if none will be. (FindMinNextPodAvailabilityCheck) */
export function nextAvailabilityCheck(pods: readonly Pod[], minReadySeconds: number, now: number): number | undefined {
  let next: number | undefined;
  for (const pod of pods) {
    const wait = isPodReady(pod) ? untilAvailable(pod, minReadySeconds, now) : undefined;
    if (wait && (next === undefined || wait < next)) next = wait;
  }
  return next;
}

/** Undefined if it is not known since when the pod has been ready. */
function untilAvailable(pod: Pod, minReadySeconds: number, now: number): number | undefined {
  const since = podCondition(pod, 'Ready')?.lastTransitionTime;
  return since ? Math.max(0, Date.parse(since) + minReadySeconds * 1000 - now) : undefined;
}
