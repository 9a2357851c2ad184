import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Creates a folder and its missing parents. An existing folder keeps its mode. Node's recursive mkdir never returns if
 * an existing parent refuses the folder, as /proc does.
 *
 * @throws the error of mkdir(2)
 */
export function makeFolder(path: string, mode = 0o700): void {
  const missing: string[] = [];
  for (let at = resolve(path); !existsSync(at); at = dirname(at)) missing.push(at);
  for (const folder of missing.reverse()) mkdirUnlessThere(folder, mode);
  // a file in the way
  if (!statSync(path).isDirectory()) mkdirSync(path);
}

/** Another process may create the same folder. */
function mkdirUnlessThere(folder: string, mode: number): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
