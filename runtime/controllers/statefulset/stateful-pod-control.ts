import type { StatefulSet } from '../../../generated/v1.35/apps/v1/types.ts';
import type { PersistentVolumeClaim, Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { aggregate } from '../../machinery/errors/aggregate.ts';
import { isStatusError } from '../../machinery/errors/status.ts';
import { type EventRecorder, referenceTo } from '../../reconcile/events/event-recorder.ts';
import type { SharedInformer } from '../../reconcile/informers/shared-informer.ts';
import type { LoopbackClient } from '../../resources/loopback-client.ts';
import { textOf } from '../pod-control/pod-control.ts';
import {
  hasStaleOwnerRef,
  hasUnexpectedController,
  isClaimOwnerUpToDate,
  retainsClaimsWhenScaled,
  updatedClaimOwners,
} from './claim-owners.ts';
import {
  claimName,
  claimsOf,
  identityMatches,
  ordinalOf,
  podReference,
  storageMatches,
  updateIdentity,
  updateStorage,
} from './stateful-set-utils.ts';

export interface StatefulPodControlOptions {
  readonly pods: LoopbackClient<Pod>;
  readonly claims: LoopbackClient<PersistentVolumeClaim>;
  readonly knownClaims: SharedInformer<PersistentVolumeClaim>;
  readonly recorder: EventRecorder;
}

type Verb = 'Create' | 'Update' | 'Delete';

/**
 * Creates, changes and deletes the pods of stateful sets and their claims, and records events.
 * (pkg/controller/statefulset/stateful_pod_control.go)
 */
export class StatefulPodControl {
  readonly #options: StatefulPodControlOptions;

  constructor(options: StatefulPodControlOptions) {
    this.#options = options;
  }

  /** Creates the pod after its claims. @throws StatusError; Error if a claim cannot be created, or is being deleted */
  async createStatefulPod(set: StatefulSet, pod: Pod): Promise<void> {
    await this.#recording('Create', set, pod, () => this.#createClaims(set, pod));
    let created: Pod;
    try {
      created = await this.#options.pods.create(pod);
    } catch (error) {
      if (!isStatusError(error) || error.status.reason !== 'AlreadyExists') this.#recordPodEvent('Create', set, pod, error);
      throw error;
    }
    await this.#recording('Update', set, pod, () => this.updateClaimsForRetentionPolicy(set, created));
    this.#recordPodEvent('Create', set, pod);
  }

  /** Corrects the pod's identity and storage, and the owners of its claims. */
  async updateStatefulPod(set: StatefulSet, pod: Pod): Promise<void> {
    const hasStorage = storageMatches(set, pod);
    const hasRetention = this.claimsMatchRetentionPolicy(set, pod);
    if (identityMatches(set, pod) && hasStorage && hasRetention) return;
    await this.#recording('Update', set, pod, async () => {
      if (!hasStorage) await this.#createClaims(set, pod);
      if (!hasRetention) await this.updateClaimsForRetentionPolicy(set, pod);
    });
    const { namespace = '', name = '' } = pod.metadata;
    await this.#recording('Update', set, pod, () =>
      this.#options.pods.change({ namespace, name }, (current) => {
        updateIdentity(set, current);
        if (!storageMatches(set, current)) updateStorage(set, current);
        return current;
      }),
    );
    this.#recordPodEvent('Update', set, pod);
  }

  async deleteStatefulPod(set: StatefulSet, pod: Pod): Promise<void> {
    const { namespace = '', name = '' } = pod.metadata;
    await this.#recording('Delete', set, pod, () => this.#options.pods.delete(namespace, name));
    this.#recordPodEvent('Delete', set, pod);
  }

  /** Reports whether the pod's existing claims have the owners that the policy demands. */
  claimsMatchRetentionPolicy(set: StatefulSet, pod: Pod): boolean {
    return this.#existingClaims(set, pod).every((claim) => isClaimOwnerUpToDate(claim, set, pod));
  }

  async updateClaimsForRetentionPolicy(set: StatefulSet, pod: Pod): Promise<void> {
    for (const claim of this.#existingClaims(set, pod)) {
      if (isClaimOwnerUpToDate(claim, set, pod)) continue;
      const { namespace = '', name = '' } = claim.metadata;
      if (hasUnexpectedController(claim, set, pod)) {
        const message = `PersistentVolumeClaim ${name} has a conflicting OwnerReference that acts as a manging controller, the retention policy is ignored for this claim`;
        this.#options.recorder.event(referenceTo(set), { type: 'Warning', reason: 'ConflictingController', message });
      }
      try {
        await this.#options.claims.change({ namespace, name }, (current) => {
          const ownerReferences = updatedClaimOwners(current, set, pod);
          return { ...current, metadata: { ...current.metadata, ownerReferences } };
        });
      } catch (error) {
        throw new Error(`could not update claim ${name} for delete policy ownerRefs: ${textOf(error)}`);
      }
    }
  }

  /** Reports whether a claim exists that will be deleted with an earlier pod of the same name. (PodClaimIsStale) */
  hasStaleClaim(set: StatefulSet, pod: Pod): boolean {
    if (retainsClaimsWhenScaled(set)) return false;
    return this.#existingClaims(set, pod).some((claim) => hasStaleOwnerRef(claim, pod, podReference));
  }

  /** Creates the missing claims of a pending pod, and sets the owners of the existing ones. */
  async createMissingClaims(set: StatefulSet, pod: Pod): Promise<void> {
    await this.#createClaims(set, pod);
    await this.#recording('Update', set, pod, () => this.updateClaimsForRetentionPolicy(set, pod));
  }

  #existingClaims(set: StatefulSet, pod: Pod): PersistentVolumeClaim[] {
    const templates = set.spec?.volumeClaimTemplates ?? [];
    if (templates.length === 0) return [];
    const [ordinal, { namespace = '' }] = [ordinalOf(pod), set.metadata];
    return templates
      .map((template) => this.#options.knownClaims.get(namespace, claimName(set, template, ordinal)))
      .filter((claim) => claim !== undefined);
  }

  /** @throws Error that names all missing claims */
  async #createClaims(set: StatefulSet, pod: Pod): Promise<void> {
    if ((set.spec?.volumeClaimTemplates ?? []).length === 0) return;
    const problems: string[] = [];
    for (const claim of claimsOf(set, pod)) {
      const { namespace = '', name = '' } = claim.metadata;
      const existing = this.#options.knownClaims.get(namespace, name);
      if (existing === undefined) problems.push(...(await this.#createClaim(set, pod, claim)));
      else if (existing.metadata.deletionTimestamp) problems.push(`pvc ${name} is being deleted`);
    }
    if (problems.length > 0) throw new Error(aggregate(problems));
  }

  async #createClaim(set: StatefulSet, pod: Pod, claim: PersistentVolumeClaim): Promise<string[]> {
    const { name } = claim.metadata;
    try {
      await this.#options.claims.create(claim);
      const message = `Create Claim ${name} Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name} success`;
      this.#record(set, 'Normal', 'SuccessfulCreate', message);
      return [];
    } catch (error) {
      if (!isStatusError(error) || error.status.reason !== 'AlreadyExists') {
        const message = `Create Claim ${name} for Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name} failed error: ${textOf(error)}`;
        this.#record(set, 'Warning', 'FailedCreate', message);
      }
      return [`failed to create PVC ${name}: ${textOf(error)}`];
    }
  }

  /** Records a failure as an event, and rethrows it. */
  async #recording<T>(verb: Verb, set: StatefulSet, pod: Pod, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.#recordPodEvent(verb, set, pod, error);
      throw error;
    }
  }

  #recordPodEvent(verb: Verb, set: StatefulSet, pod: Pod, error?: unknown): void {
    const about = `${verb} Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name}`;
    if (error === undefined) this.#record(set, 'Normal', `Successful${verb}`, `${about} successful`);
    else this.#record(set, 'Warning', `Failed${verb}`, `${about} failed error: ${textOf(error)}`);
  }

  #record(set: StatefulSet, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#options.recorder.event(referenceTo(set), { type, reason, message });
  }
}
