import { type Database, open, type RootDatabase } from 'lmdb';
import { makeCompression } from './compression.ts';
import { keepPrivate } from './store-directory.ts';

export type Table = Database<Buffer, Buffer>;

/** The largest size of the data file, in bytes. Address space, not disk. */
const maxBytes = 64 * 2 ** 30;

/** What is in the data file: records.ts draws it. */
export interface Tables {
  /** For transactions over all of them. */
  readonly root: RootDatabase<Buffer, Buffer>;
  readonly meta: Table;
  readonly keys: Table;
  readonly history: Table;
  readonly log: Table;
}

/** Opens the data file of a directory, or makes it. `unsafeNoFsync` is that of LmdbOptions. */
export function openTables(dir: string, unsafeNoFsync: boolean): Tables {
  const root = openRoot(dir, unsafeNoFsync);
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

export function openRoot(dir: string, unsafeNoFsync: boolean): RootDatabase<Buffer, Buffer> {
  keepPrivate(dir);
  return open<Buffer, Buffer>(dir, {
    noSubdir: false,
    // for this user alone; the types leave it out
    ...{ permissionsMode: 0o600 },
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

export function openTable(root: RootDatabase<Buffer, Buffer>, name: string): Table {
  return root.openDB(name, { keyEncoding: 'binary', encoding: 'binary' }) as Table;
}
