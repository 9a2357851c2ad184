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
  /** The prefix of all keys of the store, for example `/registry`. */
  readonly root: string;
  readonly clock?: Clock;
  /** Called with reached revisions, if many must be written before the first one of the store. */
  readonly onRevision: (reached: number) => void;
}

/**
 * Creates a store in a part of etcd that has no keys. Its revisions are after `revision`. Keys of a failed or killed
 * call stay, because a server that uses the same prefix by mistake may have written some of them.
 *
 * @param fill writes the content
 * @throws StorageError `unavailable` if there are keys, or etcd cannot be reached
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
  // "0" is the character after the slash
  const request = { key: `${root}/`, rangeEnd: `${root}0`, limit: 1, keysOnly: true };
  const { kvs } = await client.range(request).catch((error: unknown) => {
    throw cannotOpen(error);
  });
  const [found] = kvs;
  if (found) throw new StorageError('unavailable', `cannot make a store in etcd below ${root}, where ${found.key} is already`);
}
