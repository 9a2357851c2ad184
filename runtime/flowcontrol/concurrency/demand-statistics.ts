import type { DemandSummary } from '../metrics/seat-demand.ts';

/** Smoothed demand halves in five minutes when none comes. (seatDemandSmoothingCoefficient) */
const smoothing = 0.977;

/** What is remembered from period to period. (apf_controller.go seatDemandStats) */
export class DemandStatistics {
  highWatermark = 0;
  average = 0;
  deviation = 0;
  /** Follows the demand's envelope up at once, and down slowly. */
  smoothed = 0;

  update(summary: DemandSummary): void {
    this.highWatermark = Math.round(summary.max);
    if (summary.duration <= 0) return;
    this.average = summary.average;
    this.deviation = summary.deviation;
    const envelope = summary.average + summary.deviation;
    this.smoothed = Math.max(envelope, smoothing * this.smoothed + (1 - smoothing) * envelope);
  }
}
