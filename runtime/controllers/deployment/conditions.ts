import type { Deployment, DeploymentCondition, DeploymentStatus } from '../../../generated/v1.35/apps/v1/types.ts';
import { defined } from '../../machinery/json/defined.ts';
import { maxInt32 } from '../../machinery/scalars/integers.ts';
import { timeText } from '../../machinery/scalars/time.ts';
import { replicasOf } from './replica-sets.ts';

/** Conditions of deployments. (pkg/controller/deployment/util/deployment_util.go) */

export type DeploymentConditionType = 'Available' | 'Progressing' | 'ReplicaFailure';

/** @param now milliseconds since the epoch (NewDeploymentCondition) */
export function newCondition(
  type: DeploymentConditionType,
  content: Pick<DeploymentCondition, 'status' | 'reason' | 'message'>,
  now: number,
): DeploymentCondition {
  const time = timeText(now);
  return { type, ...content, lastUpdateTime: time, lastTransitionTime: time };
}

export const conditionOf = (status: DeploymentStatus | undefined, type: DeploymentConditionType): DeploymentCondition | undefined =>
  status?.conditions?.find((condition) => condition.type === type);

/** Sets a condition. An existing one with the same status and reason stays unchanged. (SetDeploymentCondition) */
export function setCondition(status: DeploymentStatus, condition: DeploymentCondition): void {
  const type = condition.type as DeploymentConditionType;
  const current = conditionOf(status, type);
  if (current?.status === condition.status && current.reason === condition.reason) return;
  const { lastTransitionTime } = current?.status === condition.status ? current : condition;
  removeCondition(status, type);
  status.conditions = [...(status.conditions ?? []), defined({ ...condition, lastTransitionTime })];
}

export function removeCondition(status: DeploymentStatus, type: DeploymentConditionType): void {
  const others = status.conditions?.filter((condition) => condition.type !== type) ?? [];
  if (others.length > 0) status.conditions = others;
  else delete status.conditions;
}

/** (HasProgressDeadline) */
export const hasProgressDeadline = ({ spec }: Deployment): boolean =>
  spec?.progressDeadlineSeconds !== undefined && spec.progressDeadlineSeconds !== maxInt32;

/** Returns the deadline for progress after this condition, in milliseconds since the epoch. */
export const progressDeadline = ({ spec }: Deployment, { lastUpdateTime }: DeploymentCondition): number =>
  Date.parse(lastUpdateTime ?? '') + (spec?.progressDeadlineSeconds ?? 0) * 1000;

/** Reports whether all pods are new and available. (DeploymentComplete) */
export function isComplete(deployment: Deployment, status: DeploymentStatus | undefined): boolean {
  const desired = replicasOf(deployment);
  const { updatedReplicas = 0, replicas = 0, availableReplicas = 0, observedGeneration = 0 } = status ?? {};
  const { generation = 0 } = deployment.metadata;
  return [updatedReplicas, replicas, availableReplicas].every((count) => count === desired) && observedGeneration >= generation;
}

/** Reports whether the new status shows progress since the deployment's status. (DeploymentProgressing) */
export function isProgressing({ status: before = {} }: Deployment, status: DeploymentStatus): boolean {
  const { updatedReplicas = 0, readyReplicas = 0, availableReplicas = 0 } = before;
  return (
    (status.updatedReplicas ?? 0) > updatedReplicas ||
    oldReplicas(status) < oldReplicas(before) ||
    (status.readyReplicas ?? 0) > readyReplicas ||
    (status.availableReplicas ?? 0) > availableReplicas
  );
}

const oldReplicas = ({ replicas = 0, updatedReplicas = 0 }: DeploymentStatus): number => replicas - updatedReplicas;

/** (DeploymentTimedOut) */
export function isTimedOut(deployment: Deployment, status: DeploymentStatus, now: number): boolean {
  const condition = conditionOf(status, 'Progressing');
  if (!hasProgressDeadline(deployment) || !condition || condition.reason === 'NewReplicaSetAvailable') return false;
  return condition.reason === 'ProgressDeadlineExceeded' || progressDeadline(deployment, condition) < now;
}
