import { requestIsTooLarge } from '../../machinery/errors/status.ts';
import { maxRequestBytes } from '../../machinery/limits.ts';
import type { KubeObject } from '../../machinery/object.ts';
import { isStorageError } from '../errors.ts';
import { maxSentMessage, messageIsTooLarge, notSent } from '../grpc/message-size.ts';
import type { StoredResource } from './contract.ts';

/**
 * The length of JSON from which its protobuf may be too large for etcd. Protobuf is shorter than JSON, except for
 * structs without members: `{},` has 3 bytes, and the zeros that Go writes for such a struct less than 24 times as
 * many.
 */
export const countedFrom = 64 * 1024;

/**
 * Returns the bytes of an object in kube-apiserver's storage, as exactly as the limit needs.
 *
 * @param json from encodeStored
 */
export function storedLength(resource: StoredResource, object: KubeObject, json: Uint8Array): number {
  // encoding/json ends documents with a newline
  if (json.length < countedFrom || resource.storedLength === undefined) return json.length + 1;
  return resource.storedLength(object);
}

/** A write in the form in which kube-apiserver would send it to etcd. */
export interface RequestParts {
  readonly key: string;
  /** The length of the value. */
  readonly length: number;
  /** The required revision of the key; 0 for a creation. */
  readonly expect: number;
  /** Whether the key expires. */
  readonly hasLease: boolean;
}

/**
 * The bytes of a request's header with the ID of a member in a default cluster of one. Other members' IDs may be a byte
 * shorter or longer.
 */
const headerBytes = 13;
/** The bytes of a comparison's target: the revision of the last change. */
const targetBytes = 2;
/** The bytes of a lease ID, which is a large number. */
const leaseBytes = 10;

/**
 * Returns the error with which etcd with its default limit, or its client, would refuse a write: a transaction that
 * compares the key's revision, puts the value, and on a late update reads the key. (etcd server/etcdserver/v3_server.go
 * processInternalRaftRequestOnce, client/v3/kubernetes OptimisticPut)
 */
export function requestProblem({ key, length, expect, hasLease }: RequestParts): string | undefined {
  const keyBytes = field(Buffer.byteLength(key));
  const compare = field(targetBytes + keyBytes + 1 + varint(expect));
  const put = field(field(keyBytes + field(length) + (hasLease ? leaseBytes : 0)));
  const get = expect === 0 ? 0 : field(field(keyBytes));
  const message = compare + put + get;
  if (message > maxSentMessage) return `rpc error: code = ResourceExhausted desc = ${messageIsTooLarge(message)}`;
  return headerBytes + field(message) > maxRequestBytes ? requestIsTooLarge : undefined;
}

/** Returns the bytes of a protobuf field with a small number and a value of this length. */
const field = (length: number): number => 1 + varint(length) + length;

function varint(value: number): number {
  let bytes = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) bytes += 1;
  return bytes;
}

/** Reports whether a write failed because of its size. (apiserver pkg/endpoints/handlers/rest.go isTooLargeError) */
export const isTooLargeError = (error: unknown): boolean =>
  isStorageError(error) && (error.message === requestIsTooLarge || error.message.includes(notSent));
