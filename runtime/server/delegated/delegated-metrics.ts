import { BoundedHistogram } from '../../machinery/metrics/bounded-histogram.ts';
import { Exposition, formatLabels } from '../../machinery/metrics/exposition.ts';

/** Seconds. */
const bounds = [0.25, 0.5, 0.7, 1, 1.5, 3, 5, 10];

/** Counts requests to the server that authenticates (`authn`) or authorizes (`authz`) users for this one, by status. */
export class DelegatedRequests {
  readonly #name: string;
  readonly #byCode = new Map<string, BoundedHistogram>();

  constructor(name: 'authn' | 'authz') {
    this.#name = `apiserver_delegated_${name}_request`;
  }

  /** @param status undefined if there was no response */
  observe(status: number | undefined, seconds: number): void {
    const code = status === undefined ? '<error>' : String(status);
    let latencies = this.#byCode.get(code);
    if (latencies === undefined) {
      latencies = new BoundedHistogram(bounds);
      this.#byCode.set(code, latencies);
    }
    latencies.observe(seconds);
  }

  render(text: Exposition): void {
    if (this.#byCode.size === 0) return;
    const [total, duration] = [`${this.#name}_total`, `${this.#name}_duration_seconds`];
    text.head(total, 'counter', '[ALPHA] Number of requests by status code.');
    for (const [code, latencies] of this.#byCode) text.line(total, formatLabels({ code }), latencies.total);
    text.head(duration, 'histogram', '[ALPHA] Latency of requests in seconds by status code.');
    for (const [code, latencies] of this.#byCode) text.histogram(duration, formatLabels({ code }), latencies);
  }
}

/** (apiserver pkg/authentication/authenticatorfactory/metrics.go, pkg/authorization/authorizerfactory/metrics.go) */
export class DelegatedMetrics {
  readonly authentication = new DelegatedRequests('authn');
  readonly authorization = new DelegatedRequests('authz');

  /** Returns text in the Prometheus format; "" if no such request was made. */
  render(): string {
    const text = new Exposition();
    this.authentication.render(text);
    this.authorization.render(text);
    return text.toString();
  }
}
