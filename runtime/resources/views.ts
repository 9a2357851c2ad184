import { equalJson } from '../machinery/json/equality.ts';
import type { KubeObject } from '../machinery/object.ts';
import type { ResourceDefinition } from '../machinery/resource.ts';
import type { StoredObject } from '../storage/object-store/contract.ts';

/** Returns the stored object at the definition's version. Only custom resources differ from what is stored; see VersionDecoder. */
export function viewOf(definition: ResourceDefinition, stored: StoredObject): StoredObject | Promise<StoredObject> {
  const { decoder } = definition;
  if (decoder === undefined || decoder.isCurrent(stored)) return stored;
  const views = decoder.views([stored]);
  return 'then' in views ? views.then(([view]) => view) : views[0];
}

/** The same for many objects, converted together. */
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

/** Whether an unchanged object would be stored in the bytes that it has. Bytes may be of an older version. */
export async function isStoredAs(
  { decoder }: ResourceDefinition,
  object: KubeObject,
  stored: StoredObject,
): Promise<boolean> {
  if (decoder === undefined || decoder.isStorageEncoding(stored)) return true;
  return equalJson(await decoder.toStorage(structuredClone(object)), stored.decode());
}

/** Calls `write` with the object converted from the definition's version to the storage version. */
export async function writeStored<R>(
  { decoder, conversion }: ResourceDefinition,
  object: KubeObject,
  write: (stored: KubeObject) => Promise<R>,
): Promise<R> {
  if (decoder === undefined) return write(conversion.toStorage(object));
  return decoder.duringWrite(async () => write(await decoder.toStorage(object)));
}
