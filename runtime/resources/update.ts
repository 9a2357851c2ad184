import { conflict, invalid as invalidStatus, plainError } from '../machinery/errors/status.ts';
import { quoteExcerpt } from '../machinery/go/quote.ts';
import { cloneJson } from '../machinery/json/clone.ts';
import type { KubeObject } from '../machinery/object.ts';
import { invalid } from '../machinery/validation/field-error.ts';
import { FieldPath } from '../machinery/validation/field-path.ts';
import { ignoreManagedFieldsTimestamps } from '../patch/managed-fields/ignore-timestamps.ts';
import type { Collection, StoredObject } from '../storage/object-store/contract.ts';
import { isTooLargeError } from '../storage/object-store/request-size.ts';
import { notFoundOrCorrupt } from './corrupt-objects.ts';
import { createObject, finishing } from './create.ts';
import { asDecoded } from './decoded.ts';
import { removeFromStorage, shouldDeleteDuringUpdate } from './delete.ts';
import type { GenericStore } from './generic-store.ts';
import { guaranteedUpdate } from './guaranteed-update.ts';
import { ensureNamespace, keepSystemFields } from './metadata.ts';
import type { UpdateRequest, UpdateResult, WriteContext, WriteResult } from './rest.ts';
import { changesGeneration, keepAllButStatus, keepStatus } from './strategy.ts';
import { addWarnings, validateUpdate } from './validation.ts';
import { readShared, updateStored, writtenDry } from './views.ts';

const optimisticLockMessage = 'the object has been modified; please apply your changes to the latest version and try again';

/**
 * Replaces an object, or creates it if it is absent and the request allows that.
 * (apiserver registry/generic/registry/store.go Update)
 *
 * @throws StatusError 404, 409, 422
 */
export async function updateObject(store: GenericStore, request: UpdateRequest, context: WriteContext): Promise<UpdateResult> {
  const update = (dropsManagedFields: boolean): Promise<UpdateResult> => {
    const attempt = async (stored: StoredObject | undefined): Promise<UpdateResult | undefined> => {
      if (stored === undefined) return createInstead(store, request, context);
      checkUid(store.collection, request, stored.uid, context);
      const written = await tryUpdate(store, stored, request, context, dropsManagedFields);
      return written && { ...written, created: false };
    };
    return guaranteedUpdate(store.collection, request, attempt, context.dryRun ? 'newest' : 'known');
  };
  try {
    return await update(false);
  } catch (error) {
    const hasManager = context.fieldManager !== undefined && request.applies !== true;
    if (!isTooLargeError(error) || !hasManager) throw error;
    // it may be small enough without them (apiserver pkg/endpoints/handlers/update.go)
    return update(true);
  }
}

async function createInstead(store: GenericStore, request: UpdateRequest, context: WriteContext): Promise<UpdateResult> {
  const { requireCreate } = request;
  if (requireCreate === undefined) throw notFoundOrCorrupt(store.collection, context.definition, request);
  checkUid(store.collection, request, '', context);
  const object = await request.change(undefined);
  parseResourceVersion(object.metadata.resourceVersion ?? '');
  // only a POST refuses a resourceVersion
  if (!context.dryRun) delete object.metadata.resourceVersion;
  const { fieldManager } = request.applies ? {} : context;
  const createContext: WriteContext = {
    ...context,
    part: 'main',
    fieldManager,
    requestName: request.name,
    requireCreate,
  };
  return { ...(await createObject(store, object, createContext)), created: true };
}

/** Returns undefined if the object changed between reading and writing. */
async function tryUpdate(
  store: GenericStore,
  stored: StoredObject,
  request: UpdateRequest,
  context: WriteContext,
  dropsManagedFields: boolean,
): Promise<WriteResult | undefined> {
  const { strategy } = store;
  const old = await readShared(context.definition, stored);
  const sent = await request.change(cloneJson(old));
  const changed = sent.kind === context.definition.kind ? asDecoded(context.definition, strategy, sent) : sent;
  const managed = request.applies ? changed : await withManagedFields(store, changed, old, context);
  const { admission } = context;
  const object = admission === undefined || request.admits ? managed : await admission.admit(managed, old);
  if (dropsManagedFields) delete object.metadata.managedFields;
  checkVersion(object, stored, request, context);
  const change: ObjectChange = { stored, old, object };
  if (strategy.beginUpdate === undefined) return updatePrepared(store, change, request, context);
  const finish = await strategy.beginUpdate(object, old, context);
  return finishing(finish, () => updatePrepared(store, change, request, context));
}

interface ObjectChange {
  readonly stored: StoredObject;
  readonly old: KubeObject;
  readonly object: KubeObject;
}

