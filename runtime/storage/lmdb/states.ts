import type { Transaction } from 'lmdb';
import type { ChangeSummary, KeyValue } from '../kv/engine.ts';
import type { Buckets } from './buckets.ts';
import { seal, unseal } from './checksum.ts';
import { canDecompress } from './compressed.ts';
import { dictionary } from './dictionary.ts';
import {
  decodeHistoryKey,
  decodeLogRecord,
  decodeLogRecordHead,
  decodeRevision,
  decodeStateRef,
  encodeHistoryKey,
  encodeRevision,
  type LogRecord,
  type LogRecordHead,
  type StateRef,
} from './records.ts';

/** Allocates memory for a value. */
type Allocate = (size: number) => Uint8Array;

interface FoundState {
  readonly key: Buffer;
  readonly ref: StateRef;
}

interface PastState extends FoundState {
  readonly endRevision: number;
}

/** Returns the record of a change; undefined if it is missing or damaged. */
export function findRecord(buckets: Buckets, revision: number, allocate?: Allocate): LogRecord | undefined {
  const bytes = recordBytes(buckets, revision);
  return bytes === undefined ? undefined : decodeLogRecord(bytes, revision, allocate);
}

/**
 * Returns the summary of a change without copying a value; undefined if its record or the previous one is missing or
 * damaged.
 */
export function readSummary(buckets: Buckets, revision: number): ChangeSummary | undefined {
  const head = readHead(buckets, revision);
  if (head === undefined) return undefined;
  const { type, key, previousRevision, valueSize } = head;
  const hasPrevious = previousRevision !== 0;
  const previous = hasPrevious ? readHead(buckets, previousRevision) : undefined;
  if (hasPrevious && previous?.key !== key) return undefined;
  const previousSize = previous?.valueSize ?? 0;
  // a delete has its previous value as the current one
  const size = type === 'put' ? valueSize + previousSize : 2 * previousSize;
  return { type, key, revision, hasPrevious, size };
}

/** Returns a record without its value; undefined if it is missing or damaged. */
export function readHead(buckets: Buckets, revision: number): LogRecordHead | undefined {
  const bytes = recordBytes(buckets, revision);
  return bytes === undefined ? undefined : decodeLogRecordHead(bytes, revision);
}

/**
 * Returns lmdb's own buffer, valid until its next read; undefined if the record is missing or cannot be decompressed.
 */
export function recordBytes({ log, compressedLog }: Buckets, revision: number, transaction?: Transaction): Buffer | undefined {
  const key = encodeRevision(revision);
  const options = transaction && { transaction };
  const compressed = compressedLog.getBinaryFast(key, options);
  if (compressed === undefined || !canDecompress(compressed, compressed.length, dictionary.length)) return undefined;
  return log.getBinaryFast(key, options);
}

/**
 * Returns the state of a reference. If it is missing or damaged, its value is empty and `transformError` has the
 * reason.
 */
export function readState(buckets: Buckets, key: string, ref: StateRef, allocate?: Allocate): KeyValue {
  const { createRevision, modRevision } = ref;
  const record = findRecord(buckets, modRevision, allocate);
  if (record?.type === 'put' && record.key === key && record.createRevision === createRevision) {
    return { key, value: record.value, createRevision, modRevision };
  }
  const transformError = `the record of revision ${modRevision} in the data file is missing or damaged`;
  return { key, value: noBytes, createRevision, modRevision, transformError };
}

const noBytes = new Uint8Array(0);

/** Returns the state of a key at `revision`. */
export function stateAt({ keys, history }: Buckets, key: string, revision: number): StateRef | undefined {
  const bytes = keys.get(Buffer.from(key));
  const newest = bytes === undefined ? undefined : decodeStateRef(bytes);
  if (newest !== undefined && newest.modRevision <= revision) return newest;
  const range = {
    start: encodeHistoryKey(key, revision + 1),
    end: encodeHistoryKey(key, Number.MAX_SAFE_INTEGER),
    limit: 1,
  };
  for (const { value } of history.getRange(range)) {
    const past = decodeStateRef(value);
    if (past.modRevision <= revision) return past;
  }
  return undefined;
}

/** Yields the newest states of the keys in [start, end), in key order. */
export function* newestStates({ keys }: Buckets, start: string, end: string): Generator<FoundState> {
  for (const { key, value } of keys.getRange({ start: Buffer.from(start), end: Buffer.from(end) })) {
    yield { key, ref: decodeStateRef(value) };
  }
}

/**
 * Yields the states of the keys in [start, end) at `revision`, in key order. Merges the newest states with states that
 * ended after `revision`.
 */
export function* statesAt(buckets: Buckets, start: string, end: string, revision: number): Generator<FoundState> {
  const past = pastStates(buckets, start, end, revision);
  let old = past.next();
  for (const newest of newestStates(buckets, start, end)) {
    for (; !old.done && Buffer.compare(old.value.key, newest.key) < 0; old = past.next()) yield old.value;
    if (newest.ref.modRevision <= revision) {
      yield newest;
    } else if (!old.done && Buffer.compare(old.value.key, newest.key) === 0) {
      yield old.value;
      old = past.next();
    }
  }
  for (; !old.done; old = past.next()) yield old.value;
}

/** Yields the states at `revision` that ended later; at most one for each key. */
function* pastStates({ history }: Buckets, start: string, end: string, revision: number): Generator<PastState> {
  // key and 00 sorts like the key itself: before every longer key that begins with it
  for (const { key, value } of history.getRange({ start: Buffer.from(start), end: Buffer.from(end) })) {
    const ended = decodeHistoryKey(key);
    const ref = decodeStateRef(value);
    if (ref.modRevision <= revision && revision < ended.endRevision) {
      yield { key: key.subarray(0, key.length - 9), ref, endRevision: ended.endRevision };
    }
  }
}

/** The keys of revisions in the bucket `meta`. */
export const metaKeys = {
  /** The newest unreadable revision. */
  compacted: Buffer.from('compacted'),
  /** The revision up to which unneeded history was removed. */
  swept: Buffer.from('swept'),
};

export function readMeta({ meta }: Pick<Buckets, 'meta'>, key: Buffer, transaction?: Transaction): number | undefined {
  const bytes = meta.get(key, transaction && { transaction });
  const value = bytes === undefined ? undefined : unseal(key, bytes);
  return value === undefined ? undefined : decodeRevision(value);
}

export function putMeta({ meta }: Pick<Buckets, 'meta'>, key: Buffer, revision: number): Promise<boolean> {
  return meta.put(key, seal(key, encodeRevision(revision)));
}

/** Returns the newest unreadable revision, and the revision of the last change. */
export function readRevisions(buckets: Pick<Buckets, 'meta' | 'log'>, transaction?: Transaction): { compacted: number; newest: number } {
  const compacted = readMeta(buckets, metaKeys.compacted, transaction) ?? 0;
  // sweeps never remove records after the oldest readable revision
  let newest = compacted + 1;
  const last = { start: Buffer.alloc(8, 0xff), end: Buffer.alloc(8), reverse: true, limit: 1, ...(transaction && { transaction }) };
  for (const key of buckets.log.getKeys(last)) newest = Math.max(newest, decodeRevision(key));
  return { compacted, newest };
}
