/** The etcd in which a server keeps its objects. (kube-apiserver: pkg/server/options/etcd.go) */
export interface EtcdOptions {
  /** URLs of the members of one cluster, as `https://10.0.0.1:2379`. */
  readonly etcdServers?: readonly string[] | undefined;
  /** Built-in resources that are in other clusters, as `/events#http://10.0.0.2:2379;http://10.0.0.3:2379`. */
  readonly etcdServersOverrides?: readonly string[] | undefined;
  /** What all keys begin with. Default: `/registry`. */
  readonly etcdPrefix?: string | undefined;
  /** A file with the certificates that etcd is trusted by. Default: those of the system. */
  readonly etcdCafile?: string | undefined;
  /** The certificate by which etcd knows this server. It is read for every connection. Default: none. */
  readonly etcdCertfile?: string | undefined;
  /** Its key. */
  readonly etcdKeyfile?: string | undefined;
  /** Milliseconds between two compactions; 0 for none by this server. Default: five minutes. */
  readonly etcdCompactionInterval?: number | undefined;
  /** 0 for no metrics of the number of objects, which are otherwise counted when they are asked for. Default: a minute. */
  readonly etcdCountMetricPollPeriod?: number | undefined;
  /** Without effect: the metric that it is for has been hidden since 1.28. Default: 30 seconds. */
  readonly etcdDbMetricPollInterval?: number | undefined;
  /** Milliseconds for the check `etcd`. Default: 2,000. */
  readonly etcdHealthcheckTimeout?: number | undefined;
  /** Milliseconds for the check `etcd-readiness`. Default: 2,000. */
  readonly etcdReadycheckTimeout?: number | undefined;
  /** Seconds for which a lease is used for new objects that expire. Default: 60. */
  readonly leaseReuseDurationSeconds?: number | undefined;
}

/** Where a server keeps its objects. */
export interface StorageOptions extends EtcdOptions {
  /** Default: etcd if there are servers of it, otherwise memory. */
  readonly storage?: 'memory' | 'lmdb' | 'etcd' | undefined;
  /** The folder of the LMDB store. It is created if it does not exist. Default: `data`. */
  readonly dataDir?: string | undefined;
  /** The path of an EncryptionConfiguration, which says how objects are encrypted in the store. Default: they are not. */
  readonly encryptionProviderConfig?: string | undefined;
  /** Read that file again when it changes. Default: false. */
  readonly encryptionProviderConfigAutomaticReload?: boolean | undefined;
  /**
   * What built-in kinds are in etcd: application/json, application/yaml, or application/vnd.kubernetes.protobuf, which is the
   * default. The other engines ignore it, they have JSON.
   */
  readonly storageMediaType?: string | undefined;
  /** LMDB without fsync: a crash may lose the last writes. Default: false. */
  readonly unsafeNoFsync?: boolean | undefined;
  /** Milliseconds after which an Event that is not written again is deleted. Default: an hour. */
  readonly eventTTL?: number | undefined;
  /** Milliseconds for which history stays readable, for watches and continue tokens. Default: five minutes. */
  readonly compactionWindow?: number | undefined;
  /**
   * `all`: the server compacts nothing by itself. Every revision can be listed and watched, and a get, too, may have
   * resourceVersionMatch=Exact. All changes are in memory. Default: `window`, which is `compactionWindow`.
   */
  readonly history?: 'window' | 'all' | undefined;
}
