import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Returns a reason with the programs that are not on the PATH; undefined if none is missing. */
export function missingPrograms(programs: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const missing = programs.filter((program) => !folders.some((folder) => isExecutable(join(folder, program))));
  return missing.length === 0 ? undefined : `this machine has no ${missing.join(' and no ')}`;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
