import type { ApiContext, ApiMiddleware } from '../http/context.ts';
import type { ErrorResponder } from '../http/error-response.ts';
import { firstOf } from '../http/query-string.ts';
import { isLongRunning } from '../http/request-info.ts';
import type { Clock } from '../machinery/clock.ts';
import { isDurationError, parseDuration } from '../machinery/duration.ts';
import { badRequest, timeout as timeoutError } from '../machinery/status.ts';
import { Limited, TimeLimits } from './time-limits.ts';

/**
 * Ends requests that are not long-running after `limit` milliseconds, or sooner where `?timeout=` asks for less, with a
 * 504. The work behind is told by the request's signal. (apiserver WithRequestDeadline, WithTimeoutForNonLongRunningRequests)
 */
export function timeout(clock: Clock, limit: number, respond: ErrorResponder): ApiMiddleware {
  const limits = new TimeLimits(clock);
  return (ctx, next) => {
    const { state } = ctx;
    if (isLongRunning(state.requestInfo)) return next();
    const asked = firstOf(state.query, 'timeout');
    const until = state.receivedAt + (asked ? within(asked, limit) : limit);
    state.deadline = until;
    const limited = new Limited(until, () => expire(ctx, respond));
    limits.add(limited);
    state.whenOver(() => limits.delete(limited));
    return next();
  };
}

function expire(ctx: ApiContext, respond: ErrorResponder): void {
  if (ctx.res.writableEnded) return;
  const error = timeoutError('request did not complete within the allotted timeout', 0);
  ctx.state.isTimedOut = true;
  ctx.state.abort(error);
  respond(ctx, error);
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
