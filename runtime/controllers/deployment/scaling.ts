import type { ReplicaSet } from '../../../generated/v1.35/apps/v1/types.ts';
import { hasStatusCode } from '../../machinery/errors/status.ts';
import { defined } from '../../machinery/json/defined.ts';
import { maxInt32 } from '../../machinery/scalars/integers.ts';
import type { DeploymentSync } from './deployment-sync.ts';
import { activeSets, bySizeNewer, bySizeOlder, findActiveOrLatest, replicasOf, wantedReplicas } from './replica-sets.ts';
import { byRevision } from './revisions.ts';
import { desiredReplicasOf, isRollingUpdate, isSaturated, maxSurge, replicaSetProportion } from './rollout-limits.ts';

/** Reports whether the deployment was scaled since its ReplicaSets were. (isScalingEvent) */
export function isScalingEvent(sync: DeploymentSync): boolean {
  return activeSets(sync.allSets).some((set) => {
    const desired = desiredReplicasOf(set);
    return desired !== undefined && desired !== sync.desired;
  });
}

/**
 * Scales the only active ReplicaSet to the size of the deployment. During a rollout, all ReplicaSets share the added or
 * removed replicas in proportion, so that scaling does not change its progress. (pkg/controller/deployment/sync.go
 * scale)
 */
export async function scale(sync: DeploymentSync): Promise<void> {
  const { newSet, oldSets, deployment, desired } = sync;
  const only = findActiveOrLatest(newSet, oldSets);
  if (only !== undefined) {
    // updates wrong annotations even if the size is right; upstream does not, and the rollout then stops
    await sync.scaleReplicaSet(only, desired);
  } else if (isSaturated(deployment, newSet)) {
    for (const set of activeSets(oldSets)) await sync.resizeReplicaSet(set, 0);
  } else if (isRollingUpdate(deployment)) {
    for (const [set, size] of proportionalSizes(sync)) await sync.scaleReplicaSet(set, size);
  } else {
    // updates only the annotations before the recreation; upstream does not, and the rollout then stops
    for (const set of activeSets(sync.allSets)) await sync.scaleReplicaSet(set, replicasOf(set));
  }
}

function proportionalSizes({ allSets, deployment, desired }: DeploymentSync): Map<ReplicaSet, number> {
  const active = activeSets(allSets);
  const allowed = desired > 0 ? desired + maxSurge(deployment) : 0;
  const toAdd = allowed - wantedReplicas(active);
  if (toAdd !== 0) active.sort(toAdd > 0 ? bySizeNewer : bySizeOlder);
  const sizes = new Map<ReplicaSet, number>();
  let added = 0;
  for (const set of active) {
    const proportion = toAdd === 0 ? 0 : replicaSetProportion(set, deployment, toAdd, added);
    sizes.set(set, replicasOf(set) + proportion);
    added += proportion;
  }
  // the largest set takes the remainder
  const [largest] = active;
  if (largest !== undefined && toAdd !== 0) sizes.set(largest, Math.max(0, (sizes.get(largest) ?? 0) + toAdd - added));
  return sizes;
}

/** Deletes the oldest ReplicaSets without pods above the history limit. (cleanupDeployment) */
export async function cleanUpDeployment({ oldSets, deployment, context }: DeploymentSync): Promise<void> {
  const limit = deployment.spec?.revisionHistoryLimit;
  if (limit === undefined || limit === maxInt32) return;
  const alive = oldSets.filter(({ metadata }) => !metadata.deletionTimestamp).sort(byRevision);
  for (const { metadata, spec, status } of alive.slice(0, Math.max(0, alive.length - limit))) {
    if (status?.replicas || spec?.replicas || (metadata.generation ?? 0) > (status?.observedGeneration ?? 0)) continue;
    try {
      await context.replicaSets.delete(metadata.namespace ?? '', metadata.name ?? '', defined({ uid: metadata.uid }));
    } catch (error) {
      if (!hasStatusCode(error, 404)) throw error;
    }
  }
}
