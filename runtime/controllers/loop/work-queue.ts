import type { Clock } from '../../machinery/clock.ts';
import { runNextTurn } from '../../machinery/event-loop/yield.ts';

/** Whether a piece of work is done; comes again with a growing delay; or comes again after so many milliseconds. */
export type Outcome = 'done' | 'retry' | number;

export interface WorkQueueOptions<T> {
  readonly clock: Clock;
  /** How many pieces are under way at once. */
  readonly concurrency: number;
  /** Pieces with the same key are one. */
  keyOf(item: T): string;
  /** A throw is reported, and retried. */
  work(item: T): Promise<Outcome>;
  report(error: unknown): void;
  /** Nothing is done before `resume`. Default false. */
  readonly paused?: boolean;
}

/** Milliseconds: the first retry, and the longest wait; each wait is twice the one before. (client-go util/workqueue) */
const firstDelay = 5;
const longestDelay = 1_000_000;

/**
 * Work by key: a key that waits is not queued twice, a key under way is done once more when it is added meanwhile, and
 * one that fails comes again later. Between pieces the event loop gets its turn.
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

  add(item: T): void {
    if (this.#closed) return;
    this.#waiting.set(this.#options.keyOf(item), item);
    this.#schedule();
  }

  /** Adds it in so many milliseconds, or when it was to come anyway, if that is sooner. */
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

  /** Drops what waits; resolves when nothing is under way any more. */
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
    const work = this.#outcomeOf(item).then((outcome) => {
      this.#running.delete(key);
      if (outcome === 'retry') this.addAfter(item, this.#delayOf(key));
      else this.#failures.delete(key);
      if (typeof outcome === 'number') this.addAfter(item, outcome);
      this.#schedule();
    });
    this.#running.set(key, work);
  }

  async #outcomeOf(item: T): Promise<Outcome> {
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
    return Math.min(longestDelay, firstDelay * 2 ** failures);
  }
}
