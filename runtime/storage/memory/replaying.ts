import { StorageError } from '../errors.ts';
import type { Change, KeyValue } from '../kv/engine.ts';
import type { PlannedChanges } from '../mvcc/group-commit.ts';
import { StoredValue } from '../mvcc/stored-value.ts';

/** A change that was made in another store. */
export interface ReplayedChange {
  readonly type: 'put' | 'delete';
  readonly key: string;
  readonly revision: number;
  /** Without meaning for a delete. */
  readonly value: Uint8Array;
  /** Default: that of the state before, or `revision`. */
  readonly createRevision?: number | undefined;
}

export interface ReplayOptions {
  /** In the order of their revisions. */
  readonly changes: readonly ReplayedChange[];
  /** Of the last change, or a later one. */
  readonly revision: number;
  /** The first revision that is not taken. */
  readonly next: number;
  /** The state before the changes. */
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
