import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync, type Stats, statSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { StorageError } from '../errors.ts';
import { dataName, ownerName } from './file-names.ts';

/** The byte of the data file that its owner locks, beyond LMDB's largest file. */
const lockedByte = 2 ** 52;

/**
 * Milliseconds to wait for an owner that has lost its directory, and between attempts. It notices within a second, and
 * ends.
 */
const handOver = { patience: 10_000, interval: 50 };

interface FileLocks {
  /**
   * Locks bytes exclusively without waiting. A length of 0 means all bytes. Throws EAGAIN if another open file has a
   * lock.
   */
  tryLock(fd: number, offset: number, length: number, exclusive: boolean): void;
}

/**
 * The exclusive use of a data directory: open file description locks (fcntl F_OFD_SETLK) on two files in it. The kernel
 * associates them with open files instead of processes. So they also hold between containers that cannot see each
 * other's processes, and between two opens in one process. They end with the process in any case.
 *
 * The owner file names the owner. If it is removed, the lock on the data file keeps the next owner waiting until this
 * one has noticed, so that two never write to one file.
 */
export class Ownership {
  readonly #dir: string;
  readonly #path: string;
  readonly #file: number;
  readonly #id: string;
  #data: number | undefined;

  private constructor(dir: string, file: number) {
    this.#dir = dir;
    this.#file = file;
    this.#path = join(dir, ownerName);
    this.#id = idOf(fstatSync(file));
  }

  /**
   * Takes the directory.
   *
   * @throws StorageError `unavailable` if the directory is in use or cannot be locked
   */
  static async take(dir: string): Promise<Ownership> {
    const file = openSync(join(dir, ownerName), 'a+', 0o600);
    const owner = new Ownership(dir, file);
    try {
      if (!tryLock(dir, file, 0, 0)) throw inUseError(dir, readOwner(dir));
      nameOwner(file);
      await owner.#waitForData();
      return owner;
    } catch (error) {
      owner.release();
      throw error;
    }
  }

  /** Locks the data file as well, once it exists. Throws `unavailable` if another process has it open. */
  lockData(): void {
    if (!this.#tryLockData()) throw inUseError(this.#dir, `another process, which has lost its ${ownerName}`);
  }

  /** Returns the reason why another process can take the directory, or has taken it; undefined if none can. */
  loss(): string | undefined {
    const found = fileId(this.#path);
    if (found === this.#id) return undefined;
    if (found !== undefined) return `${readOwner(this.#dir)} has taken ${this.#path}`;
    return fileId(this.#dir) === undefined ? `${this.#dir} was moved or removed` : `${this.#path} was moved or removed`;
  }

  release(): void {
    closeSync(this.#file);
    if (this.#data !== undefined) closeSync(this.#data);
  }

  async #waitForData(): Promise<void> {
    for (let waited = 0; !this.#tryLockData(); waited += handOver.interval) {
      if (waited >= handOver.patience) this.lockData();
      await new Promise((resolve) => setTimeout(resolve, handOver.interval));
    }
  }

  /** Returns false if another process has the data file open. */
  #tryLockData(): boolean {
    const path = join(this.#dir, dataName);
    if (this.#data !== undefined || fileId(path) === undefined) return true;
    const file = openSync(path, 'r+');
    if (this.#isLocked(file)) {
      this.#data = file;
      return true;
    }
    closeSync(file);
    return false;
  }

  /** On file systems that only lock whole files, the owner file's lock suffices. */
  #isLocked(file: number): boolean {
    try {
      return tryLock(this.#dir, file, lockedByte, 1);
    } catch {
      return true;
    }
  }
}

function inUseError(dir: string, by: string): StorageError {
  return new StorageError('unavailable', `the store in ${dir} is in use by ${by}`);
}

/** Reports whether this process got the lock. */
function tryLock(dir: string, file: number, offset: number, length: number): boolean {
  try {
    loadLocks().tryLock(file, offset, length, true);
    return true;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EAGAIN' || code === 'EACCES') return false;
    throw new StorageError('unavailable', `cannot lock the store in ${dir}: ${message}`);
  }
}

let locks: FileLocks | undefined;

/** Loads the binary directly if it is at the usual path: the package takes 20 ms to search for it. */
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

/**
 * Writes this process into the owner file, for messages of other processes. A full disk does not matter, since the lock
 * counts.
 */
function nameOwner(file: number): void {
  try {
    ftruncateSync(file);
    writeSync(file, JSON.stringify({ pid: process.pid, host: hostname() }));
  } catch {
    // the owner then has no name
  }
}

/** Returns the process in the owner file. Its id may be from another pid namespace. */
function readOwner(dir: string): string {
  try {
    const { pid, host } = JSON.parse(readFileSync(join(dir, ownerName), 'utf8'));
    if (!Number.isSafeInteger(pid) || typeof host !== 'string') return 'another process';
    return host === hostname() ? `process ${pid}` : `process ${pid} on ${host}`;
  } catch {
    return 'another process';
  }
}

/** Returns the identity of a file; undefined if there is none. */
export function fileId(path: string): string | undefined {
  try {
    return idOf(statSync(path));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // a part of the path is no longer a folder
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

const idOf = ({ dev, ino }: Stats): string => `${dev}:${ino}`;
