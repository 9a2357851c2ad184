import type { SyncResult } from '../../reconcile/work-queue.ts';
import { isComplete } from './conditions.ts';
import type { DeploymentSync } from './deployment-sync.ts';
import { requireNewReplicaSet } from './new-replica-set.ts';
import { syncRolloutStatus } from './progress.ts';
import { activeSets, countReplicas, replicasOf, wantedReplicas } from './replica-sets.ts';
import { maxUnavailable, newSetReplicas } from './rollout-limits.ts';
import { cleanUpDeployment } from './scaling.ts';

/** (pkg/controller/deployment/rolling.go rolloutRolling) */
export async function rolloutRolling(sync: DeploymentSync): Promise<SyncResult> {
  await requireNewReplicaSet(sync);
  const isScaled = (await reconcileNewReplicaSet(sync)) || (await reconcileOldReplicaSets(sync));
  if (!isScaled && isComplete(sync.deployment, sync.status)) await cleanUpDeployment(sync);
  return syncRolloutStatus(sync);
}

/** Scales the new ReplicaSet to its current maximum. Returns whether it wrote anything. */
async function reconcileNewReplicaSet(sync: DeploymentSync): Promise<boolean> {
  const { newSet, desired, deployment, allSets } = sync;
  if (newSet === undefined) return false;
  const size = replicasOf(newSet) > desired ? desired : newSetReplicas(deployment, allSets, newSet);
  return sync.resizeReplicaSet(newSet, size);
}

/**
 * Scales the old ReplicaSets down as far as allowed. Unavailable pods go first, then as many others as keep enough
 * available. Unavailable pods of the new ReplicaSet must not cause more deletions.
 */
async function reconcileOldReplicaSets(sync: DeploymentSync): Promise<boolean> {
  const { newSet, allSets, deployment, desired } = sync;
  if (newSet === undefined || wantedReplicas(sync.oldSets) === 0) return false;
  const minAvailable = desired - maxUnavailable(deployment);
  const newUnavailable = replicasOf(newSet) - (newSet.status?.availableReplicas ?? 0);
  const maxScaledDown = wantedReplicas(allSets) - minAvailable - newUnavailable;
  if (maxScaledDown <= 0) return false;
  const cleanedUp = await cleanUpUnhealthyReplicas(sync, maxScaledDown);
  // statuses may be older than sizes, so fewer pods may be available than they say; upstream ignores this
  const available = countReplicas(sync.allSets, 'availableReplicas') - minAvailable;
  const scaledDown = await scaleDownOldReplicaSets(sync, Math.min(available, maxScaledDown - cleanedUp));
  return cleanedUp + scaledDown > 0;
}

/** @returns the number of removed replicas */
async function cleanUpUnhealthyReplicas(sync: DeploymentSync, most: number): Promise<number> {
  let total = 0;
  for (const set of activeSets(sync.oldSets)) {
    const unavailable = replicasOf(set) - (set.status?.availableReplicas ?? 0);
    const count = Math.min(most - total, unavailable);
    if (count <= 0) continue;
    await sync.resizeReplicaSet(set, replicasOf(set) - count);
    total += count;
  }
  return total;
}

/**
 * Scales down the old ReplicaSets, oldest first. (scaleDownOldReplicaSetsForRollingUpdate) @returns the number of
 * removed replicas
 */
async function scaleDownOldReplicaSets(sync: DeploymentSync, most: number): Promise<number> {
  let total = 0;
  for (const set of activeSets(sync.oldSets)) {
    const count = Math.min(most - total, replicasOf(set));
    if (count <= 0) break;
    await sync.resizeReplicaSet(set, replicasOf(set) - count);
    total += count;
  }
  return total;
}
