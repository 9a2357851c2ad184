import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { StorageError } from '../errors.ts';

/** The file whose lock says who owns a data directory. It stays when the owner ends. */
export const ownerName = 'owner.lock';

interface FileLocks {
  /** Locks the whole file exclusively without waiting. Throws EAGAIN if another open file has a lock. */
  tryLock(fd: number, offset: number, length: number, exclusive: boolean): void;
}

/**
 * The exclusive use of a data directory: an open file description lock (fcntl F_OFD_SETLK) on a file in it. The kernel knows
 * the file and not the process, so the lock also holds between containers that cannot see each other's processes, and between
 * two opens of one process. It ends with the process, however that ends.
 */
export class Ownership {
  readonly #file: number;
  readonly #path: string;
  readonly #inode: number;

  private constructor(file: number, path: string) {
    this.#file = file;
    this.#path = path;
    this.#inode = fstatSync(file).ino;
  }

  /** Throws `unavailable` if the directory is in use or cannot be locked. */
  static take(dir: string): Ownership {
    const path = join(dir, ownerName);
    const file = openSync(path, 'a+', 0o600);
    try {
      lock(dir, file);
      nameOwner(file);
      return new Ownership(file, path);
    } catch (error) {
      closeSync(file);
      throw error;
    }
  }

  /** Whether the lock is still on the file that another process would lock. */
  isInPlace(): boolean {
    return inodeOf(this.#path) === this.#inode;
  }

  release(): void {
    closeSync(this.#file);
  }
}

function lock(dir: string, file: number): void {
  try {
    loadLocks().tryLock(file, 0, 0, true);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'EAGAIN' && code !== 'EACCES') {
      throw new StorageError('unavailable', `cannot lock the store in ${dir}: ${message}`);
    }
    throw new StorageError('unavailable', `the store in ${dir} is in use by ${readOwner(dir)}`);
  }
}

let locks: FileLocks | undefined;

/** Loads the binary itself if it is where it should be: the package takes 20 ms to search for it. */
function loadLocks(): FileLocks {
  const load = createRequire(import.meta.url);
  const { platform, arch } = process;
  try {
    locks ??= load(`fs-native-extensions/prebuilds/${platform}-${arch}/fs-native-extensions.node`) as FileLocks;
  } catch {
    locks = load('fs-native-extensions/binding.js') as FileLocks;
  }
  return locks;
}

/** Tells the next process who has the lock. A full disk does not matter: the lock is what counts. */
function nameOwner(file: number): void {
  try {
    ftruncateSync(file);
    writeSync(file, JSON.stringify({ pid: process.pid, host: hostname() }));
  } catch {
    // the owner has no name then
  }
}

/** The process that has the lock. Its id may be that of another pid namespace. */
function readOwner(dir: string): string {
  try {
    const { pid, host } = JSON.parse(readFileSync(join(dir, ownerName), 'utf8'));
    if (!Number.isSafeInteger(pid) || typeof host !== 'string') return 'another process';
    return host === hostname() ? `process ${pid}` : `process ${pid} on ${host}`;
  } catch {
    return 'another process';
  }
}

/** The number of a file; undefined if there is none. */
export function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}
