import { type Linked, LinkedList } from '../../machinery/collections/linked-list.ts';
import type { UserInfo } from '../../machinery/user-info.ts';
import type { Flow } from '../classification/flow.ts';
import type { RejectReason } from '../metrics/flow-schema-metrics.ts';
import type { RequestInfo } from '../request-info.ts';
import { estimatedServiceDuration, seatSeconds, type WorkEstimate } from './work.ts';

/**
 * The phase of a request in a queue set:
 *
 *     new ─┬─> waiting ─┬─> executing ─┬─> lingering ─> done
 *          ├────────────┼──────^       └────────────────^
 *          └────────────┴─> rejected
 *
 * A lingering request has its response but still holds its final seats.
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

/** The requests of one queue in order of arrival, with running sums over them. (queueset/types.go queue) */
export class Queue {
  /** R at which the next request would be dispatched in the virtual world. */
  nextDispatchR = 0;
  /** Executing requests; lingering ones do not count. */
  readonly executing = new LinkedList<QueuedRequest>();
  readonly waiting = new LinkedList<QueuedRequest>();
  /** Seats of its executing and lingering requests. */
  seatsInUse = 0;
  /** Sums over the waiting requests. */
  initialSeatsSum = 0;
  maxSeatsSum = 0;
  totalWorkSum = 0;

  /** True while no request waits or executes. An idle queue takes no part in virtual time. */
  get idle(): boolean {
    return this.waiting.length === 0 && this.executing.length === 0;
  }

  enqueue(request: QueuedRequest): void {
    this.waiting.append(request);
    this.initialSeatsSum += request.initialSeats;
    this.maxSeatsSum += request.maxSeats;
    this.totalWorkSum += request.totalWork;
  }

  /** Removes a waiting request from any position. */
  remove(request: QueuedRequest): void {
    this.waiting.remove(request);
    this.initialSeatsSum -= request.initialSeats;
    this.maxSeatsSum -= request.maxSeats;
    this.totalWorkSum -= request.totalWork;
  }

  /**
   * Moves the next dispatch to the arrival of the oldest waiting request or later. A queue with too little work cannot
   * save up its share.
   */
  boundNextDispatch(): void {
    const oldest = this.waiting.first;
    if (oldest !== undefined && this.nextDispatchR < oldest.arrivalR) this.nextDispatchR = oldest.arrivalR;
  }

  /** Reduces all values of R by `decrement`. */
  decrementR(decrement: number): void {
    if (this.idle) {
      this.nextDispatchR = 0;
      return;
    }
    this.nextDispatchR -= decrement;
    for (const request of this.waiting) request.arrivalR -= decrement;
  }
}
