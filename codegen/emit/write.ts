import { moveOwned } from '../output/owned-folder.ts';
import { withStaging, writeFiles } from '../output/staging.ts';
import { formatTypeScript, NotTypeScript } from '../print/format/format.ts';

/** The output of a run: path below the folder -> text. */
export type FileSet = ReadonlyMap<string, string>;

/**
 * Replaces the files that earlier runs wrote into a folder with `files`, and formats the TypeScript among them. Works
 * in a staging folder first, so that a failed run changes nothing.
 *
 * @returns the number of files written or removed
 * @throws Error, before anything is written, with the name of a file that is not TypeScript
 * @throws OutputError if a file that no earlier run wrote is in the way
 */
export async function replaceFolder(folder: string, files: FileSet): Promise<number> {
  const formatted = new Map([...files].map(([file, text]) => [file, formattedFile(file, text)] as const));
  return withStaging(folder, async (staging) => {
    await writeFiles(formatted, staging);
    return moveOwned(staging, folder, [...files.keys()]);
  });
}

function formattedFile(file: string, text: string): string {
  if (!file.endsWith('.ts')) return text;
  try {
    return formatTypeScript(text);
  } catch (error) {
    if (!(error instanceof NotTypeScript)) throw error;
    throw new Error(`${file}: the generated code is not TypeScript: ${error.message}`, { cause: error });
  }
}
