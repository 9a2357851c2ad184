import { randomBytes } from 'node:crypto';
import { chmod, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';

/** What a server writes is for its own user: mode of files, and of the folders that it makes. */
const fileMode = 0o600;
const folderMode = 0o700;

/** Makes a folder, and those above it, where they are absent; one that is there stays as its owner made it. */
export async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: folderMode });
}

/** Takes a file that others may use away from them, if it is this user's. */
export async function makePrivate(path: string): Promise<void> {
  const { mode, uid } = await stat(path);
  if ((mode & 0o077) !== 0 && uid === process.getuid?.()) await chmod(path, fileMode);
}

/** Writes a whole file or nothing: readers see the old text or the new one. */
export async function writeFileAtomically(path: string, text: string): Promise<void> {
  const beside = `${path}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    await writeFile(beside, text, { mode: fileMode, flag: 'wx' });
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}
