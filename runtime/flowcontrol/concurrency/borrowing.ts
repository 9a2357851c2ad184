import type { FlowControlMetrics } from '../metrics/flow-control-metrics.ts';
import { allocate, type Claim } from './allocation.ts';
import type { LevelState } from './level-state.ts';

/** How often seats are divided anew, in milliseconds. (borrowingAdjustmentPeriod) */
export const adjustmentPeriod = 10_000;

/**
 * Divides the server's seats by what each level asked for since the last time: nobody goes below what it used, as far as
 * that is its own, nor below what it does not lend, nor above what it may borrow.
 * (apf_controller.go updateBorrowingLocked)
 *
 * @param now of the levels' clock
 */
export function divideSeats(
  levels: readonly LevelState[],
  serverConcurrency: number,
  metrics: FlowControlMetrics,
  now: number,
): void {
  for (const { statistics, series } of levels) statistics.update(series.use.reckoned.moments.summarize(now));
  const limited = levels.filter(({ exempt }) => !exempt);
  const least = (level: LevelState): number => {
    const { statistics, limits, exempt } = level;
    const used = exempt ? statistics.highWatermark : Math.min(limits.nominal, statistics.highWatermark);
    return Math.max(limits.lower, used);
  };
  const nominal = sum(levels, ({ limits }) => limits.nominal);
  // exempt levels are not asked; they take what they use
  const left = nominal - sum(levels, (level) => (level.exempt ? least(level) : 0));
  const lower = sum(limited, ({ limits }) => limits.lower);
  const used = sum(limited, least);
  const claims = limited.map((level): Claim => {
    const atLeast = least(level);
    return {
      least: atLeast,
      most: Math.max(atLeast, level.limits.upper),
      target: Math.max(atLeast, level.statistics.smoothed),
    };
  });
  let seatsOf: (level: LevelState, at: number) => number;
  metrics.fairFraction = 0;
  if (left <= lower) seatsOf = ({ limits }) => limits.lower;
  else if (left <= used) {
    const part = (left - lower) / (used - lower);
    seatsOf = (level) => level.limits.lower + Math.round((least(level) - level.limits.lower) * part);
  } else {
    const allocation = allocate(nominal, claims);
    metrics.fairFraction = allocation?.fairFraction ?? 0;
    seatsOf = ({ current }, at) => (allocation === undefined ? current : Math.round(allocation.shares[at]));
  }
  for (const level of levels) {
    const at = limited.indexOf(level);
    const seats = level.exempt ? least(level) : seatsOf(level, at);
    const scale = seats > 0 ? seats : Math.max(1, Math.round(serverConcurrency / 10));
    const { statistics, series } = level;
    series.demandHighWatermark = statistics.highWatermark;
    series.demandAverage = statistics.average;
    series.demandDeviation = statistics.deviation;
    series.demandSmoothed = statistics.smoothed;
    series.target = level.exempt ? seats : claims[at].target;
    level.setSeats(seats, scale);
  }
}

function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}
