import { join } from 'node:path';
import type { RootDatabase } from 'lmdb';
import { isStorageError, StorageError } from '../errors.ts';
import { type Bucket, type Buckets, openBuckets } from './buckets.ts';
import { dataFileError } from './data-file.ts';
import { decodeOwner, encodeOwner, isRunning, ownerKey, thisProcess } from './owner.ts';
import { checkMarker, dataName, notAStoreError, prepareDirectory } from './store-directory.ts';

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

/** The directories that this process has open: LMDB would return the same environment a second time. */
const openHere = new Set<string>();

/**
 * Opens the directory exclusively. Throws StorageError: `unavailable` if it is in use or cannot be read or written, `corrupt`
 * if it is not a store or has a newer format.
 *
 * @param create false throws `unavailable` if there is no store
 */
export async function openEnvironment(options: LmdbOptions, create = true): Promise<Environment> {
  const dir = prepareDirectory(options.path, create);
  if (openHere.has(dir)) throw inUse(dir, process.pid);
  openHere.add(dir);
  try {
    await checkMarker(dir);
    return openOwned(dir, options.unsafeNoFsync ?? false);
  } catch (error) {
    openHere.delete(dir);
    if (isStorageError(error)) throw error;
    throw new StorageError('unavailable', `cannot open the store in ${dir}: ${(error as Error).message}`);
  }
}

function openOwned(dir: string, unsafeNoFsync: boolean): Environment {
  const problem = dataFileError(join(dir, dataName));
  if (problem !== undefined) throw notAStoreError(dir, `${dataName}: ${problem}`);
  let buckets: Buckets;
  try {
    buckets = openBuckets(dir, unsafeNoFsync);
  } catch (error) {
    throw notAStoreError(dir, (error as Error).message);
  }
  try {
    takeOwnership(dir, buckets);
    return new OpenEnvironment(dir, buckets, () => openBuckets(dir, unsafeNoFsync));
  } catch (error) {
    void buckets.root.close().catch(() => undefined);
    throw error;
  }
}

class OpenEnvironment implements Environment {
  readonly dir: string;
  #buckets: Buckets;
  readonly #open: () => Buckets;

  constructor(dir: string, buckets: Buckets, open: () => Buckets) {
    this.dir = dir;
    this.#buckets = buckets;
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

  get log(): Bucket {
    return this.#buckets.log;
  }

  async reopen(): Promise<void> {
    await this.#buckets.root.close();
    this.#buckets = this.#open();
  }

  async close(): Promise<void> {
    const { root, meta } = this.#buckets;
    try {
      await meta.remove(ownerKey);
    } finally {
      await root.close();
      openHere.delete(this.dir);
    }
  }
}

/** Checks and sets the owner atomically under LMDB's write lock, which the system releases if a process is killed. */
function takeOwnership(dir: string, { root, meta }: Buckets): void {
  root.transactionSync(() => {
    const bytes = meta.get(ownerKey);
    const owner = bytes === undefined ? undefined : decodeOwner(bytes);
    if (owner !== undefined && isRunning(owner)) {
      // if it is this process, a worker thread or another copy of this module has the store open
      throw inUse(dir, owner.pid);
    }
    meta.putSync(ownerKey, encodeOwner(thisProcess()));
  });
}

function inUse(dir: string, pid: number): StorageError {
  return new StorageError('unavailable', `the store in ${dir} is in use by process ${pid}`);
}
