import type { ControllerRevision, StatefulSet, StatefulSetStatus } from '../../../generated/v1.35/apps/v1/types.ts';
import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import type { KindFeatures } from '../../kinds/features.ts';
import { hasStatusCode } from '../../machinery/errors/status.ts';
import { defined } from '../../machinery/json/defined.ts';
import type { LabelSelector } from '../../machinery/selectors/label-selector.ts';
import type { LoopbackClient } from '../../resources/loopback-client.ts';
import type { ControllerHistory } from '../history/controller-history.ts';
import { sortControllerRevisions } from '../history/controller-revision.ts';
import { slowStartBatch } from '../pod-control/pod-control.ts';
import { newVersionedStatefulSetPod } from './new-stateful-pod.ts';
import type { StatefulPodControl } from './stateful-pod-control.ts';
import { StatefulSetRevisionControl, type StatefulSetRevisions } from './stateful-set-revisions.ts';
import { completeRollingUpdate, isInconsistentStatus, replicaStatus, withoutZeros } from './stateful-set-status.ts';
import { allowsBurst, endOrdinal, identityMatches, podRevision, startOrdinal, storageMatches } from './stateful-set-utils.ts';
import { isSteady, isUnavailable, newWork, outdatedPods, type Work } from './stateful-set-work.ts';

/** The maximum number of pods that are created before a set is synced again. */
const maxBatchSize = 500;

export interface StatefulSetControlOptions {
  readonly sets: LoopbackClient<StatefulSet>;
  readonly history: ControllerHistory;
  readonly podControl: StatefulPodControl;
  readonly features?: KindFeatures | undefined;
}

/** Moves a stateful set and its pods towards their desired state. (pkg/controller/statefulset/stateful_set_control.go) */
export class StatefulSetControl {
  readonly #sets: LoopbackClient<StatefulSet>;
  readonly #podControl: StatefulPodControl;
  readonly #history: ControllerHistory;
  readonly #revisions: StatefulSetRevisionControl;
  readonly #hasMaxUnavailable: boolean;

  constructor({ sets, history, podControl, features }: StatefulSetControlOptions) {
    this.#hasMaxUnavailable = features?.MaxUnavailableStatefulSet === true;
    this.#sets = sets;
    this.#podControl = podControl;
    this.#history = history;
    this.#revisions = new StatefulSetRevisionControl(history, sets.definition);
  }

  /** @returns the status, which is written if it has changed. `now` is in milliseconds. */
  async updateStatefulSet(set: StatefulSet, selector: LabelSelector, pods: readonly Pod[], now: number): Promise<StatefulSetStatus> {
    const sorted = sortControllerRevisions(this.#history.list(set, selector));
    const revisions = await this.#revisions.revisionsOf(set, sorted);
    try {
      return await this.#performUpdate(set, pods, revisions, now);
    } finally {
      await this.#truncateHistory(set, pods, sorted, revisions);
    }
  }

  async #performUpdate(set: StatefulSet, pods: readonly Pod[], revisions: StatefulSetRevisions, now: number): Promise<StatefulSetStatus> {
    const { current, update, collisionCount } = revisions;
    const names = { currentRevision: current.metadata.name ?? '', updateRevision: update.metadata.name ?? '' };
    const sets = {
      current: this.#revisions.applyRevision(set, current),
      update: this.#revisions.applyRevision(set, update),
      ...names,
    };
    const status = {
      ...defined({ observedGeneration: set.metadata.generation }),
      ...replicaStatus(set, pods, names, now),
      ...names,
      collisionCount,
    };
    try {
      if (!set.metadata.deletionTimestamp) await this.#updatePods(newWork(set, sets, pods, now), () => status.currentReplicas--);
    } finally {
      await this.#updateStatus(set, status);
    }
    return status;
  }

  /**
   * Creates and deletes the pods that can be created and deleted now. @param onOutdated called for each pod that will
   * be updated
   */
  async #updatePods(work: Work, onOutdated: () => void): Promise<void> {
    const isDone = allowsBurst(work.set) ? await this.#burst(work) : await this.#monotonic(work);
    if (!isDone || work.set.spec?.updateStrategy?.type === 'OnDelete') return;
    for (const pod of outdatedPods(work, this.#hasMaxUnavailable)) {
      await this.#deleteIfPresent(work.set, pod);
      onOutdated();
    }
  }

