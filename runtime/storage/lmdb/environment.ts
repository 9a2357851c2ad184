import { join } from 'node:path';
import type { RootDatabase } from 'lmdb';
import { isStorageError, StorageError } from '../errors.ts';
import { dataFileProblem } from './data-file.ts';
import { decodeOwner, encodeOwner, isRunning, ownerKey, thisProcess } from './owner.ts';
import { checkMarker, dataName, notAStore, prepareDirectory } from './store-directory.ts';
import { openTables, type Table, type Tables } from './tables.ts';

export interface LmdbOptions {
  /** The data directory; made where it is absent. */
  readonly path: string;
  /** Leaves it to the operating system when data reaches the disk: a crash of the machine may lose or corrupt it. For tests. */
  readonly unsafeNoFsync?: boolean;
  /**
   * The data file is opened again once so many bytes of it are mapped and it was not used for so many milliseconds; in
   * use, once it is sixteen times as many. Pages stay in this process's memory as long as the file is mapped, and most of
   * them are not read a second time: what is served lies in the cache. Default 4 MiB, 500 ms.
   */
  readonly reopen?: { readonly bytes: number; readonly ms: number };
}

/** An open data directory that nobody else has open. */
export interface Environment extends Tables {
  readonly dir: string;
  /**
   * Closes the data file and opens it again, so that what was read of it lies in this process's memory no more. Nobody
   * may read or write until it is done. The tables are others then. Rejects where the file cannot be opened any more.
   */
  reopen(): Promise<void>;
  close(): Promise<void>;
}

/** Directories this process has open: LMDB would hand out the same environment a second time. */
const openHere = new Set<string>();

/**
 * Opens the directory for this process alone. Throws StorageError: `unavailable` where it is in use or cannot be
 * read or written, `corrupt` where it is not a store, or one of a newer format.
 *
 * @param create false: `unavailable` where there is no store yet
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
  const problem = dataFileProblem(join(dir, dataName));
  if (problem !== undefined) throw notAStore(dir, `${dataName}: ${problem}`);
  let tables: Tables;
  try {
    tables = openTables(dir, unsafeNoFsync);
  } catch (error) {
    throw notAStore(dir, (error as Error).message);
  }
  try {
    takeOwnership(dir, tables);
    return new OpenEnvironment(dir, tables, () => openTables(dir, unsafeNoFsync));
  } catch (error) {
    void tables.root.close().catch(() => undefined);
    throw error;
  }
}

class OpenEnvironment implements Environment {
  readonly dir: string;
  #tables: Tables;
  readonly #open: () => Tables;

  constructor(dir: string, tables: Tables, open: () => Tables) {
    this.dir = dir;
    this.#tables = tables;
    this.#open = open;
  }

  get root(): RootDatabase<Buffer, Buffer> {
    return this.#tables.root;
  }

  get meta(): Table {
    return this.#tables.meta;
  }

  get keys(): Table {
    return this.#tables.keys;
  }

  get history(): Table {
    return this.#tables.history;
  }

  get log(): Table {
    return this.#tables.log;
  }

  async reopen(): Promise<void> {
    await this.#tables.root.close();
    this.#tables = this.#open();
  }

  async close(): Promise<void> {
    const { root, meta } = this.#tables;
    try {
      await meta.remove(ownerKey);
    } finally {
      await root.close();
      openHere.delete(this.dir);
    }
  }
}

/** LMDB's write lock, which a killed process gives up, makes looking and taking one step. */
function takeOwnership(dir: string, { root, meta }: Tables): void {
  root.transactionSync(() => {
    const bytes = meta.get(ownerKey);
    const owner = bytes === undefined ? undefined : decodeOwner(bytes);
    if (owner !== undefined && isRunning(owner)) {
      // This process has it open only if openHere says so: what is left is of a worker or a copy of this module.
      throw inUse(dir, owner.pid);
    }
    meta.putSync(ownerKey, encodeOwner(thisProcess()));
  });
}

function inUse(dir: string, pid: number): StorageError {
  return new StorageError('unavailable', `the store in ${dir} is in use by process ${pid}`);
}
