import { send } from './request.ts';

export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const line = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/;
const label = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;

/** The metrics of a server at one moment. */
export class Metrics {
  readonly #samples: ReadonlyMap<string, readonly Sample[]>;

  /** @param wanted the names of metrics; the others are not parsed */
  constructor(text: string, wanted: ReadonlySet<string>) {
    const samples = new Map<string, Sample[]>();
    for (const row of text.split('\n')) {
      if (row.startsWith('#')) continue;
      const [, name = '', labels = '', value] = line.exec(row) ?? [];
      if (!wanted.has(name)) continue;
      const sample = { labels: Object.fromEntries([...labels.matchAll(label)].map(([, key, text]) => [key, text])), value: Number(value) };
      const known = samples.get(name);
      if (known === undefined) samples.set(name, [sample]);
      else known.push(sample);
    }
    this.#samples = samples;
  }

  samples(name: string): readonly Sample[] {
    return this.#samples.get(name) ?? [];
  }

  /** Returns the sum of the samples that have these labels. */
  sum(name: string, labels: Readonly<Record<string, string>> = {}): number {
    const wanted = Object.entries(labels);
    return this.samples(name)
      .filter((sample) => wanted.every(([key, value]) => sample.labels[key] === value))
      .reduce((sum, { value }) => sum + value, 0);
  }

  max(name: string): number {
    return Math.max(0, ...this.samples(name).map(({ value }) => value));
  }
}

/** @throws ApiError for users who may not read metrics */
export async function readMetrics(names: readonly string[]): Promise<Metrics> {
  return new Metrics(await (await send('/metrics', { accept: 'text/plain' })).text(), new Set(names));
}
