import type { Change, KeyValue } from '../kv/engine.ts';
import type { Expiring } from '../mvcc/expiry.ts';
import type { PlannedChanges } from '../mvcc/group-commit.ts';
import type { Tree } from '../mvcc/ordered-tree.ts';
import { StoredValue } from '../mvcc/stored-value.ts';
import { treeDifference } from '../mvcc/tree-difference.ts';

export interface RestorationOptions {
  /** The current keys. */
  readonly from: Tree<StoredValue>;
  /** The wanted keys. */
  readonly to: Tree<StoredValue>;
  /** The revision of the first change. */
  readonly next: number;
  readonly continues: (before: KeyValue, after: KeyValue) => boolean;
  /** Returns the expiry time of a restored key. */
  readonly expires: (orderKey: string) => number | undefined;
}

/** Returns the changes from one state to another, with a revision each: first deletions, then writes, in key order. */
export function planRestoration({ from, to, next, continues, expires }: RestorationOptions): PlannedChanges {
  const deleted: StoredValue[] = [];
  const written: { readonly previous: StoredValue | undefined; readonly wanted: StoredValue }[] = [];
  for (const { before, after } of treeDifference(from, to)) {
    if (before !== undefined && after !== undefined && isEqual(before, after)) continue;
    const isContinued = before !== undefined && after !== undefined && continues(before, after);
    if (before !== undefined && !isContinued) deleted.push(before);
    if (after !== undefined) written.push({ previous: isContinued ? before : undefined, wanted: after });
  }
  let revision = next - 1;
  const changes: Change[] = [];
  const expiring: Expiring[] = [];
  for (const last of deleted) {
    revision += 1;
    changes.push({ type: 'delete', key: last.key, revision, current: last, previous: last });
  }
  for (const { previous, wanted } of written) {
    revision += 1;
    const current = restored(wanted, previous?.createRevision ?? revision, revision);
    const { key } = current;
    changes.push({ type: 'put', key, revision, current, ...(previous && { previous }) });
    const at = expires(wanted.orderKey);
    if (at !== undefined) expiring.push({ key, modRevision: revision, expires: at });
  }
  return { changes, revision, expiring };
}

const isEqual = (one: StoredValue, other: StoredValue): boolean =>
  one.length === other.length && Buffer.compare(one.value, other.value) === 0;

/** Returns a state with its own bytes, which slabs do not count. */
function restored({ key, value }: StoredValue, createRevision: number, modRevision: number): StoredValue {
  return new StoredValue(key, Uint8Array.from(value), createRevision, modRevision);
}
