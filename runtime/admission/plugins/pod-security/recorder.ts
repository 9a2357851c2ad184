import type { Attributes } from '../../../machinery/admission.ts';
import type { AdmissionMetricName, AdmissionMetrics, Series } from '../../../observe/admission-metrics.ts';
import { isCore } from '../../resources.ts';
import { type LevelVersion, latest, type Mode, versionText } from './policy.ts';

/** The minor of this server. Newer versions have no label of their own. */
const serverMinor = 35;

/** Counts evaluations, exemptions and errors. (pod-security-admission metrics) */
export class Recorder {
  readonly #metrics: AdmissionMetrics;
  /** By metric and labels. */
  readonly #series = new Map<string, Series>();

  constructor(metrics: AdmissionMetrics) {
    this.#metrics = metrics;
  }

  recordEvaluation(isAllowed: boolean, policy: LevelVersion, mode: Mode, attributes: Attributes): void {
    const version = policy.level === 'privileged' ? latest : policy.version;
    const policyVersion = version === latest || version <= serverMinor ? versionText(version) : 'future';
    const decision = isAllowed ? 'allow' : 'deny';
    this.#count(
      'pod_security_evaluations_total',
      { decision, mode, policy_level: policy.level, policy_version: policyVersion },
      attributes,
    );
  }

  recordExemption(attributes: Attributes): void {
    this.#count('pod_security_exemptions_total', {}, attributes);
  }

  recordError(isFatal: boolean, attributes: Attributes): void {
    this.#count('pod_security_errors_total', { fatal: String(isFatal) }, attributes);
  }

  #count(
    metric: AdmissionMetricName,
    labels: Readonly<Record<string, string>>,
    { operation, definition, subresource }: Attributes,
  ): void {
    const resource = isCore(definition, 'pods') ? 'pod' : isCore(definition, 'namespaces') ? 'namespace' : 'controller';
    const key = [metric, ...Object.values(labels), operation, resource, subresource].join(' ');
    let series = this.#series.get(key);
    if (series === undefined) {
      const request = { request_operation: operation.toLowerCase(), resource, subresource };
      series = this.#metrics.series(metric, sortedByName({ ...labels, ...request }));
      this.#series.set(key, series);
    }
    series.observe(1);
  }
}

const sortedByName = (labels: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));
