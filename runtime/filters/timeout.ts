import { firstOf } from '../http/query-string.ts';
import { isLongRunning } from '../http/request-info.ts';
import type { ApiMiddleware } from '../http/state.ts';
import type { Clock } from '../machinery/clock.ts';
import { isDurationError, parseDuration } from '../machinery/duration.ts';
import { badRequest, timeout as timeoutError } from '../machinery/status.ts';

/**
 * Ends requests that are not long-running after `limit` milliseconds, or sooner where `?timeout=` asks for less, with a
 * 504. The work behind is told by the request's signal. (apiserver WithRequestDeadline, WithTimeoutForNonLongRunningRequests)
 */
export function timeout(clock: Clock, limit: number): ApiMiddleware {
  return (ctx, next) => {
    const { state } = ctx;
    if (isLongRunning(state.requestInfo)) return next();
    const asked = firstOf(state.query, 'timeout');
    const milliseconds = asked ? within(asked, limit) : limit;
    state.deadline = state.receivedAt + milliseconds;
    return new Promise<void>((resolve, reject) => {
      const cancel = clock.after(milliseconds, () => {
        const error = timeoutError('request did not complete within the allotted timeout', 0);
        state.abort(error);
        reject(error);
      });
      next().then(
        () => {
          cancel();
          resolve();
        },
        (error) => {
          cancel();
          reject(error);
        },
      );
    });
  };
}

function within(text: string, limit: number): number {
  try {
    const asked = parseDuration(text);
    return asked > 0 && asked < limit ? asked : limit;
  } catch (error) {
    if (isDurationError(error)) throw badRequest(`invalid timeout specified in the request URL - ${error.message}`);
    throw error;
  }
}
