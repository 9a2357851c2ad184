import { join } from 'node:path';
import type { RootDatabase } from 'lmdb';
import { type Logger, silentLogger } from '../../observe/logger.ts';
import { isStorageError, StorageError } from '../errors.ts';
import { type Bucket, type Buckets, openBuckets } from './buckets.ts';
import { checkDataFile } from './data-file/check.ts';
import { entryProblem } from './entry-problem.ts';
import { Ownership } from './owner.ts';
import { storeFormat } from './records.ts';
import { checkMarker, damagedError, dataName, notAStoreError, prepareDirectory } from './store-directory.ts';

export interface LmdbOptions {
  /** The data directory. It is created if it does not exist. */
  readonly path: string;
  /** Lets the operating system decide when data reaches the disk. A crash of the machine may lose or corrupt it. For tests. */
  readonly unsafeNoFsync?: boolean;
  /**
   * The data file is reopened when `bytes` of it are mapped and it was unused for `ms` milliseconds; while it is in use, when
   * sixteen times as many bytes are mapped. Mapped pages count as memory of this process, and most of them are not read
   * twice, since reads are served from the cache. Default: 4 MiB, 500 ms.
   */
  readonly reopen?: { readonly bytes: number; readonly ms: number };
  /** Hears of upgrades and of what is damaged. Default: nothing is logged. */
  readonly logger?: Logger;
}

/** An open data directory, which no other process has open. */
export interface Environment extends Buckets {
  readonly dir: string;
  /**
   * Closes the data file and opens it again, which unmaps all pages that were read. Nothing may read or write until it
   * resolves. Replaces the buckets. Rejects if the file cannot be opened.
   */
  reopen(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the directory exclusively. Throws StorageError: `unavailable` if it is in use or cannot be read or written, `corrupt`
 * if it is not a store or has a newer format.
 *
 * @param create false throws `unavailable` if there is no store
 */
export async function openEnvironment(options: LmdbOptions, create = true): Promise<Environment> {
  const dir = prepareDirectory(options.path, create);
  try {
    const owner = Ownership.take(dir);
    try {
      const marker = await checkMarker(dir);
      if (marker.format !== storeFormat || marker.upgradingFrom !== undefined) {
        const { upgradeStore } = await import('./upgrade-store.ts');
        await upgradeStore(dir, marker, options.logger ?? silentLogger);
      }
      return openOwned(dir, owner, options.unsafeNoFsync ?? false);
    } catch (error) {
      owner.release();
      throw error;
    }
  } catch (error) {
    if (isStorageError(error)) throw error;
    throw new StorageError('unavailable', `cannot open the store in ${dir}: ${(error as Error).message}`);
  }
}

function openOwned(dir: string, owner: Ownership, unsafeNoFsync: boolean): Environment {
  const [problem] = checkDataFile(join(dir, dataName), entryProblem);
  if (problem !== undefined) throw damagedError(dir, problem);
  const open = (): Buckets => openBuckets(dir, unsafeNoFsync);
  try {
    return new OpenEnvironment(dir, owner, open);
  } catch (error) {
    throw notAStoreError(dir, (error as Error).message);
  }
}

class OpenEnvironment implements Environment {
  readonly dir: string;
  readonly #owner: Ownership;
  #buckets: Buckets;
  readonly #open: () => Buckets;

  constructor(dir: string, owner: Ownership, open: () => Buckets) {
    this.dir = dir;
    this.#owner = owner;
    this.#buckets = open();
    this.#open = open;
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

  async reopen(): Promise<void> {
    await this.#buckets.root.close();
    this.#buckets = this.#open();
  }

  async close(): Promise<void> {
    try {
      await this.#buckets.root.close();
    } finally {
      this.#owner.release();
    }
  }
}
