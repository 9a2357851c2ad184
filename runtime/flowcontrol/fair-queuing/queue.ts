import { LinkedList } from '../../machinery/collections/linked-list.ts';
import type { QueuedRequest } from './request.ts';

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

  /** No request waits or executes, so the queue takes no part in virtual time. */
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
   * Ensures that the next dispatch is not before the arrival of the oldest waiting request: a queue that had too little
   * work to use its share must not save the share up.
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
