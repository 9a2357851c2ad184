import type { ResourceDefinition } from '../machinery/resource.ts';
import { internalError, notFound, type StatusCause, StatusError } from '../machinery/status.ts';
import type { Collection, StoredObject } from '../storage/object-store/contract.ts';
import { objectSuffix, resourcePrefix } from '../storage/object-store/keys.ts';

interface Place {
  readonly namespace: string;
  readonly name: string;
}

/** How many unreadable objects a refused list names. (apiserver storage/etcd3 corruptObjErrAggregator) */
const mostNamed = 100;

/** The object whose stored bytes cannot be decoded, if that is what stands in this place. */
export function findCorrupt(collection: Collection, { namespace, name }: Place): StoredObject | undefined {
  return collection.corrupt().find((one) => one.name === name && one.namespace === namespace);
}

/** Why an object cannot be had that is not in the collection: it is not there, or it is and cannot be read. */
export function absentError(
  { collection }: { readonly collection: Collection },
  definition: ResourceDefinition,
  place: Place,
): StatusError {
  const corrupt = findCorrupt(collection, place);
  return corrupt === undefined ? notFound(definition, place.name) : internalError(describe(collection, corrupt));
}

/**
 * A list is whole or it is not given. (apiserver storage/etcd3/corrupt_obj_deleter.go NewAPIStatusError)
 *
 * @param namespace "" for all
 * @param name of the only object that the list may hold
 * @throws StatusError 500 StorageReadError, with one cause an object
 */
export function requireReadable(collection: Collection, namespace: string, name?: string): void {
  const corrupt = collection
    .corrupt()
    .filter((one) => (namespace === '' || one.namespace === namespace) && (name === undefined || one.name === name));
  if (corrupt.length === 0) return;
  const { group, resource } = collection.resource;
  const causes: StatusCause[] = corrupt.slice(0, mostNamed).map((one) => ({
    reason: 'UnexpectedServerResponse',
    message: describe(collection, one),
    field: keyOf(collection, one),
  }));
  if (corrupt.length > mostNamed)
    causes.push({ reason: 'FieldValueTooMany', message: 'too many errors, the list is truncated' });
  throw new StatusError({
    message: `failed to read one or more ${group === '' ? resource : `${resource}.${group}`} from the storage`,
    reason: 'StorageReadError',
    details: { name: 'list', ...(group === '' ? {} : { group }), kind: resource, causes },
    code: 500,
  });
}

function describe(collection: Collection, corrupt: StoredObject): string {
  const why = `object not decodable revision=${corrupt.revision}: ${decodingError(corrupt)}`;
  return `StorageError: corrupt object, Code: 7, Key: ${keyOf(collection, corrupt)}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`;
}

function keyOf({ resource }: Collection, { namespace, name }: StoredObject): string {
  const well = name !== '' && !name.includes('/') && (namespace !== '') === resource.namespaced;
  return resourcePrefix(resource) + (well ? objectSuffix(resource.namespaced, namespace, name) : name);
}

function decodingError(corrupt: StoredObject): string {
  try {
    corrupt.decode();
    return 'the object has no place for its version';
  } catch (error) {
    return (error as Error).message;
  }
}
