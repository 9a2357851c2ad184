import { type Database, open, type RootDatabase } from 'lmdb';
import { makeCompression } from './compression.ts';
import { keepPrivate } from './store-directory.ts';

export type Table = Database<Buffer, Buffer>;

/** The largest size of the data file, in bytes. Takes address space, not disk. */
const maxBytes = 64 * 2 ** 30;

/** The tables of the data file; see records.ts. */
export interface Tables {
  /** For transactions over all of them. */
  readonly root: RootDatabase<Buffer, Buffer>;
  readonly meta: Table;
  readonly keys: Table;
  readonly history: Table;
  readonly log: Table;
}

/** Opens the data file of a directory, or creates it. `unsafeNoFsync` is that of LmdbOptions. */
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
    // only for this user; missing in the types
    ...{ permissionsMode: 0o600 },
    mapSize: maxBytes,
    keyEncoding: 'binary',
    encoding: 'binary',
    // a commit is durable before it is visible; test/durability relies on this
    overlappingSync: false,
    noSync: unsafeNoFsync,
    maxDbs: 8,
  });
}

/**
 * Values are compressed, on other threads. Kubernetes objects shrink to a quarter, and several fit in a page, so the file, the
 * writes and the mapped memory shrink as much. (50,000 pods of 2.2 KB: 26 MB instead of 210, for 10 us of CPU time a write)
 */
function openLog(root: RootDatabase<Buffer, Buffer>): Table {
  return root.openDB('log', { keyEncoding: 'binary', encoding: 'binary', compression: makeCompression() }) as Table;
}

export function openTable(root: RootDatabase<Buffer, Buffer>, name: string): Table {
  return root.openDB(name, { keyEncoding: 'binary', encoding: 'binary' }) as Table;
}
