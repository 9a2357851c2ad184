import { isLongRunning } from './request-info.ts';
import type { RequestState } from './request-state.ts';

/** The requests being answered: whom to tell, and whom to wait for, when the server stops. */
export class RequestWaitGroup {
  readonly #long = new Set<RequestState>();
  #short = 0;
  #stopped: Error | undefined;
  #waiting: (() => void)[] = [];

  /** A request begins. One that would last is aborted at once after `stop`. */
  add(state: RequestState): void {
    if (!isLongRunning(state.requestInfo)) {
      this.#short++;
      return;
    }
    this.#long.add(state);
    if (this.#stopped) state.abort(this.#stopped);
  }

  /** It is over. Called once for each that began. */
  done(state: RequestState): void {
    if (!this.#long.delete(state)) this.#short--;
    if (this.size === 0) this.#settle();
  }

  get size(): number {
    return this.#short + this.#long.size;
  }

  /** Aborts the signals of long-running requests, now and from now on; the others may finish. */
  stop(reason: Error): void {
    this.#stopped = reason;
    for (const state of this.#long) state.abort(reason);
  }

  /** Resolves when nothing is left. */
  wait(): Promise<void> {
    if (this.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  #settle(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
