import { KindUse } from './kind-use.ts';
import { type FlowControlSeries, renderMetrics } from './render.ts';
import { FlowSeries, LevelSeries } from './series.ts';

/** What is measured of priority and fairness. Requests change plain numbers; text is made when somebody asks. */
export class FlowControlMetrics implements FlowControlSeries {
  readonly mutating: KindUse;
  readonly readOnly: KindUse;
  fairFraction = 0;
  readonly #now: () => number;
  readonly #flows = new Map<string, FlowSeries>();
  readonly #levels = new Map<string, LevelSeries>();

  /** @param now milliseconds; the same clock as the queue sets' */
  constructor(now: () => number) {
    this.#now = now;
    this.mutating = new KindUse(now());
    this.readOnly = new KindUse(now());
  }

  /** Counts go on when a schema or a level comes back. */
  flow(level: string, schema: string): FlowSeries {
    const key = `${level}/${schema}`;
    let series = this.#flows.get(key);
    if (series === undefined) {
      series = new FlowSeries(level, schema);
      this.#flows.set(key, series);
    }
    return series;
  }

  level(name: string): LevelSeries {
    let series = this.#levels.get(name);
    if (series === undefined) {
      series = new LevelSeries(name, this.#now());
      this.#levels.set(name, series);
    }
    return series;
  }

  /** A level that is gone has no gauges; its counts are kept. */
  forgetLevel(name: string): void {
    this.#levels.delete(name);
    for (const [key, series] of this.#flows) if (series.level === name && !series.used) this.#flows.delete(key);
  }

  get flows(): readonly FlowSeries[] {
    return [...this.#flows.values()];
  }

  get levels(): readonly LevelSeries[] {
    return [...this.#levels.values()];
  }

  /** Prometheus text. */
  render(): string {
    return renderMetrics(this, this.#now());
  }
}
