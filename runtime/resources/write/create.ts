import { alreadyExists, generateNameConflict, plainError, prefixed, type StatusError } from '../../machinery/errors/status.ts';
import { cloneJson } from '../../machinery/json/clone.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { ObjectKey } from '../../machinery/object-key.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import { maxUint64 } from '../../machinery/scalars/integers.ts';
import type { Collection } from '../../storage/object-store/contract.ts';
import { isTooLargeError } from '../../storage/object-store/request-size.ts';
import { ensureNamespace, fillObjectMetaSystemFields, generateName, prepareForStorage } from '../metadata.ts';
import type { RequireCreate, WriteResult, WriteTarget } from '../rest.ts';
import { addWarnings, validateCreate } from '../validation.ts';
import { writeStored, writtenDry } from '../views.ts';
import { prepareStatusForCreate } from '../write-rules.ts';
import { admit, recheckAdmission, validateAdmission } from './admission.ts';
import { ownFields } from './managed-fields.ts';
import { attempt, type Step, walk } from './steps.ts';
import type { Write } from './write.ts';

/** The target of a creation, or of an update that creates its object. */
export interface CreateTarget extends WriteTarget {
  readonly requireCreate?: RequireCreate | undefined;
}

export type Creation = Write<CreateTarget>;

/** The steps of a creation. (apiserver registry/generic/registry/store.go Create) */
export const createSteps = {
  /** Complete the new object. An update that creates its object runs `ifAbsent` of its own steps instead. */
  once: [manageFields, admit] as readonly Step<Creation>[],
  /** Store the object. A generated name is different in each try. */
  eachTry: [
    fillSystemFields,
    begin,
    prepare,
    validate,
    warn,
    requireCreate,
    validateAdmission,
    setDefaults,
    store,
  ] as readonly Step<Creation>[],
};

/** The maximum number of generated names to try. (apiserver maxNameGenerationCreateAttempts) */
const maxNameGenerationAttempts = 8;

/** Creates the object of a write. @throws StatusError 403, 404, 409, 422 */
export async function createObject(write: Creation): Promise<WriteResult> {
  await walk(write, createSteps.once);
  return storeNew(write);
}

/**
 * Stores a new object that has its managed fields and has passed mutating admission. @throws StatusError 403, 404, 409,
 * 422
 */
export async function storeNew(write: Creation): Promise<WriteResult> {
  const { object } = write;
  const generated = !object.metadata.name && object.metadata.generateName;
  for (let tries = 1; ; tries++) {
    if (generated) write.object = withGeneratedName(object, write);
    const written = await storeSmaller(write);
    if (written !== undefined) return written;
    if (generated && tries < maxNameGenerationAttempts) continue;
    const { name = '' } = write.object.metadata;
    // upstream checks whether generateName is set, not whether the name was generated from it
    throw await nameTaken(
      write.definition,
      write.store.collection,
      { namespace: write.namespace, name },
      Boolean(object.metadata.generateName),
    );
  }
}

function withGeneratedName(object: KubeObject, { definition, namespace, stores }: Creation): KubeObject {
  const candidate = cloneJson(object);
  const scope = `${definition.resourcePrefix}/${namespace}`;
  const base = object.metadata.generateName as string;
  // an address has no suffix (ipaddress noopNameGenerator)
  const isWhole = definition.writeRules.nameRule === 'ip-address';
  candidate.metadata.name = isWhole ? base : generateName(stores.random, base, scope);
  return candidate;
}

/** Returns the error for a name that another object has. */
export async function nameTaken(
  definition: ResourceDefinition,
  collection: Collection,
  { namespace, name }: ObjectKey,
  generatesName: boolean,
): Promise<StatusError> {
  const error = generatesName ? generateNameConflict(definition, name, 1) : alreadyExists(definition, name);
  const newest = await collection.mostRecent();
  const isBeingDeleted = newest.get(namespace, name)?.metadata().deletionTimestamp !== undefined;
  return isBeingDeleted ? prefixed('object is being deleted', error) : error;
}

/**
 * Tries to store the object. If it is too large, tries again without managed fields, if the write may omit them.
 * Returns undefined if the name is taken. (apiserver pkg/endpoints/handlers/create.go)
 */
async function storeSmaller(write: Creation): Promise<WriteResult | undefined> {
  try {
    return await attempt(write, createSteps.eachTry);
  } catch (error) {
    if (!isTooLargeError(error) || !write.mayOmitManagedFields) throw error;
    delete write.object.metadata.managedFields;
    return attempt(write, createSteps.eachTry);
  }
}

/** Makes the creator the manager of every field of the object. */
export async function manageFields(write: Creation): Promise<void> {
  write.object = await ownFields(write.object, write);
}

/** (apiserver registry/rest/create.go BeforeCreate) */
function fillSystemFields({ object, definition, namespace, now, stores }: Creation): void {
  ensureNamespace(object, definition.namespaced, namespace);
  fillObjectMetaSystemFields(object, definition, { now, random: stores.random });
  // as in upstream, other kinds keep the client's generation
  if (definition.writeRules.generation) object.metadata.generation = 1;
  prepareStatusForCreate(object, definition);
}

/** Begins the strategy's transaction around the following steps. */
function begin(write: Creation): void | Promise<void> {
  return write.store.strategy.beginCreate === undefined ? undefined : beginCreate(write);
}

async function beginCreate(write: Creation): Promise<void> {
  const { object, store } = write;
  write.finish = await store.strategy.beginCreate?.(object, write);
}

function prepare(write: Creation): void | Promise<void> {
  return write.store.strategy.prepareForCreate?.(write.object, write);
}

/**
 * Applies defaults to what a strategy has added, as upstream does whenever it decodes an object, even after its own write. Skips
 * definitions whose decoder adds defaults on each read.
 */
function setDefaults({ definition: { decoder, type }, object, store: { strategy } }: Creation): void {
  const isPrepared = strategy.beginCreate !== undefined || strategy.prepareForCreate !== undefined;
  if (isPrepared && decoder?.setsDefaults !== true) type.setDefaults(object);
}

function validate(write: Creation): void {
  validateCreate(write.store.strategy, write.object, write);
}

function warn(write: Creation): void {
  addWarnings(write.store.strategy, write.object, undefined, write);
}

/** Checks that the writer of an update has permission to create. */
function requireCreate({ target }: Creation): void | Promise<void> {
  return target.requireCreate?.();
}

/** Stores the object. The result is a conflict if the name is taken. */
async function store(write: Creation): Promise<void> {
  const {
    definition,
    namespace,
    object,
    store: { collection },
  } = write;
  if (write.dryRun) {
    const isTaken = (await collection.mostRecent()).get(namespace, object.metadata.name ?? '') !== undefined;
    write.result = isTaken ? 'conflict' : { kind: 'object', object: await writtenDry(definition, object) };
    return;
  }
  // only storage makes this check, so a dry run skips it
  if (isResourceVersion(object.metadata.resourceVersion ?? '')) {
    throw plainError('resourceVersion should not be set on objects to be created');
  }
  prepareForStorage(object);
  const stored = await writeStored(definition, object, (one) => {
    // the namespace may have been deleted during the strategy or a conversion
    recheckAdmission(write);
    write.requireLeadership();
    return collection.create(one);
  });
  write.result = stored === undefined ? 'conflict' : { kind: 'stored', stored };
}

/**
 * Reports whether a text is a positive 64-bit number. Upstream ignores other texts. (apiserver storage/etcd3 Create,
 * APIObjectVersioner)
 */
function isResourceVersion(text: string): boolean {
  const digits = /^0*([1-9][0-9]{0,19})$/.exec(text)?.[1];
  return digits !== undefined && BigInt(digits) <= maxUint64;
}
