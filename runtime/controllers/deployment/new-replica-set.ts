import type { ReplicaSet } from '../../../generated/v1.35/apps/v1/types.ts';
import { isStatusError } from '../../machinery/errors/status.ts';
import { defined } from '../../machinery/json/defined.ts';
import { equalJson } from '../../machinery/json/equality.ts';
import { computeHash } from '../compute-hash.ts';
import { newControllerRef } from '../controller-ref-manager.ts';
import { isNamespaceTerminating } from '../pod-control/pod-control.ts';
import { hasProgressDeadline } from './conditions.ts';
import { deploymentKind } from './deployment-kind.ts';
import type { DeploymentSync } from './deployment-sync.ts';
import { podTemplateHashLabel } from './pod-template-hash.ts';
import { maxRevision, newSetAnnotations, replicasAnnotations, revisionAnnotation } from './revisions.ts';
import { maxSurge, newSetReplicas } from './rollout-limits.ts';

const maxNameLength = 253;

/**
 * Sets the next revision and the deployment's annotations on the new ReplicaSet, if it exists, and the revision on the
 * deployment. (getAllReplicaSetsAndSyncRevision, getNewReplicaSet)
 */
export async function syncRevision(sync: DeploymentSync): Promise<void> {
  const { newSet, deployment } = sync;
  if (newSet === undefined) return;
  const revision = maxRevision(sync.oldSets) + 1n;
  const minReadySeconds = deployment.spec?.minReadySeconds ?? 0;
  const annotations = newSetAnnotations(deployment, newSet, revision) ?? newSet.metadata.annotations ?? {};
  const isSame = equalJson(annotations, newSet.metadata.annotations ?? {});
  if (!isSame || (newSet.spec?.minReadySeconds ?? 0) !== minReadySeconds) {
    await sync.changeReplicaSet(newSet, (current) => ({
      ...current,
      metadata: { ...current.metadata, annotations: { ...current.metadata.annotations, ...annotations } },
      ...(current.spec && { spec: { ...current.spec, minReadySeconds } }),
    }));
    return;
  }
  let isChanged = sync.setRevision(annotations[revisionAnnotation] ?? '');
  if (hasProgressDeadline(deployment) && sync.condition('Progressing') === undefined) {
    const message = `Found new replica set "${newSet.metadata.name}"`;
    sync.setCondition('Progressing', 'True', 'FoundNewReplicaSet', message);
    isChanged = true;
  }
  if (isChanged) await sync.updateStatus();
}

/**
 * Does the same as syncRevision, and creates the new ReplicaSet if it is missing.
 *
 * @throws StatusError as a client's create; 409 if its name is taken, after the collision was counted in the
 *   deployment
 */
export async function requireNewReplicaSet(sync: DeploymentSync): Promise<ReplicaSet> {
  await syncRevision(sync);
  return sync.newSet ?? createNewReplicaSet(sync);
}

async function createNewReplicaSet(sync: DeploymentSync): Promise<ReplicaSet> {
  const { deployment } = sync;
  const revision = maxRevision(sync.oldSets) + 1n;
  const wanted = newReplicaSet(sync, revision);
  const { name } = wanted.metadata;
  let created: ReplicaSet;
  try {
    created = await sync.createReplicaSet(wanted);
  } catch (error) {
    if (isStatusError(error) && error.status.reason === 'AlreadyExists') await countCollision(sync);
    else if (!isNamespaceTerminating(error)) await recordFailure(sync, name ?? '', error);
    throw error;
  }
  const replicas = created.spec?.replicas ?? 0;
  if (replicas > 0) sync.event('Normal', 'ScalingReplicaSet', `Scaled up replica set ${name} from 0 to ${replicas}`);
  let isChanged = sync.setRevision(String(revision));
  if (hasProgressDeadline(deployment)) {
    sync.setCondition('Progressing', 'True', 'NewReplicaSetCreated', `Created new replica set "${name}"`);
    isChanged = true;
  }
  if (isChanged) await sync.updateStatus();
  return created;
}

function newReplicaSet(sync: DeploymentSync, revision: bigint): Omit<ReplicaSet, 'kind' | 'apiVersion'> {
  const { deployment, status } = sync;
  const { selector = {}, template = {}, minReadySeconds } = deployment.spec ?? {};
  const hash = computeHash(template, status.collisionCount);
  const labels = { ...template.metadata?.labels, [podTemplateHashLabel]: hash };
  const matchLabels = { ...selector.matchLabels, [podTemplateHashLabel]: hash };
  const name = `${deployment.metadata.name?.slice(0, maxNameLength - 1 - hash.length)}-${hash}`;
  const set = {
    metadata: defined({
      name,
      namespace: deployment.metadata.namespace,
      labels,
      ownerReferences: [newControllerRef(deployment, deploymentKind)],
    }),
    spec: defined({
      replicas: 0,
      minReadySeconds,
      selector: { ...selector, matchLabels },
      template: { ...template, metadata: { ...template.metadata, labels } },
    }),
  };
  const annotations = {
    ...newSetAnnotations(deployment, set, revision),
    ...replicasAnnotations(deployment, maxSurge(deployment)),
  };
  const replicas = newSetReplicas(deployment, [...sync.oldSets, set], set);
  return { metadata: { ...set.metadata, annotations }, spec: { ...set.spec, replicas } };
}

/** Counts a collision, so that the next attempt uses another name. */
async function countCollision(sync: DeploymentSync): Promise<void> {
  sync.status.collisionCount = (sync.status.collisionCount ?? 0) + 1;
  await sync.updateStatus();
}

async function recordFailure(sync: DeploymentSync, name: string, error: unknown): Promise<void> {
  const reason = 'ReplicaSetCreateError';
  const message = `Failed to create new replica set "${name}": ${error instanceof Error ? error.message : String(error)}`;
  if (hasProgressDeadline(sync.deployment)) {
    sync.setCondition('Progressing', 'False', reason, message);
    // the failed creation is the more important error
    await sync.updateStatus().catch(() => undefined);
  }
  sync.event('Warning', reason, message);
}
