import { copyCompacted, requireStore, storeBytes } from './environment.ts';
import { openLmdbEngine } from './lmdb-engine.ts';

export interface CompactReport {
  readonly revision: number;
  readonly compactedRevision: number;
  /** Size of the data file before and after. */
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

/**
 * Forgets what only revisions before `revision`, the newest by default, need, and gives the disk space back. Throws
 * StorageError where the directory holds no store or is in use, `future` for a revision that has not happened.
 */
export async function compactStore(dir: string, revision?: number): Promise<CompactReport> {
  requireStore(dir);
  const bytesBefore = storeBytes(dir);
  const engine = await openLmdbEngine({ path: dir });
  let report: { revision: number; compactedRevision: number };
  try {
    await engine.compact(revision ?? engine.revision());
    report = { revision: engine.revision(), compactedRevision: engine.compactedRevision() };
  } finally {
    await engine.close();
  }
  await copyCompacted(dir);
  return { ...report, bytesBefore, bytesAfter: storeBytes(dir) };
}
