import type { ApiContext, ApiMiddleware } from '../http/context.ts';
import { abortResponse } from '../http/cut-answer.ts';
import type { ErrorResponder } from '../http/error-response.ts';
import { firstOf } from '../http/query-string.ts';
import { isLongRunning } from '../http/request-info.ts';
import type { CompletionListener } from '../http/request-state.ts';
import type { Clock } from '../machinery/clock.ts';
import { isDurationError, parseDuration } from '../machinery/duration.ts';
import { badRequest, timeout as timeoutError } from '../machinery/status.ts';
import { ExpirationTimer, Expiring } from './deadlines.ts';

/** Milliseconds, of the network's clock, between the end of an answer's time and its being cut off. */
const lastMoment = 1000;

/**
 * Ends requests that are not long-running after `limit` milliseconds, or sooner where `?timeout=` asks for less, with a
 * 504. The work behind is told by the request's signal. The answer has to be taken by then, too. (apiserver WithRequestDeadline, WithTimeoutForNonLongRunningRequests)
 */
export function withTimeout(clock: Clock, limit: number, respond: ErrorResponder): ApiMiddleware {
  const limits = new ExpirationTimer(clock);
  return (ctx, next) => {
    const { state } = ctx;
    if (isLongRunning(state.requestInfo)) return next();
    const asked = firstOf(state.query, 'timeout');
    const until = state.receivedAt + (asked ? within(asked, limit) : limit);
    state.deadline = until;
    const deadline = new Deadline(until, ctx, limits, respond);
    limits.add(deadline);
    state.onCompletion(deadline);
    return next();
  };
}

class Deadline extends Expiring implements CompletionListener {
  before: CompletionListener | undefined;
  readonly #ctx: ApiContext;
  readonly #limits: ExpirationTimer;
  readonly #respond: ErrorResponder;
  #isOver = false;

  constructor(until: number, ctx: ApiContext, limits: ExpirationTimer, respond: ErrorResponder) {
    super(until);
    this.#ctx = ctx;
    this.#limits = limits;
    this.#respond = respond;
  }

  override expire(): void {
    const { res, state } = this.#ctx;
    if (res.writableEnded) {
      this.#cutUnlessTaken();
      return;
    }
    const error = timeoutError('request did not complete within the allotted timeout', 0);
    state.isTimedOut = true;
    state.abort(error);
    this.#respond(this.#ctx, error);
  }

  /** It was answered, and the client has not taken the answer, unless it is doing so right now. */
  #cutUnlessTaken(): void {
    setTimeout(() => {
      if (!this.#isOver) abortResponse(this.#ctx.res);
    }, lastMoment).unref();
  }

  completed(): void {
    this.#isOver = true;
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
