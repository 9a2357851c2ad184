import { randomBytes } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';

/** Writes a whole file or nothing: readers see the old text or the new one. */
export async function writeFileAtomically(path: string, text: string, mode: number): Promise<void> {
  const beside = `${path}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    await writeFile(beside, text, { mode, flag: 'wx' });
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}
