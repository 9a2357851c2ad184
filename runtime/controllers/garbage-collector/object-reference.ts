import type { OwnerReference } from '../../machinery/object.ts';
import { foregroundFinalizer, orphanFinalizer } from '../../resources/propagation.ts';
import type { Collection, StoredObject } from '../../storage/object-store/contract.ts';

/**
 * Identifies an object. Refers to its resource's collection, which is permanent; the store is replaced whenever the
 * definition of a custom resource changes.
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
  /** Whether the object is being deleted in the foreground: its dependents are deleted first. */
  readonly deletingDependents: boolean;
  /** Whether the object is being deleted after its dependents are orphaned. */
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

/** Returns the metadata. Decodes nothing if the object has no owner and is not being deleted, as most objects. */
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
 * Reports whether the object still has this one owner and is not being deleted. Decodes nothing, and returns false if
 * decoding would be necessary. Most changes of pods only change the status, so this returns true for them.
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

/** Returns the current object; undefined if it was deleted. */
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
