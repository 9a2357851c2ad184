import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { moveOwned } from '../output/owned-folder.ts';
import { withStaging, writeFiles } from '../output/staging.ts';
import { indentTypeScript } from '../print/generated-file.ts';

/** The output of a run: path below the folder -> text. */
export type FileSet = ReadonlyMap<string, string>;

/**
 * Replaces what earlier runs wrote into a folder with `files`, and formats the TypeScript among them: with biome, or by
 * indentation alone where biome is not installed. Works in a staging folder first, so that a failed run changes nothing.
 *
 * @returns the number of files written or removed
 * @throws OutputError if a file that no earlier run wrote is in the way
 */
export async function replaceFolder(folder: string, files: FileSet): Promise<number> {
  return withStaging(folder, async (staging) => {
    const biome = biomeScript();
    const formatted = ([file, text]: readonly [string, string]): readonly [string, string] => [
      file,
      biome === undefined && file.endsWith('.ts') ? indentTypeScript(text) : text,
    ];
    await writeFiles(new Map([...files].map(formatted)), staging);
    if (biome !== undefined) await formatFolder(staging, biome);
    return moveOwned(staging, folder, [...files.keys()]);
  });
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
