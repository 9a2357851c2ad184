import { isStatusError } from '../../machinery/errors/status.ts';
import { yieldToEventLoop } from '../../machinery/event-loop/yield.ts';
import { formatGroupVersion } from '../../machinery/gvk.ts';
import type { OwnerReference } from '../../machinery/object.ts';
import { foregroundFinalizer, orphanFinalizer } from '../../resources/propagation.ts';
import type { RegistryChange } from '../../resources/registry.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import type { Collection, ObjectEvent, StoredObject } from '../../storage/object-store/contract.ts';
import type { Controller, ControllerParts } from '../controller.ts';
import { type Outcome, WorkQueue } from '../loop/work-queue.ts';
import { Edits } from './edits.ts';
import { DependencyGraph, type Dependent, sameReference } from './graph.ts';
import { ResourceMonitors } from './monitors.ts';
import { recordElsewhere } from './owner-events.ts';
import { OwnerReferences } from './owner-references.ts';
import { currentOf, type Ownership, ownershipOf, type Target, targetOf } from './ownership.ts';
import { ServedResources } from './served-resources.ts';

/** As many as upstream's workers. (--concurrent-gc-syncs) */
const concurrency = 20;

/**
 * Deletes objects whose owners are gone, and sees to it that owners which are deleted in the foreground or orphan their
 * dependents can go in their turn. (kubernetes pkg/controller/garbagecollector)
 *
 *     change -> graph -> collect: is an owner left?  no: delete it, in the way its finalizers ask for
 *                                                    some: take the references to the others away
 *                     -> collect: an owner that waits?  no dependent blocks it: remove its finalizer
 *                     -> orphan:  take the references to it away, then remove its finalizer
 *
 * Upstream learns of owners by watching, and keeps nodes for those it has not seen yet; here the store answers at once,
 * so that the graph knows dependents only.
 */
export class GarbageCollector implements Controller {
  readonly #stores: ResourceStores;
  readonly #logger: ControllerParts['logger'];
  readonly #graph = new DependencyGraph();
  /** Objects being deleted that wait for their dependents, by uid. */
  readonly #waiting = new Map<string, Target>();
  /** Dependents with owners of a kind that is not served. */
  readonly #unresolved = new Map<string, Target>();
  readonly #resources: ServedResources;
  readonly #edits: Edits;
  readonly #references: OwnerReferences;
  readonly #monitors: ResourceMonitors;
  readonly #collect: WorkQueue<Target>;
  readonly #orphan: WorkQueue<Target>;
  #stopListening: () => void = () => undefined;

