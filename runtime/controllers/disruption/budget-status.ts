import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from '../../../generated/v1.35/policy/v1/types.ts';
import { isPodReady } from '../../kinds/core/pod/conditions.ts';
import { type DisruptionVerdict, withDisruptionAllowed } from '../../kinds/policy/disruption-allowed.ts';
import { defined } from '../../machinery/json/defined.ts';
import type { ExpectedPods } from './expected-pods.ts';

/** Milliseconds within which the deletion of an evicted pod should be visible. (DeletionTimeout) */
const deletionTimeout = 120_000;

/** The times of evictions by the name of the pod, for evicted pods that are not yet being deleted. */
type DisruptedPods = Record<string, string>;

export interface DisruptionState {
  readonly disruptedPods: DisruptedPods;
  /** Pods whose deletion has not begun long after their eviction. */
  readonly notDeleted: readonly Pod[];
  /** Milliseconds until the deletion of the next evicted pod is overdue; undefined if none is pending. */
  readonly recheckAfter: number | undefined;
}

/** (buildDisruptedPodMap) */
export function disruptionState({ status }: PodDisruptionBudget, pods: readonly Pod[], now: number): DisruptionState {
  const disruptedPods: DisruptedPods = {};
  const notDeleted: Pod[] = [];
  let recheckAfter: number | undefined;
  for (const pod of pods) {
    const { name = '', deletionTimestamp } = pod.metadata;
    const time = status?.disruptedPods?.[name];
    if (time === undefined || time === null || deletionTimestamp) continue;
    const wait = Date.parse(time) + deletionTimeout - now;
    if (wait < 0) notDeleted.push(pod);
    else {
      disruptedPods[name] = time;
      recheckAfter = Math.min(recheckAfter ?? wait, wait);
    }
  }
  return { disruptedPods, notDeleted, recheckAfter };
}

const isFresh = (evictedAt: string, now: number): boolean => Date.parse(evictedAt) + deletionTimeout > now;

/** Returns the status of a budget. (updatePdbStatus) @param pods the pods that the budget selects */
export function budgetStatus(
  { metadata, status }: PodDisruptionBudget,
  pods: readonly Pod[],
  { expectedPods, desiredHealthy }: ExpectedPods,
  disruption: { readonly disruptedPods: DisruptedPods; readonly now: number },
): PodDisruptionBudgetStatus {
  const { disruptedPods, now } = disruption;
  const isLeaving = ({ metadata }: Pod): boolean => {
    const evictedAt = disruptedPods[metadata.name ?? ''];
    return Boolean(metadata.deletionTimestamp) || (evictedAt !== undefined && isFresh(evictedAt, now));
  };
  const currentHealthy = pods.filter((pod) => !isLeaving(pod) && isPodReady(pod)).length;
  const allowed = currentHealthy - desiredHealthy;
  const disruptionsAllowed = expectedPods <= 0 ? 0 : Math.max(0, allowed);
  const observedGeneration = metadata.generation;
  const isAllowed = disruptionsAllowed > 0;
  const verdict = defined({
    status: isAllowed ? 'True' : 'False',
    reason: isAllowed ? 'SufficientPods' : 'InsufficientPods',
    message: '',
    observedGeneration,
  });
  return {
    ...defined({ observedGeneration }),
    ...(Object.keys(disruptedPods).length > 0 && { disruptedPods }),
    disruptionsAllowed,
    currentHealthy,
    desiredHealthy,
    expectedPods,
    conditions: withDisruptionAllowed(status?.conditions ?? [], verdict, now),
  };
}

/** Returns a status that allows no evictions while the number of pods is unknown. (failSafe) */
export function failSafeStatus({ status }: PodDisruptionBudget, message: string, now: number): PodDisruptionBudgetStatus {
  const { observedGeneration, conditions = [] } = status ?? {};
  const verdict: DisruptionVerdict = { status: 'False', reason: 'SyncFailed', message, ...defined({ observedGeneration }) };
  const none = { currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
  return { ...none, ...status, disruptionsAllowed: 0, conditions: withDisruptionAllowed(conditions, verdict, now) };
}
