import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import type { RootDatabase } from 'lmdb';
import type { Clock } from '../../machinery/clock.ts';
import { messageOf } from '../../machinery/errors/message-of.ts';
import type { Logger } from '../../machinery/logger.ts';
import { isStorageError, StorageError } from '../errors.ts';
import { type Bucket, type Buckets, openBuckets } from './buckets.ts';
import { checkDataFile } from './data-file/check.ts';
import { requireSpace } from './disk-space.ts';
import { entryProblem } from './entry-problem.ts';
import { dataName } from './file-names.ts';
import { fileId, Ownership } from './owner.ts';
import { checkMarker, damagedError, notAStoreError, prepareDirectory, storeBytes } from './store-directory.ts';

export interface LmdbOptions {
  /** The data directory. It is created if it does not exist. */
  readonly path: string;
  /**
   * Lets the operating system decide when data reaches the disk. A crash of the machine may lose or corrupt it. For
   * tests.
   */
  readonly unsafeNoFsync?: boolean | undefined;
  /**
   * The data file is reopened when `bytes` of it are mapped and it was unused for `ms` milliseconds, or when sixteen
   * times as many bytes are mapped while it is in use. Mapped pages count as this process's memory, and most of them
   * are not read twice, because the cache serves reads. Default: 4 MiB, 500 ms.
   */
  readonly reopen?: { readonly bytes: number; readonly ms: number };
  /** Milliseconds between checks of an idle store's directory. Default: 1000. */
  readonly lookMs?: number;
  /** Default: the system clock. */
  readonly clock?: Clock;
  /** Logs damage and a full disk. Default: nothing is logged. */
  readonly logger?: Logger;
}

/**
 * Opens the directory exclusively.
 *
 * @param create false throws `unavailable` if there is no store
 * @throws StorageError `unavailable` if it is in use or cannot be read or written, `corrupt` if it is not a store or
 *   has another format
 */
export async function openEnvironment(options: LmdbOptions, create = true): Promise<Environment> {
  const dir = prepareDirectory(options.path, create);
  try {
    const owner = await Ownership.take(dir);
    try {
      await checkMarker(dir);
      if (storeBytes(dir) === 0) await requireSpace(dir);
      return openOwned(dir, owner, options.unsafeNoFsync ?? false);
    } catch (error) {
      owner.release();
      throw error;
    }
  } catch (error) {
    if (isStorageError(error)) throw error;
    throw new StorageError('unavailable', `cannot open the store in ${dir}: ${messageOf(error)}`);
  }
}

function openOwned(dir: string, owner: Ownership, unsafeNoFsync: boolean): Environment {
  const [problem] = checkDataFile(join(dir, dataName), entryProblem);
  if (problem !== undefined) throw damagedError(dir, problem);
  const open = (): Buckets => openBuckets(dir, unsafeNoFsync);
  try {
    return new Environment(dir, owner, open);
  } catch (error) {
    throw notAStoreError(dir, messageOf(error));
  }
}

/** An open data directory, used by this process only. */
export class Environment implements Buckets {
  readonly dir: string;
  readonly dataPath: string;
  readonly #owner: Ownership;
  #buckets: Buckets;
  readonly #open: () => Buckets;
  readonly #id: string | undefined;

  constructor(dir: string, owner: Ownership, open: () => Buckets) {
    this.dir = dir;
    this.dataPath = join(dir, dataName);
    this.#owner = owner;
    this.#buckets = open();
    this.#open = open;
    this.#id = fileId(this.dataPath);
    owner.lockData();
  }

  get root(): RootDatabase<Buffer, Buffer> {
    return this.#buckets.root;
  }

  get meta(): Bucket {
    return this.#buckets.meta;
  }

  get keys(): Bucket {
    return this.#buckets.keys;
  }

  get history(): Bucket {
    return this.#buckets.history;
  }

  get expiry(): Bucket {
    return this.#buckets.expiry;
  }

  get compressedLog(): Bucket {
    return this.#buckets.compressedLog;
  }

  get log(): Bucket {
    return this.#buckets.log;
  }

  /**
   * Returns the reason why the directory no longer has the opened files; undefined if it has them. Costs two system
   * calls.
   */
  loss(): string | undefined {
    const loss = this.#owner.loss();
    if (loss !== undefined || fileId(this.dataPath) === this.#id) return loss;
    return `${this.dataPath} was moved, removed or replaced`;
  }

  /**
   * Closes and opens the data file, which unmaps all pages that were read. Replaces the buckets. No reads or writes may
   * run until it resolves. Rejects if the file cannot be opened. Does nothing if the file is not in its place.
   */
  async reopen(): Promise<void> {
    // LMDB would create a new file
    if (this.loss() !== undefined) return;
    await this.#buckets.root.close();
    const loss = this.loss();
    if (loss !== undefined) throw new Error(loss);
    this.#buckets = this.#open();
  }

  /** @param bytes the used bytes of the data file; the rest is cut off */
  async close(bytes?: number): Promise<void> {
    try {
      const isInPlace = this.loss() === undefined;
      await this.#buckets.root.close();
      if (bytes !== undefined && isInPlace) await truncate(this.dataPath, bytes);
    } finally {
      this.#owner.release();
    }
  }
}
