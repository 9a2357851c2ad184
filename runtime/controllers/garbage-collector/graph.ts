import type { OwnerReference } from '../../machinery/object.ts';
import type { Target } from './ownership.ts';

/** An object that has owners. */
export interface Dependent extends Target {
  readonly owners: readonly OwnerReference[];
  /** Uids of owners that were reported to be in another namespace. */
  readonly reported: Set<string>;
}

/** Where an owner was found that is not where its dependent says. */
export type Whereabouts = { readonly namespace: string } | 'nowhere';

/** What is known of an object that others name as their owner. */
interface OwnerEntry {
  readonly dependents: Set<Dependent>;
  whereabouts?: Whereabouts;
}

/**
 * Who depends on whom, by uid. Only objects with owners are in it, and the uids of their owners; all else is read from
 * the store when it is needed.
 */
export class DependencyGraph {
  readonly #dependents = new Map<string, Dependent>();
  readonly #owners = new Map<string, OwnerEntry>();

  /** How many objects have owners. */
  get size(): number {
    return this.#dependents.size;
  }

  get(uid: string): Dependent | undefined {
    return this.#dependents.get(uid);
  }

  dependentsOf(uid: string): readonly Dependent[] {
    return [...(this.#owners.get(uid)?.dependents ?? [])];
  }

  /** Puts an object in the place of what was known of it; one without owners is forgotten. */
  put(target: Target, owners: readonly OwnerReference[]): Dependent | undefined {
    const before = this.remove(target.uid);
    if (owners.length === 0) return undefined;
    const { collection, namespace, name, uid } = target;
    const dependent: Dependent = { collection, namespace, name, uid, owners, reported: before?.reported ?? new Set() };
    this.#dependents.set(uid, dependent);
    for (const owner of owners) {
      let entry = this.#owners.get(owner.uid);
      if (entry === undefined) {
        entry = { dependents: new Set() };
        this.#owners.set(owner.uid, entry);
      }
      entry.dependents.add(dependent);
    }
    return dependent;
  }

  /** What was known of the object. */
  remove(uid: string): Dependent | undefined {
    const dependent = this.#dependents.get(uid);
    if (dependent === undefined) return undefined;
    this.#dependents.delete(uid);
    for (const owner of dependent.owners) {
      const entry = this.#owners.get(owner.uid);
      if (entry?.dependents.delete(dependent) && entry.dependents.size === 0) this.#owners.delete(owner.uid);
    }
    return dependent;
  }

  /** Kept as long as somebody names the owner. */
  noteWhereabouts(uid: string, whereabouts: Whereabouts): void {
    const entry = this.#owners.get(uid);
    if (entry !== undefined) entry.whereabouts = whereabouts;
  }

  whereaboutsOf(uid: string): Whereabouts | undefined {
    return this.#owners.get(uid)?.whereabouts;
  }
}