async function updatePrepared(
  store: GenericStore,
  { stored, old, object }: ObjectChange,
  request: UpdateRequest,
  context: WriteContext,
): Promise<WriteResult | undefined> {
  const { definition } = context;
  const { strategy } = store;
  beforeUpdate(object, old, context);
  await strategy.prepareForUpdate?.(object, old, context);
  if (!request.keepGeneration) updateGeneration(object, old, context);
  validateUpdate(strategy, object, old, context);
  addWarnings(strategy, object, old, context);
  const admitting = context.admission?.validate(object, old);
  if (admitting !== undefined) await admitting;
  object.metadata.resourceVersion = old.metadata.resourceVersion;
  ignoreManagedFieldsTimestamps(object, old);
  if (shouldDeleteDuringUpdate(object, strategy)) return finishDeletion(store, stored, object, context);
  if (context.dryRun) return { kind: 'object', object: await writtenDry(definition, object) };
  // storage drops it, and a dry run does not get that far (storage/api_object_versioner.go PrepareObjectForStorage)
  delete object.metadata.selfLink;
  const change = { collection: store.collection, stored, old, object };
  const written = await updateStored(definition, change, (one) => {
    context.requireLeadership?.();
    return store.collection.update(one, stored.revision);
  });
  return written && { kind: 'stored', stored: written };
}

/** The update removed the last finalizer. Returns undefined if the object has changed. */
async function finishDeletion(
  store: GenericStore,
  stored: StoredObject,
  object: KubeObject,
  context: WriteContext,
): Promise<WriteResult | undefined> {
  if (!context.dryRun && (await removeFromStorage(store, stored, object, context)) === undefined) return undefined;
  return { kind: 'object', object };
}

/** The writer owns the fields that it changed. */
async function withManagedFields(
  { fieldManagers }: GenericStore,
  object: KubeObject,
  old: KubeObject,
  { definition, fieldManager, subresource = '' }: WriteContext,
): Promise<KubeObject> {
  if (fieldManager === undefined || object.kind !== definition.kind) return object;
  const manager = await fieldManagers.of(definition, subresource, old, object);
  return fieldManagers.run(definition, () => manager.update(old, object, fieldManager));
}

/** Checks the uid that the body of a PUT contains. (apiserver pkg/storage/etcd3 Preconditions, pkg/storage/errors.go) */
function checkUid(collection: Collection, request: UpdateRequest, uid: string, { definition }: WriteContext): void {
  const { namespace, name, preconditionUid } = request;
  if (!preconditionUid || preconditionUid === uid) return;
  const reason = `Precondition failed: UID in precondition: ${preconditionUid}, UID in object meta: ${uid}`;
  const key = collection.storageKey(namespace, name);
  throw conflict(definition, name, `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${reason}`);
}

/** Checks the resourceVersion that the client sent. (apiserver registry/generic/registry/store.go Update) */
function checkVersion(object: KubeObject, stored: StoredObject, request: UpdateRequest, { definition }: WriteContext): void {
  const { metadata } = object;
  const version = parseResourceVersion(metadata.resourceVersion ?? '');
  if (version !== 0 && version !== stored.revision) throw conflict(definition, request.name, optimisticLockMessage);
  if (version === 0 && request.requireVersion && !definition.strategy.unconditionalUpdate) {
    const path = FieldPath.of('metadata', 'resourceVersion');
    // the plural in place of the kind, as upstream
    const kind = { group: definition.group, kind: definition.resource };
    throw invalidStatus(kind, request.name, [invalid(path, 0, 'must be specified for an update')]);
  }
}

/** Returns 0 for "". @throws StatusError 500 for text that is no number, as upstream */
function parseResourceVersion(text: string): number {
  if (text !== '' && !/^[0-9]+$/.test(text)) {
    throw plainError(`strconv.ParseUint: parsing ${quoteExcerpt(text)}: invalid syntax`);
  }
  return Number(text);
}

/** (apiserver registry/rest/update.go BeforeUpdate) */
function beforeUpdate(object: KubeObject, old: KubeObject, { definition, namespace, part }: WriteContext): void {
  ensureNamespace(object, definition.namespaced, namespace);
  keepSystemFields(object.metadata, old.metadata);
  if (part === 'main') keepStatus(object, old, definition);
  if (part === 'status') keepAllButStatus(object, old, definition);
}

/** Runs after the strategy, so that what the strategy reverts does not count as a change. */
function updateGeneration(object: KubeObject, old: KubeObject, { definition, part }: WriteContext): void {
  if (!definition.strategy.generation || part === 'status') return;
  if (changesGeneration(object, old, definition)) object.metadata.generation = (old.metadata.generation ?? 0) + 1;
}
