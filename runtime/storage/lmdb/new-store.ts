import { readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { StorageError } from '../errors.ts';
import type { Engine } from '../kv/engine.ts';
import { openEnvironment } from './environment.ts';
import { dataName, markerName, ownerName } from './file-names.ts';
import { openLmdbEngine } from './lmdb-engine.ts';
import { Ownership } from './owner.ts';
import { metaKeys, putMeta } from './states.ts';
import { prepareDirectory, syncFolder } from './store-directory.ts';

/** The folder in which a store is filled before it takes its place. */
const fillingName = 'restoring';
const harmless = [fillingName, ownerName, 'lost+found'];

/**
 * Creates a store in an empty or absent folder, and owns it meanwhile. The files get into place after `fill`: a crash
 * leaves no half store, only a folder that the next call removes.
 *
 * @param revision the revision of the empty store, the newest that cannot be read afterwards
 * @param fill writes the content
 * @throws StorageError `unavailable` if the folder is not empty, in use or cannot be written
 */
export async function makeLmdbStore<T>(path: string, revision: number, fill: (engine: Engine) => Promise<T>): Promise<T> {
  const dir = prepareDirectory(path, true);
  requireEmpty(dir);
  const owner = await Ownership.take(dir);
  const filling = join(dir, fillingName);
  try {
    requireEmpty(dir);
    rmSync(filling, { recursive: true, force: true });
    await setRevision(filling, revision);
    const result = await filled(filling, fill);
    // data without a marker is not a store, so a crash between the two renames is detected
    for (const name of [dataName, markerName]) renameSync(join(filling, name), join(dir, name));
    await syncFolder(dir);
    return result;
  } finally {
    rmSync(filling, { recursive: true, force: true });
    owner.release();
  }
}

async function filled<T>(path: string, fill: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = await openLmdbEngine({ path });
  try {
    return await fill(engine);
  } finally {
    await engine.close();
  }
}

async function setRevision(path: string, revision: number): Promise<void> {
  const environment = await openEnvironment({ path });
  try {
    await putMeta(environment, metaKeys.compacted, revision - 1);
    await putMeta(environment, metaKeys.swept, revision);
  } finally {
    await environment.close();
  }
}

/** Throws `unavailable` if the folder contains more than the rest of an interrupted call. */
function requireEmpty(dir: string): void {
  const found = readdirSync(dir).find((name) => !harmless.includes(name));
  if (found === undefined) return;
  throw new StorageError('unavailable', `cannot make a store in ${dir}, which is not empty: it has ${found}`);
}
