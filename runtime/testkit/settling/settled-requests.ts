import type { ApiMiddleware } from '../../http/context.ts';
import { untilSettled } from './settling.ts';

/**
 * Lets each request begin when nothing is under way any more that the ones before have brought about: whoever sends one request after
 * the other finds the same state in each run, however fast he is.
 */
export function withSettledRequests(): ApiMiddleware {
  let before = Promise.resolve();
  return (_ctx, next) => {
    before = before.then(untilSettled);
    return before.then(next);
  };
}
