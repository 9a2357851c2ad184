import type { Clock } from '../../machinery/clock.ts';
import type { Logger } from '../../machinery/logger.ts';
import { GRPCError } from '../grpc/grpc-status.ts';
import { isCompacted } from './errors.ts';
import type { EtcdClient } from './etcd-client.ts';

/** The key with the last compacted revision. All API servers of the store use it. */
export const compactRevKey = 'compact_rev_key';

export interface CompactorOptions {
  readonly client: EtcdClient;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Milliseconds between two attempts. */
  readonly interval: number;
  readonly onCompacted: (revision: number) => void;
}

/**
 * Compacts the history before the revision of the last interval, unless another API server has. The version of
 * compactRevKey counts compactions: only the server that increments it compacts. History stays readable for one to two
 * intervals. (apiserver etcd3/compact.go)
 */
export class Compactor {
  readonly #options: CompactorOptions;
  /** The last known version of the key. */
  #compactTime = 0;
  /** The newest revision at that time; 0 before the first attempt. */
  #revision = 0;
  #cancel: () => void;
  #running: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: CompactorOptions) {
    this.#options = options;
    this.#cancel = this.#schedule();
  }

  /** Waits for an attempt in progress. */
  close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel();
    return this.#running;
  }

  #schedule(): () => void {
    const { clock, interval } = this.#options;
    return clock.after(interval, () => {
      this.#running = this.#attempt().then(() => {
        if (!this.#isClosed) this.#cancel = this.#schedule();
      });
    });
  }

  async #attempt(): Promise<void> {
    try {
      await this.#compact();
    } catch (error) {
      if (!(error instanceof GRPCError)) throw error;
      this.#options.logger.error({ reason: error.description }, 'etcd: compact failed');
    }
  }

  async #compact(): Promise<void> {
    const { client, onCompacted } = this.#options;
    const previous = this.#revision;
    const response = await client.txn({
      compare: [{ key: compactRevKey, target: 'version', to: this.#compactTime }],
      success: [{ put: { key: compactRevKey, value: Buffer.from(String(previous)) } }],
      failure: [{ range: { key: compactRevKey } }],
    });
    this.#revision = response.revision;
    if (!response.succeeded) {
      this.#compactTime = response.kvs[0]?.version ?? 0;
      return;
    }
    this.#compactTime += 1;
    if (previous === 0) return;
    await client.compact(previous).catch((error) => {
      if (!isCompacted(error)) throw error;
    });
    onCompacted(previous);
  }
}
