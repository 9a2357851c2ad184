import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import type { Index } from './boot/contents.ts';
import { root } from './root.ts';

/** Files as an executable contains them. */
export interface Packed {
  readonly index: Index;
  readonly blob: Buffer;
}

/** Returns the built server's files: package.json, and dist/ without declarations, CommonJS and the generator. */
export function serverFiles(): Map<string, Buffer> {
  const built = readdirSync(join(root, 'dist'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length).replaceAll('\\', '/'))
    .filter((path) => /\.(?:js|json|tsv|html|css|svg)$/.test(path) && !path.startsWith('dist/codegen/'));
  return new Map(['package.json', ...built].map((path) => [path, readFileSync(join(root, path))]));
}

/** Compresses each file on its own, so that a module is read without its neighbours. The order of paths makes the bytes repeatable. */
export function pack(files: ReadonlyMap<string, Buffer>): Packed {
  const index: Record<string, [number, number]> = {};
  const parts: Buffer[] = [];
  let size = 0;
  for (const path of [...files.keys()].sort()) {
    const part = deflateRawSync(files.get(path) as Buffer, { level: 9 });
    index[path] = [size, size + part.length];
    parts.push(part);
    size += part.length;
  }
  return { index, blob: Buffer.concat(parts) };
}
