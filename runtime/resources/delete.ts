import { cloneJson } from '../machinery/json/clone.ts';
import { equalJson } from '../machinery/json/equality.ts';
import type { KubeObject } from '../machinery/object.ts';
import { timeText } from '../machinery/scalars/time.ts';
import { conflict } from '../machinery/status.ts';
import type { StoredObject } from '../storage/object-store/contract.ts';
import { absentError } from './corrupt-objects.ts';

import { grantGrace } from './graceful-deletion.ts';
import type { WriteContext } from './hooks.ts';
import { setPropagation } from './propagation.ts';
import type { ResourceStore } from './resource-store.ts';
import type { Written } from './result.ts';
import { readStored, writeStored } from './views.ts';

export interface DeleteRequest {
  readonly namespace: string;
  readonly name: string;
  /** Seconds; below 0 is 1. Default: the resource's own. */
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: string;
  readonly orphanDependents?: boolean;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

export interface Deleted {
  /** False: the deletion is announced, and something holds the object. */
  readonly gone: boolean;
  readonly uid: string;
  readonly written: Written;
}

/**
 * Deletes, or announces that it will be: an object with finalizers or a grace period stays, marked, until nothing holds
 * it. (apiserver registry/generic/registry/store.go Delete, registry/rest/delete.go)
 *
 * @throws StatusError 404, 409, 500 where the stored bytes cannot be read, and what the resource's own rules say
 */
export async function deleteObject(
  store: ResourceStore,
  request: DeleteRequest,
  context: WriteContext,
): Promise<Deleted> {
  let wanted = request;
  let announced: Deleted | undefined;
  for (;;) {
    const stored = store.collection.latest().get(request.namespace, request.name);
    if (announced !== undefined && stored?.uid !== announced.uid) return announced;
    if (stored === undefined) throw absentError(store, context.definition, request);
    const result = await tryDelete(store, stored, wanted, context);
    if (result === 'changed') continue;
    if (!('announced' in result)) return result;
    announced = { gone: true, uid: stored.uid, written: { kind: 'stored', stored: result.announced } };
    // the announcement has changed the version that the client knew
    const { resourceVersion: _, ...preconditions } = request.preconditions ?? {};
    wanted = { ...request, preconditions };
  }
}

/** `changed`: somebody else was faster. `announced`: the object with its deletionTimestamp, which can go now. */
async function tryDelete(
  store: ResourceStore,
  stored: StoredObject,
  request: DeleteRequest,
  context: WriteContext,
): Promise<Deleted | 'changed' | { readonly announced: StoredObject }> {
  const { definition, dryRun, now } = context;
  const { hooks } = store;
  const { uid } = stored;
  const untouched: Deleted = { gone: false, uid, written: { kind: 'stored', stored } };
  const old = await readStored(definition, stored);
  requirePreconditions(old, stored, request, context);
  await hooks.beforeDelete?.(old, context);
  const object = cloneJson(old);
  const grace = grantGrace(object, store, request.gracePeriodSeconds, now);
  if (grace === 'pending' || (old.metadata.deletionTimestamp && hooks.holds?.(old))) return untouched;
  setPropagation(object, request, hooks);
  if (!old.metadata.deletionTimestamp) hooks.prepareForDelete?.(object);
  const held = (object.metadata.finalizers ?? []).length > 0 || (hooks.holds?.(object) ?? false);
  if (grace === 'none') {
    if (!held) return remove(store, stored, old, context);
    markAsDeleted(object, store, context);
  }
  const gone = !held && grace === 0;
  if (dryRun) return { gone, uid, written: { kind: 'object', object } };
  if (equalJson(object, old)) return untouched;
  const written = await writeStored(definition, object, (one) => store.collection.update(one, stored.revision));
  if (written === undefined) return 'changed';
  return gone ? { announced: written } : { gone: false, uid, written: { kind: 'stored', stored: written } };
}

async function remove(
  store: ResourceStore,
  stored: StoredObject,
  object: KubeObject,
  context: WriteContext,
): Promise<Deleted | 'changed'> {
  const { uid } = stored;
  if (context.dryRun) return { gone: true, uid, written: { kind: 'object', object } };
  const last = await store.collection.delete(stored.namespace, stored.name, stored.revision);
  if (last === undefined) return 'changed';
  await store.hooks.afterDelete?.(object, context);
  return { gone: true, uid, written: { kind: 'stored', stored: last } };
}

/** Namespaces are deleted by code of their own upstream, which words this otherwise. */
function requirePreconditions(
  object: KubeObject,
  { uid: actualUid, revision }: StoredObject,
  { name, preconditions }: DeleteRequest,
  { definition }: WriteContext,
): void {
  const { uid, resourceVersion } = preconditions ?? {};
  const own = definition.group === '' && definition.resource === 'namespaces';
  // the kind in place of the plural, as upstream
  const what = own ? definition : { group: definition.group, resource: definition.kind };
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

/** The end is now, and waits for the finalizers. (apiserver registry/generic/registry/store.go markAsDeleting) */
function markAsDeleted(object: KubeObject, store: ResourceStore, context: WriteContext): void {
  const { metadata } = object;
  const { deletionTimestamp } = metadata;
  if (!deletionTimestamp && metadata.generation) metadata.generation += 1;
  if (!deletionTimestamp || Date.parse(deletionTimestamp) > context.now) {
    metadata.deletionTimestamp = timeText(context.now);
  }
  metadata.deletionGracePeriodSeconds = 0;
  if (!deletionTimestamp) store.hooks.markDeleted?.(object, context);
}
