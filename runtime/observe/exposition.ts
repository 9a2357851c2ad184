/** Builds text in the Prometheus format. Labels are given as `a="b",c="d"`, "" if there are none. */
export class Exposition {
  readonly #lines: string[] = [];

  /** Starts a metric. Its lines follow. */
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

/** The data of a histogram. */
export interface Buckets {
  /** Upper bounds, ascending. */
  readonly bounds: readonly number[];
  /** The number of values in each bucket, followed by the number above all bounds. */
  readonly counts: ArrayLike<number>;
  readonly sum: number;
  readonly total: number;
}

const inBraces = (labels: string): string => (labels === '' ? '' : `{${labels}}`);
