import type { Clock } from '../../machinery/clock.ts';
import { borrowingAdjustmentPeriod } from '../concurrency/borrowing.ts';
import type { FlowControl } from '../flow-control.ts';
import type { FlowSchema, PriorityLevelConfiguration } from '../objects.ts';
import type { ConfigStore } from './config-store.ts';
import { DanglingConditions } from './dangling-condition.ts';
import { ensureBootstrap } from './ensure-bootstrap.ts';

/** Milliseconds between two syncs of unchanged objects. */
const resyncPeriod = 60_000;

export interface ConfigControllerOptions {
  /** Undefined if priority and fairness is disabled. The bootstrap objects are then maintained, but no status is. */
  readonly flowControl?: FlowControl | undefined;
  readonly store: ConfigStore;
  /** The flow schemas of every cluster. Users may change them. */
  readonly suggested: readonly FlowSchema[];
  readonly clock: Clock;
  /** Called with each error. The failed sync is retried at the next change, or within a minute. */
  readonly report: (error: unknown) => void;
}

/**
 * Applies FlowSchemas and PriorityLevelConfigurations to flow control as soon as they change, maintains the bootstrap
 * objects and the Dangling conditions, and adjusts borrowing every ten seconds. (apf_controller.go configController)
 */
export class ConfigController {
  readonly #options: ConfigControllerOptions;
  readonly #danglingConditions: DanglingConditions;
  #stopFunctions: (() => void)[] = [];
  #running: Promise<void> | undefined;
  #syncRequested = false;
  #closed = false;

  constructor(options: ConfigControllerOptions) {
    this.#options = options;
    this.#danglingConditions = new DanglingConditions(options.store, options.clock);
  }

  /** Resolves when the bootstrap objects exist and are in effect. */
  async start(): Promise<void> {
    const { store, flowControl } = this.#options;
    this.#stopFunctions.push(store.watch(() => this.#requestSync()));
    if (flowControl) this.#every(borrowingAdjustmentPeriod, () => flowControl.updateBorrowing());
    this.#every(resyncPeriod, () => this.#requestSync());
    this.#requestSync();
    while (this.#running !== undefined) await this.#running;
  }

  /** Resolves when no write is under way and none will follow. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const stop of this.#stopFunctions) stop();
    while (this.#running !== undefined) await this.#running;
  }

  /** Requests made during a sync cause one more sync after it. */
  #requestSync(): void {
    if (this.#closed) return;
    this.#syncRequested = true;
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    try {
      while (this.#syncRequested && !this.#closed) {
        this.#syncRequested = false;
        // wait for the other changes of a group
        await undefined;
        await this.#sync().catch(this.#options.report);
      }
    } finally {
      this.#running = undefined;
    }
  }

  async #sync(): Promise<void> {
    const { store, flowControl, suggested } = this.#options;
    if (flowControl === undefined) return ensureBootstrap(store, suggested);
    const priorityLevels = store.list('prioritylevelconfigurations') as PriorityLevelConfiguration[];
    const flowSchemas = store.list('flowschemas') as FlowSchema[];
    flowControl.configure(priorityLevels, flowSchemas);
    await ensureBootstrap(store, suggested);
    const names = new Set(priorityLevels.map(({ metadata }) => metadata.name ?? ''));
    await this.#danglingConditions.update(flowSchemas, names);
  }

  #every(period: number, callback: () => void): void {
    let cancel = (): void => {};
    const schedule = (): void => {
      cancel = this.#options.clock.after(period, () => {
        schedule();
        callback();
      });
    };
    schedule();
    this.#stopFunctions.push(() => cancel());
  }
}
