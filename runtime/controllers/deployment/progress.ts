import type { DeploymentCondition, DeploymentStatus, ReplicaSet } from '../../../generated/v1.35/apps/v1/types.ts';
import { defined, setOrDelete } from '../../machinery/json/defined.ts';
import { equalJson } from '../../machinery/json/equality.ts';
import type { SyncResult } from '../../reconcile/work-queue.ts';
import {
  conditionOf,
  hasProgressDeadline,
  isComplete,
  isProgressing,
  isTimedOut,
  newCondition,
  progressDeadline,
  removeCondition,
  setCondition,
} from './conditions.ts';
import { calculateStatus } from './deployment-status.ts';
import type { DeploymentSync } from './deployment-sync.ts';

/** Writes the status during a rollout. (pkg/controller/deployment/progress.go syncRolloutStatus) */
export async function syncRolloutStatus(sync: DeploymentSync): Promise<SyncResult> {
  const { deployment } = sync;
  const status = calculateStatus(sync);
  if (!hasProgressDeadline(deployment)) removeCondition(status, 'Progressing');
  else estimateProgress(sync, status);
  const failure = replicaFailure(sync);
  if (failure === undefined) removeCondition(status, 'ReplicaFailure');
  else setCondition(status, failure);
  if (equalJson(sync.status, status)) return untilProgressCheck(sync);
  await sync.replaceStatus(status);
  return 'done';
}

function estimateProgress({ deployment, newSet, now }: DeploymentSync, status: DeploymentStatus): void {
  const current = conditionOf(deployment.status, 'Progressing');
  const isOver = (status.replicas ?? 0) === (status.updatedReplicas ?? 0);
  // a rollout that was already complete makes no progress
  if (isOver && current?.reason === 'NewReplicaSetAvailable') return;
  const subject = newSet === undefined ? `Deployment "${deployment.metadata.name}"` : `ReplicaSet "${newSet.metadata.name}"`;
  const set = (value: string, reason: string, what: string): DeploymentCondition =>
    newCondition('Progressing', { status: value, reason, message: `${subject} ${what}.` }, now);
  if (isComplete(deployment, status)) {
    setCondition(status, set('True', 'NewReplicaSetAvailable', 'has successfully progressed'));
  } else if (isProgressing(deployment, status)) {
    // progress renews the time of the update
    const condition = set('True', 'ReplicaSetUpdated', 'is progressing');
    if (current?.status === 'True') setOrDelete(condition, 'lastTransitionTime', current.lastTransitionTime);
    removeCondition(status, 'Progressing');
    setCondition(status, condition);
  } else if (isTimedOut(deployment, status, now)) {
    setCondition(status, set('False', 'ProgressDeadlineExceeded', 'has timed out progressing'));
  }
}

/** Returns the failure condition of the new ReplicaSet, or of the first old one that has it. (getReplicaFailures) */
function replicaFailure({ newSet, allSets }: DeploymentSync): DeploymentCondition | undefined {
  const failureOf = (set: ReplicaSet | undefined) => set?.status?.conditions?.find(({ type }) => type === 'ReplicaFailure');
  const failure = failureOf(newSet) ?? failureOf(allSets.find(failureOf));
  return failure && defined({ ...failure, lastUpdateTime: failure.lastTransitionTime });
}

/** Returns when to check again whether the rollout is stuck. (requeueStuckDeployment) */
function untilProgressCheck({ deployment, status, now }: DeploymentSync): SyncResult {
  const condition = conditionOf(status, 'Progressing');
  if (!hasProgressDeadline(deployment) || condition === undefined) return 'done';
  if (isComplete(deployment, status) || condition.reason === 'ProgressDeadlineExceeded') return 'done';
  // a second after the deadline
  return Math.max(0, progressDeadline(deployment, condition) - now) + 1000;
}
