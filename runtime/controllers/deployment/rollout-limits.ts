import type { Deployment, ReplicaSet } from '../../../generated/v1.35/apps/v1/types.ts';
import { scaledIntOrPercent } from '../../machinery/scalars/int-or-string.ts';
import { maxInt32 } from '../../machinery/scalars/integers.ts';
import { replicasOf, wantedReplicas } from './replica-sets.ts';
import { desiredReplicasAnnotation, maxReplicasAnnotation } from './revisions.ts';

/** How many pods a deployment may have and miss during a rollout. (pkg/controller/deployment/util/deployment_util.go) */

export const isRollingUpdate = ({ spec }: Deployment): boolean => spec?.strategy?.type === 'RollingUpdate';

/** At least one of the two is not zero, so that there is progress. (ResolveFenceposts) */
function resolveFenceposts(deployment: Deployment): { readonly surge: number; readonly unavailable: number } {
  const desired = replicasOf(deployment);
  const { maxSurge, maxUnavailable } = deployment.spec?.strategy?.rollingUpdate ?? {};
  const surge = scaledIntOrPercent(maxSurge, desired, true);
  const unavailable = scaledIntOrPercent(maxUnavailable, desired, false);
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

/** (MaxUnavailable) */
export function maxUnavailable(deployment: Deployment): number {
  const desired = replicasOf(deployment);
  if (!isRollingUpdate(deployment) || desired === 0) return 0;
  return Math.min(resolveFenceposts(deployment).unavailable, desired);
}

/** (MaxSurge) */
export const maxSurge = (deployment: Deployment): number => (isRollingUpdate(deployment) ? resolveFenceposts(deployment).surge : 0);

/** How large the new ReplicaSet should be now. (NewRSNewReplicas) */
export function newSetReplicas(deployment: Deployment, allSets: readonly ReplicaSet[], newSet: ReplicaSet): number {
  const desired = replicasOf(deployment);
  if (!isRollingUpdate(deployment)) return desired;
  const size = replicasOf(newSet);
  const room = desired + maxSurge(deployment) - wantedReplicas(allSets);
  return room <= 0 ? size : size + Math.min(room, desired - size);
}

/** Whether the new ReplicaSet has all pods of the deployment, all of them available, and both know it. (IsSaturated) */
export function isSaturated(deployment: Deployment, set: ReplicaSet | undefined): boolean {
  const desired = replicasOf(deployment);
  return (
    set !== undefined &&
    replicasOf(set) === desired &&
    numberIn(set, desiredReplicasAnnotation) === desired &&
    (set.status?.availableReplicas ?? 0) === desired
  );
}

/** The size of the deployment when its ReplicaSet was last scaled. (GetDesiredReplicasAnnotation) */
export const desiredReplicasOf = (set: ReplicaSet): number | undefined => numberIn(set, desiredReplicasAnnotation);

/** (getNonNegativeInt32FromAnnotation) */
function numberIn({ metadata }: ReplicaSet, annotation: string): number | undefined {
  const text = metadata.annotations?.[annotation];
  if (text === undefined || !/^[0-9]+$/.test(text)) return undefined;
  return Number(text) > maxInt32 ? undefined : Number(text);
}

/**
 * How many of the replicas that a deployment has to add or to remove are those of one ReplicaSet. (GetReplicaSetProportion)
 *
 * @param toAdd of all ReplicaSets; negative if they are removed
 * @param added so far
 */
export function replicaSetProportion(set: ReplicaSet, deployment: Deployment, toAdd: number, added: number): number {
  if (replicasOf(set) === 0 || toAdd === added) return 0;
  const fraction = replicaSetFraction(set, deployment);
  return toAdd > 0 ? Math.min(fraction, toAdd - added) : Math.max(fraction, toAdd - added);
}

/** (getReplicaSetFraction) */
function replicaSetFraction(set: ReplicaSet, deployment: Deployment): number {
  const size = replicasOf(set);
  const desired = replicasOf(deployment);
  if (desired === 0) return -size;
  // without a valid annotation, the size of the deployment is all that is known
  const before = numberIn(set, maxReplicasAnnotation) || (deployment.status?.replicas ?? 0);
  if (before === 0) return 0;
  // never negative, so this rounds as integer.RoundToInt32
  return Math.round((size * (desired + maxSurge(deployment))) / before) - size;
}
