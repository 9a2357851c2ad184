/** Where a server keeps its objects. */
export interface StorageOptions {
  /** Default: memory. */
  readonly storage?: 'memory' | 'lmdb';
  /** The folder of the LMDB store. It is created if it does not exist. Default: `data`. */
  readonly dataDir?: string;
  /** The path of an EncryptionConfiguration, which says how objects are encrypted in the store. Default: they are not. */
  readonly encryptionProviderConfig?: string;
  /** Read that file again when it changes. Default: false. */
  readonly encryptionProviderConfigAutomaticReload?: boolean;
  /**
   * What built-in kinds are in etcd: application/json, application/yaml, or application/vnd.kubernetes.protobuf, which is the
   * default. The other engines ignore it, they have JSON.
   */
  readonly storageMediaType?: string;
  /** LMDB without fsync: a crash may lose the last writes. Default: false. */
  readonly unsafeNoFsync?: boolean;
  /** Milliseconds for which history stays readable, for watches and continue tokens. Default: five minutes. */
  readonly compactionWindow?: number;
}
