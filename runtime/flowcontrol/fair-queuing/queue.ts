import type { SeatRequest } from './request.ts';

/** Requests of one queue in the order they came, and sums over them that are never counted anew. */
export class Queue {
  /** R at which the next request is dispatched in the virtual world. */
  nextDispatchR = 0;
  /** Requests being answered; lingering ones do not count. */
  readonly executing = new Set<SeatRequest>();
  /** Seats of its requests that are answered or linger. */
  seatsInUse = 0;
  length = 0;
  /** Sums over the waiting requests. */
  initialSeats = 0;
  seats = 0;
  work = 0;
  #oldest: SeatRequest | undefined;
  #newest: SeatRequest | undefined;

  /** Nothing waits or is answered: the queue has no part in the virtual time. */
  get idle(): boolean {
    return this.length === 0 && this.executing.size === 0;
  }

  get oldest(): SeatRequest | undefined {
    return this.#oldest;
  }

  enqueue(request: SeatRequest): void {
    request.older = this.#newest;
    if (this.#newest === undefined) this.#oldest = request;
    else this.#newest.newer = request;
    this.#newest = request;
    this.length++;
    this.initialSeats += request.initialSeats;
    this.seats += request.seats;
    this.work += request.totalWork;
  }

  /** From any place of the queue. */
  remove(request: SeatRequest): void {
    const { older, newer } = request;
    if (older === undefined) this.#oldest = newer;
    else older.newer = newer;
    if (newer === undefined) this.#newest = older;
    else newer.older = older;
    request.older = undefined;
    request.newer = undefined;
    this.length--;
    this.initialSeats -= request.initialSeats;
    this.seats -= request.seats;
    this.work -= request.totalWork;
  }

  /** Oldest first. */
  *waiting(): Iterable<SeatRequest> {
    for (let request = this.#oldest; request !== undefined; request = request.newer) yield request;
  }

  /**
   * Nothing is dispatched before it came: a queue that could not use its share while it had little to do must not save
   * it up.
   */
  boundNextDispatch(): void {
    if (this.#oldest !== undefined && this.nextDispatchR < this.#oldest.arrivalR) {
      this.nextDispatchR = this.#oldest.arrivalR;
    }
  }

  /** Winds the meter readings back. */
  rewind(decrement: number): void {
    if (this.idle) {
      this.nextDispatchR = 0;
      return;
    }
    this.nextDispatchR -= decrement;
    for (const request of this.waiting()) request.arrivalR -= decrement;
  }
}
