import { StorageError } from '../errors.ts';
import type { ChangeSummary, KeyValue } from '../kv/engine.ts';
import type { Environment } from './environment.ts';
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

/** The record of a change. Throws `corrupt` if it is missing or unreadable. */
function readRecord(environment: Environment, revision: number, allocate?: Allocate): LogRecord {
  return findRecord(environment, revision, allocate) ?? throwUnreadable(revision);
}

export function findRecord(environment: Environment, revision: number, allocate?: Allocate): LogRecord | undefined {
  const bytes = recordBytes(environment, revision);
  return bytes === undefined ? undefined : decodeLogRecord(bytes, allocate);
}

/** The summary of a change. Copies no value. */
export function readSummary(environment: Environment, revision: number): ChangeSummary {
  const { type, key, previousRevision, valueSize } = readHead(environment, revision);
  const hasPrevious = previousRevision !== 0;
  const previousSize = hasPrevious ? readHead(environment, previousRevision).valueSize : 0;
  // the current value of a delete is the previous one
  const size = type === 'put' ? valueSize + previousSize : 2 * previousSize;
  return { type, key, revision, hasPrevious, size };
}

function readHead(environment: Environment, revision: number): LogRecordHead {
  const bytes = recordBytes(environment, revision);
  return (bytes === undefined ? undefined : decodeLogRecordHead(bytes)) ?? throwUnreadable(revision);
}

/** lmdb's own buffer, valid until its next read. */
function recordBytes({ log }: Environment, revision: number): Buffer | undefined {
  return log.getBinaryFast(encodeRevision(revision));
}

function throwUnreadable(revision: number): never {
  throw new StorageError('corrupt', `the log has no readable change ${revision}`);
}

/** The state that the change at this revision made. */
export function readState(environment: Environment, modRevision: number, allocate?: Allocate): KeyValue {
  const { key, value, createRevision } = readRecord(environment, modRevision, allocate);
  return { key, value, createRevision, modRevision };
}

/** The state of a key at `revision`. */
export function stateAt({ keys, history }: Environment, key: string, revision: number): StateRef | undefined {
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

/** The newest states of the keys in [start, end), in key order. */
export function* newestStates({ keys }: Environment, start: string, end: string): Generator<FoundState> {
  for (const { key, value } of keys.getRange({ start: Buffer.from(start), end: Buffer.from(end) })) {
    yield { key, ref: decodeStateRef(value) };
  }
}

/**
 * The states of the keys in [start, end) at `revision`, in key order: a merge of the newest states and the states that ended
 * after `revision`.
 */
export function* statesAt(
  environment: Environment,
  start: string,
  end: string,
  revision: number,
): Generator<FoundState> {
  const past = pastStates(environment, start, end, revision);
  let old = past.next();
  for (const newest of newestStates(environment, start, end)) {
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

/** The states at `revision` that ended later; at most one for each key. */
function* pastStates({ history }: Environment, start: string, end: string, revision: number): Generator<PastState> {
  // key and 00 sorts like the key itself: before every key that begins with it
  for (const { key, value } of history.getRange({ start: Buffer.from(start), end: Buffer.from(end) })) {
    const ended = decodeHistoryKey(key);
    const ref = decodeStateRef(value);
    if (ref.modRevision <= revision && revision < ended.endRevision) {
      yield { key: key.subarray(0, key.length - 9), ref, endRevision: ended.endRevision };
    }
  }
}

/** The key of the newest unreadable revision in the bucket `meta`. */
export const compactedKey = Buffer.from('compacted');

/** Reads the newest unreadable revision and that of the last change. */
export function readRevisions({ meta, log }: Environment): { compacted: number; newest: number } {
  const bytes = meta.get(compactedKey);
  const compacted = bytes === undefined ? 0 : decodeRevision(bytes);
  // sweeps remove records, but none after the oldest readable revision
  let newest = compacted + 1;
  for (const key of log.getKeys({ start: Buffer.alloc(8, 0xff), end: Buffer.alloc(8), reverse: true, limit: 1 })) {
    newest = Math.max(newest, decodeRevision(key));
  }
  return { compacted, newest };
}
