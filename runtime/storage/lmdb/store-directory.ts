import { chmodSync, existsSync, mkdirSync, realpathSync, renameSync, statSync } from 'node:fs';
import { open as openFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isStorageError, StorageError } from '../errors.ts';
import { storeFormat } from './records.ts';

/* What is in a data directory, as far as it is seen without LMDB. */

/** LMDB's own name for its file. */
export const dataName = 'data.mdb';

/** Says in plain text what the directory is, so that it can be told before LMDB maps the file. */
const markerName = 'store.json';
const storeKind = 'kubeloom-lmdb';

/** Throws `unavailable` where the directory holds no store. */
export function requireStore(dir: string): void {
  if (!existsSync(join(dir, dataName))) throw new StorageError('unavailable', `there is no store in ${dir}`);
}

/** The size of the data file. */
export function storeBytes(dir: string): number {
  return existsSync(join(dir, dataName)) ? statSync(join(dir, dataName)).size : 0;
}

/**
 * The directory's real path, so that one directory has one name.
 *
 * @param create makes it where it is absent; false: `unavailable` where there is no store yet
 */
export function prepareDirectory(dir: string, create: boolean): string {
  try {
    if (!create) requireStore(dir);
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    return realpathSync(dir);
  } catch (error) {
    if (isStorageError(error)) throw error;
    throw new StorageError('unavailable', `cannot use ${dir} as data directory: ${(error as Error).message}`);
  }
}

/**
 * Throws `corrupt` where the directory is not a store, or one of a newer format. A new one is marked: before there is a
 * data file, so that data without a mark is somebody else's.
 */
export async function checkMarker(dir: string): Promise<void> {
  let text: string;
  try {
    text = await readFile(join(dir, markerName), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    if (existsSync(join(dir, dataName))) throw notAStore(dir, `${dataName} without ${markerName}`);
    return writeMarker(dir);
  }
  const format = markerFormat(text);
  if (format === undefined) throw notAStore(dir, `${markerName} is not readable`);
  if (format > storeFormat) {
    throw new StorageError(
      'corrupt',
      `the store in ${dir} has format ${format}, newer than ${storeFormat}, the newest this version reads`,
    );
  }
}

/** LMDB's name for the file of its locks. */
const lockName = 'lock.mdb';

/** Takes the files of a store that is this user's away from others: secrets lie in them as they are. */
export function keepPrivate(dir: string): void {
  for (const name of [dataName, lockName, markerName]) {
    const path = join(dir, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found !== undefined && (found.mode & 0o077) !== 0 && found.uid === process.getuid?.()) chmodSync(path, 0o600);
  }
}

function markerFormat(text: string): number | undefined {
  try {
    const marker = JSON.parse(text);
    return marker?.store === storeKind && Number.isInteger(marker.format) && marker.format > 0
      ? marker.format
      : undefined;
  } catch {
    return undefined;
  }
}

async function writeMarker(dir: string): Promise<void> {
  const temporary = join(dir, `${markerName}.new`);
  const file = await openFile(temporary, 'w', 0o600);
  try {
    await file.writeFile(`${JSON.stringify({ store: storeKind, format: storeFormat })}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  renameSync(temporary, join(dir, markerName));
  await syncFolder(dir);
}

/** Makes a rename in it durable. */
export async function syncFolder(dir: string): Promise<void> {
  const folder = await openFile(dir, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

export function notAStore(dir: string, why: string): StorageError {
  return new StorageError('corrupt', `${dir} does not hold a readable store: ${why}`);
}
