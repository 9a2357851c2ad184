import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { checkFileName } from './file-names.ts';

/** Calls `action` with an empty folder beside `folder`, on the same file system, and removes it afterwards. */
export async function withStaging<T>(folder: string, action: (staging: string) => Promise<T>): Promise<T> {
  await mkdir(dirname(folder), { recursive: true });
  const staging = await mkdtemp(`${folder}.new-`);
  try {
    return await action(staging);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/**
 * Writes files by their names below a folder.
 *
 * @throws OutputError, before anything is written, for a name that leads out of the folder
 */
export async function writeFiles(files: ReadonlyMap<string, string>, folder: string): Promise<void> {
  for (const name of files.keys()) checkFileName(name);
  const parents = new Set([...files.keys()].map((name) => dirname(join(folder, name))));
  for (const parent of parents) await mkdir(parent, { recursive: true });
  await Promise.all([...files].map(([name, text]) => writeFile(join(folder, name), text)));
}
