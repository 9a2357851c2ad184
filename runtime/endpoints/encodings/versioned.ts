import { encodeJson } from '../../codec/json.ts';
import { formatGroupVersion } from '../../machinery/gvk.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import { isStorageVersion } from '../../resources/views.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';

/** Decodes a stored object to the version of a definition. The caller owns the result. */
export function objectAt(definition: ResourceDefinition, stored: StoredObject): KubeObject {
  const object = stored.decode();
  return isStorageVersion(definition) ? object : definition.conversion.fromStorage(object);
}

/** Returns the compact JSON of a stored object at the version of a definition: the stored bytes, if they are of that version. */
export function jsonAt(definition: ResourceDefinition): (stored: StoredObject) => Uint8Array {
  if (isStorageVersion(definition)) return (stored) => stored.json;
  const key = `json ${formatGroupVersion(definition)}`;
  return (stored) => stored.cacheEncode(key, () => encodeJson(objectAt(definition, stored)));
}

/** Returns an object as an item of a list. */
export function withoutType({ kind: _, apiVersion: __, ...rest }: KubeObject): Omit<KubeObject, 'kind' | 'apiVersion'> {
  return rest;
}
