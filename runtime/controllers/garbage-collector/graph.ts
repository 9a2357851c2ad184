import type { OwnerReference } from '../../machinery/object.ts';
import type { Target } from './ownership.ts';

/** An object that has owners. */
export interface Dependent extends Target {
  readonly owners: readonly OwnerReference[];
  /** Uids of owners that were reported to be in another namespace. */
  reported?: Set<string>;
}

/** Where an owner was found that is not where its dependent says. */
export type Whereabouts = { readonly namespace: string } | 'nowhere';

/** What is known of an object that others name as their owner. */
interface OwnerEntry {
  readonly dependents: Set<Dependent>;
  /** The reference that the first dependent has; the others have mostly the same. */
  readonly reference: OwnerReference;
  /** How many dependents hold up its deletion in the foreground. */
  blocking: number;
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

  /** Whether a dependent holds up the owner's deletion in the foreground. */
  isBlocked(uid: string): boolean {
    return (this.#owners.get(uid)?.blocking ?? 0) > 0;
  }

  /** Puts an object in the place of what was known of it; one without owners is forgotten. */
  put(target: Target, owners: readonly OwnerReference[]): Dependent | undefined {
    const reported = this.remove(target.uid)?.reported;
    if (owners.length === 0) return undefined;
    const { collection, namespace, name, uid } = target;
    const shared = owners.map((owner) => this.#share(owner));
    const dependent: Dependent = { collection, namespace, name, uid, owners: shared };
    if (reported !== undefined) dependent.reported = reported;
    this.#dependents.set(uid, dependent);
    for (const { entry, blocks } of this.#entriesOf(dependent)) {
      entry.dependents.add(dependent);
      if (blocks) entry.blocking += 1;
    }
    return dependent;
  }

  /** What was known of the object. */
  remove(uid: string): Dependent | undefined {
    const dependent = this.#dependents.get(uid);
    if (dependent === undefined) return undefined;
    this.#dependents.delete(uid);
    for (const { owner, entry, blocks } of [...this.#entriesOf(dependent)]) {
      entry.dependents.delete(dependent);
      if (blocks) entry.blocking -= 1;
      if (entry.dependents.size === 0) this.#owners.delete(owner);
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

  /** The same reference for all dependents that agree in it. Makes the owner's entry. */
  #share(owner: OwnerReference): OwnerReference {
    const entry = this.#owners.get(owner.uid);
    if (entry === undefined) {
      this.#owners.set(owner.uid, { dependents: new Set(), reference: owner, blocking: 0 });
      return owner;
    }
    return sameReference(entry.reference, owner) ? entry.reference : owner;
  }

  /** The entry of each of its owners, once. */
  *#entriesOf({ owners }: Dependent): Generator<{ owner: string; entry: OwnerEntry; blocks: boolean }> {
    const blocking = new Map<string, boolean>();
    for (const { uid, blockOwnerDeletion } of owners) {
      blocking.set(uid, Boolean(blockOwnerDeletion) || blocking.get(uid) === true);
    }
    for (const [owner, blocks] of blocking) {
      const entry = this.#owners.get(owner);
      if (entry !== undefined) yield { owner, entry, blocks };
    }
  }
}

export function sameReference(one: OwnerReference, other: OwnerReference): boolean {
  return (
    one.uid === other.uid &&
    one.name === other.name &&
    one.kind === other.kind &&
    one.apiVersion === other.apiVersion &&
    Boolean(one.blockOwnerDeletion) === Boolean(other.blockOwnerDeletion)
  );
}
