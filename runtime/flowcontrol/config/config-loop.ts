import type { Clock } from '../../machinery/clock.ts';
import { adjustmentPeriod } from '../concurrency/borrowing.ts';
import type { FlowControl } from '../flow-control.ts';
import type { FlowSchema, PriorityLevel } from '../objects.ts';
import type { ConfigStore } from './config-store.ts';
import { DanglingStatus } from './dangling-status.ts';
import { ensureBootstrap } from './ensure-bootstrap.ts';

/** How often the objects are looked at even if nothing changed, in milliseconds. */
const lookAgain = 60_000;

export interface ConfigLoopParts {
  /** Absent where priority and fairness is switched off: its objects are kept all the same, but for their statuses. */
  readonly flowControl?: FlowControl;
  readonly store: ConfigStore;
  readonly clock: Clock;
  /** Told what went wrong; it is tried again at the next change, or within a minute. */
  readonly report: (error: unknown) => void;
}

/**
 * Keeps flow control and its objects together: a change is in force at once; objects that every cluster has are kept
 * what they should be; statuses follow; seats are divided anew every ten seconds.
 */
export class ConfigLoop {
  readonly #parts: ConfigLoopParts;
  readonly #status: DanglingStatus;
  #stop: (() => void)[] = [];
  #running: Promise<void> | undefined;
  #again = false;
  #closed = false;

  constructor(parts: ConfigLoopParts) {
    this.#parts = parts;
    this.#status = new DanglingStatus(parts.store, parts.clock);
  }

  /** Resolves when the objects are there and in force. */
  async start(): Promise<void> {
    const { store, flowControl } = this.#parts;
    this.#stop.push(store.watch(() => this.#look()));
    if (flowControl) this.#every(adjustmentPeriod, () => flowControl.adjust());
    this.#every(lookAgain, () => this.#look());
    this.#look();
    while (this.#running !== undefined) await this.#running;
  }

  /** Resolves when nothing is written any more. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const stop of this.#stop) stop();
    while (this.#running !== undefined) await this.#running;
  }

  /** What comes while one look is under way is one more look behind it. */
  #look(): void {
    if (this.#closed) return;
    this.#again = true;
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    try {
      while (this.#again && !this.#closed) {
        this.#again = false;
        // changes often come several at a time
        await undefined;
        await this.#settle().catch(this.#parts.report);
      }
    } finally {
      this.#running = undefined;
    }
  }

  async #settle(): Promise<void> {
    const { store, flowControl } = this.#parts;
    if (flowControl === undefined) return ensureBootstrap(store);
    const levels = store.list('prioritylevelconfigurations') as PriorityLevel[];
    const schemas = store.list('flowschemas') as FlowSchema[];
    flowControl.configure(levels, schemas);
    await ensureBootstrap(store);
    await this.#status.update(schemas, new Set(levels.map(({ metadata }) => metadata.name ?? '')));
  }

  #every(period: number, work: () => void): void {
    let cancel = (): void => {};
    const again = (): void => {
      cancel = this.#parts.clock.after(period, () => {
        again();
        work();
      });
    };
    again();
    this.#stop.push(() => cancel());
  }
}
