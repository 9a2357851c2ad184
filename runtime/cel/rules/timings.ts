/** Upper bounds in seconds: Prometheus' defaults, which upstream uses. */
const bounds: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** A histogram of durations, for metrics. */
class Timings {
  readonly bounds = bounds;
  readonly counts = new Float64Array(bounds.length + 1);
  sum = 0;
  total = 0;

  /** @param since a time of performance.now() */
  observe(since: number): void {
    const seconds = (performance.now() - since) / 1000;
    const bucket = bounds.findIndex((bound) => seconds <= bound);
    const at = bucket < 0 ? bounds.length : bucket;
    this.counts[at] = (this.counts[at] ?? 0) + 1;
    this.sum += seconds;
    this.total++;
  }
}

/** Compilations in this thread since its start. (apiserver pkg/cel/metrics) */
export const compilations = new Timings();
export const evaluations = new Timings();