  /** Handles one pod after the other; each waits until its predecessors are available. */
  async #monotonic(work: Work): Promise<boolean> {
    const { set, replicas, condemned } = work;
    for (let ordinal = startOrdinal(set); ordinal <= endOrdinal(set); ordinal++) {
      const pod = replicas.get(ordinal);
      if (pod !== undefined && isSteady(pod, work) && !this.#needsUpdate(pod, work)) continue;
      if (await this.#processReplica(ordinal, work)) return false;
    }
    await this.#fixClaimsOfCondemned(work);
    const [highest] = condemned;
    if (highest === undefined) return true;
    const mayBeDeleted = isSteady(highest, work) || highest === condemned.findLast((pod) => isUnavailable(pod, work));
    if (!highest.metadata.deletionTimestamp && mayBeDeleted) await this.#podControl.deleteStatefulPod(set, highest);
    return false;
  }

  /** Handles all pods at once. */
  async #burst(work: Work): Promise<boolean> {
    const { set, replicas, condemned } = work;
    const ordinals: number[] = [];
    let missing = 0;
    for (let ordinal = startOrdinal(set); ordinal <= endOrdinal(set) && missing < maxBatchSize; ordinal++) {
      const pod = replicas.get(ordinal);
      if (pod === undefined) missing++;
      if (pod === undefined || isFinished(pod) || isPending(pod) || this.#needsUpdate(pod, work)) ordinals.push(ordinal);
    }
    await inBatches(ordinals, (ordinal) => this.#processReplica(ordinal, work));
    await this.#fixClaimsOfCondemned(work);
    const unwanted = condemned.filter(({ metadata }) => !metadata.deletionTimestamp);
    await inBatches(unwanted, (pod) => this.#podControl.deleteStatefulPod(set, pod));
    return true;
  }

  /** @returns true if an ordered set must wait for this pod */
  async #processReplica(ordinal: number, work: Work): Promise<boolean> {
    const { set, sets, replicas } = work;
    const monotonic = !allowsBurst(set);
    const pod = replicas.get(ordinal);
    if (pod === undefined) {
      const created = newVersionedStatefulSetPod(sets, ordinal);
      if (!this.#podControl.hasStaleClaim(set, created)) await this.#podControl.createStatefulPod(set, created);
      return true;
    }
    if (isFinished(pod)) {
      // a finished pod is deleted, and created again when it is gone
      if (!pod.metadata.deletionTimestamp) await this.#podControl.deleteStatefulPod(set, pod);
      return true;
    }
    if (isPending(pod)) await this.#podControl.createMissingClaims(set, pod);
    if (monotonic && !isSteady(pod, work)) return true;
    if (this.#needsUpdate(pod, work)) await this.#podControl.updateStatefulPod(sets.update, pod);
    return false;
  }

  #needsUpdate(pod: Pod, { set, sets }: Work): boolean {
    if (!identityMatches(set, pod) || !storageMatches(set, pod)) return true;
    return !this.#podControl.claimsMatchRetentionPolicy(sets.update, pod);
  }

  async #fixClaimsOfCondemned({ condemned, sets }: Work): Promise<void> {
    for (const pod of condemned) await this.#podControl.updateClaimsForRetentionPolicy(sets.update, pod);
  }

  async #deleteIfPresent(set: StatefulSet, pod: Pod): Promise<void> {
    try {
      await this.#podControl.deleteStatefulPod(set, pod);
    } catch (error) {
      if (!hasStatusCode(error, 404)) throw error;
    }
  }

  async #updateStatus(set: StatefulSet, status: StatefulSetStatus): Promise<void> {
    completeRollingUpdate(set, status);
    if (!isInconsistentStatus(set, status)) return;
    const { namespace = '', name = '' } = set.metadata;
    const written = withoutZeros(status);
    await this.#sets.change({ namespace, name }, (current) => ({ ...current, status: written }), 'status');
  }

  #truncateHistory(
    set: StatefulSet,
    pods: readonly Pod[],
    revisions: readonly ControllerRevision[],
    { current, update }: StatefulSetRevisions,
  ): Promise<void> {
    const live = new Set([current.metadata.name ?? '', update.metadata.name ?? '', ...pods.map(podRevision)]);
    return this.#revisions.truncate(set, revisions, live);
  }
}

const isFinished = ({ status }: Pod): boolean => status?.phase === 'Failed' || status?.phase === 'Succeeded';
const isPending = ({ status }: Pod): boolean => status?.phase === 'Pending';

/** @throws the first error, after its batch */
async function inBatches<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const { error } = await slowStartBatch(items.length, (index) => work(items[index] as T));
  if (error !== undefined) throw error;
}
