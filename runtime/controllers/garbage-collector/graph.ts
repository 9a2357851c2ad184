import type { OwnerReference } from '../../machinery/object.ts';
import type { ObjectReference } from './object-reference.ts';

/** An object with owners. */
export interface Dependent extends ObjectReference {
  readonly owners: readonly OwnerReference[];
  /** The uids of owners in another namespace that were already reported. */
  reported?: Set<string>;
}

/** The namespace of an owner that is not in its dependent's namespace; `absent` if it does not exist. */
export type OwnerLocation = { readonly namespace: string } | 'absent';

/** The facts about an object that others refer to as their owner. */
interface Owner {
  readonly dependents: Set<Dependent>;
  /** The first dependent's reference. Most other dependents share it. */
  readonly reference: OwnerReference;
  /** The number of dependents that block its foreground deletion. */
  blocking: number;
  /** Set after the owner was looked up. (absentOwnerCache) */
  location?: OwnerLocation;
}

/**
 * The dependents of each owner, by uid. Holds only objects with owners and the uids of the owners. All other data is
 * read from the store on demand. (GraphBuilder.uidToNode)
 */
export class DependencyGraph {
  readonly #dependents = new Map<string, Dependent>();
  readonly #owners = new Map<string, Owner>();

  /** The number of objects with owners. */
  get size(): number {
    return this.#dependents.size;
  }

  get(uid: string): Dependent | undefined {
    return this.#dependents.get(uid);
  }

  dependentsOf(uid: string): readonly Dependent[] {
    return [...(this.#owners.get(uid)?.dependents ?? [])];
  }

  /** Reports whether a dependent blocks the owner's foreground deletion. */
  isBlocked(uid: string): boolean {
    return (this.#owners.get(uid)?.blocking ?? 0) > 0;
  }

  /** Adds or replaces an object. Removes an object without owners. */
  put(object: ObjectReference, owners: readonly OwnerReference[]): Dependent | undefined {
    const reported = this.remove(object.uid)?.reported;
    if (owners.length === 0) return undefined;
    const { collection, namespace, name, uid } = object;
    const shared = owners.map((owner) => this.#share(owner));
    const dependent: Dependent = { collection, namespace, name, uid, owners: shared };
    if (reported !== undefined) dependent.reported = reported;
    this.#dependents.set(uid, dependent);
    for (const { entry, blocks } of this.#ownersOf(dependent)) {
      entry.dependents.add(dependent);
      if (blocks) entry.blocking += 1;
    }
    return dependent;
  }

  /** Removes an object and returns it. */
  remove(uid: string): Dependent | undefined {
    const dependent = this.#dependents.get(uid);
    if (dependent === undefined) return undefined;
    this.#dependents.delete(uid);
    for (const { owner, entry, blocks } of [...this.#ownersOf(dependent)]) {
      entry.dependents.delete(dependent);
      if (blocks) entry.blocking -= 1;
      if (entry.dependents.size === 0) this.#owners.delete(owner);
    }
    return dependent;
  }

  /** Stores the location until no object refers to the owner any more. */
  setOwnerLocation(uid: string, location: OwnerLocation): void {
    const entry = this.#owners.get(uid);
    if (entry !== undefined) entry.location = location;
  }

  ownerLocation(uid: string): OwnerLocation | undefined {
    return this.#owners.get(uid)?.location;
  }

  /** Returns the equal reference of another dependent, if there is one, to save memory. Adds the owner. */
  #share(owner: OwnerReference): OwnerReference {
    const entry = this.#owners.get(owner.uid);
    if (entry === undefined) {
      this.#owners.set(owner.uid, { dependents: new Set(), reference: owner, blocking: 0 });
      return owner;
    }
    return sameReference(entry.reference, owner) ? entry.reference : owner;
  }

  /** Yields each owner of the dependent once. */
  *#ownersOf({ owners }: Dependent): Generator<{ owner: string; entry: Owner; blocks: boolean }> {
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
