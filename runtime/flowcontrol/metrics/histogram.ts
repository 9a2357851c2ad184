/** Counts of values by upper bounds: plain numbers, put into text when somebody asks. */
export class Histogram {
  readonly bounds: readonly number[];
  readonly counts: Float64Array;
  sum = 0;
  total = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    this.add(value, 1);
  }

  /** A value that counts `weight` times. */
  add(value: number, weight: number): void {
    const { bounds } = this;
    let bucket = 0;
    while (bucket < bounds.length && value > bounds[bucket]) bucket++;
    this.counts[bucket] += weight;
    this.sum += value * weight;
    this.total += weight;
  }

  /** @param labels as `a="b",c="d"`, "" for none */
  render(name: string, labels: string): string[] {
    const lines: string[] = [];
    const comma = labels === '' ? '' : ',';
    let below = 0;
    for (let at = 0; at < this.bounds.length; at++) {
      below += this.counts[at];
      lines.push(`${name}_bucket{${labels}${comma}le="${this.bounds[at]}"} ${Math.round(below)}`);
    }
    lines.push(`${name}_bucket{${labels}${comma}le="+Inf"} ${Math.round(this.total)}`);
    const braces = labels === '' ? '' : `{${labels}}`;
    lines.push(`${name}_sum${braces} ${this.sum}`, `${name}_count${braces} ${Math.round(this.total)}`);
    return lines;
  }
}
