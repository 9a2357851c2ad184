import type { Database, RootDatabase, Transaction } from 'lmdb';
import { makeCompression } from './compression.ts';
import { open } from './library.ts';
import { makePrivate } from './store-directory.ts';

export type Bucket = Database<Buffer, Buffer> & {
  /** Returns lmdb's own buffer, valid until its next read. The types lack its options. */
  getBinaryFast(id: Buffer, options?: { readonly transaction: Transaction }): Buffer | undefined;
};

/** The largest data file, in bytes. It reserves address space, not disk space. */
const maxBytes = 64 * 2 ** 30;

const rootOptions = {
  noSubdir: false,
  // only for this user; the types lack this option
  permissionsMode: 0o600,
  mapSize: maxBytes,
  keyEncoding: 'binary',
  encoding: 'binary',
  maxDbs: 8,
} as const;

/** The buckets of the data file; see records.ts. */
export interface Buckets {
  /** The root, for transactions over all buckets. */
  readonly root: RootDatabase<Buffer, Buffer>;
  readonly meta: Bucket;
  readonly keys: Bucket;
  readonly history: Bucket;
  readonly expiry: Bucket;
  readonly log: Bucket;
  /** The log in its stored form, for reading only. */
  readonly compressedLog: Bucket;
}

/** The names of the buckets in the data file. */
export const bucketNames = ['meta', 'keys', 'history', 'expiry', 'log'] as const;
export type BucketName = (typeof bucketNames)[number];

/** Opens the data file of a directory, or creates it. `unsafeNoFsync` is the option of LmdbOptions. */
export function openBuckets(dir: string, unsafeNoFsync: boolean): Buckets {
  return bucketsOf(openRoot(dir, unsafeNoFsync));
}

/** Opens the data file for reading only, whether or not another process has it open. */
export function openBucketsForReading(dir: string): Buckets {
  return bucketsOf(open<Buffer, Buffer>(dir, { ...rootOptions, readOnly: true }));
}

function bucketsOf(root: RootDatabase<Buffer, Buffer>): Buckets {
  try {
    return {
      root,
      meta: openBucket(root, 'meta'),
      keys: openBucket(root, 'keys'),
      history: openBucket(root, 'history'),
      expiry: openBucket(root, 'expiry'),
      log: openLog(root),
      compressedLog: openBucket(root, 'log'),
    };
  } catch (error) {
    void root.close().catch(() => undefined);
    throw error;
  }
}

export function openRoot(dir: string, unsafeNoFsync: boolean): RootDatabase<Buffer, Buffer> {
  makePrivate(dir);
  return open<Buffer, Buffer>(dir, {
    ...rootOptions,
    // a commit is durable before it is visible; test/durability relies on this
    overlappingSync: false,
    noSync: unsafeNoFsync,
  });
}

/**
 * Opens the log, whose values other threads compress. Kubernetes objects shrink to a quarter, and several fit in a
 * page. The file, writes and mapped memory shrink as much. (50,000 pods of 2.2 KB: 26 MB instead of 210, for 10 us of
 * CPU time a write)
 */
export function openLog(root: RootDatabase<Buffer, Buffer>): Bucket {
  return root.openDB('log', { keyEncoding: 'binary', encoding: 'binary', compression: makeCompression() }) as Bucket;
}

/** Opens a bucket with uncompressed values. */
export function openBucket(root: RootDatabase<Buffer, Buffer>, name: BucketName): Bucket {
  return root.openDB(name, { keyEncoding: 'binary', encoding: 'binary' }) as Bucket;
}
