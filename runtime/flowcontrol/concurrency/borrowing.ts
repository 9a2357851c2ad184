import type { FlowControlMetrics } from '../metrics/flow-control-metrics.ts';
import { type AllocationItem, computeConcurrencyAllocation } from './allocation.ts';
import type { PriorityLevelState } from './priority-level-state.ts';

/** Milliseconds between two reallocations of seats. (borrowingAdjustmentPeriod) */
export const borrowingAdjustmentPeriod = 10_000;

/**
 * Reallocates the server's seats by the levels' demand since the last call. A level gets at least the seats that it
 * used, up to its nominal limit; at least the seats that it does not lend; and at most the seats that it may borrow.
 * (apf_controller.go updateBorrowingLocked)
 *
 * @param now by the clock of the levels
 */
export function updateBorrowing(
  levels: readonly PriorityLevelState[],
  serverConcurrency: number,
  metrics: FlowControlMetrics,
  now: number,
): void {
  for (const { seatDemandStats, metrics } of levels) {
    seatDemandStats.update(metrics.concurrency.aggregates.seatDemandIntegrator.reset(now));
  }
  const limitedLevels = levels.filter(({ exempt }) => !exempt);
  const nominalSum = sum(levels, ({ limits }) => limits.nominal);
  // exempt levels take the seats that they use
  const remaining = nominalSum - sum(levels, (level) => (level.exempt ? minimumOf(level) : 0));
  const lowerSum = sum(limitedLevels, ({ limits }) => limits.lower);
  const minimumSum = sum(limitedLevels, minimumOf);
  const items = limitedLevels.map((level): AllocationItem => {
    const lowerBound = minimumOf(level);
    return {
      lowerBound,
      upperBound: Math.max(lowerBound, level.limits.upper),
      target: Math.max(lowerBound, level.seatDemandStats.smoothed),
    };
  });
  let seatsOf: (level: PriorityLevelState, at: number) => number;
  metrics.seatFairFraction = 0;
  if (remaining <= lowerSum) seatsOf = ({ limits }) => limits.lower;
  else if (remaining <= minimumSum) {
    const fraction = (remaining - lowerSum) / (minimumSum - lowerSum);
    seatsOf = (level) => level.limits.lower + Math.round((minimumOf(level) - level.limits.lower) * fraction);
  } else {
    const allocation = computeConcurrencyAllocation(nominalSum, items);
    metrics.seatFairFraction = allocation?.fairFraction ?? 0;
    seatsOf = ({ current }, at) => Math.round(allocation?.allocations[at] ?? current);
  }
  for (const level of levels) {
    const at = limitedLevels.indexOf(level);
    const seats = level.exempt ? minimumOf(level) : seatsOf(level, at);
    const concurrencyDenominator = seats > 0 ? seats : Math.max(1, Math.round(serverConcurrency / 10));
    const { seatDemandStats, metrics } = level;
    metrics.demandHighWatermark = seatDemandStats.highWatermark;
    metrics.demandAverage = seatDemandStats.average;
    metrics.demandStandardDeviation = seatDemandStats.standardDeviation;
    metrics.demandSmoothed = seatDemandStats.smoothed;
    metrics.target = level.exempt ? seats : (items[at]?.target ?? 0);
    level.setSeats(seats, concurrencyDenominator);
  }
}

/** Returns max(used seats up to the nominal limit, seats that the level does not lend). (minCurrentCL) */
function minimumOf({ seatDemandStats, limits, exempt }: PriorityLevelState): number {
  const { highWatermark } = seatDemandStats;
  return Math.max(limits.lower, exempt ? highWatermark : Math.min(limits.nominal, highWatermark));
}

function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}
