import { describe, expect, test } from '@jest/globals';
import { Histogram } from '../../../runtime/flowcontrol/metrics/histogram.ts';
import { PriorityLevelConcurrency } from '../../../runtime/flowcontrol/metrics/priority-level-concurrency.ts';
import { RequestKindConcurrency } from '../../../runtime/flowcontrol/metrics/request-kind-concurrency.ts';
import type { Buckets } from '../../../runtime/machinery/metrics/exposition.ts';
import { Random } from '../../support/random.ts';

/** Returns cumulative counts by bound, as reported. */
function read({ bounds, counts, sum, total }: Buckets): { below: Map<number, number>; sum: number; total: number } {
  const below = new Map<number, number>();
  let count = 0;
  for (const [at, bound] of bounds.entries()) {
    count += counts[at];
    below.set(bound, Math.round(count));
  }
  return { below, sum, total: Math.round(total) };
}

interface Stretch {
  readonly ratio: number;
  /** Milliseconds. */
  readonly lasted: number;
}

/** Counts each nanosecond of every interval as one value. */
function expectOver(buckets: Buckets, stretches: readonly Stretch[]): void {
  const { below, sum, total } = read(buckets);
  const nanoseconds = (some: readonly Stretch[]): number => some.reduce((all, { lasted }) => all + lasted * 1e6, 0);
  expect(total).toBe(nanoseconds(stretches));
  expect(sum).toBeCloseTo(
    stretches.reduce((all, { ratio, lasted }) => all + ratio * lasted * 1e6, 0),
    2,
  );
  for (const [bound, count] of below) expect(count).toBe(nanoseconds(stretches.filter(({ ratio }) => ratio <= bound)));
}

describe('values recorded at each change count as if observed every nanosecond', () => {
  test('of a level, read at any time, beyond a full buffer and beyond the common numbers', () => {
    for (let seed = 1; seed <= 30; seed++) {
      const random = new Random(seed);
      let now = 1000;
      const use = new PriorityLevelConcurrency(now);
      let [seats, asked, scale] = [0, 0, 1];
      const taken: Stretch[] = [];
      const wanted: (Stretch & { readonly asked: number })[] = [];
      const pass = (): void => {
        const lasted = random.between(0, 9);
        now += lasted;
        taken.push({ ratio: seats / scale, lasted });
        wanted.push({ ratio: asked / scale, lasted, asked });
      };
      for (let step = 0; step < 700; step++) {
        pass();
        if (random.chance(0.01)) use.aggregates.seatUtilization.bucketsAt(now);
        if (random.chance(0.01)) {
          scale = random.between(1, 50);
          for (const ratio of [use.aggregates.seatUtilization, use.aggregates.seatDemand]) ratio.setDenominator(scale, now);
        }
        // often the previous value
        if (random.chance(0.7)) seats = random.between(0, random.chance(0.1) ? 200 : 5);
        asked = seats + random.between(0, 3);
        use.record(now, { executing: seats, waiting: asked - seats, seatsInUse: seats, waitingSeats: asked - seats });
      }
      pass();
      const { seatUtilization, seatDemand, seatDemandIntegrator } = use.aggregates;
      expectOver(seatUtilization.bucketsAt(now), taken);
      expectOver(seatDemand.bucketsAt(now), wanted);
      const elapsed = wanted.reduce((all, { lasted }) => all + lasted, 0);
      const average = wanted.reduce((all, one) => all + one.asked * one.lasted, 0) / elapsed;
      const squares = wanted.reduce((all, one) => all + one.asked ** 2 * one.lasted, 0) / elapsed;
      const summary = seatDemandIntegrator.reset(now);
      expect({ seed, max: summary.max, duration: summary.duration }).toEqual({
        seed,
        max: Math.max(...wanted.map((one) => one.asked)),
        duration: elapsed / 1000,
      });
      expect(summary.average).toBeCloseTo(average, 6);
      expect(summary.deviation).toBeCloseTo(Math.sqrt(squares - average ** 2), 6);
    }
  });

  test('of a kind of requests: their number, and the maximum of this and the previous second', () => {
    const use = new RequestKindConcurrency(0);
    use.addExecuting(1, 0);
    use.addWaiting(3, 100);
    use.addWaiting(-2, 200);
    expect(use.waitingWatermark(900)).toBe(3);
    use.addExecuting(-1, 1100);
    expect(use.waitingWatermark(1200)).toBe(3);
    expect(use.waitingWatermark(2500)).toBe(1);
    expect([1900, 2500, 3500].map((now) => use.executingWatermark(now))).toEqual([1, 1, 0]);
    expectOver(use.ratios.executing.bucketsAt(2500), [
      { ratio: 1, lasted: 1100 },
      { ratio: 0, lasted: 1400 },
    ]);
  });
});

test('a histogram counts a repeated value like different ones', () => {
  const histogram = new Histogram([0, 1, 5]);
  for (const value of [0, 0, 1, 1, 1, 7, 0, 3]) histogram.observe(value);
  expect(histogram.total).toBe(8);
  expect(read(histogram.buckets)).toEqual({
    below: new Map([
      [0, 3],
      [1, 6],
      [5, 7],
    ]),
    sum: 13,
    total: 8,
  });
});
