import { runNextTurn } from '../../machinery/event-loop/yield.ts';
import { parseMilliseconds } from '../../machinery/go/duration.ts';
import type { ServerClock } from '../../machinery/server-clock.ts';
import { untilSettled } from '../settling/settling.ts';
import { ManualClock } from './manual-clock.ts';

/** A clock that stands still until it is advanced. A timer without delay runs in the next turn of the event loop. */
export class SettlingClock implements ServerClock {
  readonly isManual = true;
  readonly #manual: ManualClock;
  #advancing: Promise<void> = Promise.resolve();

  /** @param now the start, in milliseconds since the epoch; default: 2026-01-01T00:00:00Z */
  constructor(now?: number) {
    this.#manual = new ManualClock(now);
  }

  /** Returns another clock with the same time. */
  fork(): SettlingClock {
    return new SettlingClock(this.now());
  }

  now(): number {
    return this.#manual.now();
  }

  after(ms: number, callback: () => void): () => void {
    // whole milliseconds, like the system's timers
    if (ms > 0) return this.#manual.after(Math.ceil(ms), callback);
    return runNextTurn(callback);
  }

  advance(duration: string | number): Promise<void> {
    const advanced = this.#advancing.then(() => this.#advance(millisecondsOf(duration)));
    this.#advancing = advanced.catch(() => undefined);
    return advanced;
  }

  async #advance(ms: number): Promise<void> {
    const manual = this.#manual;
    const end = manual.now() + ms;
    await untilSettled();
    for (let at = manual.next(); at !== undefined && at <= end; at = manual.next()) {
      manual.advanceTo(at);
      await untilSettled();
    }
    manual.advanceTo(end);
  }
}

/** @throws Error for an invalid duration */
function millisecondsOf(duration: string | number): number {
  const ms = typeof duration === 'number' ? duration : parseMilliseconds(duration);
  if (Number.isInteger(ms) && ms >= 0) return ms;
  throw new Error(`a clock is advanced by whole milliseconds, not by ${JSON.stringify(duration)}`);
}
