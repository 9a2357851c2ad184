import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ImportError } from './source.ts';

/** A file that an import may read. */
export interface TreeFile {
  /** The path as error messages show it, below the requested folder or file. */
  readonly path: string;
  readonly name: string;
  /** The folder of the file. */
  readonly folder: string;
}

/** Names of folders that are not part of a published project. */
const passedOver = /^(?:\..*|_.*|node_modules|vendor|third_party|testdata|testing|test)$/;

/**
 * Returns a file, or the files below a folder, sorted. Skips hidden folders, dependencies and test data.
 *
 * @throws ImportError if there is no such file or folder
 */
export async function filesBelow(path: string): Promise<TreeFile[]> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new ImportError(`cannot read ${path}: ${error.code ?? error.message}`);
  });
  if (!found.isDirectory()) return [{ path, name: basename(path), folder: join(path, '..') }];
  const entries = await readdir(path, { withFileTypes: true });
  const sorted = entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  const below = await Promise.all(
    sorted.map(async (entry): Promise<TreeFile[]> => {
      const child = join(path, entry.name);
      if (entry.isFile()) return [{ path: child, name: entry.name, folder: path }];
      return entry.isDirectory() && !passedOver.test(entry.name) ? filesBelow(child) : [];
    }),
  );
  return below.flat();
}
