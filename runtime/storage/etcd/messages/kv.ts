import { isUtf8 } from 'node:buffer';
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import {
  endOfMessage,
  readFields,
  readHeaderRevision,
  readInt64,
  writeBool,
  writeBytes,
  writeInt64,
  writeKey,
  writeMessage,
} from './wire.ts';

/** mvccpb.KeyValue. The value is a view of the message. */
export interface EtcdKeyValue {
  readonly key: string;
  /** The bytes of a key that is not UTF-8. `key` has lost some of them. */
  readonly rawKey?: Uint8Array | undefined;
  readonly createRevision: number;
  readonly modRevision: number;
  /** The number of writes of the key since its creation. */
  readonly version: number;
  readonly value: Uint8Array;
  /** The lease that deletes the key when it ends. Default: none. */
  readonly lease?: bigint | undefined;
}

export interface RangeRequest {
  readonly key: string;
  /** Absent for a single key; NUL for all keys from `key` on. */
  readonly rangeEnd?: string | undefined;
  /** Default: no limit. */
  readonly limit?: number | undefined;
  /** Default: the newest. */
  readonly revision?: number | undefined;
  readonly keysOnly?: boolean;
  readonly countOnly?: boolean;
}

export interface RangeResponse {
  /** The newest revision of the store, even if another one was read. */
  readonly revision: number;
  readonly kvs: readonly EtcdKeyValue[];
  readonly more: boolean;
  readonly count: number;
}

export interface PutRequest {
  readonly key: string;
  readonly value: Uint8Array;
  /** Default: none. */
  readonly lease?: bigint;
}

/** A condition of a transaction: the target equals `to`. An absent key has 0 for all targets. */
export interface Compare {
  readonly key: string;
  readonly target: 'version' | 'create' | 'mod';
  readonly to: number;
}

export type RequestOp =
  | { readonly range: RangeRequest }
  | { readonly put: PutRequest }
  | { readonly deleteRange: { readonly key: string; readonly rangeEnd?: string } };

export interface TxnRequest {
  readonly compare: readonly Compare[];
  readonly success: readonly RequestOp[];
  readonly failure: readonly RequestOp[];
}

export interface TxnResponse {
  /** The revision of the transaction if it has written anything, else the newest one. */
  readonly revision: number;
  readonly succeeded: boolean;
  /** The keys that the first operation read or deleted. */
  readonly kvs: readonly EtcdKeyValue[];
  /** The number of keys that the first operation deleted. */
  readonly deleted: number;
}

export function encodeRange(request: RangeRequest): Uint8Array {
  const writer = new BinaryWriter();
  writeRange(writer, request);
  return writer.finish();
}

function writeRange(writer: BinaryWriter, request: RangeRequest): void {
  writeKey(writer, 1, request.key);
  writeKey(writer, 2, request.rangeEnd);
  writeInt64(writer, 3, request.limit);
  writeInt64(writer, 4, request.revision);
  writeBool(writer, 8, request.keysOnly);
  writeBool(writer, 9, request.countOnly);
}

export function decodeRange(message: Uint8Array): RangeResponse {
  const reader = new BinaryReader(message);
  return readRange(reader, reader.len);
}

function readRange(reader: BinaryReader, end: number): RangeResponse {
  const response = { revision: 0, kvs: [] as EtcdKeyValue[], more: false, count: 0 };
  readFields(reader, end, (field) => {
    if (field === 1) response.revision = readHeaderRevision(reader);
    else if (field === 2) response.kvs.push(readKeyValue(reader));
    else if (field === 3) response.more = reader.bool();
    else if (field === 4) response.count = readInt64(reader);
    else return false;
    return true;
  });
  return response;
}

