/*
 * What is on disk, format 1. Revisions are eight bytes, big-endian, so that they sort.
 *
 *     meta     "owner"                    who has the store open, JSON
 *              "compacted" "swept"        revisions: unreadable up to here; garbage removed up to here
 *     keys     key                        create revision, mod revision: the newest state of each key
 *     history  key 00 end-revision        create revision, mod revision of the state that was replaced there
 *     log      revision                   LogRecord: every change, with its value
 *
 * A state's value is in the log record of its mod revision. A record stays while it is a change after the oldest
 * readable revision, or the value of a state readable at or after it.
 */

/** The data format this code writes, and the newest it reads. */
export const storeFormat = 1;

/** Where a key's state is: its value is in the log at `modRevision`. */
export interface StateRef {
  readonly createRevision: number;
  readonly modRevision: number;
}

export interface LogRecord {
  readonly type: 'put' | 'delete';
  readonly key: string;
  /** Create revision of the state this change made; of the state it ended, for a delete. */
  readonly createRevision: number;
  /** Mod revision of the state before, 0 where there was none. */
  readonly previousRevision: number;
  /** Empty for a delete. */
  readonly value: Uint8Array;
}

/** Type, create revision, previous revision, sizes of key and value. */
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

/** @param allocate gives the bytes to write to, all of which are written */
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

/** All of a record but its value. */
export interface LogRecordHead extends Omit<LogRecord, 'value'> {
  /** Where the value is in the record's bytes. */
  readonly valueAt: number;
  readonly valueSize: number;
}

/**
 * Undefined for bytes that are no record.
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
 * Undefined for bytes that are no record. The value is a copy.
 *
 * @param bytes may be longer than the record
 * @param allocate gives memory for the value
 */
export function decodeLogRecord(bytes: Buffer, allocate = exactly): LogRecord | undefined {
  const head = decodeLogRecordHead(bytes);
  if (head === undefined) return undefined;
  const { valueAt, valueSize, type, key, createRevision, previousRevision } = head;
  const value = allocate(valueSize);
  value.set(bytes.subarray(valueAt, valueAt + valueSize));
  return { type, key, createRevision, previousRevision, value };
}

const exactly = (size: number): Uint8Array => new Uint8Array(size);

function writeRevision(bytes: Buffer, revision: number, offset: number): void {
  bytes.writeUInt32BE(Math.floor(revision / 0x1_0000_0000), offset);
  bytes.writeUInt32BE(revision % 0x1_0000_0000, offset + 4);
}
