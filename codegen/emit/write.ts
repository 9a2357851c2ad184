import { spawn } from 'node:child_process';
import { mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { listFiles } from '../load/files.ts';
import { indentTypeScript } from '../print/generated-file.ts';

/** The output of a run: path below the folder -> text. */
export type FileSet = ReadonlyMap<string, string>;

/**
 * Replaces the contents of a folder with `files`, and formats the TypeScript among them: with biome, or by
 * indentation alone where biome is not installed. Works in a staging folder first, then moves the files that differ and removes the others: a failed run changes nothing, and unchanged files
 * keep their time.
 *
 * @returns the number of files written or removed
 */
export async function replaceFolder(folder: string, files: FileSet): Promise<number> {
  const staging = `${folder}.new`;
  await rm(staging, { recursive: true, force: true });
  try {
    for (const parent of new Set([...files.keys()].map((file) => dirname(file))))
      await mkdir(join(staging, parent), { recursive: true });
    const biome = biomeScript();
    const formatted = (file: string, text: string): string =>
      biome === undefined && file.endsWith('.ts') ? indentTypeScript(text) : text;
    await Promise.all([...files].map(([file, text]) => writeFile(join(staging, file), formatted(file, text))));
    if (biome !== undefined) await formatFolder(staging, biome);
    return await moveChanges(staging, folder, [...files.keys()]);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function moveChanges(staging: string, folder: string, files: readonly string[]): Promise<number> {
  const before = new Set(await listFiles(folder, ''));
  let changes = 0;
  for (const file of files) {
    const target = join(folder, file);
    if (before.delete(file) && (await sameBytes(join(staging, file), target))) continue;
    await mkdir(dirname(target), { recursive: true });
    await rename(join(staging, file), target);
    changes++;
  }
  for (const stale of before) await rm(join(folder, stale));
  await removeEmptyFolders(folder);
  return changes + before.size;
}

async function sameBytes(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([readFile(one), readFile(other)]);
  return a.equals(b);
}

async function removeEmptyFolders(folder: string): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true });
  let empty = true;
  for (const entry of entries) {
    if (entry.isDirectory() && (await removeEmptyFolders(join(folder, entry.name))))
      await rmdir(join(folder, entry.name));
    else empty = false;
  }
  return empty;
}

/** The project's format. A configuration around the folder does not count. */
const formatArguments = [
  '--indent-style=space',
  '--indent-width=2',
  '--line-width=120',
  '--javascript-formatter-quote-style=single',
  '--json-formatter-enabled=false',
  '--files-max-size=50000000',
  '--vcs-enabled=false',
  '--log-level=error',
];

async function formatFolder(folder: string, biome: string): Promise<void> {
  const args = [biome, 'format', '--write', ...formatArguments, '.'];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code !== 0) throw new Error(`biome could not format the generated code:\n${errors.slice(0, 4000)}`);
}

/** The path of biome's command; undefined if it is not installed. */
function biomeScript(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome');
  } catch {
    return undefined;
  }
}
