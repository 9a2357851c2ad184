import { join, sep } from 'node:path';
import { isSource, packageFolder } from '../version.ts';
import { cacheFolder } from './cache-folder.ts';

/**
 * Returns the folder for compiled code of this package: in a clone, a folder that the next build removes; for an installed
 * package or an executable, the user's cache. NODE_COMPILE_CACHE names another folder. Undefined with NODE_DISABLE_COMPILE_CACHE=1, and for code
 * that runs from source, which another program compiles.
 */
export function compiledCodeFolder(env: NodeJS.ProcessEnv = process.env): string | undefined {
  if (isSource || env.NODE_DISABLE_COMPILE_CACHE === '1') return undefined;
  if (env.NODE_COMPILE_CACHE) return join(env.NODE_COMPILE_CACHE, 'kubeloom');
  const folder = packageFolder();
  if (!isInstalled(folder)) return join(folder, compiledInClone);
  const cache = cacheFolder();
  return cache === undefined ? undefined : join(cache, 'compiled');
}

/** The files of an executable appear to be below it. (packaging/executable/boot/place.ts) */
const isInstalled = (folder: string): boolean => folder.split(sep).includes('node_modules') || folder.startsWith(process.execPath + sep);

/** codegen/build/build.mjs removes this folder: its entries belong to the previous dist/. */
const compiledInClone = join('node_modules', '.cache', 'kubeloom-compiled');
