import { createHash } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder } from '../../../runtime/machinery/compiled/cache-folder.ts';

/**
 * Returns the path of a file with a native addon, because the system's loader reads only files. The cache keeps it under its
 * hash, and a file with other bytes is replaced. Without a cache, the file is in a folder of this process, and removed at its
 * exit.
 *
 * @param bytes of the addon inside the executable
 */
export function addonFile(bytes: Buffer): string {
  const hash = createHash('sha256').update(bytes).digest('hex');
  const cache = cacheFolder();
  if (cache !== undefined) {
    const file = join(cache, `${hash}.node`);
    if (hasHash(file, hash) || write(file, bytes)) return file;
  }
  const folder = mkdtempSync(join(tmpdir(), 'kubeloom-addon-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, `${hash}.node`);
  writeFileSync(file, bytes, { mode: 0o700 });
  return file;
}

function hasHash(file: string, hash: string): boolean {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('hex') === hash;
  } catch {
    return false;
  }
}

/** Renames a whole file into place, since processes may start at the same time. Reports whether the cache could be written. */
function write(file: string, bytes: Buffer): boolean {
  const part = `${file}.${process.pid}`;
  try {
    writeFileSync(part, bytes, { mode: 0o700 });
    chmodSync(part, 0o700);
    renameSync(part, file);
    return true;
  } catch {
    rmSync(part, { force: true });
    return false;
  }
}
