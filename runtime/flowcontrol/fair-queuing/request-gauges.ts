import type { RequestKindConcurrency } from '../metrics/request-kind-concurrency.ts';
import { isMutating } from '../request-info.ts';
import type { QueuedRequest } from './queue.ts';

export interface RequestGaugesOptions {
  readonly mutating: RequestKindConcurrency;
  readonly readOnly: RequestKindConcurrency;
}

/** Counts a queue set's requests and seats by flow schema and by kind. `now` is the time of the queue set's clock. */
export class RequestGauges {
  readonly #mutating: RequestKindConcurrency;
  readonly #readOnly: RequestKindConcurrency;

  constructor({ mutating, readOnly }: RequestGaugesOptions) {
    this.#mutating = mutating;
    this.#readOnly = readOnly;
  }

  /** @param delta 1 if the request starts to wait, -1 if it stops */
  addWaiting(request: QueuedRequest, delta: 1 | -1, now: number): void {
    const { metrics } = request.flow;
    metrics.waitingRequests += delta;
    metrics.waitingSeats += delta * request.maxSeats;
    this.#concurrencyOf(request).addWaiting(delta, now);
  }

  addExecuting(request: QueuedRequest, delta: 1 | -1, now: number): void {
    request.flow.metrics.executingRequests += delta;
    this.#concurrencyOf(request).addExecuting(delta, now);
  }

  /** A request holds its seats from its dispatch until its final seats are released. */
  addSeatsInUse(request: QueuedRequest, delta: 1 | -1): void {
    request.flow.metrics.executingSeats += delta * request.maxSeats;
  }

  #concurrencyOf(request: QueuedRequest): RequestKindConcurrency {
    return isMutating(request.requestInfo) ? this.#mutating : this.#readOnly;
  }
}
