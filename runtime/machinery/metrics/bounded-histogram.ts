import type { Buckets } from './exposition.ts';

/** A histogram with few bounds: a short loop finds the bucket of a value. */
export class BoundedHistogram implements Buckets {
  readonly bounds: readonly number[];
  readonly counts: Float64Array;
  sum = 0;
  total = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    const { bounds } = this;
    const found = bounds.findIndex((bound) => value <= bound);
    const bucket = found < 0 ? bounds.length : found;
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
    this.sum += value;
    this.total++;
  }

  /** Observes the seconds since `start`, a value of performance.now(). */
  observeSince(start: number): void {
    this.observe((performance.now() - start) / 1000);
  }
}
