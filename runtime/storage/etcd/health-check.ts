import { GRPCError } from '../grpc/grpc-status.ts';
import { etcdMessage } from './errors.ts';
import type { EtcdClient } from './etcd-client.ts';

export interface EtcdCheckOptions {
  readonly client: EtcdClient;
  /** Of the keys of the server. */
  readonly prefix: string;
  /** Milliseconds. */
  readonly timeout: number;
}

/**
 * A check that reads from etcd. Etcd is asked once in half the timeout; between, the check has the last result, and while it
 * is asked, all wait for it. (apiserver storagebackend/factory/etcd3.go newETCD3Check, which does not wait)
 *
 * @returns rejects with the reason if etcd cannot be read
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
