import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from './npm-archive.ts';
import { strippedElf } from './stripped-elf.ts';
import type { NodePackage, Target } from './targets.ts';

/** Returns the path of a package's Node. */
export function nodeBinary({ name, version, integrity }: NodePackage): string {
  const folder = packageFolder(name, version, integrity);
  const file = ['bin/node', 'bin/node.exe'].map((path) => join(folder, path)).find(existsSync);
  if (file === undefined) throw new Error(`${name}@${version} has no bin/node`);
  return file;
}

/** Returns Node's licence. Packages for Windows have none beside Node. */
export function nodeLicence({ name, version, integrity }: NodePackage): string {
  return readFileSync(join(packageFolder(name, version, integrity), 'LICENSE'), 'utf8').trim();
}

/** Returns the bytes of Node without symbols, which no user needs, and which are a fifth of it. */
export function strippedNode(target: Target): Buffer {
  const bytes = readFileSync(nodeBinary(target.node));
  return target.name.startsWith('linux') ? strippedElf(bytes) : bytes;
}
