import type { KubeObject } from '../machinery/object.ts';
import { timeText } from '../machinery/scalars/time.ts';
import { conflict, notFound } from '../machinery/status.ts';
import type { StoredObject } from '../storage/object-store/contract.ts';
import { isDeletionDue } from './deletion.ts';
import { equalJson } from './equality.ts';
import type { WriteContext } from './hooks.ts';
import type { ResourceStore } from './resource-store.ts';
import type { Written } from './result.ts';

export interface DeleteRequest {
  readonly namespace: string;
  readonly name: string;
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
 * @throws StatusError 404, 409, and what the resource's own rules say
 */
export async function deleteObject(
  store: ResourceStore,
  request: DeleteRequest,
  context: WriteContext,
): Promise<Deleted> {
  for (;;) {
    const stored = store.collection.latest().get(request.namespace, request.name);
    if (stored === undefined) throw notFound(context.definition, request.name);
    const deleted = await tryDelete(store, stored, request, context);
    if (deleted !== undefined) return deleted;
  }
}

async function tryDelete(
  store: ResourceStore,
  stored: StoredObject,
  request: DeleteRequest,
  context: WriteContext,
): Promise<Deleted | undefined> {
  const { definition } = context;
  requirePreconditions(stored, request, context);
  const old = definition.conversion.fromStorage(stored.decode());
  await store.hooks.beforeDelete?.(old, context);
  const object = structuredClone(old);
  announce(object, store, request, context);
  const uid = stored.uid;
  if (isDeletionDue(object, store.hooks)) return remove(store, stored, old, context);
  if (equalJson(object, old)) return { gone: false, uid, written: { kind: 'stored', stored } };
  if (context.dryRun) return { gone: false, uid, written: { kind: 'object', object } };
  const written = await store.collection.update(definition.conversion.toStorage(object), stored.revision);
  return written && { gone: false, uid, written: { kind: 'stored', stored: written } };
}

async function remove(
  store: ResourceStore,
  stored: StoredObject,
  object: KubeObject,
  context: WriteContext,
): Promise<Deleted | undefined> {
  const { uid } = stored;
  if (context.dryRun) return { gone: true, uid, written: { kind: 'object', object } };
  const last = await store.collection.delete(stored.namespace, stored.name, stored.revision);
  if (last === undefined) return undefined;
  await store.hooks.afterDelete?.(object, context);
  return { gone: true, uid, written: { kind: 'stored', stored: last } };
}

function requirePreconditions(
  stored: StoredObject,
  { name, preconditions }: DeleteRequest,
  { definition }: WriteContext,
): void {
  const { uid, resourceVersion } = preconditions ?? {};
  if (uid !== undefined && uid !== stored.uid) {
    const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${stored.uid}`;
    throw conflict(definition, name, why);
  }
  if (resourceVersion !== undefined && resourceVersion !== String(stored.revision)) {
    const why = `Precondition failed: ResourceVersion in precondition: ${resourceVersion}, ResourceVersion in object meta: ${stored.revision}`;
    throw conflict(definition, name, why);
  }
}

/** Marks the object as deleted, with the finalizers that the propagation policy asks for. */
function announce(object: KubeObject, store: ResourceStore, request: DeleteRequest, context: WriteContext): void {
  const { metadata } = object;
  setPropagation(object, request);
  const grace = Math.max(0, store.hooks.gracePeriod?.(object, request.gracePeriodSeconds) ?? 0);
  if (metadata.deletionTimestamp) {
    // announced before: the wait may only become shorter
    if (grace >= (metadata.deletionGracePeriodSeconds ?? 0)) return;
    metadata.deletionGracePeriodSeconds = grace;
    metadata.deletionTimestamp = timeText(Math.min(context.now + grace * 1000, Date.parse(metadata.deletionTimestamp)));
    return;
  }
  metadata.deletionTimestamp = timeText(context.now + grace * 1000);
  metadata.deletionGracePeriodSeconds = grace;
  if (metadata.generation) metadata.generation += 1;
  store.hooks.markDeleted?.(object, context);
}

const orphan = 'orphan';
const foreground = 'foregroundDeletion';

/** The garbage collector's finalizers say what becomes of dependents. */
function setPropagation({ metadata }: KubeObject, { propagationPolicy, orphanDependents }: DeleteRequest): void {
  if (propagationPolicy === undefined && orphanDependents === undefined) return;
  const wanted =
    propagationPolicy === 'Orphan' || orphanDependents ? orphan : propagationPolicy === 'Foreground' ? foreground : '';
  const others = (metadata.finalizers ?? []).filter((one) => one !== orphan && one !== foreground);
  const finalizers = wanted === '' ? others : [...others, wanted];
  if (finalizers.length === 0) delete metadata.finalizers;
  else metadata.finalizers = finalizers;
}
