import { formatFloat } from './format-float.ts';

export type MetricType = 'counter' | 'gauge' | 'histogram';

/** Builds text in the Prometheus format. Labels have the form `a="b",c="d"`, or "". */
export class Exposition {
  readonly #lines: string[] = [];
  #head: readonly string[] = [];

  /** Starts a metric. Its lines follow. A metric without lines is left out. */
  head(name: string, type: MetricType, help: string): void {
    this.#head = [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
  }

  /** @param time of the sample, in milliseconds since the epoch. Default: the time of the scrape */
  line(name: string, labels: string, value: number, time?: number): void {
    if (this.#head.length > 0) this.#lines.push(...this.#head);
    this.#head = [];
    const suffix = time === undefined ? '' : ` ${time}`;
    this.#lines.push(`${name}${inBraces(labels)} ${formatFloat(value)}${suffix}`);
  }

  histogram(name: string, labels: string, { bounds, counts, sum, total }: Buckets): void {
    const comma = labels === '' ? '' : ',';
    let below = 0;
    for (const [at, bound] of bounds.entries()) {
      below += counts[at] ?? 0;
      this.line(`${name}_bucket`, `${labels}${comma}le="${formatFloat(bound)}"`, Math.round(below));
    }
    this.line(`${name}_bucket`, `${labels}${comma}le="+Inf"`, Math.round(total));
    this.line(`${name}_sum`, labels, sum);
    this.line(`${name}_count`, labels, Math.round(total));
  }

  toString(): string {
    return this.#lines.map((line) => `${line}\n`).join('');
  }
}

/** The data of a histogram. */
export interface Buckets {
  /** Upper bounds, ascending. */
  readonly bounds: readonly number[];
  /** The number of values in each bucket, then the number above all bounds. */
  readonly counts: ArrayLike<number>;
  readonly sum: number;
  readonly total: number;
}

const inBraces = (labels: string): string => (labels === '' ? '' : `{${labels}}`);

/** Formats labels sorted by name, as Prometheus' own libraries do. */
export function formatLabels(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, escapeLabel)}"`)
    .join(',');
}

function escapeLabel(char: string): string {
  return char === '\n' ? '\\n' : `\\${char}`;
}
