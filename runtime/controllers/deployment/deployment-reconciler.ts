import type { Deployment, ReplicaSet } from '../../../generated/v1.35/apps/v1/types.ts';
import { rollbackToOf } from '../../kinds/apps/deprecated-annotations.ts';
import { hasStatusCode } from '../../machinery/errors/status.ts';
import type { ObjectKey } from '../../machinery/object-key.ts';
import { labelSelectorFromObject } from '../../machinery/selectors/label-selector.ts';
import { byController, orphansOf } from '../../reconcile/informers/index-by.ts';
import type { SyncResult } from '../../reconcile/work-queue.ts';
import { claimObjects, newControllerRef } from '../controller-ref-manager.ts';
import { isNamespaceTerminating } from '../pod-control/pod-control.ts';
import { hasProgressDeadline } from './conditions.ts';
import { deploymentKind } from './deployment-kind.ts';
import { syncDeploymentStatus } from './deployment-status.ts';
import { type DeploymentContext, type DeploymentInformers, DeploymentSync } from './deployment-sync.ts';
import { syncRevision } from './new-replica-set.ts';
import { rolloutRecreate } from './recreate.ts';
import { rollback } from './rollback.ts';
import { rolloutRolling } from './rolling.ts';
import { cleanUpDeployment, isScalingEvent, scale } from './scaling.ts';

/** Reconciles one deployment. (pkg/controller/deployment/deployment_controller.go, sync.go) */
export class DeploymentReconciler {
  readonly #informers: DeploymentInformers;
  readonly #context: DeploymentContext;

  constructor(informers: DeploymentInformers, context: DeploymentContext) {
    this.#informers = informers;
    this.#context = context;
  }

  async sync({ namespace, name }: ObjectKey): Promise<SyncResult> {
    const deployment = this.#informers.deployments.get(namespace, name);
    if (deployment === undefined) return 'done';
    try {
      return await this.#syncDeployment(deployment);
    } catch (error) {
      // the namespace accepts no new objects, or an event will report the deletion
      if (isNamespaceTerminating(error) || hasStatusCode(error, 404)) return 'done';
      // another write came first
      if (hasStatusCode(error, 409)) return 'retry';
      throw error;
    }
  }

  /** (syncDeployment) */
  async #syncDeployment(deployment: Deployment): Promise<SyncResult> {
    if (isEmptySelector(deployment)) return this.#refuse(new DeploymentSync(this.#context, deployment, []));
    const sync = new DeploymentSync(this.#context, deployment, await this.#replicaSetsOf(deployment));
    if (deployment.metadata.deletionTimestamp) {
      await syncRevision(sync);
      return done(syncDeploymentStatus(sync));
    }
    await checkPausedConditions(sync);
    if (deployment.spec?.paused) return done(syncScale(sync));
    if (rollbackToOf(deployment) !== undefined) return done(rollback(sync));
    await syncRevision(sync);
    if (isScalingEvent(sync)) return done(syncScale(sync));
    return deployment.spec?.strategy?.type === 'Recreate' ? rolloutRecreate(sync) : rolloutRolling(sync);
  }

  /** Refuses a deployment without a selector, which would own all pods. Validation normally prevents it. */
  async #refuse(sync: DeploymentSync): Promise<SyncResult> {
    const message = 'This deployment is selecting all pods. A non-empty selector is required.';
    sync.event('Warning', 'SelectingAll', message);
    const { generation = 0 } = sync.deployment.metadata;
    if ((sync.status.observedGeneration ?? 0) < generation) await sync.replaceStatus({ ...sync.status, observedGeneration: generation });
    return 'done';
  }

  /** (getReplicaSetsForDeployment) */
  #replicaSetsOf(deployment: Deployment): Promise<ReplicaSet[]> {
    const { uid = '', namespace = '', name = '' } = deployment.metadata;
    const index = this.#informers.replicaSets.index(byController);
    const selector = labelSelectorFromObject(deployment.spec?.selector);
    return claimObjects([...index.of(uid), ...index.of(orphansOf(namespace))], {
      controller: deployment,
      controllerRef: newControllerRef(deployment, deploymentKind),
      matches: ({ metadata }) => selector.matches(metadata.labels),
      objects: this.#context.replicaSets,
      current: () => this.#context.deployments.get(namespace, name),
    });
  }
}

/** Scales a paused or scaled deployment, and cleans up its history. (sync) */
async function syncScale(sync: DeploymentSync): Promise<void> {
  await syncRevision(sync);
  await scale(sync);
  if (sync.deployment.spec?.paused && rollbackToOf(sync.deployment) === undefined) await cleanUpDeployment(sync);
  await syncDeploymentStatus(sync);
}

/** Sets a condition while a deployment is paused, so that the pause does not count as lack of progress. */
async function checkPausedConditions(sync: DeploymentSync): Promise<void> {
  if (!hasProgressDeadline(sync.deployment)) return;
  const reason = sync.condition('Progressing')?.reason;
  const isPaused = sync.deployment.spec?.paused ?? false;
  if (reason === 'ProgressDeadlineExceeded' || isPaused === (reason === 'DeploymentPaused')) return;
  if (isPaused) sync.setCondition('Progressing', 'Unknown', 'DeploymentPaused', 'Deployment is paused');
  else sync.setCondition('Progressing', 'Unknown', 'DeploymentResumed', 'Deployment is resumed');
  await sync.updateStatus();
}

function isEmptySelector({ spec }: Deployment): boolean {
  const { matchLabels = {}, matchExpressions = [] } = spec?.selector ?? {};
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;
}

const done = (work: Promise<void>): Promise<SyncResult> => work.then(() => 'done');
