/** Prometheus' text format in the making. Labels are given as `a="b",c="d"`, "" for none. */
export class Exposition {
  readonly #lines: string[] = [];

  /** Before the lines of a metric. */
  head(name: string, type: 'counter' | 'gauge' | 'histogram', help: string): void {
    this.#lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`);
  }

  line(name: string, labels: string, value: number): void {
    this.#lines.push(`${name}${inBraces(labels)} ${value}`);
  }

  histogram(name: string, labels: string, { bounds, counts, sum, total }: Buckets): void {
    const comma = labels === '' ? '' : ',';
    let below = 0;
    for (let at = 0; at < bounds.length; at++) {
      below += counts[at];
      this.line(`${name}_bucket`, `${labels}${comma}le="${bounds[at]}"`, Math.round(below));
    }
    this.line(`${name}_bucket`, `${labels}${comma}le="+Inf"`, Math.round(total));
    this.line(`${name}_sum`, labels, sum);
    this.line(`${name}_count`, labels, Math.round(total));
  }

  toString(): string {
    return `${this.#lines.join('\n')}\n`;
  }
}

/** What a histogram has to tell. */
export interface Buckets {
  /** Upper bounds, ascending. */
  readonly bounds: readonly number[];
  /** How many values are in each bucket, and behind them all that are in none. */
  readonly counts: ArrayLike<number>;
  readonly sum: number;
  readonly total: number;
}

const inBraces = (labels: string): string => (labels === '' ? '' : `{${labels}}`);
