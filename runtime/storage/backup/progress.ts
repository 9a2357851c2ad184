import type { SnapshotRecord } from '../kv/snapshot.ts';

/** Called with the number of copied or checked records. */
export interface CopyProgress {
  add(records: readonly SnapshotRecord[]): void;
}
