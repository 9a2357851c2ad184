import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { podCondition } from '../pod-control/pod-states.ts';
import type { PodMetric, PodMetrics } from './metrics-client.ts';

/**
 * Milliseconds after a pod's start in which its CPU usage may be unusual.
 * (--horizontal-pod-autoscaler-cpu-initialization-period)
 */
const cpuInitializationPeriod = 300_000;
/** (--horizontal-pod-autoscaler-initial-readiness-delay) */
const delayOfInitialReadinessStatus = 30_000;

/** Pods by the usability of their metrics. All groups except `ready` hold names. */
export interface PodGroups {
  readonly readyCount: number;
  readonly unready: readonly string[];
  readonly missing: readonly string[];
  readonly ignored: readonly string[];
}

/** (groupPods) @param resource `cpu` for CPU metrics */
export function groupPods(pods: readonly Pod[], metrics: PodMetrics, resource: string, now: number): PodGroups {
  const unready: string[] = [];
  const missing: string[] = [];
  const ignored: string[] = [];
  let readyCount = 0;
  for (const pod of pods) {
    const { name = '', deletionTimestamp } = pod.metadata;
    const metric = metrics.get(name);
    if (deletionTimestamp || pod.status?.phase === 'Failed') ignored.push(name);
    else if (pod.status?.phase === 'Pending') unready.push(name);
    else if (metric === undefined) missing.push(name);
    else if (resource === 'cpu' && isUnready(pod, metric, now)) unready.push(name);
    else readyCount += 1;
  }
  return { readyCount, unready, missing, ignored };
}

function isUnready(pod: Pod, { timestamp, window }: PodMetric, now: number): boolean {
  const condition = podCondition(pod, 'Ready');
  const { startTime } = pod.status ?? {};
  if (condition === undefined || !startTime) return true;
  const started = Date.parse(startTime);
  const changed = Date.parse(condition.lastTransitionTime ?? '') || 0;
  const isFalse = condition.status === 'False';
  if (started + cpuInitializationPeriod > now) return isFalse || timestamp < changed + window;
  // it has never been ready
  return isFalse && started + delayOfInitialReadinessStatus > changed;
}
