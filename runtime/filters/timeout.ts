import type { ApiContext, ApiMiddleware } from '../http/context.ts';
import type { ErrorResponder } from '../http/error-response.ts';
import { queryValue } from '../http/query-string.ts';
import { isLongRunning } from '../http/request-info.ts';
import type { CompletionListener } from '../http/request-state.ts';
import { abortResponse } from '../http/response.ts';
import type { Clock } from '../machinery/clock.ts';
import { badRequest, timeout } from '../machinery/errors/status.ts';
import { isDurationError, parseMilliseconds } from '../machinery/go/duration.ts';
import { ExpirationTimer, Expiring } from './deadlines.ts';

/** Milliseconds of real time after the deadline in which the client may still receive a response. */
const receiveGrace = 1000;

/**
 * Ends requests that are not long-running after `limit` milliseconds, or after `?timeout=` if that is shorter, with a 504,
 * and aborts their signal. By the deadline the client must have received the response, too. (apiserver
 * WithRequestDeadline, WithTimeoutForNonLongRunningRequests)
 */
export function withTimeout(clock: Clock, limit: number, respond: ErrorResponder): ApiMiddleware {
  const timer = new ExpirationTimer(clock);
  return (ctx, next) => {
    const { state } = ctx;
    if (isLongRunning(state.requestInfo)) return next();
    const requested = queryValue(state.query, 'timeout');
    const until = state.receivedAt + (requested ? parseTimeout(requested, limit) : limit);
    state.deadline = until;
    const deadline = new Deadline(until, ctx, timer, respond);
    timer.add(deadline);
    state.onCompletion(deadline);
    return next();
  };
}

class Deadline extends Expiring implements CompletionListener {
  before: CompletionListener | undefined;
  readonly #ctx: ApiContext;
  readonly #timer: ExpirationTimer;
  readonly #respond: ErrorResponder;
  #isCompleted = false;

  constructor(until: number, ctx: ApiContext, timer: ExpirationTimer, respond: ErrorResponder) {
    super(until);
    this.#ctx = ctx;
    this.#timer = timer;
    this.#respond = respond;
  }

  override expire(): void {
    const { res, state } = this.#ctx;
    if (res.writableEnded) {
      this.#abortUnlessReceived();
      return;
    }
    const error = timeout('request did not complete within the allotted timeout', 0);
    state.isTimedOut = true;
    state.abort(error);
    this.#respond(this.#ctx, error);
  }

  /** Aborts unless the client is receiving the response that was sent. */
  #abortUnlessReceived(): void {
    setTimeout(() => {
      if (!this.#isCompleted) abortResponse(this.#ctx.res);
    }, receiveGrace).unref();
  }

  completed(): void {
    this.#isCompleted = true;
    this.#timer.delete(this);
  }
}

function parseTimeout(text: string, limit: number): number {
  try {
    const requested = parseMilliseconds(text);
    return requested > 0 && requested < limit ? requested : limit;
  } catch (error) {
    if (isDurationError(error)) throw badRequest(`invalid timeout specified in the request URL - ${error.message}`);
    throw error;
  }
}
