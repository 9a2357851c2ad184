import type { OwnerReference } from '../../machinery/object.ts';
import { foregroundFinalizer, orphanFinalizer } from '../../resources/propagation.ts';
import type { Collection, StoredObject } from '../../storage/object-store/contract.ts';

/**
 * Where an object is, and which one it is. The collection of a resource stays, while its store, through which it is
 * written, may be another one once a custom resource has changed.
 */
export interface Target {
  readonly collection: Collection;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** What of an object the garbage collector needs. */
export interface Ownership {
  readonly owners: readonly OwnerReference[];
  readonly finalizers: readonly string[];
  readonly deleting: boolean;
  /** It is being deleted, and waits for its dependents to go first. */
  readonly foreground: boolean;
  /** It is being deleted, and waits for its dependents to be orphaned. */
  readonly orphaning: boolean;
}

const owned = Buffer.from('"ownerReferences":[');
const deleted = Buffer.from('"deletionTimestamp":"');
const nothing: Ownership = { owners: [], finalizers: [], deleting: false, foreground: false, orphaning: false };

/** Decodes nothing of the many objects that have no owner and are not being deleted. */
export function ownershipOf(stored: StoredObject): Ownership {
  if (!stored.mentions(owned) && !stored.mentions(deleted)) return nothing;
  const { ownerReferences = [], finalizers = [], deletionTimestamp } = stored.metadata();
  const deleting = Boolean(deletionTimestamp);
  return {
    owners: ownerReferences,
    finalizers,
    deleting,
    foreground: deleting && finalizers.includes(foregroundFinalizer),
    orphaning: deleting && finalizers.includes(orphanFinalizer),
  };
}

/** The object as it is now, if it still is that one. */
export function currentOf({ collection, namespace, name, uid }: Target): StoredObject | undefined {
  const stored = collection.latest().get(namespace, name);
  return stored?.uid === uid ? stored : undefined;
}

export const targetOf = (collection: Collection, { namespace, name, uid }: StoredObject): Target => ({
  collection,
  namespace,
  name,
  uid,
});
