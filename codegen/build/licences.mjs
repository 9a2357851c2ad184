import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './current.mjs';

/** The line between two packages in a file of licences. */
export const separator = '-'.repeat(80);

/** Returns the packages of bundled files, sorted by folder, with the name, version and licence of their manifests. */
export function packagesOf(inputs) {
  const folders = new Set();
  for (const input of inputs) {
    const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (found) folders.add(found[1]);
  }
  return [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    return { folder, name, version, licence: license };
  });
}

/** Returns the packages with the text of each licence. */
export function licencesOf(packages) {
  const texts = packages.map(({ folder, name, version, licence }) => {
    const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file === undefined ? '' : `\n${readFileSync(join(root, folder, file), 'utf8').trim()}\n`;
    return `${name} ${version} (${licence})\n${text}`;
  });
  return texts.join(`\n${separator}\n\n`);
}
