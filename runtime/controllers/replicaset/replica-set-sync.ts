import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import type { Clock } from '../../machinery/clock.ts';
import { hasStatusCode } from '../../machinery/errors/status.ts';
import type { ObjectKey } from '../../machinery/object-key.ts';
import { labelSelectorFromObject } from '../../machinery/selectors/label-selector.ts';
import { byController, orphansOf } from '../../reconcile/informers/index-by.ts';
import type { SharedInformer } from '../../reconcile/informers/shared-informer.ts';
import type { SyncResult } from '../../reconcile/work-queue.ts';
import type { LoopbackClient } from '../../resources/loopback-client.ts';
import { claimObjects, controllerOf, newControllerRef } from '../controller-ref-manager.ts';
import { isNamespaceTerminating, type PodControl, podFromTemplate, slowStartBatch } from '../pod-control/pod-control.ts';
import { isPodActive, isPodTerminating, nextAvailabilityCheck } from '../pod-control/pod-states.ts';
import { podsToDelete } from './pods-to-delete.ts';
import type { ReplicaSetKind, ReplicaSetLike, ReplicaSetLikeStatus } from './replica-set-kind.ts';
import { calculateStatus, isSameStatus } from './replica-set-status.ts';

/** The maximum number of pods that are created or deleted before the status is written. (BurstReplicas) */
const burstReplicas = 500;

export interface ReplicaSetSyncOptions {
  readonly kind: ReplicaSetKind;
  readonly sets: SharedInformer<ReplicaSetLike>;
  readonly pods: SharedInformer<Pod>;
  readonly podClient: LoopbackClient<Pod>;
  readonly setClient: LoopbackClient<ReplicaSetLike>;
  readonly podControl: PodControl;
  readonly clock: Clock;
}

/** Syncs one object. (pkg/controller/replicaset/replica_set.go) */
export class ReplicaSetSync {
  readonly #options: ReplicaSetSyncOptions;

  constructor(options: ReplicaSetSyncOptions) {
    this.#options = options;
  }

  /** (syncReplicaSet) */
  async sync({ namespace, name }: ObjectKey): Promise<SyncResult> {
    const { kind, sets, pods, clock } = this.#options;
    const set = sets.get(namespace, name);
    if (set === undefined) return 'done';
    const owned = [...pods.index(byController).of(set.metadata.uid ?? '')];
    const orphans = pods.index(byController).of(orphansOf(namespace));
    const activePods = await this.#claimPods(set, [...owned, ...orphans].filter(isPodActive));
    const selector = labelSelectorFromObject(kind.selectorOf(set));
    const terminating = kind.countsTerminating
      ? owned.filter((pod) => isPodTerminating(pod) && selector.matches(pod.metadata.labels))
      : undefined;
    const error = set.metadata.deletionTimestamp ? undefined : await this.#manageReplicas(set, activePods);
    const now = clock.now();
    const status = calculateStatus(set, { active: activePods, terminating: terminating?.length, error }, now);
    await this.#updateStatus(set, status);
    if (error !== undefined) throw error;
    const { minReadySeconds = 0 } = set.spec ?? {};
    if (minReadySeconds === 0 || (status.readyReplicas ?? 0) === (status.availableReplicas ?? 0)) return 'done';
    return nextAvailabilityCheck(activePods, minReadySeconds, now) ?? minReadySeconds * 1000;
  }

  #claimPods(set: ReplicaSetLike, candidates: readonly Pod[]): Promise<Pod[]> {
    const { kind, podClient, setClient } = this.#options;
    const { namespace = '', name = '' } = set.metadata;
    const selector = labelSelectorFromObject(kind.selectorOf(set));
    return claimObjects(candidates, {
      controller: set,
      controllerRef: newControllerRef(set, kind),
      matches: ({ metadata }) => selector.matches(metadata.labels),
      objects: podClient,
      current: () => setClient.get(namespace, name),
    });
  }

  /** @returns the first error of a creation or deletion */
  async #manageReplicas(set: ReplicaSetLike, activePods: readonly Pod[]): Promise<unknown> {
    const missing = (set.spec?.replicas ?? 0) - activePods.length;
    if (missing > 0) return this.#createPods(set, Math.min(missing, burstReplicas));
    if (missing < 0) return this.#deletePods(set, activePods, Math.min(-missing, burstReplicas));
    return undefined;
  }

  async #createPods(set: ReplicaSetLike, count: number): Promise<unknown> {
    const { kind, podControl } = this.#options;
    const owner = newControllerRef(set, kind);
    const { error } = await slowStartBatch(count, async () => {
      try {
        await podControl.create(podFromTemplate(set.spec?.template ?? {}, set.metadata.name ?? '', owner), set);
      } catch (reason) {
        // creations in a terminating namespace fail
        if (!isNamespaceTerminating(reason)) throw reason;
      }
    });
    return error;
  }

  async #deletePods(set: ReplicaSetLike, activePods: readonly Pod[], count: number): Promise<unknown> {
    const { podControl, clock } = this.#options;
    const chosen = podsToDelete(activePods, count, this.#relatedPods(set), clock.now());
    const outcomes = await Promise.allSettled(chosen.map((pod) => podControl.delete(pod, set)));
    const failure = outcomes.find((outcome) => outcome.status === 'rejected' && !hasStatusCode(outcome.reason, 404));
    return failure?.status === 'rejected' ? failure.reason : undefined;
  }

  /**
   * Yields the pods of all objects with the same owner. Upstream includes pods that their selectors match.
   * (getIndirectlyRelatedPods)
   */
  *#relatedPods(set: ReplicaSetLike): Iterable<Pod> {
    const owner = controllerOf(set);
    if (owner === undefined) return;
    const { sets, pods } = this.#options;
    for (const related of sets.index(byController).of(owner.uid)) yield* pods.index(byController).of(related.metadata.uid ?? '');
  }

  /** (updateReplicaSetStatus) */
  async #updateStatus(set: ReplicaSetLike, status: ReplicaSetLikeStatus): Promise<void> {
    const { uid, generation, namespace = '', name = '' } = set.metadata;
    if (set.status && set.status.observedGeneration === generation && isSameStatus(set.status, status)) return;
    try {
      await this.#options.setClient.change(
        { namespace, name },
        (current) => (current.metadata.uid === uid ? { ...current, status } : current),
        'status',
      );
    } catch (error) {
      if (!hasStatusCode(error, 404)) throw error;
    }
  }
}
