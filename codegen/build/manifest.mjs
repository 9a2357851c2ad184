import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './current.mjs';

/** The content of package.json. */
export const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The packages that the bundles load from node_modules: native packages, and those of the generator. */
export const external = [...Object.keys(manifest.optionalDependencies), ...Object.keys(manifest.peerDependencies)];

/** What each path that the package exports leads to. A path without a target is closed: below an exported folder, it is private. */
const exported = Object.entries(manifest.exports);
export const exportTargets = exported.flatMap(([, target]) => (target === null ? [] : [target]));
const closed = exported.flatMap(([path, target]) => (target === null ? [path.slice('./'.length, -'*'.length)] : []));

/** The modules of runtime/ that the package exports one by one: files, and all files of folders. */
export const exportedModules = Object.keys(manifest.exports).flatMap((path) => {
  const found = /^\.\/(runtime\/.+?)(\/\*)?\.js$/.exec(path);
  return found ? [found[2] === undefined ? `${found[1]}.ts` : found[1]] : [];
});

/** Whether a file lies in a folder that package.json closes. */
export const isClosed = (file) => closed.some((folder) => file.startsWith(folder));
