import { lstat, mkdir, realpath } from 'node:fs/promises';
import { join, normalize, sep } from 'node:path';

/** A path leads out of the folder to which it belongs. */
export class OutsideError extends Error {
  constructor(path: string) {
    super(`the path ${JSON.stringify(path)} leads out of its folder`);
  }
}

/** Returns a path below a folder. `..` leads no further than the folder itself. */
export const below = (folder: string, path: string): string => join(folder, normalize(join(sep, path)));

/**
 * Returns a path below a folder, and makes its missing folders. Links may not lead out of the folder.
 *
 * @param path an absolute or relative path, which counts from the folder
 * @param border the folder that links may not leave. Default: the folder
 * @throws OutsideError
 */
export async function folderInside(folder: string, path: string, border = folder): Promise<string> {
  const root = await realpath(border);
  let at = folder;
  for (const part of normalize(join(sep, path)).split(sep)) {
    if (part === '') continue;
    at = join(at, part);
    if (!(await exists(at))) await mkdir(at, { mode: 0o755 });
    const real = await realpath(at);
    if (real !== root && !real.startsWith(root + sep)) throw new OutsideError(path);
  }
  return at;
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );
