import type { ContainerStatus, Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { podCondition } from '../pod-control/pod-states.ts';

/** Milliseconds before a failed pod is replaced: after the first failure, and the maximum. */
const defaultBackoff = 10_000;
const maxBackoff = 600_000;

/** The failures of a job's pods since the last success. (pkg/controller/job/backoff_utils.go backoffRecord) */
export interface BackoffRecord {
  readonly failures: number;
  /** Milliseconds since the epoch. */
  readonly lastFailureTime?: number;
}

const noFailures: BackoffRecord = { failures: 0 };

/** Returns the record with newly finished pods. (newBackoffRecord) */
export function nextBackoffRecord(before: BackoffRecord = noFailures, succeeded: readonly Pod[], failed: readonly Pod[]): BackoffRecord {
  const failures = failed.map(finishedTimeOf);
  if (succeeded.length === 0) {
    if (failures.length === 0) return before;
    return { failures: before.failures + failures.length, lastFailureTime: latest(failures) };
  }
  const lastSuccess = latest(succeeded.map(finishedTimeOf));
  const since = failures.filter((time) => time > lastSuccess);
  return since.length === 0 ? noFailures : { failures: since.length, lastFailureTime: latest(since) };
}

const latest = (times: readonly number[]): number => times.reduce((a, b) => Math.max(a, b));

/** Returns the milliseconds until pods may be created again; 0 for now. (getRemainingTimeForFailuresCount) */
export function remainingBackoff({ failures, lastFailureTime = 0 }: BackoffRecord, now: number): number {
  if (failures === 0) return 0;
  // more doublings exceed the maximum anyway
  const backoff = Math.min(maxBackoff, defaultBackoff * 2 ** Math.min(failures - 1, 10));
  return Math.max(0, backoff - (now - lastFailureTime));
}

/**
 * Returns when a pod finished, in milliseconds since the epoch. The first known time counts: the end of its containers,
 * the end of its readiness, its deletion, its creation. (getFinishedTime)
 */
export function finishedTimeOf(pod: Pod): number {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, creationTimestamp } = pod.metadata;
  const ready = podCondition(pod, 'Ready');
  const time = containersFinishedTime(pod);
  if (time !== undefined) return time;
  if (ready?.status === 'False' && ready.lastTransitionTime) return Date.parse(ready.lastTransitionTime);
  if (deletionTimestamp) return Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000;
  return Date.parse(creationTimestamp ?? '');
}

/** Returns undefined if a container, including sidecars, has not finished. (getFinishTimeFromContainers) */
function containersFinishedTime({ spec, status = {} }: Pod): number | undefined {
  const sidecars = new Set<string>();
  for (const { name, restartPolicy } of spec?.initContainers ?? []) if (restartPolicy === 'Always') sidecars.add(name);
  const { containerStatuses = [], initContainerStatuses = [] } = status;
  const statuses: readonly ContainerStatus[] = [...containerStatuses, ...initContainerStatuses.filter(({ name }) => sidecars.has(name))];
  if (statuses.length === 0) return undefined;
  const times = statuses.map(({ state }) => Date.parse(state?.terminated?.finishedAt ?? ''));
  return times.some(Number.isNaN) ? undefined : latest(times);
}
