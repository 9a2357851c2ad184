import type { Controller, ReconcileContext } from './controller.ts';
import { PeriodicSync } from './periodic-sync.ts';

export interface PeriodicControllerOptions {
  readonly context: ReconcileContext;
  /** Milliseconds. */
  readonly interval: number;
  /** The log message for a failure, before the retry. */
  readonly failure: string;
  /** Opens the controller's dependencies and returns its work; undefined if there is no work on this server. */
  open(): Promise<(() => Promise<void>) | undefined>;
}

/** A controller that does all of its work at the start, and then at an interval. */
export class PeriodicController implements Controller {
  readonly #options: PeriodicControllerOptions;
  #periodic: PeriodicSync | undefined;
  #closed = false;

  constructor(options: PeriodicControllerOptions) {
    this.#options = options;
  }

  /** Resolves when the work has succeeded or failed once. */
  async start(): Promise<void> {
    const { context, interval, failure } = this.#options;
    const sync = await this.#options.open();
    if (sync === undefined || this.#closed) return;
    const report = (err: unknown): void => context.logger.error({ err }, failure);
    this.#periodic = new PeriodicSync({ clock: context.stores.clock, interval, sync, report });
    await this.#periodic.start();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#periodic?.close();
  }
}
