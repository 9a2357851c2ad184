import { join } from 'node:path';
import { isSource, packageFolder } from '../../machinery/version.ts';

const folder = 'runtime/server/workers';

/** Returns the file that a thread runs: a module of this folder, by name. */
export function workerEntry(name: string): string {
  return isSource ? join(packageFolder(), folder, `${name}.ts`) : join(packageFolder(), 'dist', folder, `${name}.js`);
}

/**
 * Returns the arguments of a thread. From source, it needs the loader of this process, which sets KUBELOOM_TS_LOADER.
 */
export function workerExecArgv(): string[] {
  const loader = process.env.KUBELOOM_TS_LOADER;
  return isSource && loader !== undefined ? ['--import', loader] : [];
}
