/** The program that starts first in an executable, and in each of its threads: it makes the files inside visible, and runs one. */
import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { getAsset, getRawAsset } from 'node:sea';
import { cacheFolder } from './cache-folder.ts';
import { Contents } from './contents.ts';
import { mountContents } from './file-system.ts';
import { registerModules } from './modules.ts';
import { urlOf } from './place.ts';
import { registerThreads } from './threads.ts';

/** The URL of a thread's module. */
declare const threadEntry: string | undefined;

const contents = new Contents(JSON.parse(getAsset('index', 'utf8')), getRawAsset('contents') as ArrayBuffer);
keepCompiled();
mountContents(contents);
registerModules(contents);
registerThreads(getAsset('boot', 'utf8'));
// a main script can import only Node's own modules: a module inside imports for it
const importModule = nodeModule.createRequire(urlOf('boot.cjs'))('./import.cjs') as (url: string) => Promise<unknown>;
importModule(typeof threadEntry === 'undefined' ? urlOf('dist/runtime/cli/main.js') : threadEntry);

/** Keeps compiled code in the cache, so that the next start does not compile it. Written soon after the start, and at the exit. */
function keepCompiled(): void {
  const { enableCompileCache, flushCompileCache } = nodeModule as unknown as {
    enableCompileCache(folder: string): object;
    flushCompileCache(): void;
  };
  const cache = cacheFolder();
  if (cache === undefined) return;
  enableCompileCache(join(cache, 'compiled'));
  setTimeout(flushCompileCache, 5_000).unref();
}
