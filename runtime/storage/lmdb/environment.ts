import { existsSync, mkdirSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { open as openFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database, open, type RootDatabase } from 'lmdb';
import { isStorageError, StorageError } from '../errors.ts';
import { makeCompression } from './compression.ts';
import { dataFileProblem } from './data-file.ts';
import { decodeOwner, encodeOwner, isRunning, thisProcess } from './owner.ts';
import { storeFormat } from './records.ts';

export interface LmdbOptions {
  /** The data directory; made where it is absent. */
  readonly path: string;
  /** Leaves it to the operating system when data reaches the disk: a crash of the machine may lose or corrupt it. For tests. */
  readonly unsafeNoFsync?: boolean;
  /** The largest size of the data file, in bytes. Address space, not disk. Default 64 GiB. */
  readonly maxBytes?: number;
  /**
   * The data file is opened again once so many bytes of it are mapped and it was not used for so many milliseconds; in
   * use, once it is sixteen times as many. Pages stay in this process's memory as long as the file is mapped, and most of
   * them are not read a second time: what is served lies in the cache. Default 4 MiB, 500 ms.
   */
  readonly reopen?: { readonly bytes: number; readonly ms: number };
}

export type Table = Database<Buffer, Buffer>;

/** What is in the data file. */
interface Tables {
  readonly root: RootDatabase<Buffer, Buffer>;
  readonly meta: Table;
  readonly keys: Table;
  readonly history: Table;
  readonly log: Table;
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

/** Says in plain text what the directory is, so that it can be told before LMDB maps the file. */
const markerName = 'store.json';
const storeKind = 'kubeloom-lmdb';
const dataName = 'data.mdb';
const ownerKey = Buffer.from('owner');

/** Directories this process has open: LMDB would hand out the same environment a second time. */
const openHere = new Set<string>();

/**
 * Opens the directory for this process alone. Throws StorageError: `unavailable` where it is in use or cannot be
 * read or written, `corrupt` where it is not a store, or one of a newer format.
 *
 * @param create false: `unavailable` where there is no store yet
 */
export async function openEnvironment(options: LmdbOptions, create = true): Promise<Environment> {
  const dir = prepare(options.path, create);
  if (openHere.has(dir)) throw inUse(dir, process.pid);
  openHere.add(dir);
  try {
    await checkMarker(dir);
    return openTables(dir, options);
  } catch (error) {
    openHere.delete(dir);
    if (isStorageError(error)) throw error;
    throw new StorageError('unavailable', `cannot open the store in ${dir}: ${(error as Error).message}`);
  }
}

/** Throws `unavailable` where the directory holds no store. */
export function requireStore(dir: string): void {
  if (!existsSync(join(dir, dataName))) throw new StorageError('unavailable', `there is no store in ${dir}`);
}

/** The size of the data file. */
export function storeBytes(dir: string): number {
  return existsSync(join(dir, dataName)) ? statSync(join(dir, dataName)).size : 0;
}

/** Replaces the data file by a copy without the free pages between: LMDB itself never makes it smaller. */
export async function copyCompacted(path: string): Promise<void> {
  const environment = await openEnvironment({ path }, false);
  const { dir, root } = environment;
  const copy = join(dir, 'compacting');
  try {
    rmSync(copy, { recursive: true, force: true });
    mkdirSync(copy);
    await root.backup(copy, true);
    await disown(copy);
    // Under its name is a whole store at every moment.
    renameSync(join(copy, dataName), join(dir, dataName));
    await syncFolder(dir);
  } finally {
    await environment.close();
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Takes the owner out of a copied store; the commit syncs the file. */
async function disown(dir: string): Promise<void> {
  const root = openRoot(dir, {});
  try {
    await openTable(root, 'meta').remove(ownerKey);
  } finally {
    await root.close();
  }
}

function prepare(dir: string, create: boolean): string {
  try {
    if (!create) requireStore(dir);
    mkdirSync(dir, { recursive: true });
    return realpathSync(dir);
  } catch (error) {
    if (isStorageError(error)) throw error;
    throw new StorageError('unavailable', `cannot use ${dir} as data directory: ${(error as Error).message}`);
  }
}

/** Written before the data file, so that data without it is somebody else's. */
async function checkMarker(dir: string): Promise<void> {
  let text: string;
  try {
    text = await readFile(join(dir, markerName), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    if (existsSync(join(dir, dataName))) throw notAStore(dir, `${dataName} without ${markerName}`);
    return writeMarker(dir);
  }
  const format = markerFormat(text);
  if (format === undefined) throw notAStore(dir, `${markerName} is not readable`);
  if (format > storeFormat) {
    throw new StorageError(
      'corrupt',
      `the store in ${dir} has format ${format}, newer than ${storeFormat}, the newest this version reads`,
    );
  }
}

function markerFormat(text: string): number | undefined {
  try {
    const marker = JSON.parse(text);
    return marker?.store === storeKind && Number.isInteger(marker.format) && marker.format > 0
      ? marker.format
      : undefined;
  } catch {
    return undefined;
  }
}

async function writeMarker(dir: string): Promise<void> {
  const temporary = join(dir, `${markerName}.new`);
  const file = await openFile(temporary, 'w');
  try {
    await file.writeFile(`${JSON.stringify({ store: storeKind, format: storeFormat })}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  renameSync(temporary, join(dir, markerName));
  await syncFolder(dir);
}

/** Makes a rename in it durable. */
async function syncFolder(dir: string): Promise<void> {
  const folder = await openFile(dir, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function openTables(dir: string, options: Omit<LmdbOptions, 'path'>): Environment {
  const problem = dataFileProblem(join(dir, dataName));
  if (problem !== undefined) throw notAStore(dir, `${dataName}: ${problem}`);
  let tables: Tables;
  try {
    tables = tablesOf(dir, options);
  } catch (error) {
    throw notAStore(dir, (error as Error).message);
  }
  try {
    takeOwnership(dir, tables.root, tables.meta);
    return new OpenEnvironment(dir, tables, () => tablesOf(dir, options));
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

function tablesOf(dir: string, options: Omit<LmdbOptions, 'path'>): Tables {
  const root = openRoot(dir, options);
  try {
    return {
      root,
      meta: openTable(root, 'meta'),
      keys: openTable(root, 'keys'),
      history: openTable(root, 'history'),
      log: openLog(root),
    };
  } catch (error) {
    void root.close().catch(() => undefined);
    throw error;
  }
}

function openRoot(
  dir: string,
  { unsafeNoFsync = false, maxBytes = 64 * 2 ** 30 }: Omit<LmdbOptions, 'path'>,
): RootDatabase<Buffer, Buffer> {
  return open<Buffer, Buffer>(dir, {
    noSubdir: false,
    mapSize: maxBytes,
    keyEncoding: 'binary',
    encoding: 'binary',
    // A commit is durable before it is visible; it is what the tests of durability were made with.
    overlappingSync: false,
    noSync: unsafeNoFsync,
    maxDbs: 8,
  });
}

/**
 * Values are compressed, by other threads: Kubernetes objects shrink to a quarter and fit in a page beside
 * others, so that the file, the writes and what of it lies in memory shrink as much. (50,000 pods of 2.2 KB: 26 MB
 * instead of 210, for 10 us of processor time a write)
 */
function openLog(root: RootDatabase<Buffer, Buffer>): Table {
  return root.openDB('log', { keyEncoding: 'binary', encoding: 'binary', compression: makeCompression() }) as Table;
}

function openTable(root: RootDatabase<Buffer, Buffer>, name: string): Table {
  return root.openDB(name, { keyEncoding: 'binary', encoding: 'binary' }) as Table;
}

/** LMDB's write lock, which a killed process gives up, makes looking and taking one step. */
function takeOwnership(dir: string, root: RootDatabase<Buffer, Buffer>, meta: Table): void {
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

function notAStore(dir: string, why: string): StorageError {
  return new StorageError('corrupt', `${dir} does not hold a readable store: ${why}`);
}
