import type { Pod, PodCondition, PodStatus } from '../../../../generated/v1.35/core/v1/types.ts';
import { timeText } from '../../../machinery/scalars/time.ts';

/** (pkg/api/pod, IsPodReady) */
export function isPodReady({ status }: Pod): boolean {
  return (status?.conditions ?? []).some(({ type, status: value }) => type === 'Ready' && value === 'True');
}

type NewCondition = Pick<PodCondition, 'type' | 'status' | 'reason' | 'message' | 'observedGeneration'>;

/** Takes the place of the first condition of its type. (pkg/api/pod, UpdatePodCondition) */
export function updatePodCondition(status: PodStatus, condition: NewCondition, now: number): void {
  const conditions = status.conditions ?? [];
  const index = conditions.findIndex(({ type }) => type === condition.type);
  const old = conditions[index];
  const isSame = old?.status === condition.status && old.lastTransitionTime !== undefined;
  const lastTransitionTime = isSame ? old.lastTransitionTime : timeText(now);
  const updated: PodCondition = { ...condition, lastProbeTime: null, lastTransitionTime };
  status.conditions = index < 0 ? [...conditions, updated] : conditions.with(index, updated);
}

/** Sets the condition of a pod that is about to be evicted. (pkg/registry/core/pod/storage/eviction.go) */
export function addDisruptionTarget(pod: Pod, now: number): void {
  pod.status = { ...pod.status };
  const reason = { reason: 'EvictionByEvictionAPI', message: 'Eviction API: evicting' };
  updatePodCondition(pod.status, { type: 'DisruptionTarget', status: 'True', ...reason }, now);
}
