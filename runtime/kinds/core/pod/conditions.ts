import type { KubeObject, Part } from '../../../machinery/object.ts';
import { timeText } from '../../../machinery/scalars/time.ts';

/** (pkg/api/pod IsPodReady) */
export function isPodReady({ status }: KubeObject): boolean {
  return (status?.conditions ?? []).some((one: Part) => one.type === 'Ready' && one.status === 'True');
}

/** The pod, told that it is about to be evicted. (pkg/registry/core/pod/storage/eviction.go) */
export function withDisruptionTarget(pod: KubeObject, now: number): KubeObject {
  const conditions: Part[] = pod.status?.conditions ?? [];
  const before = conditions.find(({ type }) => type === 'DisruptionTarget');
  const observed = before?.observedGeneration;
  const condition = {
    type: 'DisruptionTarget',
    ...(observed === undefined ? {} : { observedGeneration: pod.metadata.generation }),
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: before?.status === 'True' ? before.lastTransitionTime : timeText(now),
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  };
  pod.status = { ...pod.status, conditions: [...conditions.filter((one) => one !== before), condition] };
  return pod;
}
