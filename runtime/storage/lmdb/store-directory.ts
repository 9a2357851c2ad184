import { chmodSync, existsSync, realpathSync, renameSync, statSync } from 'node:fs';
import { open as openFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { makeFolder } from '../../machinery/files/make-folder.ts';
import { isStorageError, StorageError } from '../errors.ts';
import { dataName, lockName, markerName, ownerName } from './file-names.ts';

import { storeFormat } from './records.ts';

/* The files of a data directory, checked without LMDB. */

const storeKind = 'kubeloom-lmdb';

/** Throws `unavailable` if the directory has no store. */
export function requireStore(dir: string): void {
  if (!existsSync(join(dir, dataName))) throw new StorageError('unavailable', `there is no store in ${dir}`);
}

/** The size of the data file. */
export function storeBytes(dir: string): number {
  return existsSync(join(dir, dataName)) ? statSync(join(dir, dataName)).size : 0;
}

/**
 * Prepares the directory, and returns its real path as its only name.
 *
 * @param create true creates the directory if it does not exist; false throws `unavailable` if there is no store
 */
export function prepareDirectory(dir: string, create: boolean): string {
  try {
    if (!create) requireStore(dir);
    makeFolder(dir);
    return realpathSync(dir);
  } catch (error) {
    if (isStorageError(error)) throw error;
    throw new StorageError('unavailable', `cannot use ${dir} as data directory: ${messageOf(error)}`);
  }
}

/**
 * Reads the marker of a store. Writes it for a new store before the data file: a data file without a marker belongs to
 * another program. Throws `corrupt` if the directory is not a store or has another format.
 */
export async function checkMarker(dir: string): Promise<void> {
  let text: string;
  try {
    text = await readFile(join(dir, markerName), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    if (existsSync(join(dir, dataName))) throw notAStoreError(dir, `${dataName} without ${markerName}`);
    return writeMarker(dir);
  }
  const format = decodeMarker(text);
  if (format === undefined) throw notAStoreError(dir, `${markerName} is not readable`);
  if (format === storeFormat) return;
  const message = `the store in ${dir} has format ${format}, but this version reads only format ${storeFormat}`;
  throw new StorageError('corrupt', message);
}

/** Removes other users' permissions for the files of a store, which contain secrets in plain text. */
export function makePrivate(dir: string): void {
  for (const name of [dataName, lockName, markerName, ownerName]) {
    const path = join(dir, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found !== undefined && (found.mode & 0o077) !== 0 && found.uid === process.getuid?.()) chmodSync(path, 0o600);
  }
}

/** Returns the format; undefined if the text is not the marker of a store. */
function decodeMarker(text: string): number | undefined {
  try {
    const { store, format } = JSON.parse(text);
    return store === storeKind && Number.isInteger(format) && format > 0 ? format : undefined;
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

/** Makes a rename in the folder durable. */
export async function syncFolder(dir: string): Promise<void> {
  const folder = await openFile(dir, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

export function notAStoreError(dir: string, why: string): StorageError {
  return new StorageError('corrupt', `${dir} does not hold a readable store: ${why}`);
}

export function damagedError(dir: string, problem: string): StorageError {
  return new StorageError(
    'corrupt',
    `the store in ${dir} is damaged: ${dataName}: ${problem}. ` +
      `Restore a backup, or save what can be read with "kubeloom store check --repair --data-dir=${dir}"`,
  );
}
