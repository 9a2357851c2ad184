import type { Clock } from '../../machinery/clock.ts';
import { isResponseError } from '../transport/rest-error.ts';
import { defaultShouldRetry } from './error.ts';

/** How often, and after which delays, a call is repeated. (apimachinery wait.Backoff) */
export interface Backoff {
  /** Milliseconds before the first repetition. */
  readonly duration: number;
  /** What each delay is multiplied by to get the next. */
  readonly factor: number;
  /** Up to this part of a delay is added to it. */
  readonly jitter: number;
  /** How many calls there are at most. */
  readonly steps: number;
}

/** Five calls, with delays that grow by half. (DefaultRetryBackoffWithInitialDelay) @param duration milliseconds */
export const defaultRetryBackoff = (duration: number): Backoff => ({ duration, factor: 1.5, jitter: 0.2, steps: 5 });

/** A server that asks for a longer delay is not asked again. (upstream: waits as long as the request lives) */
const maxRetryAfterSeconds = 30;

export interface BackoffOptions {
  readonly backoff: Backoff;
  readonly clock: Clock;
  /** Ends the waiting between calls. */
  readonly signal?: AbortSignal | undefined;
  readonly shouldRetry?: (error: unknown) => boolean;
}

/**
 * Calls a webhook until it succeeds, fails for good, or all steps are used. Waits longer if a response says so in
 * Retry-After. (apiserver pkg/util/webhook WithExponentialBackoff)
 *
 * @throws the error of the last call
 */
export async function withExponentialBackoff<T>(
  call: () => Promise<T>,
  { backoff, clock, signal, shouldRetry = defaultShouldRetry }: BackoffOptions,
): Promise<T> {
  let delay = backoff.duration;
  for (let step = 1; ; step++) {
    try {
      return await call();
    } catch (error) {
      const retryAfter = (isResponseError(error) && error.failure.retryAfter) || 0;
      const isLast = step >= backoff.steps || retryAfter > maxRetryAfterSeconds || signal?.aborted === true;
      if (isLast || !shouldRetry(error)) throw error;
      const wait = Math.max(delay * (1 + Math.random() * backoff.jitter), retryAfter * 1000);
      if (!(await elapsed(clock, wait, signal))) throw error;
      delay *= backoff.factor;
    }
  }
}

/** Resolves after the time, or with false as soon as the signal is aborted. */
function elapsed(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, () => end(true));
    const onAbort = (): void => end(false);
    signal?.addEventListener('abort', onAbort);
    function end(isOver: boolean): void {
      cancel();
      signal?.removeEventListener('abort', onAbort);
      resolve(isOver);
    }
  });
}
