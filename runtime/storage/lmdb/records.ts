import { recordChecksum, seal } from './checksum.ts';

/*
 * The data format, version 3. Numbers are big-endian, so that they sort; revisions and times in milliseconds have eight
 * bytes. docs/storage.md has a drawing.
 *
 *     meta     "compacted" "swept"        revisions: unreadable up to here; garbage removed up to here
 *     keys     key                        create revision, mod revision: the newest state of each key
 *     history  key 00 end-revision        create revision, mod revision of the state that ended there
 *     expiry   time, revision             the key that expires then, if this is still its mod revision
 *     log      revision                   LogRecord: every change, with its value
 *
 * The value of a state is in the log record of its mod revision. A record is kept while it is a change after the oldest
 * readable revision, or the value of a state that is readable at or after it. All other buckets follow from the log.
 *
 * Every entry has a checksum: see checksum.ts. Formats 1 and 2 had none, and no `expiry`.
 */

/** The data format that this code writes, and the newest that it reads. */
export const storeFormat = 3;

/** A reference to a state of a key: its value is in the log at `modRevision`. */
export interface StateRef {
  readonly createRevision: number;
  readonly modRevision: number;
}

export interface LogRecord {
  readonly type: 'put' | 'delete';
  readonly key: string;
  /** The create revision of the state that this change wrote or deleted. */
  readonly createRevision: number;
  /** The mod revision of the previous state; 0 for none. */
  readonly previousRevision: number;
  /** The time when the state expires, in milliseconds since 1970. Absent: never. */
  readonly expires?: number | undefined;
  /** Empty for a delete. */
  readonly value: Uint8Array;
}

/**
 * Offsets in a log record. The type, a byte below 250, comes first: LMDB's binding takes others for marks of
 * compression.
 */
const offset = { type: 0, checksum: 1, created: 5, previous: 13, expires: 21, keySize: 29, valueSize: 33, key: 37 };
const types = { put: 1, delete: 2 } as const;

export function encodeRevision(revision: number): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  writeNumber(bytes, revision, 0);
  return bytes;
}

export function decodeRevision(bytes: Buffer, at = 0): number {
  return bytes.readUInt32BE(at) * 0x1_0000_0000 + bytes.readUInt32BE(at + 4);
}

/** @param key of the entry in `keys` or `history` */
export function encodeStateRef(key: Uint8Array, { createRevision, modRevision }: StateRef): Buffer {
  const bytes = Buffer.allocUnsafe(16);
  writeNumber(bytes, createRevision, 0);
  writeNumber(bytes, modRevision, 8);
  return seal(key, bytes);
}

/**
 * Decodes a reference without verifying its checksum: the log record that it refers to must have the same revisions and
 * key.
 */
export function decodeStateRef(bytes: Buffer): StateRef {
  return { createRevision: decodeRevision(bytes, 0), modRevision: decodeRevision(bytes, 8) };
}

export function encodeHistoryKey(key: string, endRevision: number): Buffer {
  const size = Buffer.byteLength(key);
  const bytes = Buffer.allocUnsafe(size + 9);
  bytes.write(key, 0);
  bytes[size] = 0;
  writeNumber(bytes, endRevision, size + 1);
  return bytes;
}

export function decodeHistoryKey(bytes: Buffer): { key: string; endRevision: number } {
  const size = bytes.length - 9;
  return { key: bytes.toString('utf8', 0, size), endRevision: decodeRevision(bytes, size + 1) };
}

/** @param allocate allocates the result, which is written completely */
export function encodeLogRecord(record: LogRecord, revision: number, allocate: (size: number) => Buffer): Buffer {
  const { type, key, createRevision, previousRevision, expires = 0, value } = record;
  const keyBytes = Buffer.byteLength(key);
  const bytes = allocate(offset.key + keyBytes + value.length);
  bytes[offset.type] = types[type];
  writeNumber(bytes, createRevision, offset.created);
  writeNumber(bytes, previousRevision, offset.previous);
  writeNumber(bytes, expires, offset.expires);
  bytes.writeUInt32BE(keyBytes, offset.keySize);
  bytes.writeUInt32BE(value.length, offset.valueSize);
  bytes.write(key, offset.key);
  bytes.set(value, offset.key + keyBytes);
  bytes.writeUInt32BE(recordChecksum(bytes.subarray(offset.created), revision, types[type]), offset.checksum);
  return bytes;
}

/** A record without its value. */
export interface LogRecordHead extends Omit<LogRecord, 'value'> {
  /** The offset of the value in the bytes of the record. */
  readonly valueAt: number;
  readonly valueSize: number;
}

/**
 * Returns undefined if the bytes are not the complete record of this revision.
 *
 * @param bytes may be longer than the record
 */
export function decodeLogRecordHead(bytes: Buffer, revision: number): LogRecordHead | undefined {
  const type = bytes[offset.type];
  if (bytes.length < offset.key || (type !== types.put && type !== types.delete)) return undefined;
  const valueAt = offset.key + bytes.readUInt32BE(offset.keySize);
  const valueSize = bytes.readUInt32BE(offset.valueSize);
  const end = valueAt + valueSize;
  if (end > bytes.length) return undefined;
  const checksum = recordChecksum(bytes.subarray(offset.created, end), revision, type);
  if (bytes.readUInt32BE(offset.checksum) !== checksum) return undefined;
  const expires = decodeRevision(bytes, offset.expires);
  return {
    type: type === types.put ? 'put' : 'delete',
    key: bytes.toString('utf8', offset.key, valueAt),
    createRevision: decodeRevision(bytes, offset.created),
    previousRevision: decodeRevision(bytes, offset.previous),
    expires: expires === 0 ? undefined : expires,
    valueAt,
    valueSize,
  };
}

/**
 * Returns undefined if the bytes are not the record of this revision. Copies the value.
 *
 * @param bytes may be longer than the record
 * @param allocate allocates memory for the value
 */
export function decodeLogRecord(bytes: Buffer, revision: number, allocate = allocateArray): LogRecord | undefined {
  const head = decodeLogRecordHead(bytes, revision);
  if (head === undefined) return undefined;
  const { valueAt, valueSize, type, key, createRevision, previousRevision, expires } = head;
  const value = allocate(valueSize);
  value.set(bytes.subarray(valueAt, valueAt + valueSize));
  return { type, key, createRevision, previousRevision, expires, value };
}

const allocateArray = (size: number): Uint8Array => new Uint8Array(size);

function writeNumber(bytes: Buffer, value: number, at: number): void {
  bytes.writeUInt32BE(Math.floor(value / 0x1_0000_0000), at);
  bytes.writeUInt32BE(value % 0x1_0000_0000, at + 4);
}
