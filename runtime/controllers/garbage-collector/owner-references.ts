import type { OwnerReference } from '../../machinery/object.ts';
import { findCorrupt } from '../../resources/corrupt-objects.ts';
import type { ResourceStore } from '../../resources/resource-store.ts';
import type { DependencyGraph } from './graph.ts';
import { ownershipOf, type Target } from './ownership.ts';
import type { ServedResources } from './served-resources.ts';

/**
 * What a dependent's owners are:
 * - solid: there, and there to stay
 * - waiting: there, being deleted, and waiting for its dependents to go first
 * - dangling: not there
 */
export interface ClassifiedReferences {
  readonly solid: readonly OwnerReference[];
  readonly waiting: readonly OwnerReference[];
  readonly dangling: readonly OwnerReference[];
}

/**
 * `unknown-kind`: nothing of the kind is served, which may change. `out-of-reach`: an object of the cluster names an
 * owner in a namespace, which cannot be looked for, nor ever become right.
 */
export type Classification = ClassifiedReferences | 'unknown-kind' | 'out-of-reach';

/** Looks owners up in the store, where their dependents say they are. (garbagecollector.go classifyReferences) */
export class OwnerReferences {
  readonly #resources: ServedResources;
  readonly #graph: DependencyGraph;
  readonly #reportElsewhere: (dependent: Target, owner: OwnerReference) => void;

  /** @param reportElsewhere called where an owner is in another namespace than its dependent */
  constructor(
    resources: ServedResources,
    graph: DependencyGraph,
    reportElsewhere: (dependent: Target, owner: OwnerReference) => void,
  ) {
    this.#resources = resources;
    this.#graph = graph;
    this.#reportElsewhere = reportElsewhere;
  }

  async classify(dependent: Target, owners: readonly OwnerReference[]): Promise<Classification> {
    const found: Record<keyof ClassifiedReferences, OwnerReference[]> = { solid: [], waiting: [], dangling: [] };
    for (const owner of owners) {
      const store = await this.#resources.ofKind(owner.apiVersion, owner.kind);
      if (store === undefined) return 'unknown-kind';
      if (store.definition.namespaced && dependent.namespace === '') {
        this.#reportIfElsewhere(dependent, owner, owners, store);
        return 'out-of-reach';
      }
      found[this.#stateOf(dependent, owner, owners, store)].push(owner);
    }
    return found;
  }

  #stateOf(
    dependent: Target,
    owner: OwnerReference,
    owners: readonly OwnerReference[],
    store: ResourceStore,
  ): keyof ClassifiedReferences {
    const { namespaced } = store.definition;
    const place = { namespace: namespaced ? dependent.namespace : '', name: owner.name };
    const stored = store.collection.latest().get(place.namespace, place.name);
    if (stored?.uid === owner.uid) return ownershipOf(stored).foreground ? 'waiting' : 'solid';
    if (stored === undefined && findCorrupt(store.collection, place) !== undefined) {
      throw new Error(`${owner.kind} ${owner.name}, an owner of ${dependent.name}, cannot be read`);
    }
    if (namespaced) this.#reportIfElsewhere(dependent, owner, owners, store);
    return 'dangling';
  }

  /** @param owners all that the dependent has: those of the kind are looked for together */
  #reportIfElsewhere(
    dependent: Target,
    owner: OwnerReference,
    owners: readonly OwnerReference[],
    store: ResourceStore,
  ): void {
    if (this.#graph.whereaboutsOf(owner.uid) === undefined) {
      const ofKind = owners.filter(({ apiVersion, kind }) => apiVersion === owner.apiVersion && kind === owner.kind);
      this.#lookEverywhere(new Set(ofKind.map(({ uid }) => uid)), store);
    }
    const whereabouts = this.#graph.whereaboutsOf(owner.uid) ?? 'nowhere';
    if (whereabouts !== 'nowhere' && whereabouts.namespace !== dependent.namespace) {
      this.#reportElsewhere(dependent, owner);
    }
  }

  /** Looks through all objects of the kind: once for owners that are not where they should be. */
  #lookEverywhere(uids: ReadonlySet<string>, store: ResourceStore): void {
    for (const uid of uids) this.#graph.noteWhereabouts(uid, 'nowhere');
    for (const { uid, namespace } of store.collection.latest().scan()) {
      if (uids.has(uid)) this.#graph.noteWhereabouts(uid, { namespace });
    }
  }
}
