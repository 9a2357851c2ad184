/** Upper bounds in seconds: the default ones of Prometheus, which upstream uses. */
const bounds: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** How long something took, in buckets, for metrics. */
class Timings {
  readonly bounds = bounds;
  readonly counts = new Float64Array(bounds.length + 1);
  sum = 0;
  total = 0;

  /** @param since by performance.now() */
  observe(since: number): void {
    const seconds = (performance.now() - since) / 1000;
    let bucket = 0;
    while (bucket < bounds.length && seconds > bounds[bucket]) bucket++;
    this.counts[bucket]++;
    this.sum += seconds;
    this.total++;
  }
}

/** Of this thread, from its start on. (apiserver pkg/cel/metrics) */
export const compilations = new Timings();
export const evaluations = new Timings();
