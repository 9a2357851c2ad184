import type { Admission, FlowControl } from '../flowcontrol/flow-control.ts';
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
  const finish = batchAtEndOfTurn((admission: Admission) => flowControl.finish(admission));
  const limits = new ExpirationTimer(clock);
  return (ctx, next) => {
    const { requestInfo, user, query } = ctx.state;
    const watches = requestInfo.verb === 'watch';
    if (!watches && isLongRunning(requestInfo)) return next();
    const admission = flowControl.start(requestInfo, user as UserInfo, query);
    const { uid, level } = admission.matched;
    ctx.state.head.push('X-Kubernetes-PF-FlowSchema-UID', uid, 'X-Kubernetes-PF-PriorityLevel-UID', level.uid);
    if (admission.phase === 'executing') return watches ? executeWatch(ctx, next, admission) : execute(next, admission);
    if (admission.phase === 'waiting') return wait(ctx, next, admission, watches);
    return refuse(ctx, admission);
  };

  function execute(next: Next, admission: Admission): unknown {
    return runFinally(next, finish, admission);
  }

  function executeWatch(ctx: ApiContext, next: Next, admission: Admission): unknown {
    const { state } = ctx;
    const forget = flowControl.watches.add(state.requestInfo, state.query);
    state.onWatchInitialized = () => finish(admission);
    const end = (): void => {
      forget();
      finish(admission);
    };
    return runFinally(next, end, undefined);
  }

  function wait(ctx: ApiContext, next: Next, admission: Admission, watches: boolean): Promise<unknown> {
    const { state } = ctx;
    const waiting = new Waiting(state.receivedAt + waitLimit(state), flowControl, admission);
    limits.add(waiting);
    // told of those that were dispatched long ago too, which have nothing to leave
    state.onAbort(() => waiting.leave('cancelled'));
    return waiting.settled.then(() => {
      limits.delete(waiting);
      if (admission.phase !== 'executing') return refuse(ctx, admission);
      flowControl.noteDispatched(admission);
      sendWithTheOthers();
      return watches ? executeWatch(ctx, next, admission) : execute(next, admission);
    });
  }

  function waitLimit({ deadline, receivedAt }: RequestState): number {
    return Math.min(deadline === undefined ? defaultWait : (deadline - receivedAt) / 4, longestWait);
  }

  function refuse(ctx: ApiContext, admission: Admission): void {
    respondTooManyRequests(ctx, flowControl.retryAfter(admission));
  }
}

/** A request in its queue. Few objects: there may be thousands in line, and each collection of garbage goes over them. */
class Waiting extends Expiring {
  /** It is its turn, the time is up, or the client has gone; its phase tells. */
  readonly settled: Promise<void>;
  readonly #flowControl: FlowControl;
  readonly #admission: Admission;
  #settle: () => void = () => undefined;

  constructor(until: number, flowControl: FlowControl, admission: Admission) {
    super(until);
    this.#flowControl = flowControl;
    this.#admission = admission;
    this.settled = new Promise((resolve) => {
      this.#settle = resolve;
    });
    admission.onDispatch = this.#settle;
  }

  override expire(): void {
    this.leave('time-out');
  }

  leave(why: 'time-out' | 'cancelled'): void {
    if (this.#flowControl.abandon(this.#admission, why)) this.#settle();
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
