import type { ApiContext, ApiMiddleware } from '../http/context.ts';
import type { ErrorResponder } from '../http/error-response.ts';
import { firstOf } from '../http/query-string.ts';
import { isLongRunning } from '../http/request-info.ts';
import type { Ending } from '../http/state.ts';
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
    const deadline = new Deadline(until, ctx, limits, respond);
    limits.add(deadline);
    state.whenOver(deadline);
    return next();
  };
}

class Deadline extends Limited implements Ending {
  before: Ending | undefined;
  readonly #ctx: ApiContext;
  readonly #limits: TimeLimits;
  readonly #respond: ErrorResponder;

  constructor(until: number, ctx: ApiContext, limits: TimeLimits, respond: ErrorResponder) {
    super(until);
    this.#ctx = ctx;
    this.#limits = limits;
    this.#respond = respond;
  }

  override expire(): void {
    const { res, state } = this.#ctx;
    if (res.writableEnded) return;
    const error = timeoutError('request did not complete within the allotted timeout', 0);
    state.isTimedOut = true;
    state.abort(error);
    this.#respond(this.#ctx, error);
  }

  over(): void {
    this.#limits.delete(this);
  }
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
