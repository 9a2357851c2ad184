import type { Clock } from '../machinery/clock.ts';
import { WorkQueue } from './work-queue.ts';

export interface PeriodicSyncOptions {
  readonly clock: Clock;
  /** Milliseconds. */
  readonly interval: number;
  sync(): Promise<void>;
  /** Called with the error of a failed sync, before the retry. */
  report(error: unknown): void;
}

/** Work that runs at the start, at an interval, and on request, never twice at once. */
export class PeriodicSync {
  readonly #options: PeriodicSyncOptions;
  readonly #queue: WorkQueue<'sync'>;
  #closed = false;

  constructor(options: PeriodicSyncOptions) {
    this.#options = options;
    this.#queue = new WorkQueue({
      clock: options.clock,
      concurrency: 1,
      keyOf: (key) => key,
      work: () => options.sync().then(() => options.interval),
      report: (error) => options.report(error),
      paused: true,
    });
  }

  /** Resolves when the work has succeeded once, or has failed and will be retried. */
  async start(): Promise<void> {
    const { sync, report, interval } = this.#options;
    try {
      await sync();
      this.#queue.addAfter('sync', interval);
    } catch (error) {
      if (!this.#closed) report(error);
      this.#queue.add('sync');
    }
    this.#queue.resume();
  }

  /** Requests the work soon. */
  trigger(): void {
    this.#queue.add('sync');
  }

  /** Resolves when no work is in progress. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#queue.close();
  }
}
