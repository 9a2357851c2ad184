import { lstatSync, mkdirSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/**
 * Returns a folder in which only this user can write: `kubeloom` in XDG_CACHE_HOME, in the cache of the home folder, or
 * `kubeloom-UID` in the folder of temporary files. Code is loaded from it, so a folder of anybody else is not taken.
 *
 * @returns undefined if there is no such folder and none can be made
 */
export function cacheFolder(): string | undefined {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  const candidates = [
    XDG_CACHE_HOME && join(XDG_CACHE_HOME, 'kubeloom'),
    LOCALAPPDATA && join(LOCALAPPDATA, 'kubeloom', 'cache'),
    process.platform !== 'win32' && homeCache(),
    join(tmpdir(), `kubeloom-${process.getuid?.() ?? userInfo().username}`),
  ];
  return candidates.find((folder): folder is string => typeof folder === 'string' && folder !== '' && isOwn(folder));
}

/** Returns the folder in the home folder; "" for a user without one. */
function homeCache(): string {
  try {
    return join(homedir(), '.cache', 'kubeloom');
  } catch {
    return '';
  }
}

/** Makes the folder if there is none. Reports whether it is this user's, and closed to writes of others. */
function isOwn(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const stat = lstatSync(folder);
    if (!stat.isDirectory()) return false;
    return process.getuid === undefined || (stat.uid === process.getuid() && (stat.mode & 0o022) === 0);
  } catch {
    return false;
  }
}
