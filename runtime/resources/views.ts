import { elementAt } from '../machinery/collections/element-at.ts';
import { equalJson, equalNumerically } from '../machinery/json/equality.ts';
import type { KubeObject } from '../machinery/object.ts';
import type { ResourceDefinition } from '../machinery/resource.ts';
import type { Collection, StoredObject } from '../storage/object-store/contract.ts';
import { nullEmptyLists } from './stored-lists.ts';
import { isUnchanged } from './write/guaranteed-update.ts';

/**
 * Reports whether stored bytes are at this version. Definitions with a decoder always return true, because the decoder
 * reads stored objects of any version.
 */
export function isStorageVersion(definition: ResourceDefinition): boolean {
  if (definition.decoder !== undefined) return true;
  return definition.storageGroup === undefined && definition.version === definition.storageVersion;
}

/**
 * Returns the stored object at the definition's version. Only views of custom resources differ from the stored object;
 * see VersionDecoder.
 */
export function viewOf(definition: ResourceDefinition, stored: StoredObject): StoredObject | Promise<StoredObject> {
  const { decoder } = definition;
  if (decoder === undefined || decoder.isCurrent(stored)) return stored;
  const views = decoder.views([stored]);
  return 'then' in views ? views.then((found) => elementAt(found, 0)) : elementAt(views, 0);
}

/** Returns views like `viewOf`, for many objects converted together. */
export function viewsOf(
  definition: ResourceDefinition,
  stored: readonly StoredObject[],
): readonly StoredObject[] | Promise<readonly StoredObject[]> {
  return definition.decoder === undefined ? stored : definition.decoder.views(stored);
}

/** Decodes a stored object to the definition's version. The caller owns the result. */
export function readStored(definition: ResourceDefinition, stored: StoredObject): KubeObject | Promise<KubeObject> {
  if (definition.decoder === undefined) return definition.conversion.fromStorage(stored.decode());
  const view = viewOf(definition, stored);
  return 'then' in view ? view.then((one) => one.decode()) : view.decode();
}

/** Decodes like `readStored`, for callers that do not change the result. It may be shared. */
export function readShared(definition: ResourceDefinition, stored: StoredObject): KubeObject | Promise<KubeObject> {
  const isShared = definition.decoder === undefined && isStorageVersion(definition);
  return isShared ? stored.shared() : readStored(definition, stored);
}

/** Calls `write` with the object converted from the definition's version to the storage version. */
export async function writeStored<R>(
  definition: ResourceDefinition,
  object: KubeObject,
  write: (stored: KubeObject) => Promise<R>,
): Promise<R> {
  const { decoder, conversion } = definition;
  if (decoder === undefined) {
    nullEmptyLists(definition, object);
    return write(conversion.toStorage(object));
  }
  return decoder.duringWrite(async () => write(await decoder.toStorage(object)));
}

/** An object before and after an update, at the definition's version. */
export interface StoredChange {
  readonly collection: Collection;
  readonly stored: StoredObject;
  /** The decoded `stored`. */
  readonly old: KubeObject;
  readonly object: KubeObject;
}

/**
 * Writes an updated object like `writeStored`, unless nothing changes: the new bytes are the stored bytes, in their
 * current transformation, and also the encoding of the object that was read. (Upstream's cache has only the read
 * object.) Reads may prune, default or convert, so an object that looks unchanged may be written.
 *
 * Returns the stored object, or undefined if it has changed meanwhile. (apiserver storage/etcd3/store.go
 * GuaranteedUpdate)
 */
export async function updateStored(
  definition: ResourceDefinition,
  { collection, stored, old, object }: StoredChange,
  write: (stored: KubeObject) => Promise<StoredObject | undefined>,
): Promise<StoredObject | undefined> {
  const { decoder, conversion } = definition;
  if (decoder === undefined) {
    nullEmptyLists(definition, object);
    const isSame = equalJson(object, old) && !(await collection.isStale(stored));
    return isSame ? unchanged(collection, stored) : write(conversion.toStorage(object));
  }
  return decoder.duringWrite(async () => {
    const next = await decoder.toStorage(object);
    const isSame = decoder.isCurrent(stored)
      ? equalNumerically(next, old)
      : equalNumerically(next, stored.decode()) && equalNumerically(next, await decoder.toStorage(old));
    return isSame && !(await collection.isStale(stored)) ? unchanged(collection, stored) : write(next);
  });
}

async function unchanged(collection: Collection, stored: StoredObject): Promise<StoredObject | undefined> {
  return (await isUnchanged(collection, stored)) ? stored : undefined;
}

/** Returns the object of a dry run's response: a read after the write would return it. (DryRunnableStorage) */
export function writtenDry(definition: ResourceDefinition, object: KubeObject): KubeObject | Promise<KubeObject> {
  const { decoder, conversion } = definition;
  if (decoder !== undefined) return decoder.roundTrip(object);
  nullEmptyLists(definition, object);
  return conversion.fromStorage(conversion.toStorage(object));
}
