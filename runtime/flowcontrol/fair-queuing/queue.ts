import { LinkedList } from '../../machinery/linked-list.ts';
import type { SeatRequest } from './request.ts';

/** Requests of one queue in the order they came, and sums over them that are never counted anew. */
export class Queue {
  /** R at which the next request is dispatched in the virtual world. */
  nextDispatchR = 0;
  /** Requests being answered; lingering ones do not count. */
  readonly executing = new LinkedList<SeatRequest>();
  readonly waiting = new LinkedList<SeatRequest>();
  /** Seats of its requests that are answered or linger. */
  seatsInUse = 0;
  /** Sums over the waiting requests. */
  initialSeats = 0;
  seats = 0;
  work = 0;

  /** Nothing waits or is answered: the queue has no part in the virtual time. */
  get idle(): boolean {
    return this.waiting.length === 0 && this.executing.length === 0;
  }

  enqueue(request: SeatRequest): void {
    this.waiting.append(request);
    this.initialSeats += request.initialSeats;
    this.seats += request.seats;
    this.work += request.totalWork;
  }

  /** From any place of the queue. */
  remove(request: SeatRequest): void {
    this.waiting.remove(request);
    this.initialSeats -= request.initialSeats;
    this.seats -= request.seats;
    this.work -= request.totalWork;
  }

  /**
   * Nothing is dispatched before it came: a queue that could not use its share while it had little to do must not save
   * it up.
   */
  boundNextDispatch(): void {
    const oldest = this.waiting.first;
    if (oldest !== undefined && this.nextDispatchR < oldest.arrivalR) this.nextDispatchR = oldest.arrivalR;
  }

  /** Winds the meter readings back. */
  rewind(decrement: number): void {
    if (this.idle) {
      this.nextDispatchR = 0;
      return;
    }
    this.nextDispatchR -= decrement;
    for (const request of this.waiting) request.arrivalR -= decrement;
  }
}
