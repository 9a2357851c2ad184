import type { ServerOptions } from '../../options/server-options.ts';
import type { EtcdClient } from '../../storage/etcd/etcd-client.ts';
import type { Engine } from '../../storage/kv/engine.ts';
import type { StoreSnapshot } from '../../storage/kv/snapshot.ts';
import type { StorageCodec } from '../../storage/storage-codec/storage-codec.ts';
import type { StorePlace } from './place.ts';

/** The keys of etcd below a prefix. */
export class EtcdPlace implements StorePlace {
  readonly engine = 'etcd';
  readonly root: string;
  readonly name: string;
  readonly codec: () => Promise<StorageCodec>;
  readonly newClient: () => EtcdClient;

  private constructor(root: string, newClient: () => EtcdClient, codec: () => Promise<StorageCodec>) {
    this.root = root;
    this.name = `etcd below ${root}`;
    this.codec = codec;
    this.newClient = newClient;
  }

  /** Throws OptionError for invalid options. */
  static async of(options: ServerOptions, codec: () => Promise<StorageCodec>): Promise<EtcdPlace> {
    const { etcdRoot, newEtcdClient } = await import('../../server/storage/etcd.ts');
    return new EtcdPlace(etcdRoot(options), () => newEtcdClient(options), codec);
  }

  async snapshot(): Promise<StoreSnapshot> {
    const { openEtcdSnapshot } = await import('../../storage/etcd/etcd-snapshot.ts');
    return openEtcdSnapshot({ client: this.newClient(), root: this.root, now: Date.now });
  }

  /** Returns an ordinary snapshot: nothing prevents servers from writing to etcd. */
  lastSnapshot(): Promise<StoreSnapshot> {
    return this.snapshot();
  }

  async fill<T>(revision: number, fill: (engine: Engine) => Promise<T>, onRevision: (reached: number) => void): Promise<T> {
    const { makeEtcdStore } = await import('../../storage/etcd/new-store.ts');
    const { newClient, root } = this;
    return makeEtcdStore({ newClient, root, onRevision }, revision, fill);
  }
}
