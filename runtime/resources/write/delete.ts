import { conflict } from '../../machinery/errors/status.ts';
import { cloneJson } from '../../machinery/json/clone.ts';
import type { KubeObject } from '../../machinery/object.ts';
import { timeText } from '../../machinery/scalars/time.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';
import { notFoundOrCorrupt } from '../corrupt-objects.ts';
import { beforeDelete, type GracefulDeletion } from '../graceful-deletion.ts';
import { setDeletionFinalizers } from '../propagation.ts';
import type { DeleteRequest, DeleteResult, RESTStrategy, WriteTarget } from '../rest.ts';
import { readShared, updateStored, writtenDry } from '../views.ts';
import { admitDeletion } from './admission.ts';
import { guaranteedUpdate } from './guaranteed-update.ts';
import { attempt, type Step } from './steps.ts';
import { Write } from './write.ts';

/** The state after a write that set the grace period to 0, so that the object can be removed. */
interface MarkedForRemoval {
  readonly marked: StoredObject;
}

/** The deletion of one object, by itself or as part of a collection. */
export class Deletion extends Write<DeleteRequest, DeleteResult | MarkedForRemoval> {
  /** The required uid and resourceVersion of the object. */
  preconditions = this.target.preconditions ?? {};
  graceful: GracefulDeletion = 'none';
}

/** A deletion that has found and read its object. */
type Deleting = Deletion & { readonly stored: StoredObject; readonly old: KubeObject };

/** The steps of a deletion. (apiserver registry/generic/registry/store.go Delete) */
export const deleteSteps = {
  eachTry: [
    readOld,
    checkPreconditions,
    beginGracefully,
    admitDeletion,
    addFinalizers,
    markAsDeleting,
    removeOrMark,
  ] as readonly Step<Deleting>[],
};

/**
 * Deletes the object of a write, or marks it for deletion if finalizers or a grace period keep it.
 *
 * @throws StatusError 404, 409, 500 if the stored bytes cannot be read, and the errors of admission plugins
 */
export async function deleteObject(write: Deletion): Promise<DeleteResult> {
  const {
    target,
    store: { collection },
  } = write;
  let marked: DeleteResult | undefined;
  const tryDelete = async (stored: StoredObject | undefined): Promise<DeleteResult | MarkedForRemoval | undefined> => {
    if (marked !== undefined && stored?.uid !== marked.uid) return marked;
    if (stored === undefined) throw notFoundOrCorrupt(collection, write.definition, target);
    write.stored = stored;
    return attempt(write as Deleting, deleteSteps.eachTry);
  };
  for (;;) {
    const result = await guaranteedUpdate(collection, target, tryDelete, marked === undefined ? 'newest' : 'known');
    if (!('marked' in result)) return result;
    marked = { deletedImmediately: true, uid: result.marked.uid, written: { kind: 'stored', stored: result.marked } };
    // the client's resourceVersion is outdated, because marking the object has changed it
    const { resourceVersion: _, ...preconditions } = write.preconditions;
    write.preconditions = preconditions;
  }
}

async function readOld(write: Deletion): Promise<void> {
  const old = await readShared(write.definition, write.stored as StoredObject);
  write.old = old;
  write.object = cloneJson(old);
}

/**
 * Gives the object its grace period. Ends the write without a change if the object is already being deleted, and this
 * deletion is not sooner or finalizers outside of metadata keep the object.
 */
function beginGracefully(write: Deleting): void {
  const {
    old,
    object,
    store: { strategy },
    target,
    now,
  } = write;
  write.graceful = beforeDelete(object, strategy, target.gracePeriodSeconds, now);
  if (write.graceful === 'pending' || (old.metadata.deletionTimestamp && strategy.hasPendingFinalizers?.(old))) endUnchanged(write);
}

function endUnchanged(write: Deleting): void {
  const { stored } = write;
  write.result = { deletedImmediately: false, uid: stored.uid, written: { kind: 'stored', stored } };
}

function addFinalizers({ old, object, store: { strategy }, target }: Deleting): void {
  setDeletionFinalizers(object, target, strategy);
  if (!old.metadata.deletionTimestamp) strategy.prepareForDelete?.(object);
}

/**
 * Sets the deletionTimestamp to now, for an object that finalizers keep. (apiserver registry/generic/registry/store.go)
 */
