import { join, sep } from 'node:path';
import { isSource, packageFolder } from '../machinery/version.ts';
import { cacheFolder } from './cache-folder.ts';

/**
 * Returns the folder for compiled code of this package: in a clone, a folder that the next build removes; for an installed
 * package, the user's cache. Undefined for code that runs from source, which another program compiles.
 */
export function compiledCodeFolder(): string | undefined {
  if (isSource) return undefined;
  const folder = packageFolder();
  if (!folder.split(sep).includes('node_modules')) return join(folder, compiledInClone);
  const cache = cacheFolder();
  return cache === undefined ? undefined : join(cache, 'compiled');
}

/** codegen/build/build.mjs removes this folder: its entries belong to the previous dist/. */
const compiledInClone = join('node_modules', '.cache', 'kubeloom-compiled');
