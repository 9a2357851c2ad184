import { StorageError } from '../errors.ts';
import type { Change, KeyValue } from '../kv/engine.ts';
import type { PlannedChanges } from '../mvcc/group-commit.ts';
import { StoredValue } from '../mvcc/stored-value.ts';

/** A change from another store. */
export interface ReplayedChange {
  readonly type: 'put' | 'delete';
  readonly key: string;
  readonly revision: number;
  /** Ignored for a delete. */
  readonly value: Uint8Array;
  /** Default: the previous state's, or `revision`. */
  readonly createRevision?: number | undefined;
}

export interface ReplayOptions {
  /** Changes in revision order. */
  readonly changes: readonly ReplayedChange[];
  /** The revision of the last change, or a later one. */
  readonly revision: number;
  /** The first free revision. */
  readonly next: number;
  /** Returns the state of a key before the changes. */
  readonly stateOf: (key: string) => KeyValue | undefined;
}

/** @throws StorageError `corrupt` if the changes do not follow from the states */
export function planReplay({ changes, revision, next, stateOf }: ReplayOptions): PlannedChanges {
  const states = new Map<string, KeyValue | undefined>();
  let newest = next - 1;
  const planned = changes.map((change): Change => {
    const { type, key, value } = change;
    if (change.revision < Math.max(next, newest)) throw corrupt(change, 'is older than what is there');
    newest = change.revision;
    const previous = states.has(key) ? states.get(key) : stateOf(key);
    if (type === 'delete') {
      if (previous === undefined) throw corrupt(change, 'deletes what is not there');
      states.set(key, undefined);
      return { type, key, revision: change.revision, current: previous, previous };
    }
    const createRevision = change.createRevision ?? previous?.createRevision ?? change.revision;
    const current = new StoredValue(key, value, createRevision, change.revision);
    states.set(key, current);
    return { type, key, revision: change.revision, current, ...(previous && { previous }) };
  });
  return { changes: planned, revision: Math.max(revision, newest) };
}

const corrupt = ({ key, revision }: ReplayedChange, why: string): StorageError =>
  new StorageError('corrupt', `the change of ${key} at revision ${revision} ${why}`);
