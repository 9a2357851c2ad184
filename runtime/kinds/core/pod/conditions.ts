import type { Pod, PodCondition, PodStatus } from '../../../../generated/v1.35/core/v1/types.ts';
import { withCondition } from '../../../machinery/conditions.ts';

/** (pkg/api/pod, IsPodReady) */
export function isPodReady({ status }: Pod): boolean {
  return (status?.conditions ?? []).some(({ type, status: value }) => type === 'Ready' && value === 'True');
}

type NewCondition = Pick<PodCondition, 'type' | 'status' | 'reason' | 'message' | 'observedGeneration'>;

/** Sets a condition in place of the first of its type. (pkg/api/pod, UpdatePodCondition) */
export function updatePodCondition(status: PodStatus, condition: NewCondition, now: number): void {
  status.conditions = withCondition<PodCondition>(status.conditions ?? [], { ...condition, lastProbeTime: null }, now);
}

/** Sets the condition of a pod before its eviction. (pkg/registry/core/pod/storage/eviction.go) */
export function addDisruptionTarget(pod: Pod, now: number): void {
  pod.status = { ...pod.status };
  const reason = { reason: 'EvictionByEvictionAPI', message: 'Eviction API: evicting' };
  updatePodCondition(pod.status, { type: 'DisruptionTarget', status: 'True', ...reason }, now);
}
