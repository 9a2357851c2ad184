import type { Engine } from '../../storage/kv/engine.ts';
import type { StoreSnapshot } from '../../storage/kv/snapshot.ts';
import { registryPrefix } from '../../storage/object-store/keys.ts';
import type { StorageCodec } from '../../storage/storage-codec/storage-codec.ts';
import type { StorePlace } from './place.ts';

/** A folder with a store, or the folder for a new one. */
export class LmdbPlace implements StorePlace {
  readonly engine = 'lmdb';
  readonly root = registryPrefix;
  readonly name: string;
  readonly codec: () => Promise<StorageCodec>;

  constructor(dir: string, codec: () => Promise<StorageCodec>) {
    this.name = dir;
    this.codec = codec;
  }

  async snapshot(): Promise<StoreSnapshot> {
    const { openLmdbSnapshot } = await import('../../storage/lmdb/snapshot.ts');
    return openLmdbSnapshot(this.name);
  }

  async lastSnapshot(): Promise<StoreSnapshot> {
    const { openLastLmdbSnapshot } = await import('../../storage/lmdb/snapshot.ts');
    return openLastLmdbSnapshot(this.name);
  }

  async fill<T>(revision: number, fill: (engine: Engine) => Promise<T>): Promise<T> {
    const { makeLmdbStore } = await import('../../storage/lmdb/new-store.ts');
    return makeLmdbStore(this.name, revision, fill);
  }
}
