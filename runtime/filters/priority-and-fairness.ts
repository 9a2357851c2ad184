import type { ClassifiedRequest, FlowControl } from '../flowcontrol/flow-control.ts';
import type { ApiContext, ApiMiddleware, Next } from '../http/context.ts';
import { isLongRunning } from '../http/request-info.ts';
import { type RequestState, requireUser } from '../http/request-state.ts';
import { flushResponses } from '../http/response-batch.ts';
import { runFinally } from '../http/run-finally.ts';
import type { Clock } from '../machinery/clock.ts';
import { batchAtEndOfTurn } from '../machinery/event-loop/yield.ts';
import { ExpirationTimer, Expiring } from './deadlines.ts';
import { respondTooManyRequests } from './max-in-flight.ts';

/** The maximum wait of a request, whatever its deadline, in milliseconds. */
const maxWait = 60_000;

export interface PriorityAndFairnessOptions {
  readonly flowControl: FlowControl;
  /** The server's clock, which the deadlines of requests follow. */
  readonly clock: Clock;
  /** The maximum wait of a watch, which has no deadline, in milliseconds. */
  readonly defaultWait: number;
}

/**
 * Dispatches requests by priority and fairness: at once if seats are free, in fair order if not. Rejects a request with 429
 * if its queue is full or its wait too long. Long-running requests are exempt, except that a watch takes part until it has
 * sent its initial events. (apiserver pkg/server/filters/priority-and-fairness.go)
 */
export function withPriorityAndFairness(options: PriorityAndFairnessOptions): ApiMiddleware {
  const handler = new PriorityAndFairnessHandler(options);
  return (ctx, next) => handler.handle(ctx, next);
}

class PriorityAndFairnessHandler {
  readonly #flowControl: FlowControl;
  readonly #defaultWait: number;
  readonly #timer: ExpirationTimer;
  /**
   * Most requests are handled without waiting. If each released its seats at once, requests that arrive together would
   * run in the order of their sockets and never be concurrent. A request therefore holds its seats until the end of the
   * turn of the event loop, when responses are sent. Requests beyond the seats of one turn are queued.
   */
  readonly #finish: (request: ClassifiedRequest) => void;

  constructor({ flowControl, clock, defaultWait }: PriorityAndFairnessOptions) {
    this.#flowControl = flowControl;
    this.#defaultWait = defaultWait;
    this.#timer = new ExpirationTimer(clock);
    this.#finish = batchAtEndOfTurn((request: ClassifiedRequest) => flowControl.finish(request));
  }

  handle(ctx: ApiContext, next: Next): unknown {
    const { requestInfo, query, responseHeaders } = ctx.state;
    if (requestInfo.verb !== 'watch' && isLongRunning(requestInfo)) return next();
    const request = this.#flowControl.start(requestInfo, requireUser(ctx.state), query);
    const { uid, priorityLevel } = request.flow.flowSchema;
    responseHeaders.push('X-Kubernetes-PF-FlowSchema-UID', uid, 'X-Kubernetes-PF-PriorityLevel-UID', priorityLevel.uid);
    if (request.phase === 'executing') return this.#execute(ctx, next, request);
    if (request.phase === 'waiting') return this.#wait(ctx, next, request);
    return this.#reject(ctx, request);
  }

  #execute({ state }: ApiContext, next: Next, request: ClassifiedRequest): unknown {
    if (state.requestInfo.verb !== 'watch') return runFinally(next, this.#finish, request);
    const forgetWatch = this.#flowControl.watches.registerWatch(state.requestInfo, state.query);
    state.onWatchInitialized = () => this.#finish(request);
    const end = (): void => {
      forgetWatch();
      this.#finish(request);
    };
    return runFinally(next, end, undefined);
  }

  #wait(ctx: ApiContext, next: Next, request: ClassifiedRequest): Promise<unknown> {
    const { state } = ctx;
    const waiting = new WaitingRequest(state.receivedAt + this.#waitLimit(state), this.#flowControl, request);
    this.#timer.add(waiting);
    // also called after the dispatch, when cancel does nothing
    state.onAbort(() => waiting.cancel('cancelled'));
    const since = performance.now();
    return waiting.settled.then(() => {
      state.millisecondsQueued = performance.now() - since;
      this.#timer.delete(waiting);
      if (request.phase !== 'executing') return this.#reject(ctx, request);
      this.#flowControl.recordDispatched(request);
      flushResponsesSoon();
      return this.#execute(ctx, next, request);
    });
  }

  #waitLimit({ deadline, receivedAt }: RequestState): number {
    return Math.min(deadline === undefined ? this.#defaultWait : (deadline - receivedAt) / 4, maxWait);
  }

  #reject(ctx: ApiContext, request: ClassifiedRequest): void {
    respondTooManyRequests(ctx, this.#flowControl.retryAfter(request));
  }
}

/**
 * A request in its queue. It consists of few objects, because garbage collection visits thousands of queued requests.
 */
class WaitingRequest extends Expiring {
  /** Resolves when the request is dispatched or cancelled; its phase says which. */
  readonly settled: Promise<void>;
  readonly #flowControl: FlowControl;
  readonly #request: ClassifiedRequest;
  #settle: () => void = () => undefined;

  constructor(until: number, flowControl: FlowControl, request: ClassifiedRequest) {
    super(until);
    this.#flowControl = flowControl;
    this.#request = request;
    this.settled = new Promise((resolve) => {
      this.#settle = resolve;
    });
    request.onDispatch = this.#settle;
  }

  override expire(): void {
    this.cancel('time-out');
  }

  cancel(reason: 'time-out' | 'cancelled'): void {
    if (this.#flowControl.cancel(this.#request, reason)) this.#settle();
  }
}

let flushScheduled = false;

/**
 * Sends the response of a dispatched request together with the responses of the other requests that are dispatched now,
 * one turn earlier than otherwise.
 */
function flushResponsesSoon(): void {
  if (flushScheduled) return;
  flushScheduled = true;
  queueMicrotask(() => {
    flushScheduled = false;
    flushResponses();
  });
}
