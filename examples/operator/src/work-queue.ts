import type { Clock } from './clock.ts';

const firstRetry = 1000;
const longestRetry = 60_000;

/**
 * A queue of changed keys, each at most once, processed one after the other. Failed keys are retried with growing
 * delays.
 */
export class WorkQueue {
  readonly #clock: Clock;
  readonly #work: (key: string) => Promise<void>;
  readonly #ready = new Set<string>();
  readonly #timers = new Map<string, { readonly at: number; readonly cancel: () => void }>();
  readonly #failures = new Map<string, number>();
  #isStopped = false;
  #worker: Promise<void> | undefined;

  constructor(clock: Clock, work: (key: string) => Promise<void>) {
    this.#clock = clock;
    this.#work = work;
  }

  add(key: string): void {
    if (this.#isStopped) return;
    this.#ready.add(key);
    this.#worker ??= this.#drain();
  }

  /** Adds a key after a delay. Of two delays for one key, the earlier time counts. */
  addAfter(key: string, ms: number): void {
    if (this.#isStopped) return;
    const at = this.#clock.now() + ms;
    const timer = this.#timers.get(key);
    if (timer !== undefined && timer.at <= at) return;
    timer?.cancel();
    const cancel = this.#clock.after(ms, () => {
      this.#timers.delete(key);
      this.add(key);
    });
    this.#timers.set(key, { at, cancel });
  }

  /** Resolves when the work in progress is done. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const { cancel } of this.#timers.values()) cancel();
    this.#ready.clear();
    await this.#worker;
  }

  async #drain(): Promise<void> {
    // lets the caller finish its changes first
    await Promise.resolve();
    for (const key of this.#ready) {
      this.#ready.delete(key);
      try {
        await this.#work(key);
        this.#failures.delete(key);
      } catch {
        const failures = this.#failures.get(key) ?? 0;
        this.#failures.set(key, failures + 1);
        this.addAfter(key, Math.min(firstRetry * 2 ** failures, longestRetry));
      }
    }
    this.#worker = undefined;
  }
}
