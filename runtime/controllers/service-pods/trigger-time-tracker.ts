import type { Pod, Service } from '../../../generated/v1.35/core/v1/types.ts';
import type { ObjectKey } from '../../machinery/object-key.ts';
import { timeText } from '../../machinery/scalars/time.ts';
import { podCondition } from '../pod-control/pod-states.ts';

export const lastChangeTriggerTime = 'endpoints.kubernetes.io/last-change-trigger-time';

interface ServiceState {
  readonly service: number;
  /** By name of the pod. */
  readonly pods: ReadonlyMap<string, number>;
}

/**
 * Tracks the time of the change that endpoints are written for: the oldest change since the last sync. (endpointslice
 * util/trigger_time_tracker.go)
 */
export class TriggerTimeTracker {
  readonly #states = new Map<string, ServiceState>();

  /** Returns undefined without a change. */
  compute(service: Service, pods: readonly Pod[]): string | undefined {
    const key = keyOf(service.metadata);
    const known = this.#states.get(key);
    const created = Date.parse(service.metadata.creationTimestamp ?? '');
    const podTimes = new Map<string, number>();
    const changes: number[] = [];
    for (const pod of pods) {
      const time = Date.parse(podCondition(pod, 'Ready')?.lastTransitionTime ?? '');
      const { name = '' } = pod.metadata;
      if (Number.isNaN(time)) continue;
      podTimes.set(name, time);
      if (time > (known?.pods.get(name) ?? 0)) changes.push(time);
    }
    if (created > (known?.service ?? 0)) changes.push(created);
    this.#states.set(key, { service: created, pods: podTimes });
    if (known === undefined) return timeText(created);
    return changes.length === 0 ? undefined : timeText(Math.min(...changes));
  }

  forget(key: ObjectKey): void {
    this.#states.delete(keyOf(key));
  }
}

const keyOf = ({ namespace = '', name = '' }: { readonly namespace?: string; readonly name?: string }): string => `${namespace}/${name}`;

/** Returns the annotations with the time, or without it. */
export function withTriggerTime(
  annotations: Readonly<Record<string, string>> | undefined,
  time: string | undefined,
): Record<string, string> {
  const { [lastChangeTriggerTime]: _, ...others } = annotations ?? {};
  return time === undefined ? others : { ...others, [lastChangeTriggerTime]: time };
}
