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

  /** @param labels as `a="b",c="d"`, "" for none */
  render(name: string, labels: string): string[] {
    this.#settle();
    const lines: string[] = [];
    const comma = labels === '' ? '' : ',';
    let below = 0;
    for (let at = 0; at < this.bounds.length; at++) {
      below += this.#counts[at];
      lines.push(`${name}_bucket{${labels}${comma}le="${this.bounds[at]}"} ${Math.round(below)}`);
    }
    lines.push(`${name}_bucket{${labels}${comma}le="+Inf"} ${Math.round(this.#total)}`);
    const braces = labels === '' ? '' : `{${labels}}`;
    lines.push(`${name}_sum${braces} ${this.#sum}`, `${name}_count${braces} ${Math.round(this.#total)}`);
    return lines;
  }

  #settle(): void {
    if (this.#again > 0) this.add(this.#last, this.#again);
    this.#again = 0;
  }
}
