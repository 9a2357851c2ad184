import { conflict } from '../machinery/errors/status.ts';
import { cloneJson } from '../machinery/json/clone.ts';
import type { KubeObject } from '../machinery/object.ts';
import { timeText } from '../machinery/scalars/time.ts';
import type { StoredObject } from '../storage/object-store/contract.ts';
import { notFoundOrCorrupt } from './corrupt-objects.ts';
import type { GenericStore } from './generic-store.ts';
import { beforeDelete } from './graceful-deletion.ts';
import { guaranteedUpdate } from './guaranteed-update.ts';
import { setDeletionFinalizers } from './propagation.ts';
import type { DeleteRequest, DeleteResult, RESTStrategy, WriteContext } from './rest.ts';
import { readShared, updateStored, writtenDry } from './views.ts';

/** Another write was faster: the deletion starts again with the changed object. */
type Conflict = 'conflict';
/** A grace period of 0 was written into the object. Now the object can be removed. */
interface MarkedForRemoval {
  readonly marked: StoredObject;
}

/**
 * Deletes an object, or marks it for deletion if finalizers or a grace period keep it.
 * (apiserver registry/generic/registry/store.go Delete)
 *
 * @throws StatusError 404, 409, 500 if the stored bytes cannot be read, and whatever admission refuses with
 */
export async function deleteObject(store: GenericStore, request: DeleteRequest, context: WriteContext): Promise<DeleteResult> {
  let current = request;
  let marked: DeleteResult | undefined;
  const attempt = async (stored: StoredObject | undefined): Promise<DeleteResult | MarkedForRemoval | undefined> => {
    if (marked !== undefined && stored?.uid !== marked.uid) return marked;
    if (stored === undefined) throw notFoundOrCorrupt(store.collection, context.definition, request);
    const result = await tryDelete(store, stored, current, context);
    return result === 'conflict' ? undefined : result;
  };
  for (;;) {
    const firstRead = marked === undefined ? 'newest' : 'known';
    const result = await guaranteedUpdate(store.collection, request, attempt, firstRead);
    if (!('marked' in result)) return result;
    marked = { deletedImmediately: true, uid: result.marked.uid, written: { kind: 'stored', stored: result.marked } };
    // marking the object has changed the resourceVersion that the client knows
    const { resourceVersion: _, ...preconditions } = request.preconditions ?? {};
    current = { ...request, preconditions };
  }
}

async function tryDelete(
  store: GenericStore,
  stored: StoredObject,
  request: DeleteRequest,
  context: WriteContext,
): Promise<DeleteResult | Conflict | MarkedForRemoval> {
  const { definition, dryRun, now } = context;
  const { strategy } = store;
  const { uid } = stored;
  const { inTurn = atOnce } = request;
  const unchanged: DeleteResult = { deletedImmediately: false, uid, written: { kind: 'stored', stored } };
  const old = await readShared(definition, stored);
  checkPreconditions(old, stored, request, context);
  const object = cloneJson(old);
  const graceful = beforeDelete(object, strategy, request.gracePeriodSeconds, now);
  if (graceful === 'pending' || (old.metadata.deletionTimestamp && strategy.hasPendingFinalizers?.(old))) {
    return unchanged;
  }
  const admitting = context.admission?.validateDelete(old);
  if (admitting !== undefined) await admitting;
  setDeletionFinalizers(object, request, strategy);
  if (!old.metadata.deletionTimestamp) strategy.prepareForDelete?.(object);
  const finalizing = isFinalizing(object, strategy);
  if (graceful === 'none') {
    if (!finalizing) return inTurn(() => remove(store, stored, old, context));
    markAsDeleting(object, strategy, context);
  }
  const deletedImmediately = !finalizing && graceful === 0;
  if (dryRun) {
    return { deletedImmediately, uid, written: { kind: 'object', object: await writtenDry(definition, object) } };
  }
  const write = (one: KubeObject) =>
    inTurn(() => {
      context.requireLeadership?.();
      return store.collection.update(one, stored.revision);
    });
  const written = await updateStored(definition, { collection: store.collection, stored, old, object }, write);
  if (written === undefined) return 'conflict';
  if (written === stored) return unchanged;
  if (deletedImmediately) return { marked: written };
  return { deletedImmediately: false, uid, written: { kind: 'stored', stored: written } };
}

