/** The server with prepared responses: the maximum of node:https. */
const bareServer = 'bare node:https';

/** Collects rows during the measurement and prints them as a Markdown table. */
export class Report {
  readonly #rows: string[][] = [];

  row(what: string, ours: string, limit: string, target: string): void {
    this.#rows.push([what, ours, limit, target]);
    console.error(`  ${what}: ${ours}${limit === '' ? '' : ` (limit ${limit})`}`);
  }

  /** Adds a rate, the limit's rate, and our share of it. `of` names the measured limit. */
  rate(what: string, ours: number, limit: number, unit: string, target: string, of = bareServer): void {
    const digits = ours < 100 ? 1 : 0;
    const share = Math.round((100 * ours) / limit);
    this.row(what, `${ours.toFixed(digits)} ${unit}, ${share}%`, `${limit.toFixed(digits)} ${unit} (${of})`, target);
  }

  /** Adds a time, the limit's time, and our share of its speed. */
  time(what: string, ours: number, limit: number, target: string): void {
    const share = Math.round((100 * limit) / ours);
    this.row(what, `${round(ours)} ms, ${share}%`, `${round(limit)} ms (${bareServer})`, target);
  }

  print(): void {
    const head = ['', 'Kubeloom', 'limit', 'target'];
    console.log(`| ${head.join(' | ')} |\n|${head.map(() => '---').join('|')}|`);
    for (const row of this.#rows) console.log(`| ${row.join(' | ')} |`);
  }
}

const round = (ms: number): string => (ms < 100 ? ms.toFixed(1) : String(Math.round(ms)));

export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}
