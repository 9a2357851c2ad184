import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ApiGroup } from '../machinery/api-group.ts';
import { messageOf } from '../machinery/errors/message-of.ts';
import { UsageError } from '../machinery/options/flags.ts';
import { importGroups } from '../server/groups/group-modules.ts';

/**
 * Loads the API groups of a package from `kubeloom generate`, or of a module whose default export is one group or
 * several. The module can be TypeScript.
 *
 * @param path the path of the module, or of a folder with index.ts or index.js
 * @throws UsageError if there are no groups at the path
 */
export async function loadGroups(path: string): Promise<readonly ApiGroup[]> {
  const file = moduleFile(path);
  try {
    return await importGroups(pathToFileURL(file).href);
  } catch (error) {
    throw new UsageError(`--group ${path}: ${messageOf(error)}`);
  }
}

function moduleFile(path: string): string {
  const absolute = resolve(path);
  const candidates = [absolute, ...['index.ts', 'index.js'].map((name) => join(absolute, name))];
  const file = candidates.find((candidate) => existsSync(candidate) && statSync(candidate).isFile());
  if (file === undefined) throw new UsageError(`--group ${path}: not a module, and not a folder with index.ts or index.js`);
  return file;
}
