import { join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * The folder that the files inside the executable appear to be in. It lies below the executable itself, where no file
 * can be: `/usr/bin/kubeloom/package/dist/runtime/cli/main.js`.
 */
const folder = join(process.execPath, 'package');
const folderUrl = pathToFileURL(folder).href;

/** Returns the path inside the executable with slashes, "" for the folder itself; undefined for any other place. */
export function insideOf(path: unknown): string | undefined {
  if (path instanceof URL) return path.protocol === 'file:' ? insideOf(fileURLToPath(path)) : undefined;
  if (typeof path !== 'string' || !path.startsWith(folder)) return undefined;
  const rest = path.slice(folder.length);
  if (rest === '') return rest;
  return rest.startsWith(sep) ? rest.slice(1).replaceAll(sep, '/').replace(/\/$/, '') : undefined;
}

/** Returns the same for a URL. */
export function insideOfUrl(url: string | undefined): string | undefined {
  return url?.startsWith(`${folderUrl}/`) ? insideOf(fileURLToPath(url)) : undefined;
}

/** Returns the URL of a path inside the executable. */
export const urlOf = (path: string): string => pathToFileURL(join(folder, path)).href;
