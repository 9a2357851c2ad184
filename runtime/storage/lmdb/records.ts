/*
 * The data format, version 1. Revisions are eight bytes, big-endian, so that they sort.
 *
 *     meta     "compacted" "swept"        revisions: unreadable up to here; garbage removed up to here
 *     keys     key                        create revision, mod revision: the newest state of each key
 *     history  key 00 end-revision        create revision, mod revision of the state that ended there
 *     log      revision                   LogRecord: every change, with its value
 *
 * The value of a state is in the log record of its mod revision. A record is kept as long as it is a change after the oldest
 * readable revision, or the value of a state that is readable at or after it.
 */

/** The data format that this code writes, and the newest that it reads. */
export const storeFormat = 1;

/** Refers to the state of a key: its value is in the log at `modRevision`. */
export interface StateRef {
  readonly createRevision: number;
  readonly modRevision: number;
}

export interface LogRecord {
  readonly type: 'put' | 'delete';
  readonly key: string;
  /** The create revision of the state that this change made, or that it deleted. */
  readonly createRevision: number;
  /** The mod revision of the state before; 0 for none. */
  readonly previousRevision: number;
  /** Empty for a delete. */
  readonly value: Uint8Array;
}

/** Type, create revision, previous revision, size of the key, size of the value. */
const headerBytes = 1 + 8 + 8 + 4 + 4;

export function encodeRevision(revision: number): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  writeRevision(bytes, revision, 0);
  return bytes;
}

export function decodeRevision(bytes: Buffer, offset = 0): number {
  return bytes.readUInt32BE(offset) * 0x1_0000_0000 + bytes.readUInt32BE(offset + 4);
}

export function encodeStateRef({ createRevision, modRevision }: StateRef): Buffer {
  const bytes = Buffer.allocUnsafe(16);
  writeRevision(bytes, createRevision, 0);
  writeRevision(bytes, modRevision, 8);
  return bytes;
}

export function decodeStateRef(bytes: Buffer): StateRef {
  return { createRevision: decodeRevision(bytes, 0), modRevision: decodeRevision(bytes, 8) };
}

export function encodeHistoryKey(key: string, endRevision: number): Buffer {
  const size = Buffer.byteLength(key);
  const bytes = Buffer.allocUnsafe(size + 9);
  bytes.write(key, 0);
  bytes[size] = 0;
  writeRevision(bytes, endRevision, size + 1);
  return bytes;
}

export function decodeHistoryKey(bytes: Buffer): { key: string; endRevision: number } {
  const size = bytes.length - 9;
  return { key: bytes.toString('utf8', 0, size), endRevision: decodeRevision(bytes, size + 1) };
}

/** @param allocate allocates the result, which is written completely */
export function encodeLogRecord(record: LogRecord, allocate: (size: number) => Buffer): Buffer {
  const { type, key, createRevision, previousRevision, value } = record;
  const keyBytes = Buffer.byteLength(key);
  const bytes = allocate(headerBytes + keyBytes + value.length);
  bytes[0] = type === 'put' ? 1 : 2;
  writeRevision(bytes, createRevision, 1);
  writeRevision(bytes, previousRevision, 9);
  bytes.writeUInt32BE(keyBytes, 17);
  bytes.writeUInt32BE(value.length, 21);
  bytes.write(key, headerBytes);
  bytes.set(value, headerBytes + keyBytes);
  return bytes;
}

/** A record without its value. */
export interface LogRecordHead extends Omit<LogRecord, 'value'> {
  /** The offset of the value in the bytes of the record. */
  readonly valueAt: number;
  readonly valueSize: number;
}

/**
 * Returns undefined if the bytes are not a record.
 *
 * @param bytes may be longer than the record
 */
export function decodeLogRecordHead(bytes: Buffer): LogRecordHead | undefined {
  if (bytes.length < headerBytes || (bytes[0] !== 1 && bytes[0] !== 2)) return undefined;
  const valueAt = headerBytes + bytes.readUInt32BE(17);
  const valueSize = bytes.readUInt32BE(21);
  if (valueAt + valueSize > bytes.length) return undefined;
  return {
    type: bytes[0] === 1 ? 'put' : 'delete',
    key: bytes.toString('utf8', headerBytes, valueAt),
    createRevision: decodeRevision(bytes, 1),
    previousRevision: decodeRevision(bytes, 9),
    valueAt,
    valueSize,
  };
}

/**
 * Returns undefined if the bytes are not a record. Copies the value.
 *
 * @param bytes may be longer than the record
 * @param allocate allocates memory for the value
 */
export function decodeLogRecord(bytes: Buffer, allocate = allocateArray): LogRecord | undefined {
  const head = decodeLogRecordHead(bytes);
  if (head === undefined) return undefined;
  const { valueAt, valueSize, type, key, createRevision, previousRevision } = head;
  const value = allocate(valueSize);
  value.set(bytes.subarray(valueAt, valueAt + valueSize));
  return { type, key, createRevision, previousRevision, value };
}

const allocateArray = (size: number): Uint8Array => new Uint8Array(size);

function writeRevision(bytes: Buffer, revision: number, offset: number): void {
  bytes.writeUInt32BE(Math.floor(revision / 0x1_0000_0000), offset);
  bytes.writeUInt32BE(revision % 0x1_0000_0000, offset + 4);
}
