import { Exposition, formatLabels } from '../machinery/metrics/exposition.ts';

/** Counts audit events and errors. (apiserver pkg/audit/metrics.go) */
export class AuditMetrics {
  readonly #levels = new Map<string, number>();
  readonly #errors = new Map<string, number>();
  #events = 0;
  #rejected = 0;

  observeEvent(): void {
    this.#events++;
  }

  observeLevel(level: string): void {
    this.#levels.set(level, (this.#levels.get(level) ?? 0) + 1);
  }

  /** @param events the number of events that the error affects */
  observeErrors(plugin: string, events: number): void {
    this.#errors.set(plugin, (this.#errors.get(plugin) ?? 0) + events);
  }

  requestRejected(): void {
    this.#rejected++;
  }

  /** Returns text in the Prometheus format. */
  render(): string {
    const text = new Exposition();
    const events = 'apiserver_audit_event_total';
    text.head(events, 'counter', '[ALPHA] Number of audit events.');
    text.line(events, '', this.#events);
    const errors = 'apiserver_audit_error_total';
    text.head(errors, 'counter', '[ALPHA] Number of audit events that may be lost, by the plugin that failed.');
    for (const [plugin, count] of this.#errors) text.line(errors, formatLabels({ plugin }), count);
    const levels = 'apiserver_audit_level_total';
    text.head(levels, 'counter', '[ALPHA] Number of requests by the level that the audit policy gives them.');
    for (const [level, count] of this.#levels) text.line(levels, formatLabels({ level }), count);
    const rejected = 'apiserver_audit_requests_rejected_total';
    text.head(rejected, 'counter', '[ALPHA] Number of requests rejected because they were not audited.');
    text.line(rejected, '', this.#rejected);
    return text.toString();
  }
}
