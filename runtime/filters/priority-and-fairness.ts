import type { ClassifiedRequest, FlowControl } from '../flowcontrol/flow-control.ts';
import type { ApiContext, ApiMiddleware, Next } from '../http/context.ts';
import { isLongRunning } from '../http/request-info.ts';
import type { RequestState } from '../http/request-state.ts';
import { flushResponses } from '../http/response-batch.ts';
import { runFinally } from '../http/run-finally.ts';
import type { Clock } from '../machinery/clock.ts';
import { batchAtEndOfTurn } from '../machinery/event-loop/yield.ts';
import type { UserInfo } from '../machinery/user-info.ts';
import { ExpirationTimer, Expiring } from './deadlines.ts';
import { respondTooManyRequests } from './too-many-requests.ts';

/** No request waits longer, whatever its deadline; milliseconds. */
const longestWait = 60_000;

export interface PriorityAndFairnessOptions {
  readonly flowControl: FlowControl;
  /** The server's, which deadlines are told by. */
  readonly clock: Clock;
  /** Milliseconds that requests without a deadline, the beginnings of watches, wait at most. */
  readonly defaultWait: number;
}

/**
 * Lets requests in by priority and fairness: at once where seats are free, in fair order where they are not, and answers
 * 429 where the queue is full or the wait too long. Long-running requests pass; watches take part until they have sent
 * what there is. (apiserver pkg/server/filters/priority-and-fairness.go)
 */
export function withPriorityAndFairness({
  flowControl,
  clock,
  defaultWait,
}: PriorityAndFairnessOptions): ApiMiddleware {
  // Answers are often made without waiting for anything, so that requests that came together would be executed in the
  // order in which their sockets are read, and never meet. A seat is therefore taken until the event loop has turned, when
  // answers are sent: what comes beyond the seats of one turn is lined up, in fair order, and everybody is heard in between.
  const finish = batchAtEndOfTurn((request: ClassifiedRequest) => flowControl.finish(request));
  const limits = new ExpirationTimer(clock);
  return (ctx, next) => {
    const { requestInfo, user, query } = ctx.state;
    const watches = requestInfo.verb === 'watch';
    if (!watches && isLongRunning(requestInfo)) return next();
    const request = flowControl.start(requestInfo, user as UserInfo, query);
    const { uid, priorityLevel } = request.flow.flowSchema;
    ctx.state.head.push('X-Kubernetes-PF-FlowSchema-UID', uid, 'X-Kubernetes-PF-PriorityLevel-UID', priorityLevel.uid);
    if (request.phase === 'executing') return watches ? executeWatch(ctx, next, request) : execute(next, request);
    if (request.phase === 'waiting') return wait(ctx, next, request, watches);
    return refuse(ctx, request);
  };

  function execute(next: Next, request: ClassifiedRequest): unknown {
    return runFinally(next, finish, request);
  }

  function executeWatch(ctx: ApiContext, next: Next, request: ClassifiedRequest): unknown {
    const { state } = ctx;
    const forget = flowControl.watches.registerWatch(state.requestInfo, state.query);
    state.onWatchInitialized = () => finish(request);
    const end = (): void => {
      forget();
      finish(request);
    };
    return runFinally(next, end, undefined);
  }

  function wait(ctx: ApiContext, next: Next, request: ClassifiedRequest, watches: boolean): Promise<unknown> {
    const { state } = ctx;
    const waiting = new Waiting(state.receivedAt + waitLimit(state), flowControl, request);
    limits.add(waiting);
    // told of those that were dispatched long ago too, which have nothing to leave
    state.onAbort(() => waiting.leave('cancelled'));
    return waiting.settled.then(() => {
      limits.delete(waiting);
      if (request.phase !== 'executing') return refuse(ctx, request);
      flowControl.recordDispatched(request);
      sendWithTheOthers();
      return watches ? executeWatch(ctx, next, request) : execute(next, request);
    });
  }

  function waitLimit({ deadline, receivedAt }: RequestState): number {
    return Math.min(deadline === undefined ? defaultWait : (deadline - receivedAt) / 4, longestWait);
  }

  function refuse(ctx: ApiContext, request: ClassifiedRequest): void {
    respondTooManyRequests(ctx, flowControl.retryAfter(request));
  }
}

/** A request in its queue. Few objects: there may be thousands in line, and each collection of garbage goes over them. */
class Waiting extends Expiring {
  /** It is its turn, the time is up, or the client has gone; its phase tells. */
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
    this.leave('time-out');
  }

  leave(why: 'time-out' | 'cancelled'): void {
    if (this.#flowControl.cancel(this.#request, why)) this.#settle();
  }
}

let isSending = false;

/** One who waited is not to wait for the requests of one more turn: its answer goes out with all that are let in now. */
function sendWithTheOthers(): void {
  if (isSending) return;
  isSending = true;
  queueMicrotask(() => {
    isSending = false;
    flushResponses();
  });
}
