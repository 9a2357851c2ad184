import { messageOf } from '../machinery/errors/message-of.ts';
import { internalError, notFound, type StatusCause, StatusError } from '../machinery/errors/status.ts';
import { formatGroupResource } from '../machinery/gvk.ts';
import type { ObjectKey } from '../machinery/object-key.ts';
import type { ResourceDefinition } from '../machinery/resource.ts';
import type { Collection, StoredObject } from '../storage/object-store/contract.ts';

/** The most corrupt objects in the error of a list. (apiserver storage/etcd3 corruptObjErrAggregator) */
const maxCauses = 100;

/** Returns the object with this name if its stored bytes cannot be decoded. */
export function findCorrupt(collection: Collection, { namespace, name }: ObjectKey): StoredObject | undefined {
  return collection.corrupt().find((one) => one.name === name && one.namespace === namespace);
}

/**
 * Returns the error for an object that is not in the collection: 404 if it does not exist, 500 if it cannot be decoded.
 */
export function notFoundOrCorrupt(collection: Collection, definition: ResourceDefinition, key: ObjectKey): StatusError {
  const corrupt = findCorrupt(collection, key);
  return corrupt === undefined ? notFound(definition, key.name) : internalError(describe(collection, corrupt));
}

/**
 * Refuses a list that would lack corrupt objects. (apiserver storage/etcd3/corrupt_obj_deleter.go NewAPIStatusError)
 *
 * @param namespace "" for all
 * @param name for a list of a single object
 * @throws StatusError 500 StorageReadError, with a cause for each corrupt object
 */
export function requireReadable({ collection }: { readonly collection: Collection }, namespace: string, name?: string): void {
  const corrupt = collection
    .corrupt()
    .filter((one) => (namespace === '' || one.namespace === namespace) && (name === undefined || one.name === name));
  if (corrupt.length === 0) return;
  const { group, resource } = collection.resource;
  const causes: StatusCause[] = corrupt.slice(0, maxCauses).map((one) => ({
    reason: 'UnexpectedServerResponse',
    message: describe(collection, one),
    field: collection.storageKey(one.namespace, one.name),
  }));
  if (corrupt.length > maxCauses) causes.push({ reason: 'FieldValueTooMany', message: 'too many errors, the list is truncated' });
  throw new StatusError({
    message: `failed to read one or more ${formatGroupResource({ group, resource })} from the storage`,
    reason: 'StorageReadError',
    details: { name: 'list', ...(group === '' ? {} : { group }), kind: resource, causes },
    code: 500,
  });
}

function describe(collection: Collection, corrupt: StoredObject): string {
  const { namespace, name, revision, transformError } = corrupt;
  const reason =
    transformError === undefined
      ? `object not decodable revision=${revision}: ${decodingError(corrupt)}`
      : `data from the storage is not transformable revision=0: ${transformError}`;
  return `StorageError: corrupt object, Code: 7, Key: ${collection.storageKey(namespace, name)}, ResourceVersion: 0, AdditionalErrorMsg: ${reason}`;
}

function decodingError(corrupt: StoredObject): string {
  if (corrupt.decodeError !== undefined) return corrupt.decodeError;
  try {
    corrupt.decode();
    return 'the object has no place for its version';
  } catch (error) {
    return messageOf(error);
  }
}
