import type { Clock } from '../../machinery/clock.ts';
import { runNextTurn } from '../../machinery/event-loop/yield.ts';

/** The most pauses that are made up for. A program that pauses more often skips the rest of the time. */
const maxPauses = 20_000;

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/**
 * The clock of a program that may have started in the past, as after a restart of the server. Its pauses take no time
 * until it has caught up with the server's clock.
 */
export class ProgramClock implements Clock {
  readonly #server: Clock;
  readonly #limit: number;
  readonly #onLive: () => void;
  readonly #timers: Timer[] = [];
  #now: number;
  #isLive: boolean;
  #pauses = 0;
  #cancelTurn: (() => void) | undefined;

  /**
   * @param given.limit milliseconds since the epoch after which nothing happens any more
   * @param given.onLive called when the program has caught up
   */
  constructor(server: Clock, given: { readonly from: number; readonly limit: number; onLive(): void }) {
    this.#server = server;
    this.#limit = given.limit;
    this.#onLive = given.onLive;
    this.#now = given.from;
    this.#isLive = false;
  }

  now(): number {
    return this.#isLive ? Math.max(this.#server.now(), this.#now) : this.#now;
  }

  after(ms: number, callback: () => void): () => void {
    const at = this.now() + Math.max(0, ms);
    if (this.#isLive) return this.#server.after(Math.max(0, at - this.#server.now()), callback);
    const timer: Timer = { at, callback };
    const later = this.#timers.findIndex((other) => other.at > at);
    this.#timers.splice(later < 0 ? this.#timers.length : later, 0, timer);
    this.#cancelTurn ??= runNextTurn(() => this.#advance());
    let cancelLive: (() => void) | undefined;
    this.#live.set(timer, (cancel) => {
      cancelLive = cancel;
    });
    return () => {
      const index = this.#timers.indexOf(timer);
      if (index >= 0) this.#timers.splice(index, 1);
      this.#live.delete(timer);
      cancelLive?.();
    };
  }

  readonly #live = new Map<Timer, (cancel: () => void) => void>();

  /** Runs the next timer if its time is past. */
  #advance(): void {
    this.#cancelTurn = undefined;
    const [timer] = this.#timers;
    if (timer === undefined) return;
    if (timer.at > this.#limit || timer.at > this.#server.now() || ++this.#pauses > maxPauses) {
      this.#goLive();
      return;
    }
    this.#timers.shift();
    this.#live.delete(timer);
    this.#now = timer.at;
    timer.callback();
    if (this.#timers.length > 0) this.#cancelTurn ??= runNextTurn(() => this.#advance());
  }

  #goLive(): void {
    this.#isLive = true;
    this.#onLive();
    for (const timer of this.#timers.splice(0)) {
      if (timer.at > this.#limit) continue;
      const cancel = this.#server.after(Math.max(0, timer.at - this.#server.now()), () => {
        this.#live.delete(timer);
        timer.callback();
      });
      this.#live.get(timer)?.(cancel);
    }
  }
}
