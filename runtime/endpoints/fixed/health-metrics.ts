import { Exposition, formatLabels } from '../../machinery/metrics/exposition.ts';

interface CheckResults {
  success: number;
  error: number;
  healthy: boolean;
}

/** The results of health checks. (component-base metrics/prometheus/slis) */
export class HealthMetrics {
  readonly #results = new Map<string, CheckResults & { readonly name: string; readonly type: string }>();

  /** @param type `livez`, `readyz` or `healthz` */
  record(name: string, type: string, healthy: boolean): void {
    const key = `${type} ${name}`;
    let results = this.#results.get(key);
    if (results === undefined) {
      results = { name, type, success: 0, error: 0, healthy };
      this.#results.set(key, results);
    }
    results[healthy ? 'success' : 'error']++;
    results.healthy = healthy;
  }

  /** Returns text in the Prometheus format. */
  render(): string {
    const text = new Exposition();
    const all = [...this.#results.values()].sort((a, b) => (a.name < b.name || (a.name === b.name && a.type < b.type) ? -1 : 1));
    text.head('kubernetes_healthcheck', 'gauge', '[STABLE] The last result of a health check: 1 if it passed.');
    for (const { name, type, healthy } of all) {
      text.line('kubernetes_healthcheck', formatLabels({ name, type }), healthy ? 1 : 0);
    }
    text.head('kubernetes_healthchecks_total', 'counter', '[STABLE] Number of health checks by result.');
    for (const results of all) {
      for (const status of ['error', 'success'] as const) {
        const { name, type, [status]: count } = results;
        if (count > 0) text.line('kubernetes_healthchecks_total', formatLabels({ name, status, type }), count);
      }
    }
    const started = 'process_start_time_seconds';
    text.head(started, 'gauge', '[ALPHA] Start time of the process in seconds since the Unix epoch.');
    text.line(started, '', Math.round(performance.timeOrigin) / 1000);
    return text.toString();
  }
}
