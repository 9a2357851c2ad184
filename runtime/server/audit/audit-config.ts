import type { AuditMetrics } from '../../audit/audit-metrics.ts';
import type { Clock } from '../../machinery/clock.ts';
import type { Logger } from '../../machinery/logger.ts';
import type { ServerOptions } from '../../options/server-options.ts';

export interface AuditConfig {
  readonly options: ServerOptions;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: AuditMetrics;
}
