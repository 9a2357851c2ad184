import { conflict, invalid as invalidStatus, plainError } from '../../machinery/errors/status.ts';
import { quoteExcerpt } from '../../machinery/go/quote.ts';
import { cloneJson } from '../../machinery/json/clone.ts';
import { setOrDelete } from '../../machinery/json/defined.ts';
import type { KubeObject } from '../../machinery/object.ts';
import { invalid } from '../../machinery/validation/field-error.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { ignoreManagedFieldsTimestamps } from '../../patch/managed-fields/ignore-timestamps.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';
import { isTooLargeError } from '../../storage/object-store/request-size.ts';
import { notFoundOrCorrupt } from '../corrupt-objects.ts';
import { ensureNamespace, keepSystemFields } from '../metadata.ts';
import type { Change, UpdateRequest, UpdateResult } from '../rest.ts';
import { addWarnings, validateUpdate } from '../validation.ts';
import { readShared, updateStored, writtenDry } from '../views.ts';
import { changesGeneration, keepAllButStatus, keepStatus } from '../write-rules.ts';
import { admit, validateAdmission } from './admission.ts';
import { changeBy } from './changes.ts';
import { storeNew } from './create.ts';
import { removeFromStorage, shouldDeleteDuringUpdate } from './delete.ts';
import { guaranteedUpdate } from './guaranteed-update.ts';
import { attempt, type Step, walk } from './steps.ts';
import type { Write } from './write.ts';

/** An update that has found and read its object. */
export type Update = Write<UpdateRequest> & {
  readonly change: Change;
  readonly stored: StoredObject;
  readonly old: KubeObject;
};

/** The steps of an update by any kind of change. (apiserver registry/generic/registry/store.go Update) */
export const updateSteps = {
  eachTry: [
    checkUid,
    readOld,
    openView,
    change,
    admit,
    closeView,
    omitManagedFields,
    checkVersion,
    begin,
    keepOldFields,
    prepare,
    countGeneration,
    validate,
    warn,
    validateAdmission,
    keepVersionAndTimes,
    finishDeletion,
    store,
  ] as readonly Step<Update>[],
  /** Replace the steps above for an absent object that may be created. storeNew follows them. */
  ifAbsent: [checkUid, change, checkNewVersion, admit] as readonly Step<Update>[],
};

/**
 * Changes the object of a write. Creates an absent object if the request allows it. @throws StatusError 404, 409, 422
 */
export async function updateObject(write: Write<UpdateRequest>): Promise<UpdateResult> {
  write.change = changeBy(write.target.change);
  const update = (): Promise<UpdateResult> =>
    guaranteedUpdate(write.store.collection, write.target, (stored) => tryUpdate(write, stored), write.dryRun ? 'newest' : 'known');
  try {
    return await update();
  } catch (error) {
    if (!isTooLargeError(error) || !write.mayOmitManagedFields) throw error;
    // try without managed fields, which may make it small enough (apiserver pkg/endpoints/handlers/update.go)
    write.omitsManagedFields = true;
    return update();
  }
}

async function tryUpdate(write: Write<UpdateRequest>, stored: StoredObject | undefined): Promise<UpdateResult | undefined> {
  write.operation = stored === undefined ? 'CREATE' : 'UPDATE';
  write.stored = stored;
  write.old = undefined;
  write.view = undefined;
  const update = write as Update;
  if (stored !== undefined) {
    const written = await attempt(update, updateSteps.eachTry);
    return written && { ...written, created: false };
  }
  if (write.target.requireCreate === undefined) throw notFoundOrCorrupt(write.store.collection, write.definition, write.target);
  await walk(update, updateSteps.ifAbsent);
  return { ...(await storeNew(write)), created: true };
}

/**
 * Checks the uid in the body of a PUT. A dry run shows the key without the prefix of the store. (apiserver pkg/storage/etcd3
 * Preconditions, pkg/storage/errors.go, pkg/registry/generic/registry/dryrun.go)
 */
function checkUid({ target, stored, store: { collection }, definition, dryRun }: Write<UpdateRequest>): void {
  const { namespace, name, preconditionUid } = target;
  const uid = stored?.uid ?? '';
  if (!preconditionUid || preconditionUid === uid) return;
  const reason = `Precondition failed: UID in precondition: ${preconditionUid}, UID in object meta: ${uid}`;
  const wholeKey = collection.storageKey(namespace, name);
  const key = dryRun ? wholeKey.slice(wholeKey.indexOf('/', 1)) : wholeKey;
  throw conflict(definition, name, `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${reason}`);
}

async function readOld(write: Write<UpdateRequest>): Promise<void> {
  write.old = await readShared(write.definition, write.stored as StoredObject);
}

function openView(write: Update): void | Promise<void> {
  const { view } = write.target;
  if (view === undefined) return;
  return view.open(cloneJson(write.old)).then((opened) => {
    write.view = opened;
  });
}

