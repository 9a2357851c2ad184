import type { SnapshotRecord } from '../kv/snapshot.ts';

/** Hears of records that were copied, or checked. */
export interface CopyProgress {
  add(records: readonly SnapshotRecord[]): void;
}
