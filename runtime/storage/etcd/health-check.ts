import { GRPCError } from '../grpc/grpc-status.ts';
import { etcdMessage } from './errors.ts';
import type { EtcdClient } from './etcd-client.ts';

export interface EtcdCheckOptions {
  readonly client: EtcdClient;
  /** The prefix of the server's keys. */
  readonly prefix: string;
  /** Milliseconds. */
  readonly timeout: number;
}

/**
 * Returns a check that reads from etcd. It reads at most once in half the timeout, and repeats the last result in
 * between. Concurrent checks share a read. (apiserver storagebackend/factory/etcd3.go newETCD3Check, which does not
 * wait)
 *
 * @returns a function that rejects with the reason if etcd cannot be read
 */
export function etcdCheck({ client, prefix, timeout }: EtcdCheckOptions): () => Promise<void> {
  let last: Promise<void> | undefined;
  let nextProbe = 0;
  return () => {
    const now = performance.now();
    if (last === undefined || now >= nextProbe) {
      nextProbe = now + timeout / 2;
      last = probe({ client, prefix, timeout });
    }
    return last;
  };
}

async function probe({ client, prefix, timeout }: EtcdCheckOptions): Promise<void> {
  try {
    await client.range({ key: `${prefix}health`, keysOnly: true }, timeout);
  } catch (error) {
    if (!(error instanceof GRPCError)) throw error;
    throw new Error(`error getting data from etcd: ${etcdMessage(error)}`);
  }
}
