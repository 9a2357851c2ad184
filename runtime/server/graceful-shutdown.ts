import type { RequestWaitGroup } from '../http/request-wait-group.ts';
import type { Clock } from '../machinery/clock.ts';
import type { Logger } from '../observe/logger.ts';
import type { Listener } from './listen.ts';

export interface GracefulShutdownOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly active: RequestWaitGroup;
  /** Milliseconds between /readyz saying no and the port being closed to new connections. (--shutdown-delay-duration) */
  readonly shutdownDelay: number;
  /** Milliseconds that running requests get to finish. */
  readonly drainTimeout: number;
}

/**
 * How a server ends:
 *
 *     serving -> not ready -> (shutdownDelay) -> draining -> (drainTimeout) -> closed
 *
 * Not ready: /readyz fails, everything is answered. Draining: no new connections; watches are ended in order, other
 * requests finish. Closed: what is left is cut, then the owners of everything else are closed, last opened first.
 */
export class GracefulShutdown {
  readonly #options: GracefulShutdownOptions;
  readonly #closers: (() => Promise<void> | void)[] = [];
  #listener: Listener | undefined;
  #ending: Promise<void> | undefined;

  constructor(options: GracefulShutdownOptions) {
    this.#options = options;
  }

  get isShuttingDown(): boolean {
    return this.#ending !== undefined;
  }

  serve(listener: Listener): void {
    this.#listener = listener;
  }

  /** Closed at the end, in the reverse order of the calls. */
  addShutdownHook(close: () => Promise<void> | void): void {
    this.#closers.push(close);
  }

  /** Resolves when everything is closed; every call gets the same end. */
  close(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    const { clock, logger, active, shutdownDelay, drainTimeout } = this.#options;
    if (shutdownDelay > 0) await sleep(clock, shutdownDelay);
    this.#listener?.drain();
    active.stop(new Error('the server is shutting down'));
    let cancel = (): void => {};
    const late = new Promise<boolean>((resolve) => {
      cancel = clock.after(drainTimeout, () => resolve(true));
    });
    if (await Promise.race([active.wait().then(() => false), late])) {
      logger.warn({ requests: active.size }, 'requests were cut off by the shutdown');
    }
    cancel();
    await this.#listener?.close();
    for (const close of this.#closers.reverse()) {
      try {
        await close();
      } catch (error) {
        logger.error({ err: error }, 'closing failed');
      }
    }
  }
}

function sleep(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}
