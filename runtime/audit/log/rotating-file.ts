import { closeSync, existsSync, fchmodSync, fstatSync, openSync, renameSync, write, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import type { Clock } from '../../machinery/clock.ts';
import { makeFolder } from '../../machinery/files/make-folder.ts';
import { type BackupOptions, Backups } from './backups.ts';
import type { LogOutput } from './output.ts';

const writeAsync = promisify(write);
const megabyte = 1024 * 1024;
/** (lumberjack defaultMaxSize) */
const defaultMaxSize = 100;
const newline = Buffer.from('\n');

export interface RotatingFileOptions extends BackupOptions {
  readonly path: string;
  /** The size in megabytes at which the file is rotated; 0 for 100. */
  readonly maxSize: number;
  readonly clock: Clock;
  /** Called when backups cannot be removed or compressed. */
  readonly onCleanupError: (error: Error) => void;
}

/**
 * A file that becomes a backup when it is full. Opening and renaming block for microseconds; backups are compressed in
 * the background. (lumberjack.Logger)
 */
export class RotatingFile implements LogOutput {
  readonly #options: RotatingFileOptions;
  readonly #backups: Backups;
  readonly #maxBytes: number;
  #fd: number;
  #size: number;
  /** Whether the last write failed inside a line. */
  #isTorn = false;
  #cleaning: Promise<void> = Promise.resolve();

  /** Opens the file for appending. Creates it and its folders if they are missing. @throws Error */
  constructor(options: RotatingFileOptions) {
    this.#options = options;
    this.#backups = new Backups(options.path, options);
    this.#maxBytes = (options.maxSize || defaultMaxSize) * megabyte;
    makeFolder(dirname(options.path));
    this.#fd = openSync(options.path, 'a', 0o600);
    this.#size = fstatSync(this.#fd).size;
    this.#clean();
  }

  writeSync(lines: readonly Buffer[]): void {
    for (const part of this.#parts(lines)) {
      for (let at = 0; at < part.length; ) at += this.#written(part, at, writeSync(this.#fd, part, at));
    }
  }

  async write(lines: readonly Buffer[]): Promise<void> {
    for (const part of this.#parts(lines)) {
      for (let at = 0; at < part.length; ) {
        const { bytesWritten } = await writeAsync(this.#fd, part, at);
        at += this.#written(part, at, bytesWritten);
      }
    }
  }

  async close(): Promise<void> {
    closeSync(this.#fd);
    await this.#cleaning;
  }

  #written(part: Buffer, start: number, bytes: number): number {
    this.#size += bytes;
    this.#isTorn = part[start + bytes - 1] !== newline[0];
    return bytes;
  }

  /** Yields the content of each write, and rotates in between. @throws Error for a line larger than a file */
  *#parts(lines: readonly Buffer[]): Iterable<Buffer> {
    let part: Buffer[] = this.#isTorn ? [newline] : [];
    let size = part.length;
    for (const line of lines) {
      if (line.length > this.#maxBytes) {
        throw new Error(`write length ${line.length} exceeds maximum file size ${this.#maxBytes}`);
      }
      if (this.#size + size + line.length > this.#maxBytes) {
        if (part.length > 0) yield Buffer.concat(part);
        this.#rotate();
        [part, size] = [[], 0];
      }
      part.push(line);
      size += line.length;
    }
    const [only, ...others] = part;
    if (only) yield others.length === 0 ? only : Buffer.concat(part);
  }

  /** Rotates the file. The old file stays open until the new one exists, so that a failure loses nothing. */
  #rotate(): void {
    const { path, clock } = this.#options;
    let time = clock.now();
    while (existsSync(this.#backups.pathAt(time))) time++;
    const { mode } = fstatSync(this.#fd);
    if (existsSync(path)) renameSync(path, this.#backups.pathAt(time));
    const fd = openSync(path, 'a', 0o600);
    fchmodSync(fd, mode & 0o777);
    closeSync(this.#fd);
    this.#fd = fd;
    this.#size = 0;
    this.#isTorn = false;
    this.#clean();
  }

  /** Starts a clean-up after the previous one. */
  #clean(): void {
    const { clock, onCleanupError } = this.#options;
    this.#cleaning = this.#cleaning.then(() => this.#backups.clean(clock.now())).catch(onCleanupError);
  }
}
