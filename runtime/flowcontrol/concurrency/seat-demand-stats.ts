import type { IntegratorResults } from '../metrics/integrator.ts';

/** The smoothed demand halves within five minutes without demand. (seatDemandSmoothingCoefficient) */
const seatDemandSmoothingCoefficient = 0.977;

/** A level's seat demand in the last adjustment period, and smoothed over periods. (apf_controller.go seatDemandStats) */
export class SeatDemandStats {
  highWatermark = 0;
  average = 0;
  standardDeviation = 0;
  /** Follows the demand's envelope: up at once, down slowly. */
  smoothed = 0;

  update({ duration, average, deviation, max }: IntegratorResults): void {
    this.highWatermark = Math.round(max);
    if (duration <= 0) return;
    this.average = average;
    this.standardDeviation = deviation;
    const envelope = average + deviation;
    const decayed = seatDemandSmoothingCoefficient * this.smoothed + (1 - seatDemandSmoothingCoefficient) * envelope;
    this.smoothed = Math.max(envelope, decayed);
  }
}
