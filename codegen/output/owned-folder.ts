import { mkdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { checkFileName, isInside } from './file-names.ts';
import { OutputError } from './output-error.ts';

/**
 * The file that lists the generated files of a folder. Only these files are replaced or removed: others belong to the
 * user.
 */
export const markerFile = '.kubeloom';

const markerText = (names: readonly string[]): string =>
  `# Written by kubeloom, which replaces and removes these files and no others.\n${names.map((name) => `${name}\n`).join('')}`;

/**
 * Moves the files `names` of a staging folder to `folder`, and removes files that an earlier run wrote and this run did
 * not. Unchanged files keep their time. The next run completes an interrupted run.
 *
 * @returns the number of files written or removed
 * @throws OutputError, before anything changes, if a file that no earlier run wrote is in the way, or if a name leads
 *   out of the folder
 */
export async function moveOwned(staging: string, folder: string, names: readonly string[]): Promise<number> {
  for (const name of names) checkFileName(name);
  const owned = await ownedFiles(folder);
  const changed: string[] = [];
  for (const name of names) {
    const present = await readIfFile(join(folder, name), name, folder);
    if (present?.equals(await readFile(join(staging, name)))) continue;
    if (present !== undefined && !owned.has(name)) throw inTheWay(name, folder);
    changed.push(name);
  }
  const sorted = [...names].sort();
  const stale = [...owned].filter((name) => !names.includes(name));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, markerFile), markerText([...new Set([...sorted, ...stale])].sort()));
  for (const name of changed) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await rename(join(staging, name), join(folder, name));
  }
  for (const name of stale) await rm(join(folder, name), { force: true });
  for (const parent of new Set(stale.map(dirname))) await removeEmptyFolders(folder, parent);
  await writeFile(join(folder, markerFile), markerText(sorted));
  return changed.length + stale.length;
}

/** Returns the files of earlier runs. Ignores names that lead out of the folder. */
async function ownedFiles(folder: string): Promise<Set<string>> {
  const text = (await readIfFile(join(folder, markerFile), markerFile, folder))?.toString('utf8') ?? '';
  return new Set(text.split('\n').filter((line) => line !== '' && !line.startsWith('#') && isInside(line)));
}

const inTheWay = (name: string, folder: string): OutputError =>
  new OutputError(`${join(folder, name)} is in the way: kubeloom did not write it, so it is left alone. Move it, or choose another --out`);

/**
 * Returns the contents of a file; undefined if there is none. Throws if a folder is in the file's place, or a file in a
 * folder's.
 */
async function readIfFile(path: string, name: string, folder: string): Promise<Buffer | undefined> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    if (error.code === 'EISDIR' || error.code === 'ENOTDIR') throw inTheWay(name, folder);
    throw error;
  });
}

async function removeEmptyFolders(folder: string, below: string): Promise<void> {
  for (let name = below; name !== '.'; name = dirname(name)) {
    const isRemoved = await rmdir(join(folder, name)).then(
      () => true,
      () => false,
    );
    if (!isRemoved) return;
  }
}
