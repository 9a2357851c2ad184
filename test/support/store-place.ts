import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerOptions } from '../../runtime/index.ts';
import { EtcdCluster, missingEtcd } from './etcd.ts';

export type Storage = NonNullable<ServerOptions['storage']>;

export const storages = ['memory', 'lmdb'] as const;

/** The storages, and etcd if it is installed. */
export const engines: readonly Storage[] = missingEtcd === undefined ? [...storages, 'etcd'] : storages;

/** The storage of a test's server. */
export interface StorePlace {
  readonly options: ServerOptions;
  /** Removes the stored data. */
  dispose(): Promise<void>;
}

/** An empty store. */
export async function newStorePlace(storage: Storage = 'memory'): Promise<StorePlace> {
  if (storage === 'memory') return { options: { storage }, dispose: async () => undefined };
  if (storage === 'etcd') {
    const cluster = await EtcdCluster.start();
    return { options: { storage, etcdServers: cluster.endpoints }, dispose: () => cluster.stop() };
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'kubeloom-store-'));
  const dispose = () => rm(dataDir, { recursive: true, force: true });
  return { options: { storage, dataDir, unsafeNoFsync: true }, dispose };
}
