import { FlowSchemaMetrics } from './flow-schema-metrics.ts';
import { PriorityLevelMetrics } from './priority-level-metrics.ts';
import { type MetricsSource, renderMetrics } from './render.ts';
import { RequestKindConcurrency } from './request-kind-concurrency.ts';

/** The metrics of priority and fairness. Requests change plain numbers; the text is rendered on demand. */
export class FlowControlMetrics implements MetricsSource {
  readonly mutating: RequestKindConcurrency;
  readonly readOnly: RequestKindConcurrency;
  seatFairFraction = 0;
  readonly #now: () => number;
  readonly #flowSchemas = new Map<string, FlowSchemaMetrics>();
  readonly #priorityLevels = new Map<string, PriorityLevelMetrics>();

  /** @param now returns milliseconds, by the clock of the queue sets */
  constructor(now: () => number) {
    this.#now = now;
    this.mutating = new RequestKindConcurrency(now());
    this.readOnly = new RequestKindConcurrency(now());
  }

  /** The counts continue if a schema or a level is deleted and created again. */
  flowSchema(priorityLevel: string, flowSchema: string): FlowSchemaMetrics {
    const key = `${priorityLevel}/${flowSchema}`;
    let metrics = this.#flowSchemas.get(key);
    if (metrics === undefined) {
      metrics = new FlowSchemaMetrics(priorityLevel, flowSchema);
      this.#flowSchemas.set(key, metrics);
    }
    return metrics;
  }

  priorityLevel(name: string): PriorityLevelMetrics {
    let metrics = this.#priorityLevels.get(name);
    if (metrics === undefined) {
      metrics = new PriorityLevelMetrics(name, this.#now());
      this.#priorityLevels.set(name, metrics);
    }
    return metrics;
  }

  /** Drops the gauges of a level that is gone, but keeps its counts. */
  removePriorityLevel(name: string): void {
    this.#priorityLevels.delete(name);
    for (const [key, metrics] of this.#flowSchemas) {
      if (metrics.priorityLevel === name && !metrics.used) this.#flowSchemas.delete(key);
    }
  }

  get flowSchemas(): readonly FlowSchemaMetrics[] {
    return [...this.#flowSchemas.values()];
  }

  get priorityLevels(): readonly PriorityLevelMetrics[] {
    return [...this.#priorityLevels.values()];
  }

  /** Prometheus text. */
  render(): string {
    return renderMetrics(this, this.#now());
  }
}
