import type { Buckets } from '../../observe/exposition.ts';

/** Counts of values by upper bounds: plain numbers, put into text when somebody asks. */
export class Histogram {
  readonly bounds: readonly number[];
  readonly #counts: Float64Array;
  #sum = 0;
  #total = 0;
  /** Most values are the one before again: they are only counted. */
  #last = 0;
  #again = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  get total(): number {
    return this.#total + this.#again;
  }

  observe(value: number): void {
    if (value === this.#last) {
      this.#again++;
      return;
    }
    this.#settle();
    this.#last = value;
    this.#again = 1;
  }

  /** A value that counts `weight` times. */
  add(value: number, weight: number): void {
    const { bounds } = this;
    let bucket = 0;
    while (bucket < bounds.length && value > bounds[bucket]) bucket++;
    this.#counts[bucket] += weight;
    this.#sum += value * weight;
    this.#total += weight;
  }

  /** What it holds now. */
  get buckets(): Buckets {
    this.#settle();
    return { bounds: this.bounds, counts: this.#counts, sum: this.#sum, total: this.#total };
  }

  #settle(): void {
    if (this.#again > 0) this.add(this.#last, this.#again);
    this.#again = 0;
  }
}