export function readKeyValue(reader: BinaryReader): EtcdKeyValue {
  const none = { value: new Uint8Array() as Uint8Array, lease: undefined as bigint | undefined };
  const kv: Mutable<EtcdKeyValue> = { key: '', createRevision: 0, modRevision: 0, version: 0, ...none };
  readFields(reader, endOfMessage(reader), (field) => {
    if (field === 1) readKey(kv, reader.bytes());
    else if (field === 2) kv.createRevision = readInt64(reader);
    else if (field === 3) kv.modRevision = readInt64(reader);
    else if (field === 4) kv.version = readInt64(reader);
    else if (field === 5) kv.value = reader.bytes();
    else if (field === 6) kv.lease = BigInt(reader.int64());
    else return false;
    return true;
  });
  return kv;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function readKey(kv: Mutable<EtcdKeyValue>, bytes: Uint8Array): void {
  kv.key = keyDecoder.decode(bytes);
  if (kv.key.includes('\ufffd') && !isUtf8(bytes)) kv.rawKey = bytes;
}

const keyDecoder = new TextDecoder('utf-8', { ignoreBOM: true });

export function encodePut(request: PutRequest): Uint8Array {
  const writer = new BinaryWriter();
  writePut(writer, request);
  return writer.finish();
}

function writePut(writer: BinaryWriter, { key, value, lease }: PutRequest): void {
  writeKey(writer, 1, key);
  writeBytes(writer, 2, value);
  if (lease !== undefined) writer.tag(3, WireType.Varint).int64(lease);
}

const compareTargets = {
  version: { target: 0, field: 4 },
  create: { target: 1, field: 5 },
  mod: { target: 2, field: 6 },
} as const;

export function encodeTxn({ compare, success, failure }: TxnRequest): Uint8Array {
  const writer = new BinaryWriter();
  for (const { key, target, to } of compare) {
    writeMessage(writer, 1, () => {
      const { target: number, field } = compareTargets[target];
      // the result, EQUAL, is 0 and not written
      writeInt64(writer, 2, number);
      writeKey(writer, 3, key);
      // a member of a oneof is written even if it is 0
      writer.tag(field, WireType.Varint).int64(to);
    });
  }
  for (const operation of success) writeMessage(writer, 2, () => writeOperation(writer, operation));
  for (const operation of failure) writeMessage(writer, 3, () => writeOperation(writer, operation));
  return writer.finish();
}

function writeOperation(writer: BinaryWriter, operation: RequestOp): void {
  if ('range' in operation) writeMessage(writer, 1, () => writeRange(writer, operation.range));
  else if ('put' in operation) writeMessage(writer, 2, () => writePut(writer, operation.put));
  else {
    writeMessage(writer, 3, () => {
      writeKey(writer, 1, operation.deleteRange.key);
      writeKey(writer, 2, operation.deleteRange.rangeEnd);
    });
  }
}

export function decodeTxn(message: Uint8Array): TxnResponse {
  const reader = new BinaryReader(message);
  let [revision, succeeded, deleted, isFirst] = [0, false, 0, true];
  let kvs: readonly EtcdKeyValue[] = [];
  readFields(reader, reader.len, (field) => {
    if (field === 1) revision = readHeaderRevision(reader);
    else if (field === 2) succeeded = reader.bool();
    else if (field === 3 && isFirst) {
      isFirst = false;
      ({ kvs, deleted } = readOperation(reader));
    } else return false;
    return true;
  });
  return { revision, succeeded, kvs, deleted };
}

/** ResponseOp. */
function readOperation(reader: BinaryReader): Pick<TxnResponse, 'kvs' | 'deleted'> {
  let kvs: readonly EtcdKeyValue[] = [];
  let deleted = 0;
  readFields(reader, endOfMessage(reader), (field) => {
    if (field === 1) kvs = readRange(reader, endOfMessage(reader)).kvs;
    else if (field === 3) deleted = readDeleted(reader);
    else return false;
    return true;
  });
  return { kvs, deleted };
}

/** DeleteRangeResponse. */
function readDeleted(reader: BinaryReader): number {
  let deleted = 0;
  readFields(reader, endOfMessage(reader), (field) => {
    if (field !== 2) return false;
    deleted = readInt64(reader);
    return true;
  });
  return deleted;
}

export function encodeCompaction(revision: number): Uint8Array {
  const writer = new BinaryWriter();
  writeInt64(writer, 1, revision);
  return writer.finish();
}
