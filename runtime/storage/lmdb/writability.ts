import type { Clock } from '../../machinery/clock.ts';
import type { Logger } from '../../machinery/logger.ts';
import type { StorageError } from '../errors.ts';
import type { PlaceWatch } from './place-watch.ts';

/** Milliseconds between attempts to write while the disk is full. */
const retryMs = 1000;

export interface WritabilityOptions {
  readonly dir: string;
  readonly place: PlaceWatch;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Repeats work that failed for lack of space, if any. Rejects if there is still no space. */
  readonly retry: () => Promise<void>;
}

/**
 * Whether the store takes writes. While writes fail, for example on a full disk, it takes deletions and tries others
 * once a second. It recovers when one succeeds, or there is space.
 */
export class Writability {
  readonly #options: WritabilityOptions;
  #failure: StorageError | undefined;
  #failedAt = 0;
  #cancel: (() => void) | undefined;
  #recovering: Promise<void> | undefined;
  #closed = false;

  constructor(options: WritabilityOptions) {
    this.#options = options;
  }

  /** The reason why writes fail now. */
  get failure(): StorageError | undefined {
    return this.#options.place.failure() ?? this.#failure;
  }

  /** Returns the reason not to try this write. Costs nothing while writes succeed. */
  refusal(type: 'put' | 'delete'): StorageError | undefined {
    if (this.#failure === undefined || type === 'delete') return undefined;
    return this.#options.clock.now() - this.#failedAt < retryMs ? this.#failure : undefined;
  }

  succeeded(): void {
    if (this.#failure === undefined) return;
    this.#failure = undefined;
    this.#options.logger.info({ dir: this.#options.dir }, 'the store can be written again');
  }

  failed(error: StorageError): void {
    if (this.#failure === undefined) this.#options.logger.error({ err: error }, 'the store cannot be written');
    this.#failure = error;
    this.#failedAt = this.#options.clock.now();
    this.#schedule();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancel?.();
    await this.#recovering;
  }

  #schedule(): void {
    if (this.#closed || this.#cancel !== undefined) return;
    this.#cancel = this.#options.clock.after(retryMs, () => {
      this.#cancel = undefined;
      this.#recovering = this.#recover();
    });
  }

  async #recover(): Promise<void> {
    try {
      this.#options.place.check();
      await this.#options.retry();
      this.succeeded();
    } catch {
      this.#schedule();
    }
  }
}
