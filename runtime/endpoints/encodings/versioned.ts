import { encodeJson } from '../../codec/json.ts';
import { formatGroupVersion } from '../../machinery/gvk.ts';
import type { KubeObject } from '../../machinery/object.ts';
import { PruneContext } from '../../machinery/prune/context.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';

/** Whether the bytes that forms get are those of this version: forms of custom resources get views; see VersionDecoder. */
export function isStorageVersion(definition: ResourceDefinition): boolean {
  if (definition.decoder !== undefined) return true;
  return definition.storageGroup === undefined && definition.version === definition.storageVersion;
}

/** A stored object at the version of a definition, decoded afresh. */
export function objectAt(definition: ResourceDefinition, stored: StoredObject): KubeObject {
  const object = stored.decode();
  return isStorageVersion(definition) ? object : definition.conversion.fromStorage(object);
}

/** Its compact JSON at that version: the stored bytes where the versions are one. */
export function jsonAt(definition: ResourceDefinition): (stored: StoredObject) => Uint8Array {
  if (isStorageVersion(definition)) return (stored) => stored.json;
  const key = `json ${formatGroupVersion(definition)}`;
  return (stored) => stored.cacheEncode(key, () => encodeJson(objectAt(definition, stored)));
}

/** An object as an item of a list. */
export function withoutType({ kind: _, apiVersion: __, ...rest }: KubeObject): Omit<KubeObject, 'kind' | 'apiVersion'> {
  return rest;
}

/** What a bookmark carries: an object of the kind with nothing but its place in history. */
export function bookmarkObject(
  definition: ResourceDefinition,
  revision: number,
  annotations?: Record<string, string>,
): KubeObject {
  const { metadata, ...rest } = withoutType(definition.type.prune({ metadata: {} }, new PruneContext()));
  return {
    kind: definition.kind,
    apiVersion: formatGroupVersion(definition),
    metadata: { ...metadata, resourceVersion: String(revision), ...(annotations ? { annotations } : {}) },
    ...rest,
  };
}
