import type { Pod, PodCondition } from '../../../../generated/v1.35/core/v1/types.ts';
import { timeText } from '../../../machinery/scalars/time.ts';

/** (pkg/api/pod, IsPodReady) */
export function isPodReady({ status }: Pod): boolean {
  return (status?.conditions ?? []).some(({ type, status: value }) => type === 'Ready' && value === 'True');
}

/** Sets the condition of a pod that is about to be evicted. (pkg/registry/core/pod/storage/eviction.go) */
export function addDisruptionTarget(pod: Pod, now: number): void {
  const conditions = pod.status?.conditions ?? [];
  const old = conditions.find(({ type }) => type === 'DisruptionTarget');
  const condition: PodCondition = {
    type: 'DisruptionTarget',
    ...(old?.observedGeneration === undefined ? {} : { observedGeneration: pod.metadata.generation }),
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: old?.status === 'True' ? old.lastTransitionTime : timeText(now),
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  };
  pod.status = { ...pod.status, conditions: [...conditions.filter((each) => each !== old), condition] };
}
