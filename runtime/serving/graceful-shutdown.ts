import type { RequestWaitGroup } from '../http/request-wait-group.ts';
import type { Clock } from '../machinery/clock.ts';
import type { Logger } from '../machinery/logger.ts';
import type { Listener } from './listen.ts';

export interface GracefulShutdownOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly waitGroup: RequestWaitGroup;
  /** Milliseconds between the failure of /readyz and the refusal of new connections. (--shutdown-delay-duration) */
  readonly shutdownDelay: number;
  /** Milliseconds for running requests to finish. */
  readonly drainTimeout: number;
  /**
   * Keeps the port open while requests finish; new requests get a 429 with Retry-After. (--shutdown-send-retry-after)
   */
  readonly sendRetryAfter?: boolean;
}

/**
 * The shutdown of a server:
 *
 *     serving -> not ready -> (shutdownDelay) -> draining -> (drainTimeout) -> closed
 *
 * Not ready: /readyz fails, requests are still served, and the server withdraws its endpoints and lease. Draining: no
 * new connections, or with `sendRetryAfter` no new requests; watches end, other requests may finish. Closed: remaining
 * requests are aborted, then the shutdown hooks run in reverse order.
 */
export class GracefulShutdown {
  readonly #options: GracefulShutdownOptions;
  readonly #preShutdownHooks: (() => Promise<void> | void)[] = [];
  readonly #hooks: (() => Promise<void> | void)[] = [];
  #listener: Listener | undefined;
  #closed: Promise<void> | undefined;
  #isDraining = false;
  #isAborted = false;
  #abort: () => void = () => undefined;
  /** Resolves when the shutdown must not wait any longer. */
  readonly #aborted = new Promise<void>((resolve) => {
    this.#abort = resolve;
  });

  constructor(options: GracefulShutdownOptions) {
    this.#options = options;
  }

  get isShuttingDown(): boolean {
    return this.#closed !== undefined;
  }

  /** True once the shutdown waits for running requests. (NotAcceptingNewRequest) */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Sets the listener to drain and close. */
  setListener(listener: Listener): void {
    this.#listener = listener;
  }

  /** Adds a hook. These hooks run first, concurrently, while requests are still served. */
  addPreShutdownHook(hook: () => Promise<void> | void): void {
    this.#preShutdownHooks.push(hook);
  }

  /** Adds a hook. These hooks run last, in reverse order. */
  addShutdownHook(hook: () => Promise<void> | void): void {
    this.#hooks.push(hook);
  }

  /** Resolves when everything is closed. All calls return the same promise. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  /** Closes without waiting, even during a shutdown, because the work it waits for can no longer succeed. */
  abort(): Promise<void> {
    this.#isAborted = true;
    this.#abort();
    return this.close();
  }

  async #close(): Promise<void> {
    await this.#withdraw();
    await this.#drain();
    await this.#listener?.close();
    await this.#runHooks();
  }

  async #withdraw(): Promise<void> {
    if (this.#isAborted) return;
    const { clock, shutdownDelay } = this.#options;
    const withdrawn = Promise.all(this.#preShutdownHooks.map((hook) => this.#runHook(hook)));
    const delayed = shutdownDelay > 0 ? sleep(clock, shutdownDelay) : undefined;
    await Promise.race([Promise.all([withdrawn, delayed]), this.#aborted]);
  }

  async #drain(): Promise<void> {
    const { clock, logger, waitGroup, drainTimeout, sendRetryAfter } = this.#options;
    this.#isDraining = true;
    if (!sendRetryAfter) this.#listener?.drain();
    waitGroup.stop(new Error('the server is shutting down'));
    let cancel = (): void => {};
    const expired = new Promise<boolean>((resolve) => {
      cancel = clock.after(drainTimeout, () => resolve(true));
    });
    const aborted = this.#aborted.then(() => false);
    if (await Promise.race([waitGroup.wait().then(() => false), expired, aborted])) {
      logger.warn({ requests: waitGroup.size }, 'the shutdown aborted requests');
    }
    cancel();
  }

  async #runHooks(): Promise<void> {
    for (const hook of this.#hooks.reverse()) await this.#runHook(hook);
  }

  async #runHook(hook: () => Promise<void> | void): Promise<void> {
    try {
      await hook();
    } catch (error) {
      this.#options.logger.error({ err: error }, 'a shutdown hook failed');
    }
  }
}

function sleep(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}
