import { randomBytes } from 'node:crypto';
import { chmod, rename, rm, stat, writeFile } from 'node:fs/promises';
import { messageOf } from '../errors/message-of.ts';
import { makeFolder } from './make-folder.ts';

/** The mode of created files and folders: only their owner has access. */
const fileMode = 0o600;
const folderMode = 0o700;

/**
 * Creates a folder and its parents if they do not exist. Does not change an existing folder.
 *
 * @throws Error that names the folder
 */
export async function ensureFolder(path: string): Promise<void> {
  try {
    makeFolder(path, folderMode);
  } catch (error) {
    throw new Error(`cannot create the folder ${path}: ${messageOf(error)}`, { cause: error });
  }
}

/** Removes other users' permissions for a file that this user owns. */
export async function makePrivate(path: string): Promise<void> {
  const { mode, uid } = await stat(path);
  if ((mode & 0o077) !== 0 && uid === process.getuid?.()) await chmod(path, fileMode);
}

/** Replaces a file atomically: readers see the old text or the new one. */
export async function writeFileAtomically(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    await writeFile(temporary, text, { mode: fileMode, flag: 'wx' });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
