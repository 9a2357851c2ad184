import type { Buckets } from './exposition.ts';

/** A histogram whose bounds are few, so that a value finds its bucket in a short loop. */
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
    let bucket = 0;
    while (bucket < bounds.length && value > bounds[bucket]) bucket++;
    this.counts[bucket]++;
    this.sum += value;
    this.total++;
  }

  /** Observes the seconds since `start`, which is by performance.now(). */
  observeSince(start: number): void {
    this.observe((performance.now() - start) / 1000);
  }
}
