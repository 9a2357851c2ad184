import type { KeyValue } from './engine.ts';

/** A key of a snapshot. Its value is as it lies in the store: encrypted, if the server encrypts it. */
export interface SnapshotRecord extends KeyValue {
  /** The bytes of a key that is not UTF-8, which `key` does not have all. */
  readonly rawKey?: Uint8Array | undefined;
  /** When the key is deleted unless it is written again, in milliseconds since 1970. Default: never. */
  readonly expires?: number | undefined;
}

/** Who keeps the values: in LMDB they are JSON, in etcd what kube-apiserver has there. */
export type SnapshotEngine = 'lmdb' | 'etcd';

/** A store at one revision, whatever a server writes to it meanwhile. */
export interface StoreSnapshot {
  readonly engine: SnapshotEngine;
  /** What all keys begin with, as `/registry`. */
  readonly root: string;
  readonly revision: number;
  /** The newest revision that could no longer be read. */
  readonly compactedRevision: number;
  /**
   * The records whose keys begin with `prefix`, in the order of their keys, some at a time. Throws StorageError: `corrupt` for
   * an unreadable record, `unavailable` if the store can no longer be read.
   */
  pages(prefix?: string): AsyncGenerator<readonly SnapshotRecord[], void, undefined>;
  close(): Promise<void>;
}
