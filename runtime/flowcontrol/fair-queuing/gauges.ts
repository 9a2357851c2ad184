import type { SeatDemand } from '../concurrency/seat-demand.ts';
import type { KindSeries, LevelSeries } from '../metrics/series.ts';
import { isMutating } from '../request-digest.ts';
import type { SeatRequest } from './request.ts';

export interface GaugeParts {
  readonly series: LevelSeries;
  readonly demand: SeatDemand;
  readonly mutating: KindSeries;
  readonly readOnly: KindSeries;
}

/** What a queue set tells of itself, at each change; `now` is that of its clock. */
export class Gauges {
  readonly #parts: GaugeParts;

  constructor(parts: GaugeParts) {
    this.#parts = parts;
  }

  /** @param scale what use is shown in proportion to */
  rescale(waiting: number, scale: number, now: number): void {
    const { series } = this.#parts;
    series.waitingUtilization.setDenominator(waiting, now);
    series.executingUtilization.setDenominator(scale, now);
    series.seatUtilization.setDenominator(scale, now);
  }

  /** @param sign 1 for one that begins to wait, -1 for one that does not any more */
  waiting(request: SeatRequest, sign: 1 | -1, now: number): void {
    const { series } = request.flow;
    series.waitingRequests += sign;
    series.waitingSeats += sign * request.seats;
    this.#parts.series.waitingUtilization.add(sign, now);
    this.#kindOf(request).noteWaiting(sign, now);
  }

  executing(request: SeatRequest, sign: 1 | -1, now: number): void {
    request.flow.series.executingRequests += sign;
    this.#parts.series.executingUtilization.add(sign, now);
    this.#kindOf(request).executing.add(sign, now);
  }

  /** Seats are taken from the beginning to the end of lingering. */
  seats(request: SeatRequest, sign: 1 | -1, now: number): void {
    request.flow.series.executingSeats += sign * request.seats;
    this.#parts.series.seatUtilization.add(sign * request.seats, now);
  }

  /** @param seats in use and asked for */
  demand(seats: number, now: number): void {
    this.#parts.demand.set(seats, now);
    this.#parts.series.demand.set(seats, now);
  }

  progress(currentR: number): void {
    this.#parts.series.currentR = currentR;
  }

  epochAdvanced(): void {
    this.#parts.series.epochAdvances++;
  }

  /** @param s virtual start of what is dispatched; the bounds are those over all queues, without and with work under way */
  dispatched(r: number, s: number, min: number, max: number, discountedMin: number, discountedMax: number): void {
    const { series } = this.#parts;
    series.dispatchR = r;
    series.latestS = s;
    series.nextS.min = min;
    series.nextS.max = max;
    series.nextDiscountedS.min = discountedMin;
    series.nextDiscountedS.max = discountedMax;
  }

  #kindOf(request: SeatRequest): KindSeries {
    return isMutating(request.digest) ? this.#parts.mutating : this.#parts.readOnly;
  }
}