function markAsDeleting(write: Deleting): void {
  const {
    object,
    graceful,
    store: { strategy },
    now,
  } = write;
  if (graceful !== 'none' || !isKept(write)) return;
  const { metadata } = object;
  const { deletionTimestamp } = metadata;
  if (!deletionTimestamp && metadata.generation) metadata.generation += 1;
  if (!deletionTimestamp || Date.parse(deletionTimestamp) > now) metadata.deletionTimestamp = timeText(now);
  metadata.deletionGracePeriodSeconds = 0;
  if (!deletionTimestamp) strategy.markAsDeleting?.(object, write);
}

const atOnce = <R>(write: () => Promise<R>): Promise<R> => write();

function removeOrMark(write: Deleting): Promise<void> {
  const { graceful, target } = write;
  const { inTurn = atOnce } = target;
  const kept = isKept(write);
  return graceful === 'none' && !kept ? inTurn(() => remove(write)) : mark(write, inTurn, !kept && graceful === 0);
}

/** Reports whether finalizers keep the object, or the strategy until its next deletion. */
function isKept({ object, old, store: { strategy } }: Deleting): boolean {
  return isFinalizing(object, strategy) || (strategy.isKeptByFirstDeletion === true && !old.metadata.deletionTimestamp);
}

async function remove(write: Deleting): Promise<void> {
  const {
    stored: { uid },
    old,
  } = write;
  if (write.dryRun) {
    write.result = { deletedImmediately: true, uid, written: { kind: 'object', object: old } };
    return;
  }
  const last = await removeFromStorage(write, old);
  write.result = last === undefined ? 'conflict' : { deletedImmediately: true, uid, written: { kind: 'stored', stored: last } };
}

async function mark(write: Deleting, inTurn: typeof atOnce, deletedImmediately: boolean): Promise<void> {
  const {
    definition,
    stored,
    old,
    object,
    store: { collection },
  } = write;
  const { uid } = stored;
  if (write.dryRun) {
    write.result = { deletedImmediately, uid, written: { kind: 'object', object: await writtenDry(definition, object) } };
    return;
  }
  const written = await updateStored(definition, { collection, stored, old, object }, (one) =>
    inTurn(() => {
      write.requireLeadership();
      return collection.update(one, stored.revision);
    }),
  );
  if (written === stored) endUnchanged(write);
  else if (written === undefined) write.result = 'conflict';
  else if (deletedImmediately) write.result = { marked: written };
  else write.result = { deletedImmediately: false, uid, written: { kind: 'stored', stored: written } };
}

/** Removes the object and runs the strategy's afterDelete. Returns undefined if the object has changed. */
export async function removeFromStorage(
  write: Write<WriteTarget, unknown> & { readonly stored: StoredObject },
  object: KubeObject,
): Promise<StoredObject | undefined> {
  const { stored, store } = write;
  write.requireLeadership();
  const last = await store.collection.delete(stored.namespace, stored.name, stored.revision);
  if (last !== undefined) await store.strategy.afterDelete?.(object, write);
  return last;
}

/**
 * Reports whether neither finalizers nor a grace period keep a deleted object. (apiserver registry/generic/registry
 * ShouldDeleteDuringUpdate)
 */
export function shouldDeleteDuringUpdate(object: KubeObject, strategy: RESTStrategy): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = object.metadata;
  return Boolean(deletionTimestamp) && deletionGracePeriodSeconds === 0 && !isFinalizing(object, strategy);
}

function isFinalizing(object: KubeObject, strategy: RESTStrategy): boolean {
  return (object.metadata.finalizers ?? []).length > 0 || (strategy.hasPendingFinalizers?.(object) ?? false);
}

/** @throws StatusError 409, worded by storage or by the registry, depending on the strategy */
function checkPreconditions(write: Deleting): void {
  const { old, stored, target, definition } = write;
  const { uid, resourceVersion } = write.preconditions;
  const { uid: actualUid, revision } = stored;
  const name = old.metadata.name ?? target.name;
  const own = definition.writeRules.storagePreconditions === true;
  // upstream puts the kind in place of the plural
  const { group, storageGroup = group, kind } = definition;
  const what = own ? definition : { group: storageGroup, resource: kind };
  if (uid !== undefined && uid !== actualUid) {
    const why = own
      ? `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${actualUid}`
      : `the UID in the precondition (${uid}) does not match the UID in record (${actualUid}). The object might have been deleted and then recreated`;
    throw conflict(what, name, why);
  }
  if (resourceVersion !== undefined && resourceVersion !== String(revision)) {
    const why = own
      ? `Precondition failed: ResourceVersion in precondition: ${resourceVersion}, ResourceVersion in object meta: ${revision}`
      : `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${revision}). The object might have been modified`;
    throw conflict(what, name, why);
  }
}