  constructor({ stores, logger }: ControllerParts) {
    this.#stores = stores;
    this.#logger = logger;
    const report = (err: unknown): void => logger.error({ err }, 'garbage collection failed');
    this.#resources = new ServedResources(stores);
    this.#edits = new Edits(this.#resources);
    this.#references = new OwnerReferences(this.#resources, this.#graph, (dependent, owner) =>
      this.#tellOnce(dependent, owner),
    );
    this.#monitors = new ResourceMonitors(stores, {
      seen: (collection, object) => this.#onPresent(collection, object),
      changed: (collection, event) => this.#onChange(collection, event),
      report,
    });
    const common = { clock: stores.clock, concurrency, keyOf: ({ uid }: Target) => uid, report, paused: true };
    this.#collect = new WorkQueue({ ...common, work: (target) => this.#collectOne(target) });
    this.#orphan = new WorkQueue({ ...common, work: (target) => this.#orphanDependents(target) });
  }

  /** How many objects with owners it knows. */
  get size(): number {
    return this.#graph.size;
  }

  async start(): Promise<void> {
    this.#stopListening = this.#stores.registry.onChange((change) => this.#lookAgain(change));
    await this.#monitors.start();
    this.#collect.resume();
    this.#orphan.resume();
  }

  async close(): Promise<void> {
    this.#stopListening();
    this.#resources.close();
    await Promise.all([this.#monitors.close(), this.#collect.close(), this.#orphan.close()]);
  }

  /** Dependents whose owners may be of the kind that has come; one that has gone explains none. */
  #lookAgain(change?: RegistryChange): void {
    if (this.#unresolved.size === 0) return;
    const come = change && this.#stores.registry.lookup(change.group, change.version, change.resource);
    if (change !== undefined && come === undefined) return;
    const apiVersion = change && formatGroupVersion(change);
    const isCome = ({ apiVersion: of, kind }: OwnerReference): boolean =>
      come === undefined || (of === apiVersion && kind === come.facts.kind);
    for (const target of this.#unresolved.values()) {
      if (this.#graph.get(target.uid)?.owners.some(isCome)) this.#collect.add(target);
    }
  }

  #onChange(collection: Collection, { type, object }: ObjectEvent): void {
    if (type === 'DELETED') this.#onGone(object);
    else this.#onPresent(collection, object);
  }

  #onPresent(collection: Collection, object: StoredObject): void {
    const ownership = ownershipOf(object);
    const before = this.#graph.get(object.uid);
    if (before === undefined && ownership.owners.length === 0 && !ownership.deleting) return;
    const target = targetOf(collection, object);
    this.#noteOwners(target, before, ownership.owners);
    if (ownership.orphaning) this.#orphan.add(target);
    if (!ownership.foreground) this.#waiting.delete(object.uid);
    else if (!this.#waiting.has(object.uid)) {
      this.#waiting.set(object.uid, target);
      for (const dependent of this.#graph.dependentsOf(object.uid)) this.#collect.add(dependent);
      this.#collect.add(target);
    }
  }

  #noteOwners(target: Target, before: Dependent | undefined, owners: readonly OwnerReference[]): void {
    const known = before?.owners ?? [];
    if (sameReferences(known, owners)) return;
    const dependent = this.#graph.put(target, owners);
    const blocking = new Set(owners.filter((owner) => owner.blockOwnerDeletion).map(({ uid }) => uid));
    for (const owner of known) {
      if (owner.blockOwnerDeletion && !blocking.has(owner.uid)) this.#lookAtOwner(owner);
    }
    const knownUids = new Set(known.map(({ uid }) => uid));
    const isNew = owners.some(({ uid }) => !knownUids.has(uid));
    if (dependent !== undefined && isNew) this.#collect.add(dependent);
  }

  #onGone({ uid }: StoredObject): void {
    this.#waiting.delete(uid);
    this.#unresolved.delete(uid);
    const dependent = this.#graph.remove(uid);
    this.#graph.noteWhereabouts(uid, 'nowhere');
    for (const orphan of this.#graph.dependentsOf(uid)) this.#collect.add(orphan);
    for (const owner of dependent?.owners ?? []) this.#lookAtOwner(owner);
  }

  /** An owner that waits for its dependents may have waited for this one. */
  #lookAtOwner({ uid }: OwnerReference): void {
    const owner = this.#waiting.get(uid);
    if (owner !== undefined && !this.#graph.isBlocked(uid)) this.#collect.add(owner);
  }

  async #collectOne(target: Target): Promise<Outcome> {
    this.#unresolved.delete(target.uid);
    const stored = currentOf(target);
    if (stored === undefined) return 'done';
    const ownership = ownershipOf(stored);
    if (ownership.foreground) return this.#releaseOwner(target);
    if (ownership.deleting || ownership.owners.length === 0) return 'done';
    const found = await this.#references.classify(target, ownership.owners);
    if (found === 'out-of-reach') return 'done';
    if (found === 'unknown-kind') {
      this.#unresolved.set(target.uid, target);
      return 'retry';
    }
    const { solid, waiting, dangling } = found;
    if (solid.length > 0) {
      const others = new Set([...dangling, ...waiting].map(({ uid }) => uid));
      if (others.size > 0) await this.#edits.removeOwners(target, others);
      return 'done';
    }
    const dependents = this.#graph.dependentsOf(target.uid);
    if (waiting.length === 0 || dependents.length === 0) {
      return this.#delete(target, String(stored.revision), policyOf(ownership));
    }
    // owners that wait for each other in a circle would wait for ever
    if (dependents.some(({ uid }) => this.#waiting.has(uid))) await this.#edits.unblockOwners(target);
    const latest = currentOf(target);
    return latest === undefined ? 'done' : this.#delete(target, String(latest.revision), 'Foreground');
  }

  async #delete(target: Target, resourceVersion: string, policy: ReturnType<typeof policyOf>): Promise<Outcome> {
    try {
      await this.#edits.delete(target, resourceVersion, policy);
      return 'done';
    } catch (error) {
      if (!isStatusError(error)) throw error;
      if (error.status.code === 404) return 'done';
      if (error.status.code !== 409) throw error;
      return 'retry';
    }
  }

  /** Its dependents are on their way out since it began to wait; the last one that blocks it brings it here again. */
  async #releaseOwner(target: Target): Promise<Outcome> {
    if (!this.#graph.isBlocked(target.uid)) await this.#edits.removeFinalizer(target, foregroundFinalizer);
    return 'done';
  }

  async #orphanDependents(target: Target): Promise<Outcome> {
    const stored = currentOf(target);
    if (stored === undefined || !ownershipOf(stored).orphaning) return 'done';
    const dependents = this.#graph.dependentsOf(target.uid);
    const owner = new Set([target.uid]);
    for (let at = 0; at < dependents.length; at += concurrency) {
      await Promise.all(
        dependents.slice(at, at + concurrency).map((dependent) => this.#edits.removeOwners(dependent, owner)),
      );
      await yieldToEventLoop();
    }
    await this.#edits.removeFinalizer(target, orphanFinalizer);
    return 'done';
  }

  #tellOnce({ uid }: Target, owner: OwnerReference): void {
    const dependent = this.#graph.get(uid);
    if (dependent === undefined || dependent.reported?.has(owner.uid)) return;
    dependent.reported ??= new Set();
    dependent.reported.add(owner.uid);
    recordElsewhere(this.#resources, dependent, owner, this.#stores.clock.now()).catch((err: unknown) =>
      this.#logger.warn({ err }, 'an event of the garbage collector could not be written'),
    );
  }
}

/** Finalizers that are there already say how the object wants to go. */
function policyOf({ finalizers }: Ownership): 'Background' | 'Foreground' | 'Orphan' {
  if (finalizers.includes(orphanFinalizer)) return 'Orphan';
  return finalizers.includes(foregroundFinalizer) ? 'Foreground' : 'Background';
}

const sameReferences = (one: readonly OwnerReference[], other: readonly OwnerReference[]): boolean =>
  one.length === other.length && one.every((reference, index) => sameReference(reference, other[index]));
