import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openEnvironment } from './environment.ts';
import { openLmdbEngine } from './lmdb-engine.ts';
import { ownerKey } from './owner.ts';
import { dataName, requireStore, storeBytes, syncFolder } from './store-directory.ts';
import { openRoot, openTable } from './tables.ts';

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

/** Replaces the data file by a copy without the free pages between: LMDB itself never makes it smaller. */
async function copyCompacted(path: string): Promise<void> {
  const environment = await openEnvironment({ path }, false);
  const { dir, root } = environment;
  const copy = join(dir, 'compacting');
  try {
    rmSync(copy, { recursive: true, force: true });
    mkdirSync(copy, { mode: 0o700 });
    await root.backup(copy, true);
    await disown(copy);
    // Under its name is a whole store at every moment.
    renameSync(join(copy, dataName), join(dir, dataName));
    await syncFolder(dir);
  } finally {
    await environment.close();
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Takes the owner out of a copied store; the commit syncs the file. */
async function disown(dir: string): Promise<void> {
  const root = openRoot(dir, false);
  try {
    await openTable(root, 'meta').remove(ownerKey);
  } finally {
    await root.close();
  }
}
