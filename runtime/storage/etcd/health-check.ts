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
 * A check that reads from etcd. Etcd is asked once in half the timeout; between, and while it is asked, the check has the
 * last result. (apiserver storagebackend/factory/etcd3.go newETCD3Check)
 *
 * @returns throws the reason if etcd cannot be read
 */
export function etcdCheck({ client, prefix, timeout }: EtcdCheckOptions): () => Promise<void> {
  let lastError: Error | undefined = new Error('etcd client connection not yet established');
  let nextProbe = 0;
  return async () => {
    const now = performance.now();
    if (now < nextProbe) {
      if (lastError === undefined) return;
      throw lastError;
    }
    nextProbe = now + timeout / 2;
    try {
      await client.range({ key: `${prefix}health`, keysOnly: true }, timeout);
      lastError = undefined;
    } catch (error) {
      if (!(error instanceof GRPCError)) throw error;
      lastError = new Error(`error getting data from etcd: ${etcdMessage(error)}`);
      throw lastError;
    }
  };
}
