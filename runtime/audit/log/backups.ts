import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

export interface BackupOptions {
  /** Days after which backups are removed; 0 for never. */
  readonly maxAge: number;
  /** The maximum number of backups; 0 for all. */
  readonly maxBackups: number;
  /** Whether backups are compressed with gzip. */
  readonly compress: boolean;
}

interface Backup {
  readonly name: string;
  /** Milliseconds since the epoch, from the file's name. */
  readonly time: number;
}

const compressedSuffix = '.gz';
const day = 24 * 3600_000;
const timePattern = /^(\d{4}-\d{2}-\d{2}T\d{2})-(\d{2})-(\d{2}\.\d{3})$/;

/**
 * The rotated files beside a log: `audit-2006-01-02T15-04-05.000.log` for `audit.log`, in UTC. Compressed files end in
 * `.gz`. (gopkg.in/natefinch/lumberjack.v2)
 */
export class Backups {
  readonly #folder: string;
  readonly #prefix: string;
  readonly #extension: string;
  readonly #options: BackupOptions;

  constructor(path: string, options: BackupOptions) {
    this.#folder = dirname(path);
    this.#extension = extname(path);
    this.#prefix = `${basename(path, this.#extension)}-`;
    this.#options = options;
  }

  /** Returns the path of the backup for a time, in milliseconds since the epoch. */
  pathAt(time: number): string {
    const text = new Date(time).toISOString().slice(0, -1).replaceAll(':', '-');
    return join(this.#folder, `${this.#prefix}${text}${this.#extension}`);
  }

  /** Removes surplus and old backups, and compresses the others. @param now milliseconds since the epoch */
  async clean(now: number): Promise<void> {
    const { maxAge, maxBackups, compress } = this.#options;
    if (maxAge === 0 && maxBackups === 0 && !compress) return;
    const oldest = maxAge === 0 ? Number.NEGATIVE_INFINITY : now - maxAge * day;
    const kept = new Set<number>();
    for (const { name, time } of await this.#newestFirst()) {
      const path = join(this.#folder, name);
      // a crash can leave a backup both plain and compressed
      const isTooMany = maxBackups > 0 && kept.size >= maxBackups && !kept.has(time);
      if (isTooMany || time < oldest) {
        await rm(path, { force: true });
        continue;
      }
      kept.add(time);
      if (compress && !name.endsWith(compressedSuffix)) await compressFile(path);
    }
  }

  async #newestFirst(): Promise<Backup[]> {
    const backups: Backup[] = [];
    for (const name of await readdir(this.#folder)) {
      const time = this.#timeOf(name.endsWith(compressedSuffix) ? name.slice(0, -compressedSuffix.length) : name);
      if (time !== undefined) backups.push({ name, time });
    }
    return backups.sort((a, b) => b.time - a.time);
  }

  #timeOf(name: string): number | undefined {
    if (!name.startsWith(this.#prefix) || !name.endsWith(this.#extension)) return undefined;
    const match = timePattern.exec(name.slice(this.#prefix.length, name.length - this.#extension.length));
    const time = match === null ? Number.NaN : Date.parse(`${match[1]}:${match[2]}:${match[3]}Z`);
    return Number.isNaN(time) ? undefined : time;
  }
}

/** Replaces a file with a compressed one that has the same permissions. */
async function compressFile(path: string): Promise<void> {
  const target = `${path}${compressedSuffix}`;
  try {
    const { mode } = await stat(path);
    await pipeline(createReadStream(path), createGzip(), createWriteStream(target, { mode }));
    await chmod(target, mode);
  } catch (error) {
    await rm(target, { force: true });
    throw error;
  }
  await rm(path);
}
