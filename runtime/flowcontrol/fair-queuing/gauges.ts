import type { KindUse } from '../metrics/kind-use.ts';
import type { LevelSeries } from '../metrics/series.ts';
import { isMutating } from '../request-digest.ts';
import type { SeatRequest } from './request.ts';

export interface GaugeParts {
  readonly series: LevelSeries;
  readonly mutating: KindUse;
  readonly readOnly: KindUse;
}

/** What a queue set tells of its requests, at each change; `now` is that of its clock. */
export class Gauges {
  readonly #parts: GaugeParts;

  constructor(parts: GaugeParts) {
    this.#parts = parts;
  }

  /** @param sign 1 for one that begins to wait, -1 for one that does not any more */
  waiting(request: SeatRequest, sign: 1 | -1, now: number): void {
    const { series } = request.flow;
    series.waitingRequests += sign;
    series.waitingSeats += sign * request.seats;
    this.#kindOf(request).addWaiting(sign, now);
  }

  executing(request: SeatRequest, sign: 1 | -1, now: number): void {
    request.flow.series.executingRequests += sign;
    this.#kindOf(request).addExecuting(sign, now);
  }

  /** Seats are taken from the beginning to the end of lingering. */
  seats(request: SeatRequest, sign: 1 | -1): void {
    request.flow.series.executingSeats += sign * request.seats;
  }

  #kindOf(request: SeatRequest): KindUse {
    return isMutating(request.digest) ? this.#parts.mutating : this.#parts.readOnly;
  }
}
