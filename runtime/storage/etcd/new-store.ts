import { type Clock, systemClock } from '../../machinery/clock.ts';
import { silentLogger } from '../../machinery/logger.ts';
import { StorageError } from '../errors.ts';
import type { Engine } from '../kv/engine.ts';
import { cannotOpen } from './errors.ts';
import type { EtcdClient } from './etcd-client.ts';
import { openEtcdEngine } from './etcd-engine.ts';
import { raiseRevision } from './raise-revision.ts';

export interface NewStoreOptions {
  readonly newClient: () => EtcdClient;
  /** What all keys of the store begin with, as `/registry`. */
  readonly root: string;
  readonly clock?: Clock;
  /** Hears of the revisions that are written on the way to the first of the store, if there are many. */
  readonly onRevision: (reached: number) => void;
}

/**
 * Makes a store of a part of etcd that has no keys. Its revisions are after `revision`. What a failed or killed call has
 * written stays: a server that uses the same keys by mistake may have written, too. Throws StorageError: `unavailable` if there
 * are keys, or etcd cannot be reached.
 *
 * @param fill writes the content
 */
export async function makeEtcdStore<T>(
  { newClient, root, clock = systemClock, onRevision }: NewStoreOptions,
  revision: number,
  fill: (engine: Engine) => Promise<T>,
): Promise<T> {
  const client = newClient();
  try {
    await requireEmpty(client, root);
    await raiseRevision(client, revision, onRevision);
  } finally {
    client.close();
  }
  const parts = { client: newClient(), clock, logger: silentLogger };
  const engine = await openEtcdEngine({ ...parts, prefix: `${root}/`, compactionInterval: 0 });
  try {
    return await fill(engine);
  } finally {
    await engine.close();
  }
}

async function requireEmpty(client: EtcdClient, root: string): Promise<void> {
  // after the slash is a zero
  const request = { key: `${root}/`, rangeEnd: `${root}0`, limit: 1, keysOnly: true };
  const { kvs } = await client.range(request).catch((error: unknown) => {
    throw cannotOpen(error);
  });
  const [found] = kvs;
  if (found) throw new StorageError('unavailable', `cannot make a store in etcd below ${root}, where ${found.key} is already`);
}
