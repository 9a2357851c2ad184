import { mkdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { checkFileName, isInside } from './file-names.ts';
import { OutputError } from './output-error.ts';

/**
 * The file in a folder that lists what was written there. Only these files are ever replaced or removed: others are the
 * user's.
 */
export const markerFile = '.kubeloom';

const markerText = (names: readonly string[]): string =>
  `# Written by kubeloom, which replaces and removes these files and no others.\n${names.map((name) => `${name}\n`).join('')}`;

/**
 * Moves the files `names` of a staging folder to `folder`, and removes those that an earlier run wrote and this one does
 * not. Files that did not change keep their time. A run that is interrupted is completed by the next one.
 *
 * @returns the number of files written or removed
 * @throws OutputError, before anything changes, if a file is in the way that no earlier run wrote, or if a name leads
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

/** The files of earlier runs. Names that lead out of the folder do not count, whoever wrote them. */
async function ownedFiles(folder: string): Promise<Set<string>> {
  const text = (await readIfFile(join(folder, markerFile), markerFile, folder))?.toString('utf8') ?? '';
  return new Set(text.split('\n').filter((line) => line !== '' && !line.startsWith('#') && isInside(line)));
}

const inTheWay = (name: string, folder: string): OutputError =>
  new OutputError(`${join(folder, name)} is in the way: kubeloom did not write it, so it is left alone. Move it, or choose another --out`);

/** The contents of a file; undefined if there is none. A folder in its place, or a file in place of a folder, is in the way. */
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
