import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import type { Contents } from './contents.ts';
import { insideOf } from './place.ts';

/** Lets the functions of node:fs with which the server reads its own files read those inside the executable. */
export function mountContents(contents: Contents): void {
  const { existsSync, readdirSync, readFileSync } = fs;
  const { readFile } = fs.promises;

  /** Returns the bytes or, with an encoding, the text; undefined for a file that is not inside. */
  const contentOf = (path: unknown, options?: unknown): Buffer | string | undefined => {
    const inside = insideOf(path);
    if (inside === undefined || !contents.has(inside)) return undefined;
    const encoding = typeof options === 'string' ? options : (options as { encoding?: string } | undefined)?.encoding;
    const bytes = contents.read(inside);
    return encoding ? bytes.toString(encoding as BufferEncoding) : bytes;
  };

  Object.assign(fs, {
    existsSync(path: fs.PathLike) {
      const inside = insideOf(path);
      return inside === undefined ? existsSync(path) : contents.has(inside) || contents.list(inside) !== undefined;
    },
    readdirSync(path: fs.PathLike, ...rest: []) {
      const inside = insideOf(path);
      return (inside === undefined ? undefined : contents.list(inside)) ?? readdirSync(path, ...rest);
    },
    readFileSync(path: fs.PathOrFileDescriptor, ...rest: []) {
      return contentOf(path, ...rest) ?? readFileSync(path, ...rest);
    },
  });
  Object.assign(fs.promises, {
    async readFile(path: fs.PathLike, ...rest: []) {
      return contentOf(path, ...rest) ?? readFile(path, ...rest);
    },
  });
  syncBuiltinESMExports();
}
