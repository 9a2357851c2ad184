import type { ApiMiddleware } from '../../http/context.ts';
import { untilSettled } from './settling.ts';

/**
 * Starts each request after all work of earlier requests is done. A client that sends requests one after the other sees
 * the same states in each run, at any speed.
 */
export function withSettledRequests(): ApiMiddleware {
  let before = Promise.resolve();
  return (_ctx, next) => {
    before = before.then(untilSettled);
    return before.then(next);
  };
}
