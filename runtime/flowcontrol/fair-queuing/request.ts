import type { Linked } from '../../machinery/collections/linked-list.ts';
import type { UserInfo } from '../../machinery/user-info.ts';
import type { Flow } from '../classification/flow.ts';
import type { RejectReason } from '../metrics/flow-schema-metrics.ts';
import type { RequestInfo } from '../request-info.ts';
import type { Queue } from './queue.ts';
import { estimatedServiceDuration, seatSeconds, type WorkEstimate } from './work.ts';

/**
 * Where a request is on its way through a queue set:
 *
 *     new ─┬─> waiting ─┬─> executing ─┬─> lingering ─> done
 *          ├────────────┼──────^       └────────────────^
 *          └────────────┴─> rejected
 *
 * A lingering request has been answered but still holds its final seats.
 */
export type RequestPhase = 'new' | 'waiting' | 'executing' | 'lingering' | 'done' | 'rejected';

/** A request in a queue set. It is created once and changed in place, so an uncontended request costs one allocation. */
export class QueuedRequest<F extends Flow = Flow> implements Linked<QueuedRequest> {
  readonly requestInfo: RequestInfo;
  readonly user: UserInfo;
  readonly flow: F;
  readonly initialSeats: number;
  finalSeats: number;
  /** Milliseconds that the request holds its final seats after it has been answered. */
  additionalLatency: number;
  /** The larger one of initial and final seats. The request holds this many all the time. */
  maxSeats: number;
  readonly finalWork: number;
  readonly totalWork: number;
  phase: RequestPhase = 'new';
  rejectReason: RejectReason | undefined;
  /** Undefined if the level has no queues. */
  queue: Queue | undefined;
  /** Times by the clock of the queue set. */
  arrivalTime = 0;
  startTime = 0;
  /** R(arrivalTime). */
  arrivalR = 0;
  /** The list of requests that wait in one queue, that execute from it, or that have no queue. */
  list: object | undefined;
  previous: QueuedRequest | undefined;
  next: QueuedRequest | undefined;
  /** Called once when the request leaves its queue to be executed. */
  onDispatch: (() => void) | undefined;

  constructor(requestInfo: RequestInfo, user: UserInfo, flow: F, work: WorkEstimate) {
    const { initialSeats, finalSeats, additionalLatency } = work;
    this.requestInfo = requestInfo;
    this.user = user;
    this.flow = flow;
    this.initialSeats = initialSeats;
    this.finalSeats = finalSeats;
    this.additionalLatency = additionalLatency;
    this.maxSeats = Math.max(initialSeats, finalSeats);
    this.finalWork = finalSeats === 0 ? 0 : seatSeconds(finalSeats, additionalLatency);
    this.totalWork = seatSeconds(initialSeats, estimatedServiceDuration) + this.finalWork;
  }
}
