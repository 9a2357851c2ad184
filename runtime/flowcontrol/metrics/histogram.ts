import type { Buckets } from '../../machinery/metrics/exposition.ts';

/** A histogram of plain numbers; its text is rendered on demand. */
export class Histogram {
  readonly bounds: readonly number[];
  readonly #counts: Float64Array;
  #sum = 0;
  #total = 0;
  /** The last value. Most values repeat it, so repetitions are only counted. */
  #last = 0;
  #repetitions = 0;

  /** @param bounds the buckets' upper bounds, inclusive and ascending */
  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  get total(): number {
    return this.#total + this.#repetitions;
  }

  observe(value: number): void {
    if (value === this.#last) {
      this.#repetitions++;
      return;
    }
    this.#flush();
    this.#last = value;
    this.#repetitions = 1;
  }

  observeWithWeight(value: number, weight: number): void {
    const { bounds } = this;
    let bucket = 0;
    while (bucket < bounds.length && value > (bounds[bucket] ?? 0)) bucket++;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + weight;
    this.#sum += value * weight;
    this.#total += weight;
  }

  get buckets(): Buckets {
    this.#flush();
    return { bounds: this.bounds, counts: this.#counts, sum: this.#sum, total: this.#total };
  }

  #flush(): void {
    if (this.#repetitions > 0) this.observeWithWeight(this.#last, this.#repetitions);
    this.#repetitions = 0;
  }
}
