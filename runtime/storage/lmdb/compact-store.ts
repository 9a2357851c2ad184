import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { requireSpace } from './disk-space.ts';
import { openEnvironment } from './environment.ts';
import { dataName } from './file-names.ts';
import { openLmdbEngine } from './lmdb-engine.ts';
import { makePrivate, requireStore, storeBytes, syncFolder } from './store-directory.ts';

export interface CompactReport {
  readonly revision: number;
  readonly compactedRevision: number;
  /** The size of the data file before and after. */
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

/**
 * Discards the history before `revision` (default: the newest), and frees the disk space.
 *
 * @throws StorageError if the directory has no store or is in use, `future` if the revision does not exist yet
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

/** Replaces the data file by a copy without free pages, because LMDB never shrinks the file. */
async function copyCompacted(path: string): Promise<void> {
  const environment = await openEnvironment({ path }, false);
  const { dir, root } = environment;
  const copy = join(dir, 'compacting');
  try {
    rmSync(copy, { recursive: true, force: true });
    await requireSpace(dir, storeBytes(dir));
    mkdirSync(copy, { mode: 0o700 });
    await root.backup(copy, true);
    makePrivate(copy);
    // an atomic rename: the data file is complete at any time
    renameSync(join(copy, dataName), join(dir, dataName));
    await syncFolder(dir);
  } finally {
    await environment.close();
    rmSync(copy, { recursive: true, force: true });
  }
}
