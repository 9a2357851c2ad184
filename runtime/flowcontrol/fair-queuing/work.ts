/** How much of the server a request takes, and for how long. (apiserver pkg/util/flowcontrol/request WorkEstimate) */
export interface WorkEstimate {
  /** Seats while the request is answered. */
  readonly initialSeats: number;
  /** Seats kept after the answer, for work that it left behind; 0 for none. */
  readonly finalSeats: number;
  /** Milliseconds that they are kept. */
  readonly additionalLatency: number;
}

/** What nearly every request costs; shared, so that an estimate is no allocation. */
export const oneSeat: WorkEstimate = Object.freeze({ initialSeats: 1, finalSeats: 0, additionalLatency: 0 });

/** What a request is taken to last before it is known, in milliseconds. (queueset estimatedServiceDuration) */
export const guessedDuration = 3;

/**
 * Work is counted in whole hundred-millionths of a seat-second, as upstream does, so that sums do not drift: doubles are
 * exact up to 2^53 of them, which is three years of one seat.
 */
const unitsPerSeatMs = 1e5;

export function seatSeconds(seats: number, ms: number): number {
  return Math.round(seats * ms * unitsPerSeatMs);
}

/** Milliseconds that `work` lasts on so many seats. */
export function durationOnSeats(work: number, seats: number): number {
  return work / seats / unitsPerSeatMs;
}

/** In seat-seconds, for people and metrics. */
export function inSeatSeconds(work: number): number {
  return work / (unitsPerSeatMs * 1000);
}
