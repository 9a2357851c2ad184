import { AdmissionMetricsPage } from '../admission/admission-metrics.ts';
import { AuditMetrics } from '../audit/audit-metrics.ts';
import { AccessMetrics } from '../filters/access-metrics.ts';
import { RequestMetrics } from '../http/metrics/request-metrics.ts';
import { DelegatedMetrics } from './delegated/delegated-metrics.ts';

/** The metrics of request handling. Each part of the server counts its own, and `render` collects them. */
export class ServerMetrics {
  readonly requests = new RequestMetrics();
  readonly access = new AccessMetrics();
  readonly audit = new AuditMetrics();
  readonly admission = new AdmissionMetricsPage();
  readonly delegated = new DelegatedMetrics();

  /**
   * Returns text in the Prometheus format.
   *
   * @param inFlight false if flow control reports the requests in flight
   */
  render(inFlight: boolean): string {
    const others = [this.access, this.audit, this.admission, this.delegated];
    return this.requests.render(inFlight) + others.map((other) => other.render()).join('');
  }
}