async function change(write: Update): Promise<void> {
  write.object = await write.change.change(write);
}

function closeView(write: Update): void {
  const { view } = write;
  if (view === undefined) return;
  write.object = view.close(write.object);
  write.view = undefined;
}

function omitManagedFields({ omitsManagedFields, object }: Update): void {
  if (omitsManagedFields) delete object.metadata.managedFields;
}

/** Checks the client's resourceVersion. (apiserver registry/generic/registry/store.go Update) */
function checkVersion({ object: { metadata }, stored, target, definition }: Update): void {
  const version = parseResourceVersion(metadata.resourceVersion ?? '');
  if (version !== 0 && version !== stored.revision) throw conflict(definition, target.name, optimisticLockMessage);
  if (version === 0 && target.requireVersion && !definition.writeRules.unconditionalUpdate) {
    const path = FieldPath.of('metadata', 'resourceVersion');
    // upstream puts the plural in place of the kind
    const kind = { group: definition.group, kind: definition.resource };
    throw invalidStatus(kind, target.name, [invalid(path, 0, 'must be specified for an update')]);
  }
}

const optimisticLockMessage = 'the object has been modified; please apply your changes to the latest version and try again';

/**
 * Checks the form of the resourceVersion of an object that an update creates, and drops it, except in a dry run. Only a
 * POST refuses one.
 */
function checkNewVersion({ object: { metadata }, dryRun }: Update): void {
  parseResourceVersion(metadata.resourceVersion ?? '');
  if (!dryRun) delete metadata.resourceVersion;
}

/**
 * Parses a resourceVersion. Returns 0 for "".
 *
 * @throws StatusError 500 if the text is not a number, as in upstream
 */
function parseResourceVersion(text: string): number {
  if (text !== '' && !/^[0-9]+$/.test(text)) {
    throw plainError(`strconv.ParseUint: parsing ${quoteExcerpt(text)}: invalid syntax`);
  }
  return Number(text);
}

/** Begins the strategy's transaction around the following steps. */
function begin(write: Update): void | Promise<void> {
  return write.store.strategy.beginUpdate === undefined ? undefined : beginUpdate(write);
}

async function beginUpdate(write: Update): Promise<void> {
  write.finish = await write.store.strategy.beginUpdate?.(write.object, write.old, write);
}

/** (apiserver registry/rest/update.go BeforeUpdate) */
function keepOldFields({ object, old, definition, namespace, part }: Update): void {
  ensureNamespace(object, definition.namespaced, namespace);
  keepSystemFields(object.metadata, old.metadata);
  if (part === 'main') keepStatus(object, old, definition);
  if (part === 'status') keepAllButStatus(object, old, definition);
}

function prepare(write: Update): void | Promise<void> {
  return write.store.strategy.prepareForUpdate?.(write.object, write.old, write);
}

/**
 * Increments metadata.generation after a change. Runs after the strategy, so that changes that the strategy reverts do
 * not count.
 */
function countGeneration({ object, old, definition, part, target }: Update): void {
  if (target.keepGeneration || !definition.writeRules.generation || part === 'status') return;
  if (changesGeneration(object, old, definition)) object.metadata.generation = (old.metadata.generation ?? 0) + 1;
}

function validate(write: Update): void {
  validateUpdate(write.store.strategy, write.object, write.old, write);
}

function warn(write: Update): void {
  addWarnings(write.store.strategy, write.object, write.old, write);
}

function keepVersionAndTimes({ object, old }: Update): void {
  setOrDelete(object.metadata, 'resourceVersion', old.metadata.resourceVersion);
  ignoreManagedFieldsTimestamps(object, old);
}

/** Removes the object if the update has left nothing that keeps a deleted object. */
function finishDeletion(write: Update): void | Promise<void> {
  return shouldDeleteDuringUpdate(write.object, write.store.strategy) ? removeFinalized(write) : undefined;
}

async function removeFinalized(write: Update): Promise<void> {
  const { object, dryRun } = write;
  const isGone = dryRun || (await removeFromStorage(write, object)) !== undefined;
  write.result = isGone ? { kind: 'object', object } : 'conflict';
}

async function store(write: Update): Promise<void> {
  const {
    definition,
    stored,
    old,
    object,
    store: { collection },
  } = write;
  if (write.dryRun) {
    write.result = { kind: 'object', object: await writtenDry(definition, object) };
    return;
  }
  // a stored object never has it, and a dry run does not reach storage (storage/api_object_versioner.go
  // PrepareObjectForStorage)
  delete object.metadata.selfLink;
  const written = await updateStored(definition, { collection, stored, old, object }, (one) => {
    write.requireLeadership();
    return collection.update(one, stored.revision);
  });
  write.result = written === undefined ? 'conflict' : { kind: 'stored', stored: written };
}
