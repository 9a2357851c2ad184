import { Exposition, formatLabels } from '../../../machinery/metrics/exposition.ts';

/** (kube-aggregator pkg/controllers/status/metrics) */
export class AvailabilityMetrics {
  readonly #available = new Map<string, boolean>();
  readonly #unavailable = new Map<string, number>();

  setAvailable(name: string, isAvailable: boolean): void {
    this.#available.set(name, isAvailable);
  }

  forget(name: string): void {
    this.#available.delete(name);
  }

  /** Counts an APIService that becomes unavailable. */
  becameUnavailable(name: string, reason: string): void {
    const labels = formatLabels({ name, reason });
    this.#unavailable.set(labels, (this.#unavailable.get(labels) ?? 0) + 1);
  }

  /** Returns text in the Prometheus format. */
  render(): string {
    const text = new Exposition();
    const gauge = 'aggregator_unavailable_apiservice';
    text.head(gauge, 'gauge', '[ALPHA] Whether an APIService is marked as unavailable, by its name.');
    for (const [name, isAvailable] of this.#available) text.line(gauge, formatLabels({ name }), isAvailable ? 0 : 1);
    const counter = `${gauge}_total`;
    text.head(counter, 'counter', '[ALPHA] Number of times that APIServices became unavailable, by name and reason.');
    for (const [labels, count] of this.#unavailable) text.line(counter, labels, count);
    return text.toString();
  }
}
