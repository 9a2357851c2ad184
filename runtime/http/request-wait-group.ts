import type { ApiContext } from './context.ts';
import { isLongRunning } from './request-info.ts';

/** The running requests. Shutdown aborts the long-running ones, and waits for all. (apiserver SafeWaitGroup) */
export class RequestWaitGroup {
  readonly #longRunning = new Set<ApiContext>();
  #others = 0;
  #stopped: Error | undefined;
  #waiting: (() => void)[] = [];

  /** Adds a request. After `stop`, a long-running request is aborted at once. */
  add(ctx: ApiContext): void {
    if (!isLongRunning(ctx.state.requestInfo)) {
      this.#others++;
      return;
    }
    this.#longRunning.add(ctx);
    if (this.#stopped) ctx.state.abort(this.#stopped);
  }

  /** Removes a complete request. Must be called once for each added request. */
  done(ctx: ApiContext): void {
    if (!this.#longRunning.delete(ctx)) this.#others--;
    if (this.size === 0) this.#settle();
  }

  /** Returns watches and other requests without a deadline. */
  longRunning(): Iterable<ApiContext> {
    return this.#longRunning;
  }

  get size(): number {
    return this.#others + this.#longRunning.size;
  }

  /** Aborts long-running requests, including later ones. Other requests may finish. */
  stop(reason: Error): void {
    this.#stopped = reason;
    for (const { state } of this.#longRunning) state.abort(reason);
  }

  /** Resolves when no request is running. */
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
