import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './current.mjs';

/** What package.json says. */
export const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** What the bundles load from node_modules: native packages, and those of the generator. */
export const external = [...Object.keys(manifest.optionalDependencies), ...Object.keys(manifest.peerDependencies)];

/** The modules of runtime/ that the package exports one by one: files, and folders with all that is in them. */
export const exportedModules = Object.keys(manifest.exports).flatMap((path) => {
  const found = /^\.\/(runtime\/.+?)(\/\*)?\.js$/.exec(path);
  return found ? [found[2] === undefined ? `${found[1]}.ts` : found[1]] : [];
});
