import { alreadyExists, generateNameConflict, plainError, prefixed } from '../machinery/errors/status.ts';
import { cloneJson } from '../machinery/json/clone.ts';
import type { KubeObject } from '../machinery/object.ts';
import { maxUint64 } from '../machinery/scalars/integers.ts';
import { isStorageError } from '../storage/errors.ts';
import { isTooLargeError } from '../storage/object-store/request-size.ts';
import { asDecoded } from './decoded.ts';
import type { GenericStore } from './generic-store.ts';
import { ensureNamespace, fillObjectMetaSystemFields, generateName, prepareForStorage } from './metadata.ts';
import type { FinishWrite, WriteContext, WriteOutcome, WriteResult } from './rest.ts';
import { prepareStatusForCreate } from './strategy.ts';
import { addWarnings, validateCreate } from './validation.ts';
import { writeStored, writtenDry } from './views.ts';

/** How many generated names are tried. (apiserver maxNameGenerationCreateAttempts) */
const maxNameGenerationAttempts = 8;

/**
 * Creates an object. (apiserver registry/generic/registry/store.go Create)
 *
 * @param input at the version of the request
 * @throws StatusError 403, 404, 409, 422
 */
export async function createObject(store: GenericStore, input: KubeObject, context: WriteContext): Promise<WriteResult> {
  const decoded = input.kind === context.definition.kind ? asDecoded(context.definition, store.strategy, input) : input;
  const managed = await withManagedFields(store, decoded, context);
  const object = context.admission ? await context.admission.admit(managed, undefined) : managed;
  const generated = !object.metadata.name && object.metadata.generateName;
  for (let attempt = 1; ; attempt++) {
    const candidate = generated ? cloneJson(object) : object;
    if (generated) candidate.metadata.name = generatedName(object, context);
    const written = await tryCreateSmaller(store, candidate, context);
    if (written !== undefined) return written;
    if (generated && attempt < maxNameGenerationAttempts) continue;
    const { name: taken = '' } = candidate.metadata;
    // upstream checks whether generateName is set, not whether the name was generated from it
    const error = object.metadata.generateName
      ? generateNameConflict(context.definition, taken, 1)
      : alreadyExists(context.definition, taken);
    throw (await isBeingDeleted(store, context, taken)) ? prefixed('object is being deleted', error) : error;
  }
}

function generatedName({ metadata }: KubeObject, { definition, namespace, stores }: WriteContext): string {
  return generateName(stores.random, metadata.generateName as string, `${definition.resourcePrefix}/${namespace}`);
}

async function isBeingDeleted({ collection }: GenericStore, { namespace }: WriteContext, name: string): Promise<boolean> {
  const newest = await collection.mostRecent();
  return newest.get(namespace, name)?.metadata().deletionTimestamp !== undefined;
}

/** The creator owns every field of the object. */
async function withManagedFields(
  { fieldManagers }: GenericStore,
  object: KubeObject,
  { definition, fieldManager, subresource = '' }: WriteContext,
): Promise<KubeObject> {
  if (fieldManager === undefined || object.kind !== definition.kind) return object;
  const manager = await fieldManagers.of(definition, subresource, object);
  return fieldManagers.run(definition, () => manager.update(fieldManagers.empty(definition), object, fieldManager));
}

/**
 * As tryCreate. A client's object that is too large is stored without managed fields, if that makes it small enough.
 * (apiserver pkg/endpoints/handlers/create.go)
 */
async function tryCreateSmaller(store: GenericStore, object: KubeObject, context: WriteContext): Promise<WriteResult | undefined> {
  try {
    return await tryCreate(store, object, context);
  } catch (error) {
    if (!isTooLargeError(error) || context.fieldManager === undefined) throw error;
    delete object.metadata.managedFields;
    return tryCreate(store, object, context);
  }
}

/** Returns undefined if the name is taken. */
async function tryCreate(store: GenericStore, object: KubeObject, context: WriteContext): Promise<WriteResult | undefined> {
  beforeCreate(object, context);
  const { strategy } = store;
  if (strategy.beginCreate === undefined) return createPrepared(store, object, context);
  return finishing(await strategy.beginCreate(object, context), async () => {
    // what was allocated may have defaults
    if (context.definition.decoder?.setsDefaults !== true) context.definition.type.setDefaults(object);
    return createPrepared(store, object, context);
  });
}

/** Runs a write and tells the function whether it wrote something. */
export async function finishing<T>(finish: FinishWrite | undefined, write: () => Promise<T>): Promise<T> {
  let outcome: WriteOutcome = 'not-written';
  try {
    const written = await write();
    if (written !== undefined) outcome = 'written';
    return written;
  } catch (error) {
    if (mayBeWritten(error)) outcome = 'unknown';
    throw error;
  } finally {
    await finish?.(outcome);
  }
}

/** Whether a write that failed may have happened nevertheless, or may happen later. */
export const mayBeWritten = (error: unknown): boolean => isStorageError(error) && error.code === 'unknown-outcome';

async function createPrepared(store: GenericStore, object: KubeObject, context: WriteContext): Promise<WriteResult | undefined> {
  const { definition, namespace } = context;
  if (store.strategy.prepareForCreate) {
    await store.strategy.prepareForCreate(object, context);
    // upstream applies defaults whenever it decodes an object, even the one it has just written; so does a decoder
    if (definition.decoder?.setsDefaults !== true) definition.type.setDefaults(object);
  }
  validateCreate(store.strategy, object, context);
  addWarnings(store.strategy, object, undefined, context);
  await context.requireCreate?.();
  const admitting = context.admission?.validate(object, undefined);
  if (admitting !== undefined) await admitting;
  const { name = '' } = object.metadata;
  if (context.dryRun) {
    if ((await store.collection.mostRecent()).get(namespace, name)) return undefined;
    return { kind: 'object', object: await writtenDry(definition, object) };
  }
  // the storage checks this, so a dry run does not
  if (isResourceVersion(object.metadata.resourceVersion ?? '')) {
    throw plainError('resourceVersion should not be set on objects to be created');
  }
  prepareForStorage(object);
  const stored = await writeStored(definition, object, (one) => {
    // the namespace may have been deleted while the strategy ran or the object was converted
    context.admission?.recheck(object);
    context.requireLeadership?.();
    return store.collection.create(one);
  });
  return stored && { kind: 'stored', stored };
}

/** Text that is no positive 64-bit number is ignored. (apiserver storage/etcd3 Create, APIObjectVersioner) */
function isResourceVersion(text: string): boolean {
  const digits = /^0*([1-9][0-9]{0,19})$/.exec(text)?.[1];
  return digits !== undefined && BigInt(digits) <= maxUint64;
}

/** (apiserver registry/rest/create.go BeforeCreate) */
function beforeCreate(object: KubeObject, { definition, namespace, now, stores }: WriteContext): void {
  ensureNamespace(object, definition.namespaced, namespace);
  fillObjectMetaSystemFields(object, definition, { now, random: stores.random });
  // as upstream, other kinds keep one that the client sends
  if (definition.strategy.generation) object.metadata.generation = 1;
  prepareStatusForCreate(object, definition);
}
