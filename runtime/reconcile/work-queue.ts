import type { Clock } from '../machinery/clock.ts';
import { runNextTurn } from '../machinery/event-loop/yield.ts';

/** `done`; `retry`, with a delay that grows with each failure; or the milliseconds until the next run. */
export type SyncResult = 'done' | 'retry' | number;

export interface WorkQueueOptions<T> {
  readonly clock: Clock;
  /** Number of items worked on at once. */
  readonly concurrency: number;
  /** Returns the key of an item. Items with the same key are the same work. */
  keyOf(item: T): string;
  /** Does the work. An error is reported, and the work retried. */
  work(item: T): Promise<SyncResult>;
  report(error: unknown): void;
  /** Waits for `resume`. Default: false. */
  readonly paused?: boolean | undefined;
  /** The longest time before failed work is retried, in milliseconds. Default: 1,000 s. */
  readonly maxDelay?: number | undefined;
}

/** Milliseconds until the first retry. Each retry doubles the delay. (client-go util/workqueue DefaultControllerRateLimiter) */
const baseDelay = 5;
const defaultMaxDelay = 1_000_000;

/**
 * A queue of work by key. A key is queued at most once. A key that is added while it is worked on runs once more
 * afterwards. Failed work is retried later. The event loop gets a turn between items.
 */
export class WorkQueue<T> {
  readonly #options: WorkQueueOptions<T>;
  readonly #waiting = new Map<string, T>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #delayed = new Map<string, { readonly due: number; readonly cancel: () => void }>();
  readonly #failures = new Map<string, number>();
  #paused: boolean;
  #closed = false;
  #cancelTurn: (() => void) | undefined;

  constructor(options: WorkQueueOptions<T>) {
    this.#options = options;
    this.#paused = options.paused ?? false;
  }

  /** Reports whether nothing waits, runs or will be retried. */
  get isIdle(): boolean {
    return this.#waiting.size === 0 && this.#running.size === 0 && this.#delayed.size === 0;
  }

  add(item: T): void {
    if (this.#closed) return;
    this.#waiting.set(this.#options.keyOf(item), item);
    this.#schedule();
  }

  /** Adds the item after a delay in milliseconds, unless it will be added sooner anyway. */
  addAfter(item: T, ms: number): void {
    if (this.#closed) return;
    const { clock, keyOf } = this.#options;
    const key = keyOf(item);
    const due = clock.now() + ms;
    const before = this.#delayed.get(key);
    if (before !== undefined && before.due <= due) return;
    before?.cancel();
    const cancel = clock.after(ms, () => {
      this.#delayed.delete(key);
      this.add(item);
    });
    this.#delayed.set(key, { due, cancel });
  }

  resume(): void {
    this.#paused = false;
    this.#schedule();
  }

  /** Drops queued items. Resolves when no work is under way. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelTurn?.();
    for (const { cancel } of this.#delayed.values()) cancel();
    this.#delayed.clear();
    this.#waiting.clear();
    await Promise.all(this.#running.values());
  }

  #schedule(): void {
    if (this.#paused || this.#closed || this.#cancelTurn !== undefined || this.#waiting.size === 0) return;
    if (this.#running.size >= this.#options.concurrency) return;
    this.#cancelTurn = runNextTurn(() => {
      this.#cancelTurn = undefined;
      for (const [key, item] of this.#waiting) {
        if (this.#running.size >= this.#options.concurrency) break;
        if (!this.#running.has(key)) this.#run(key, item);
      }
    });
  }

  #run(key: string, item: T): void {
    this.#waiting.delete(key);
    const work = this.#tryWork(item).then((result) => {
      this.#running.delete(key);
      if (result === 'retry') this.addAfter(item, this.#delayOf(key));
      else this.#failures.delete(key);
      if (typeof result === 'number') this.addAfter(item, result);
      this.#schedule();
    });
    this.#running.set(key, work);
  }

  async #tryWork(item: T): Promise<SyncResult> {
    try {
      return await this.#options.work(item);
    } catch (error) {
      if (!this.#closed) this.#options.report(error);
      return 'retry';
    }
  }

  #delayOf(key: string): number {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    return Math.min(this.#options.maxDelay ?? defaultMaxDelay, baseDelay * 2 ** failures);
  }
}
