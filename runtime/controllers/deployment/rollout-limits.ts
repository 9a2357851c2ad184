import type { Deployment, ReplicaSet } from '../../../generated/v1.35/apps/v1/types.ts';
import { scaledIntOrPercent } from '../../machinery/scalars/int-or-string.ts';
import { maxInt32 } from '../../machinery/scalars/integers.ts';
import { replicasOf, wantedReplicas } from './replica-sets.ts';
import { desiredReplicasAnnotation, maxReplicasAnnotation } from './revisions.ts';

/** Limits on surplus and missing pods during a rollout. (pkg/controller/deployment/util/deployment_util.go) */

export const isRollingUpdate = ({ spec }: Deployment): boolean => spec?.strategy?.type === 'RollingUpdate';

/**
 * Returns surge and unavailable pods, at least one of them above zero, so that there is progress. (ResolveFenceposts)
 */
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

/** Returns the current size for the new ReplicaSet. (NewRSNewReplicas) */
export function newSetReplicas(deployment: Deployment, allSets: readonly ReplicaSet[], newSet: ReplicaSet): number {
  const desired = replicasOf(deployment);
  if (!isRollingUpdate(deployment)) return desired;
  const size = replicasOf(newSet);
  const room = desired + maxSurge(deployment) - wantedReplicas(allSets);
  return room <= 0 ? size : size + Math.min(room, desired - size);
}

/**
 * Reports whether the new ReplicaSet has all pods of the deployment, all are available, and both objects say so.
 * (IsSaturated)
 */
export function isSaturated(deployment: Deployment, set: ReplicaSet | undefined): boolean {
  const desired = replicasOf(deployment);
  return (
    set !== undefined &&
    replicasOf(set) === desired &&
    numberIn(set, desiredReplicasAnnotation) === desired &&
    (set.status?.availableReplicas ?? 0) === desired
  );
}

/** Returns the deployment's size when its ReplicaSet was last scaled. (GetDesiredReplicasAnnotation) */
export const desiredReplicasOf = (set: ReplicaSet): number | undefined => numberIn(set, desiredReplicasAnnotation);

/** (getNonNegativeInt32FromAnnotation) */
function numberIn({ metadata }: ReplicaSet, annotation: string): number | undefined {
  const text = metadata.annotations?.[annotation];
  if (text === undefined || !/^[0-9]+$/.test(text)) return undefined;
  return Number(text) > maxInt32 ? undefined : Number(text);
}

/**
 * Returns one ReplicaSet's share of the replicas that a deployment adds or removes. (GetReplicaSetProportion)
 *
 * @param toAdd the total for all ReplicaSets; negative to remove
 * @param added the part already distributed
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
  // without a valid annotation, only the size of the deployment is known
  const before = numberIn(set, maxReplicasAnnotation) || (deployment.status?.replicas ?? 0);
  if (before === 0) return 0;
  // never negative, so this rounds like integer.RoundToInt32
  return Math.round((size * (desired + maxSurge(deployment))) / before) - size;
}
