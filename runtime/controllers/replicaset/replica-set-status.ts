import type { ReplicaSetCondition } from '../../../generated/v1.35/apps/v1/types.ts';
import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { isPodReady } from '../../kinds/core/pod/conditions.ts';
import { defined } from '../../machinery/json/defined.ts';
import { equalJson } from '../../machinery/json/equality.ts';
import { timeText } from '../../machinery/scalars/time.ts';
import { isPodAvailable } from '../pod-control/pod-states.ts';
import type { ReplicaSetLike, ReplicaSetLikeStatus } from './replica-set-kind.ts';

const replicaFailure = 'ReplicaFailure';

/** The findings of a sync. */
export interface ReplicaSetFindings {
  readonly active: readonly Pod[];
  /** Undefined if the status has no terminatingReplicas. */
  readonly terminating: number | undefined;
  /** The error that kept pods from being created or deleted. */
  readonly error: unknown;
}

/** @param now milliseconds (pkg/controller/replicaset/replica_set_utils.go calculateStatus) */
export function calculateStatus(
  { metadata, spec = {}, status }: ReplicaSetLike,
  { active, terminating, error }: ReplicaSetFindings,
  now: number,
): ReplicaSetLikeStatus {
  const { minReadySeconds = 0, replicas = 0, template } = spec;
  const templateLabels = Object.entries(template?.metadata?.labels ?? {});
  const [fullyLabeled, ready, available] = [
    active.filter(({ metadata: { labels } }) => templateLabels.every(([key, value]) => labels?.[key] === value)),
    active.filter(isPodReady),
    active.filter((pod) => isPodAvailable(pod, minReadySeconds, now)),
  ].map((counted) => counted.length);
  const before = status?.conditions ?? [];
  const conditions = conditionsAfter(before, { error, surplus: active.length - replicas, now });
  // optional members are absent instead of zero, except terminatingReplicas
  return {
    replicas: active.length,
    ...(fullyLabeled ? { fullyLabeledReplicas: fullyLabeled } : {}),
    ...(ready ? { readyReplicas: ready } : {}),
    ...(available ? { availableReplicas: available } : {}),
    ...defined({ terminatingReplicas: terminating }),
    ...(metadata.generation ? { observedGeneration: metadata.generation } : {}),
    ...(conditions.length === 0 ? {} : { conditions }),
  };
}

/** Returns the conditions after a sync. The first failure's condition stays until a sync succeeds. */
function conditionsAfter(
  before: ReplicaSetCondition[],
  { error, surplus, now }: { readonly error: unknown; readonly surplus: number; readonly now: number },
): ReplicaSetCondition[] {
  const hasFailed = before.some(({ type }) => type === replicaFailure);
  if (error === undefined) return hasFailed ? before.filter(({ type }) => type !== replicaFailure) : before;
  if (hasFailed) return before;
  const reason = surplus < 0 ? 'FailedCreate' : 'FailedDelete';
  const message = error instanceof Error ? error.message : String(error);
  return [...before, { type: replicaFailure, status: 'True', lastTransitionTime: timeText(now), reason, message }];
}

/** Reports whether two statuses are equal apart from observedGeneration. */
export function isSameStatus(a: ReplicaSetLikeStatus, b: ReplicaSetLikeStatus): boolean {
  return equalJson({ ...a, observedGeneration: 0 }, { ...b, observedGeneration: 0 });
}
