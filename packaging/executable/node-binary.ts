import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from './npm-archive.ts';
import { strippedElf } from './stripped-elf.ts';
import type { NodePackage, Target } from './targets.ts';

/** Node for a target. */
export interface NodeBinary {
  readonly file: string;
  readonly licence: string;
}

export function nodeBinary({ name, version, integrity }: NodePackage): NodeBinary {
  const folder = packageFolder(name, version, integrity);
  const file = ['bin/node', 'bin/node.exe'].map((path) => join(folder, path)).find(existsSync);
  if (file === undefined) throw new Error(`${name}@${version} has no bin/node`);
  return { file, licence: readFileSync(join(folder, 'LICENSE'), 'utf8') };
}

/** Returns the bytes of Node without symbols, which no user needs, and which are a fifth of it. */
export function strippedNode(target: Target): Buffer {
  const bytes = readFileSync(nodeBinary(target.node).file);
  return target.name.startsWith('linux') ? strippedElf(bytes) : bytes;
}
