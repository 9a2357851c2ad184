import type { OwnerReference } from '../../machinery/object.ts';
import { foregroundFinalizer, orphanFinalizer } from '../../resources/propagation.ts';
import type { Collection, StoredObject } from '../../storage/object-store/contract.ts';

/**
 * Identifies an object. Refers to the collection of its resource, which stays the same; the store changes whenever the
 * definition of a custom resource does.
 */
export interface ObjectReference {
  readonly collection: Collection;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** The metadata that the garbage collector needs. */
export interface GCMetadata {
  readonly owners: readonly OwnerReference[];
  readonly finalizers: readonly string[];
  readonly beingDeleted: boolean;
  /** The object is being deleted in the foreground: its dependents are deleted first. */
  readonly deletingDependents: boolean;
  /** The object is being deleted, and its dependents are orphaned first. */
  readonly orphaningDependents: boolean;
}

const ownerReferencesMember = Buffer.from('"ownerReferences":[');
const deletionTimestampMember = Buffer.from('"deletionTimestamp":"');
const noMetadata: GCMetadata = {
  owners: [],
  finalizers: [],
  beingDeleted: false,
  deletingDependents: false,
  orphaningDependents: false,
};

/** Decodes nothing if the object has no owner and is not being deleted, as most objects. */
export function gcMetadataOf(stored: StoredObject): GCMetadata {
  if (!stored.mentions(ownerReferencesMember) && !stored.mentions(deletionTimestampMember)) return noMetadata;
  const { ownerReferences = [], finalizers = [], deletionTimestamp } = stored.sharedMetadata();
  const beingDeleted = Boolean(deletionTimestamp);
  return {
    owners: ownerReferences,
    finalizers,
    beingDeleted,
    deletingDependents: beingDeleted && finalizers.includes(foregroundFinalizer),
    orphaningDependents: beingDeleted && finalizers.includes(orphanFinalizer),
  };
}

const ownersTexts = new WeakMap<OwnerReference, Buffer>();

/**
 * Whether the object has this one owner, as before, and is not being deleted. Decodes nothing; false if that cannot be told
 * without. So do most changes of pods, which are of their statuses.
 */
export function isStillOwnedBy(stored: StoredObject, owners: readonly OwnerReference[]): boolean {
  const [owner, ...others] = owners;
  if (owner === undefined || others.length > 0 || stored.mentions(deletionTimestampMember)) return false;
  let text = ownersTexts.get(owner);
  if (text === undefined) {
    text = Buffer.from(`"ownerReferences":${JSON.stringify(owners)}`);
    ownersTexts.set(owner, text);
  }
  return stored.mentions(text);
}

/** Returns the object as it is now, undefined if it has been deleted. */
export function getLive({ collection, namespace, name, uid }: ObjectReference): StoredObject | undefined {
  const stored = collection.latest().get(namespace, name);
  return stored?.uid === uid ? stored : undefined;
}

export const referenceTo = (collection: Collection, { namespace, name, uid }: StoredObject): ObjectReference => ({
  collection,
  namespace,
  name,
  uid,
});
