import { isStatusError } from '../../machinery/errors/status.ts';
import { yieldToEventLoop } from '../../machinery/event-loop/yield.ts';
import { formatGroupVersion } from '../../machinery/gvk.ts';
import type { OwnerReference } from '../../machinery/object.ts';
import type { Controller } from '../../reconcile/controller.ts';
import { writerOfController } from '../../reconcile/controller-writer.ts';
import { EventRecorder } from '../../reconcile/events/event-recorder.ts';
import { type SyncResult, WorkQueue } from '../../reconcile/work-queue.ts';
import { foregroundFinalizer, orphanFinalizer } from '../../resources/propagation.ts';
import type { RegistryChange } from '../../resources/registry.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import type { Collection, ObjectEvent, StoredObject } from '../../storage/object-store/contract.ts';
import type { ControllerContext } from '../controller-context.ts';
import { DependencyGraph, type Dependent, sameReference } from './graph.ts';
import { ResourceMonitors } from './monitors.ts';
import { type GCMetadata, gcMetadataOf, getLive, isStillOwnedBy, type ObjectReference, referenceTo } from './object-reference.ts';
import { Operations } from './operations.ts';
import { reportInvalidNamespaceOwnerRef } from './owner-events.ts';
import { ReferenceClassifier } from './reference-classifier.ts';
import { RESTMapper } from './rest-mapper.ts';

/** (--concurrent-gc-syncs) */
const concurrentSyncs = 20;

/**
 * Deletes objects whose owners are gone. Completes the deletion of owners that are deleted in the foreground or that
 * orphan their dependents. (kubernetes pkg/controller/garbagecollector)
 *
 *     event -> graph -> attemptToDelete: does the object have an existing owner?
 *                         yes: remove its references to other owners
 *                         no:  delete it, with the propagation policy in its finalizers
 *                    -> attemptToDelete: is an owner being deleted in the foreground, and no dependent blocks it?
 *                         remove its finalizer
 *                    -> attemptToOrphan: remove all references to the object, then its finalizer
 *
 * Upstream learns about owners from watches, and keeps virtual nodes for unseen owners. This collector reads owners
 * from the store, so its graph holds dependents only.
 */
export class GarbageCollector implements Controller {
  readonly #stores: ResourceStores;
  readonly #logger: ControllerContext['logger'];
  readonly #graph = new DependencyGraph();
  /** Objects that are being deleted in the foreground, by uid. */
  readonly #deletingDependents = new Map<string, ObjectReference>();
  /** Dependents with an owner of an unserved kind, by uid. */
  readonly #unmapped = new Map<string, ObjectReference>();
  readonly #mapper: RESTMapper;
  readonly #recorder: EventRecorder;
  readonly #operations: Operations;
  readonly #classifier: ReferenceClassifier;
  readonly #monitors: ResourceMonitors;
  readonly #attemptToDelete: WorkQueue<ObjectReference>;
  readonly #attemptToOrphan: WorkQueue<ObjectReference>;
  #stopListening: () => void = () => undefined;

