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
    const bucket = bounds.findIndex((bound) => seconds <= bound);
    const at = bucket < 0 ? bounds.length : bucket;
    this.counts[at] = (this.counts[at] ?? 0) + 1;
    this.sum += seconds;
    this.total++;
  }
}

/** Of this thread, from its start on. (apiserver pkg/cel/metrics) */
export const compilations = new Timings();
export const evaluations = new Timings();
