import type { Clock } from '../../machinery/clock.ts';
import type { Logger } from '../../observe/logger.ts';
import { StorageError } from '../errors.ts';

/** How often writing is tried while the disk is full, in milliseconds. */
const retryMs = 1000;

export interface WritabilityOptions {
  readonly dir: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Whether the data directory is where it was. */
  readonly isInPlace: () => boolean;
  /** Does what failed for lack of space, if anything did. Rejects if there is still none. */
  readonly retry: () => Promise<void>;
}

/**
 * Whether the store takes writes. While the disk is full, or fails for another reason, it takes deletions and tries
 * others once a second. It recovers when one succeeds, or when there is space.
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

  /** Why writes fail now. */
  get failure(): StorageError | undefined {
    return this.#options.isInPlace() ? this.#failure : this.#movedError();
  }

  /** Why this write is not tried. Costs nothing while writes succeed. */
  refusal(type: 'put' | 'delete'): StorageError | undefined {
    if (this.#failure === undefined || type === 'delete') return undefined;
    return this.#options.clock.now() - this.#failedAt < retryMs ? this.#failure : undefined;
  }

  /** Throws `unavailable` if a commit would go to a directory that is no longer there. */
  checkPlace(): void {
    if (!this.#options.isInPlace()) throw this.#movedError();
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
      this.checkPlace();
      await this.#options.retry();
      this.succeeded();
    } catch {
      this.#schedule();
    }
  }

  #movedError(): StorageError {
    const { dir } = this.#options;
    return new StorageError(
      'unavailable',
      `the data directory ${dir} was moved or removed while the server was running: nothing is written until it is back`,
    );
  }
}
