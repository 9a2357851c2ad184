/** Where a server keeps its objects. */
export interface StorageOptions {
  /** Default: memory. */
  readonly storage?: 'memory' | 'lmdb';
  /** The folder of the LMDB store. It is created if it does not exist. Default: `data`. */
  readonly dataDir?: string;
  /** LMDB without fsync: a crash may lose the last writes. Default: false. */
  readonly unsafeNoFsync?: boolean;
  /** Milliseconds for which history stays readable, for watches and continue tokens. Default: five minutes. */
  readonly compactionWindow?: number;
}
