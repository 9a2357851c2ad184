import type { Clock } from '../../machinery/clock.ts';
import { isResponseError } from '../transport/rest-error.ts';
import { defaultShouldRetry } from './error.ts';

/** The number of calls and the delays between them. (apimachinery wait.Backoff) */
export interface Backoff {
  /** The first delay in milliseconds. */
  readonly duration: number;
  /** The growth of the delay after each call. */
  readonly factor: number;
  /** The random addition, as a maximum fraction of the delay. */
  readonly jitter: number;
  /** The maximum number of calls. */
  readonly steps: number;
}

/** Five calls, with delays that grow by half. (DefaultRetryBackoffWithInitialDelay) @param duration milliseconds */
export const defaultRetryBackoff = (duration: number): Backoff => ({ duration, factor: 1.5, jitter: 0.2, steps: 5 });

/** The longest Retry-After that is followed. (upstream: waits as long as the request lives) */
const maxRetryAfterSeconds = 30;

export interface BackoffOptions {
  readonly backoff: Backoff;
  readonly clock: Clock;
  /** Ends the delay between calls. */
  readonly signal?: AbortSignal | undefined;
  readonly shouldRetry?: (error: unknown) => boolean;
}

/**
 * Calls a webhook until it succeeds, fails permanently, or all steps are used. A longer Retry-After of a response
 * replaces the delay. (apiserver pkg/util/webhook WithExponentialBackoff)
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

/** Resolves with true after the time, or with false when the signal aborts. */
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
