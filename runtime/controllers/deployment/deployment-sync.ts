import type { Deployment, DeploymentStatus, ReplicaSet } from '../../../generated/v1.35/apps/v1/types.ts';
import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import type { Clock } from '../../machinery/clock.ts';
import { conflict } from '../../machinery/errors/status.ts';
import { objectKeyOf } from '../../machinery/object-key.ts';
import { type EventRecorder, referenceTo } from '../../reconcile/events/event-recorder.ts';
import type { SharedInformer } from '../../reconcile/informers/shared-informer.ts';
import type { LoopbackClient } from '../../resources/loopback-client.ts';
import { conditionOf, type DeploymentConditionType, newCondition, setCondition } from './conditions.ts';
import { byCreation, equalIgnoreHash, replicasOf } from './replica-sets.ts';
import { replicasAnnotations, revisionAnnotation } from './revisions.ts';
import { maxSurge } from './rollout-limits.ts';

export interface DeploymentInformers {
  readonly deployments: SharedInformer<Deployment>;
  readonly replicaSets: SharedInformer<ReplicaSet>;
  readonly pods: SharedInformer<Pod>;
}

export interface DeploymentContext {
  readonly clock: Clock;
  readonly recorder: EventRecorder;
  readonly deployments: LoopbackClient<Deployment>;
  readonly replicaSets: LoopbackClient<ReplicaSet>;
  readonly pods: SharedInformer<Pod>;
}

/** A deployment with its ReplicaSets during one sync. Each step sees the writes of the previous steps. */
export class DeploymentSync {
  readonly context: DeploymentContext;
  /** A private copy. Its status and revision may be changed and then written. */
  readonly deployment: Deployment;
  #sets: readonly ReplicaSet[];
  /** The uid of the new ReplicaSet, cached because templates are expensive to compare. */
  #newUid: string | undefined;

  /** @param sets the ReplicaSets that the deployment owns */
  constructor(context: DeploymentContext, deployment: Deployment, sets: readonly ReplicaSet[]) {
    this.context = context;
    this.deployment = { ...deployment, metadata: { ...deployment.metadata }, status: { ...deployment.status } };
    this.#sets = [...sets].sort(byCreation);
  }

  get status(): DeploymentStatus {
    return this.deployment.status ?? {};
  }

  get now(): number {
    return this.context.clock.now();
  }

  get desired(): number {
    return replicasOf(this.deployment);
  }

  /** The oldest ReplicaSet with the template of the deployment. (FindNewReplicaSet) */
  get newSet(): ReplicaSet | undefined {
    this.#newUid ??= this.#findNewUid();
    return this.#sets.find(({ metadata }) => metadata.uid === this.#newUid);
  }

  #findNewUid(): string | undefined {
    const { template } = this.deployment.spec ?? {};
    if (template === undefined) return undefined;
    return this.#sets.find(({ spec }) => equalIgnoreHash(spec?.template ?? {}, template))?.metadata.uid;
  }

  /** The old ReplicaSets, oldest first. (FindOldReplicaSets) */
  get oldSets(): ReplicaSet[] {
    const { newSet } = this;
    return this.#sets.filter((set) => set !== newSet);
  }

  /** The old ReplicaSets, then the new one. */
  get allSets(): ReplicaSet[] {
    const { newSet, oldSets } = this;
    return newSet === undefined ? oldSets : [...oldSets, newSet];
  }

  event(type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.context.recorder.event(referenceTo(this.deployment), { type, reason, message });
  }

  setCondition(type: DeploymentConditionType, status: string, reason: string, message: string): void {
    setCondition(this.status, newCondition(type, { status, reason, message }, this.now));
  }

  condition(type: DeploymentConditionType) {
    return conditionOf(this.status, type);
  }

  /** Sets the revision. Returns whether it changed. (SetDeploymentRevision) */
  setRevision(revision: string): boolean {
    const { metadata } = this.deployment;
    if (metadata.annotations?.[revisionAnnotation] === revision) return false;
    metadata.annotations = { ...metadata.annotations, [revisionAnnotation]: revision };
    return true;
  }

  /** Stores the status and the revision. @throws StatusError 404 */
  async updateStatus(): Promise<void> {
    const { deployment, status, context } = this;
    const revision = deployment.metadata.annotations?.[revisionAnnotation];
    await context.deployments.change(
      objectKeyOf(deployment),
      (current) => {
        if (current.metadata.uid !== deployment.metadata.uid) return current;
        if (revision === undefined) return { ...current, status };
        const annotations = { ...current.metadata.annotations, [revisionAnnotation]: revision };
        return { ...current, metadata: { ...current.metadata, annotations }, status };
      },
      'status',
    );
  }

  async replaceStatus(status: DeploymentStatus): Promise<void> {
    this.deployment.status = status;
    await this.updateStatus();
  }

  /** Creates a ReplicaSet. @throws StatusError 409 if the name exists */
  async createReplicaSet(set: Omit<ReplicaSet, 'kind' | 'apiVersion'>): Promise<ReplicaSet> {
    const created = await this.context.replicaSets.create(set);
    this.#sets = [...this.#sets, created];
    return created;
  }

  /** @throws StatusError 409 if its size has changed meanwhile */
  async changeReplicaSet(set: ReplicaSet, change: (current: ReplicaSet) => ReplicaSet): Promise<ReplicaSet> {
    const { replicaSets } = this.context;
    const changed = await replicaSets.change(objectKeyOf(set), (current) => {
      if (current.metadata.uid !== set.metadata.uid || replicasOf(current) !== replicasOf(set))
        throw conflict(replicaSets.definition, set.metadata.name ?? '', 'the object has been modified');
      return change(current);
    });
    this.#sets = this.#sets.map((one) => (one.metadata.uid === changed.metadata.uid ? changed : one));
    return changed;
  }

  /**
   * Sets the size and the annotations of a ReplicaSet. Resolves to whether the size changed. (scaleReplicaSet)
   *
   * @throws StatusError 409 if another client has changed its size
   */
  async scaleReplicaSet(set: ReplicaSet, replicas: number): Promise<boolean> {
    const before = replicasOf(set);
    const noted = replicasAnnotations(this.deployment, maxSurge(this.deployment));
    const areNoted = Object.entries(noted).every(([key, value]) => set.metadata.annotations?.[key] === value);
    if (before === replicas && areNoted) return false;
    await this.changeReplicaSet(set, (current) => {
      const annotations = { ...current.metadata.annotations, ...noted };
      return {
        ...current,
        metadata: { ...current.metadata, annotations },
        ...(current.spec && { spec: { ...current.spec, replicas } }),
      };
    });
    if (before === replicas) return false;
    const direction = before < replicas ? 'up' : 'down';
    const message = `Scaled ${direction} replica set ${set.metadata.name} from ${before} to ${replicas}`;
    this.event('Normal', 'ScalingReplicaSet', message);
    return true;
  }

  /** Like scaleReplicaSet, but writes nothing if the set already has this size. (scaleReplicaSetAndRecordEvent) */
  async resizeReplicaSet(set: ReplicaSet, replicas: number): Promise<boolean> {
    return replicasOf(set) !== replicas && this.scaleReplicaSet(set, replicas);
  }
}