  constructor({ stores, logger }: Pick<ControllerContext, 'stores' | 'logger'>) {
    this.#stores = stores;
    this.#logger = logger;
    const report = (err: unknown): void => logger.error({ err }, 'garbage collection failed');
    this.#mapper = new RESTMapper(stores);
    this.#recorder = new EventRecorder(stores, 'garbage-collector-controller', writerOfController('generic-garbage-collector'));
    this.#operations = new Operations(this.#mapper);
    this.#classifier = new ReferenceClassifier(this.#mapper, this.#graph, (dependent, owner) => this.#reportOnce(dependent, owner));
    this.#monitors = new ResourceMonitors(stores, {
      onExisting: (collection, object) => this.#onExisting(collection, object),
      onEvent: (collection, event) => this.#onEvent(collection, event),
      report,
    });
    const options = {
      clock: stores.clock,
      concurrency: concurrentSyncs,
      report,
      paused: true,
      keyOf: ({ uid }: ObjectReference) => uid,
    };
    this.#attemptToDelete = new WorkQueue({ ...options, work: (reference) => this.#attemptToDeleteItem(reference) });
    this.#attemptToOrphan = new WorkQueue({ ...options, work: (reference) => this.#attemptToOrphanItem(reference) });
  }

  /** The number of objects with owners. */
  get size(): number {
    return this.#graph.size;
  }

  async start(): Promise<void> {
    this.#stopListening = this.#stores.registry.onChange((change) => this.#requeueUnmapped(change));
    await this.#monitors.start();
    this.#attemptToDelete.resume();
    this.#attemptToOrphan.resume();
  }

  get isIdle(): boolean {
    return this.#attemptToDelete.isIdle && this.#attemptToOrphan.isIdle;
  }

  async close(): Promise<void> {
    this.#stopListening();
    this.#mapper.close();
    await Promise.all([this.#monitors.close(), this.#attemptToDelete.close(), this.#attemptToOrphan.close()]);
  }

  /** Requeues dependents that may have owners of the added resource. */
  #requeueUnmapped(change?: RegistryChange): void {
    if (this.#unmapped.size === 0) return;
    const added = change && this.#stores.registry.lookup(change.group, change.version, change.resource);
    if (change !== undefined && added === undefined) return;
    const apiVersion = change && formatGroupVersion(change);
    const mayBeMapped = (owner: OwnerReference): boolean =>
      added === undefined || (owner.apiVersion === apiVersion && owner.kind === added.facts.kind);
    for (const reference of this.#unmapped.values()) {
      if (this.#graph.get(reference.uid)?.owners.some(mayBeMapped)) this.#attemptToDelete.add(reference);
    }
  }

  #onEvent(collection: Collection, { type, object }: ObjectEvent): void {
    if (type === 'DELETED') this.#onDeleted(object);
    else this.#onExisting(collection, object);
  }

  #onExisting(collection: Collection, object: StoredObject): void {
    const before = this.#graph.get(object.uid);
    if (before !== undefined && isStillOwnedBy(object, before.owners)) return;
    const metadata = gcMetadataOf(object);
    if (before === undefined && metadata.owners.length === 0 && !metadata.beingDeleted) return;
    const reference = referenceTo(collection, object);
    this.#updateOwners(reference, before, metadata.owners);
    if (metadata.orphaningDependents) this.#attemptToOrphan.add(reference);
    if (!metadata.deletingDependents) this.#deletingDependents.delete(object.uid);
    else if (!this.#deletingDependents.has(object.uid)) {
      this.#deletingDependents.set(object.uid, reference);
      for (const dependent of this.#graph.dependentsOf(object.uid)) this.#attemptToDelete.add(dependent);
      this.#attemptToDelete.add(reference);
    }
  }

  #updateOwners(reference: ObjectReference, before: Dependent | undefined, owners: readonly OwnerReference[]): void {
    const oldOwners = before?.owners ?? [];
    if (sameReferences(oldOwners, owners)) return;
    const dependent = this.#graph.put(reference, owners);
    const blocking = new Set(owners.filter((owner) => owner.blockOwnerDeletion).map(({ uid }) => uid));
    for (const owner of oldOwners) {
      if (owner.blockOwnerDeletion && !blocking.has(owner.uid)) this.#requeueOwner(owner);
    }
    const oldUids = new Set(oldOwners.map(({ uid }) => uid));
    const hasNewOwner = owners.some(({ uid }) => !oldUids.has(uid));
    if (dependent !== undefined && hasNewOwner) this.#attemptToDelete.add(dependent);
  }

  #onDeleted({ uid }: StoredObject): void {
    this.#deletingDependents.delete(uid);
    this.#unmapped.delete(uid);
    const dependent = this.#graph.remove(uid);
    this.#graph.setOwnerLocation(uid, 'absent');
    for (const orphan of this.#graph.dependentsOf(uid)) this.#attemptToDelete.add(orphan);
    for (const owner of dependent?.owners ?? []) this.#requeueOwner(owner);
  }

  /** Requeues an owner that no dependent blocks any more. */
  #requeueOwner({ uid }: OwnerReference): void {
    const owner = this.#deletingDependents.get(uid);
    if (owner !== undefined && !this.#graph.isBlocked(uid)) this.#attemptToDelete.add(owner);
  }

  async #attemptToDeleteItem(reference: ObjectReference): Promise<SyncResult> {
    this.#unmapped.delete(reference.uid);
    const live = getLive(reference);
    if (live === undefined) return 'done';
    const metadata = gcMetadataOf(live);
    if (metadata.deletingDependents) return this.#processDeletingDependentsItem(reference);
    if (metadata.beingDeleted || metadata.owners.length === 0) return 'done';
    const owners = await this.#classifier.classify(reference, metadata.owners);
    if (owners === 'namespaced-owner') return 'done';
    if (owners === 'unknown-kind') {
      this.#unmapped.set(reference.uid, reference);
      return 'retry';
    }
    const { solid, waitingForDependents, dangling } = owners;
    if (solid.length > 0) {
      const others = new Set([...dangling, ...waitingForDependents].map(({ uid }) => uid));
      if (others.size > 0) await this.#operations.deleteOwnerReferences(reference, others);
      return 'done';
    }
    const dependents = this.#graph.dependentsOf(reference.uid);
    if (waitingForDependents.length === 0 || dependents.length === 0) {
      return this.#delete(reference, live.revision, propagationPolicyOf(metadata));
    }
    // owners that own each other would block each other for ever
    if (dependents.some(({ uid }) => this.#deletingDependents.has(uid))) {
      await this.#operations.unblockOwnerReferences(reference);
    }
    const latest = getLive(reference);
    return latest === undefined ? 'done' : this.#delete(reference, latest.revision, 'Foreground');
  }

  async #delete(reference: ObjectReference, revision: number, policy: ReturnType<typeof propagationPolicyOf>): Promise<SyncResult> {
    try {
      await this.#operations.deleteObject(reference, String(revision), policy);
      return 'done';
    } catch (error) {
      if (!isStatusError(error)) throw error;
      if (error.status.code === 404) return 'done';
      if (error.status.code !== 409) throw error;
      return 'retry';
    }
  }

  /**
   * Removes the finalizer when no dependent blocks the owner. The dependents were queued when the deletion began. The
   * last blocking one requeues the owner.
   */
  async #processDeletingDependentsItem(owner: ObjectReference): Promise<SyncResult> {
    if (!this.#graph.isBlocked(owner.uid)) await this.#operations.removeFinalizer(owner, foregroundFinalizer);
    return 'done';
  }

  async #attemptToOrphanItem(owner: ObjectReference): Promise<SyncResult> {
    const live = getLive(owner);
    if (live === undefined || !gcMetadataOf(live).orphaningDependents) return 'done';
    const dependents = this.#graph.dependentsOf(owner.uid);
    const uids = new Set([owner.uid]);
    for (let at = 0; at < dependents.length; at += concurrentSyncs) {
      const batch = dependents.slice(at, at + concurrentSyncs);
      await Promise.all(batch.map((dependent) => this.#operations.deleteOwnerReferences(dependent, uids)));
      await yieldToEventLoop();
    }
    await this.#operations.removeFinalizer(owner, orphanFinalizer);
    return 'done';
  }

  #reportOnce({ uid }: ObjectReference, owner: OwnerReference): void {
    const dependent = this.#graph.get(uid);
    if (dependent === undefined || dependent.reported?.has(owner.uid)) return;
    dependent.reported ??= new Set();
    dependent.reported.add(owner.uid);
    reportInvalidNamespaceOwnerRef(this.#recorder, this.#mapper, dependent, owner).catch((err: unknown) =>
      this.#logger.warn({ err }, 'the garbage collector could not create an event'),
    );
  }
}

/** Returns the propagation policy in the object's finalizers. */
function propagationPolicyOf({ finalizers }: GCMetadata): 'Background' | 'Foreground' | 'Orphan' {
  if (finalizers.includes(orphanFinalizer)) return 'Orphan';
  return finalizers.includes(foregroundFinalizer) ? 'Foreground' : 'Background';
}

const sameReferences = (one: readonly OwnerReference[], other: readonly OwnerReference[]): boolean =>
  one.length === other.length &&
  one.every((reference, index) => {
    const before = other[index];
    return before !== undefined && sameReference(reference, before);
  });
