import type { Logger } from '../machinery/logger.ts';
import type { AuditMetrics } from './audit-metrics.ts';
import type { AuditEvent } from './event.ts';
import { eventString } from './event-string.ts';

/** The maximum number of affected events that are logged with an error. (upstream: all) */
const maxLoggedEvents = 10;

/** Receives plugins' reports of events that may be lost. */
export class PluginErrors {
  readonly #metrics: AuditMetrics;
  readonly #logger: Logger;

  constructor(metrics: AuditMetrics, logger: Logger) {
    this.#metrics = metrics;
    this.#logger = logger;
  }

  /** Counts the events and logs them without their bodies. (audit.HandlePluginError) */
  handle(plugin: string, message: string, impacted: readonly AuditEvent[]): void {
    this.#metrics.observeErrors(plugin, impacted.length);
    const events = impacted.slice(0, maxLoggedEvents).map(eventString);
    const text = `Error in audit plugin '${plugin}' affecting ${impacted.length} audit events: ${message}`;
    this.#logger.error({ events }, text);
  }
}
