import type { KeyValue } from './engine.ts';

/** A key of a snapshot. Its value is in the stored form: encrypted if the server encrypts it. */
export interface SnapshotRecord extends KeyValue {
  /** The bytes of a key that is not UTF-8. `key` has lost some of them. */
  readonly rawKey?: Uint8Array | undefined;
  /** The time when the key is deleted unless it is written again, in milliseconds since 1970. Default: never. */
  readonly expires?: number | undefined;
}

/** The engine of the values: LMDB's are JSON, etcd's have kube-apiserver's format. */
export type SnapshotEngine = 'lmdb' | 'etcd';

/** A store at one revision. Later writes do not change it. */
export interface StoreSnapshot {
  readonly engine: SnapshotEngine;
  /** The prefix of all keys, for example `/registry`. */
  readonly root: string;
  readonly revision: number;
  /** The newest unreadable revision. */
  readonly compactedRevision: number;
  /**
   * Yields pages of records whose keys begin with `prefix`, in key order.
   *
   * @throws StorageError `corrupt` for an unreadable record, `unavailable` if the store can no longer be read
   */
  pages(prefix?: string): AsyncGenerator<readonly SnapshotRecord[], void, undefined>;
  close(): Promise<void>;
}
