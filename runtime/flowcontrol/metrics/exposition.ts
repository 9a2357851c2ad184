/** How stable a metric is, as its help says. */
export type Stage = 'ALPHA' | 'BETA' | 'STABLE';

/** Prometheus text in the making. */
export class Exposition {
  readonly #lines: string[] = [];

  head(name: string, type: 'counter' | 'gauge' | 'histogram', stage: Stage, help: string): void {
    this.#lines.push(`# HELP ${name} [${stage}] ${help}`, `# TYPE ${name} ${type}`);
  }

  line(name: string, labels: string, value: number): void {
    this.#lines.push(labels === '' ? `${name} ${value}` : `${name}{${labels}} ${value}`);
  }

  lines(lines: readonly string[]): void {
    this.#lines.push(...lines);
  }

  toString(): string {
    return `${this.#lines.join('\n')}\n`;
  }
}
