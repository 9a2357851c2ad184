import * as nodeModule from 'node:module';

/** The functions of node:module that Node 22.1 and later has. */
interface CompileCache {
  enableCompileCache?(folder: string): object;
  getCompileCacheDir?(): string | undefined;
  flushCompileCache?(): void;
}

/** Milliseconds from the start until the first requests have compiled most of what a server runs. */
const flushAfterMs = 5_000;

/**
 * Keeps compiled code in a folder, so that the next start compiles only what has changed. Node checks each entry against
 * its module's source. Writes the folder soon after the start, and at the exit. Does nothing before Node 22.1, and where a
 * user has chosen a folder with NODE_COMPILE_CACHE, or none with NODE_DISABLE_COMPILE_CACHE=1.
 *
 * @param folder undefined if there is none that this user alone can write
 */
export function keepCompiledCode(folder: string | undefined): void {
  const { enableCompileCache, getCompileCacheDir, flushCompileCache } = nodeModule as CompileCache;
  if (folder === undefined || enableCompileCache === undefined || getCompileCacheDir?.() !== undefined) return;
  enableCompileCache(folder);
  if (flushCompileCache !== undefined) setTimeout(flushCompileCache, flushAfterMs).unref();
}