const atOnce = <R>(write: () => Promise<R>): Promise<R> => write();

async function remove(
  store: GenericStore,
  stored: StoredObject,
  object: KubeObject,
  context: WriteContext,
): Promise<DeleteResult | Conflict> {
  const { uid } = stored;
  if (context.dryRun) return { deletedImmediately: true, uid, written: { kind: 'object', object } };
  const last = await removeFromStorage(store, stored, object, context);
  return last === undefined ? 'conflict' : { deletedImmediately: true, uid, written: { kind: 'stored', stored: last } };
}

/** Removes the object and runs the strategy's afterDelete. Returns undefined if the object has changed. */
export async function removeFromStorage(
  store: GenericStore,
  stored: StoredObject,
  object: KubeObject,
  context: WriteContext,
): Promise<StoredObject | undefined> {
  context.requireLeadership?.();
  const last = await store.collection.delete(stored.namespace, stored.name, stored.revision);
  if (last !== undefined) await store.strategy.afterDelete?.(object, context);
  return last;
}

/** Whether nothing keeps a deleted object any more. (apiserver registry/generic/registry ShouldDeleteDuringUpdate) */
export function shouldDeleteDuringUpdate(object: KubeObject, strategy: RESTStrategy): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = object.metadata;
  return Boolean(deletionTimestamp) && deletionGracePeriodSeconds === 0 && !isFinalizing(object, strategy);
}

function isFinalizing(object: KubeObject, strategy: RESTStrategy): boolean {
  return (object.metadata.finalizers ?? []).length > 0 || (strategy.hasPendingFinalizers?.(object) ?? false);
}

/** @throws StatusError 409, worded by storage or by the registry, as the strategy says */
function checkPreconditions(
  object: KubeObject,
  { uid: actualUid, revision }: StoredObject,
  { name, preconditions }: DeleteRequest,
  { definition }: WriteContext,
): void {
  const { uid, resourceVersion } = preconditions ?? {};
  const own = definition.strategy.storagePreconditions === true;
  // the kind in place of the plural, as upstream
  const { group, storageGroup = group, kind } = definition;
  const what = own ? definition : { group: storageGroup, resource: kind };
  if (uid !== undefined && uid !== actualUid) {
    const why = own
      ? `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${actualUid}`
      : `the UID in the precondition (${uid}) does not match the UID in record (${actualUid}). The object might have been deleted and then recreated`;
    throw conflict(what, object.metadata.name ?? name, why);
  }
  if (resourceVersion !== undefined && resourceVersion !== String(revision)) {
    const why = own
      ? `Precondition failed: ResourceVersion in precondition: ${resourceVersion}, ResourceVersion in object meta: ${revision}`
      : `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${revision}). The object might have been modified`;
    throw conflict(what, object.metadata.name ?? name, why);
  }
}

/** Sets the deletion to now; the finalizers still keep the object. (apiserver registry/generic/registry/store.go) */
function markAsDeleting(object: KubeObject, strategy: RESTStrategy, context: WriteContext): void {
  const { metadata } = object;
  const { deletionTimestamp } = metadata;
  if (!deletionTimestamp && metadata.generation) metadata.generation += 1;
  if (!deletionTimestamp || Date.parse(deletionTimestamp) > context.now) {
    metadata.deletionTimestamp = timeText(context.now);
  }
  metadata.deletionGracePeriodSeconds = 0;
  if (!deletionTimestamp) strategy.markAsDeleting?.(object, context);
}
