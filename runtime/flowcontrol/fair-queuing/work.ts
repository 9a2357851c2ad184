/** The seats of a request, and how long it occupies them. (apiserver pkg/util/flowcontrol/request.WorkEstimate) */
export interface WorkEstimate {
  /** Seats that the request occupies while it executes. */
  readonly initialSeats: number;
  /** Seats that it occupies after its response, for work that continues; 0 for none. */
  readonly finalSeats: number;
  /** Milliseconds for which it occupies the final seats. */
  readonly additionalLatency: number;
}

/** The estimate for nearly every request, shared to save an allocation. */
export const oneSeat: WorkEstimate = Object.freeze({ initialSeats: 1, finalSeats: 0, additionalLatency: 0 });

/** The assumed execution time of a request until its actual duration is known, in milliseconds. (queueset) */
export const estimatedServiceDuration = 3;

/**
 * Work is a whole number of units of 10^-8 seat-seconds, as upstream's SeatSeconds, so that sums do not drift. Doubles
 * are exact up to 2^53 units, which is three years of one seat.
 */
const unitsPerSeatMs = 1e5;

export function seatSeconds(seats: number, ms: number): number {
  return Math.round(seats * ms * unitsPerSeatMs);
}

/** Returns how long `work` lasts on the given number of seats, in milliseconds. (SeatSeconds.DurationPerSeat) */
export function durationPerSeat(work: number, seats: number): number {
  return work / seats / unitsPerSeatMs;
}

/** Converts work to seat-seconds, for metrics. (SeatSeconds.ToFloat) */
export function toSeatSeconds(work: number): number {
  return work / (unitsPerSeatMs * 1000);
}
