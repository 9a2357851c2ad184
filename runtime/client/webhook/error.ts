import { isNetworkError } from '../transport/network-error.ts';
import { isResponseError } from '../transport/rest-error.ts';

const transientReasons = ['InternalError', 'Timeout', 'TooManyRequests', 'ServerTimeout'];

/**
 * Reports whether a failure may be temporary: a lost connection, a 500, 504 or 429, or a Retry-After header.
 * (DefaultShouldRetry)
 */
export function defaultShouldRetry(error: unknown): boolean {
  if (isNetworkError(error)) return error.code === 'ECONNRESET';
  if (!isResponseError(error)) return false;
  const { reason, retryAfter = 0 } = error.failure;
  return transientReasons.includes(reason) || retryAfter > 0;
}
