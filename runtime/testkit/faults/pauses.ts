import type { Clock } from '../../machinery/clock.ts';

/** Timers that can all be ended at once. */
export class Pauses {
  readonly #clock: Clock;
  readonly #ends = new Set<() => void>();
  #isOver = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls back after `ms` milliseconds, or when all pauses end. The returned function cancels the call. */
  after(ms: number, callback: () => void): () => void {
    if (this.#isOver) {
      callback();
      return () => undefined;
    }
    const end = (): void => {
      cancel();
      callback();
    };
    const cancelTimer = this.#clock.after(ms, end);
    const cancel = (): void => {
      cancelTimer();
      this.#ends.delete(end);
    };
    this.#ends.add(end);
    return cancel;
  }

  /** Ends all pauses in the order of their start. Later pauses end at once. */
  endAll(): void {
    this.#isOver = true;
    for (const end of [...this.#ends]) end();
  }
}
