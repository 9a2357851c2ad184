import { byController } from '../../reconcile/informers/index-by.ts';
import type { ObjectQueue } from '../../reconcile/queue-controller.ts';
import type { SyncResult } from '../../reconcile/work-queue.ts';
import { controllerOf } from '../controller-ref-manager.ts';
import { isPodTerminal } from '../pod-control/pod-states.ts';
import { isComplete } from './conditions.ts';
import { deploymentKind } from './deployment-kind.ts';
import type { DeploymentInformers, DeploymentSync } from './deployment-sync.ts';
import { requireNewReplicaSet, syncRevision } from './new-replica-set.ts';
import { syncRolloutStatus } from './progress.ts';
import { activeSets, countReplicas } from './replica-sets.ts';
import { cleanUpDeployment } from './scaling.ts';

/** Deletes all old pods before it creates new ones. (pkg/controller/deployment/recreate.go rolloutRecreate) */
export async function rolloutRecreate(sync: DeploymentSync): Promise<SyncResult> {
  await syncRevision(sync);
  const active = activeSets(sync.oldSets);
  for (const set of active) await sync.resizeReplicaSet(set, 0);
  if (active.length > 0 || hasOldPods(sync)) return syncRolloutStatus(sync);
  const newSet = await requireNewReplicaSet(sync);
  await sync.resizeReplicaSet(newSet, sync.desired);
  if (isComplete(sync.deployment, sync.status)) await cleanUpDeployment(sync);
  return syncRolloutStatus(sync);
}

/** Reports whether old pods are running or being deleted. (oldPodsRunning) */
function hasOldPods({ oldSets, context }: DeploymentSync): boolean {
  if (countReplicas(oldSets, 'replicas') > 0) return true;
  const pods = context.pods.index(byController);
  for (const { metadata } of oldSets) for (const pod of pods.of(metadata.uid ?? '')) if (!isPodTerminal(pod)) return true;
  return false;
}

/** Queues a deployment with strategy Recreate when its last pod is deleted. (deletePod) */
export function enqueueRecreated({ deployments, replicaSets, pods }: DeploymentInformers, queue: ObjectQueue): void {
  pods.addEventHandler({
    onDelete(pod) {
      const { namespace = '' } = pod.metadata;
      const owner = controllerOf(pod);
      const set = owner?.kind === 'ReplicaSet' ? replicaSets.get(namespace, owner.name) : undefined;
      const reference = set && controllerOf(set);
      if (set?.metadata.uid !== owner?.uid || reference?.kind !== deploymentKind.kind) return;
      const deployment = deployments.get(namespace, reference.name);
      if (deployment?.metadata.uid !== reference.uid || deployment.spec?.strategy?.type !== 'Recreate') return;
      for (const { metadata } of replicaSets.index(byController).of(reference.uid))
        if (pods.index(byController).count(metadata.uid ?? '') > 0) return;
      queue.addObject(deployment);
    },
  });
}
