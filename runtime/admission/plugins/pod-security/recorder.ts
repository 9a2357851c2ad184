import type { Attributes } from '../../../machinery/admission.ts';
import type { AdmissionMetrics, Series } from '../../admission-metrics.ts';
import { isCore } from '../../resources.ts';
import { type LevelVersion, latest, type Mode, versionText } from './policy.ts';

/** The minor of this server. Newer versions have no label of their own. */
const serverMinor = 35;

/** Counts evaluations, exemptions and errors. (pod-security-admission metrics) */
export class Recorder {
  readonly #metrics: AdmissionMetrics;
  /** The series by metric and kind of write. */
  readonly #series = new Map<string, Series>();

  constructor(metrics: AdmissionMetrics) {
    this.#metrics = metrics;
  }

  recordEvaluation(isAllowed: boolean, { level, version: given }: LevelVersion, mode: Mode, attributes: Attributes): void {
    const version = level === 'privileged' ? latest : given;
    const policyVersion = version === latest || version <= serverMinor ? versionText(version) : 'future';
    const decision = isAllowed ? 'allow' : 'deny';
    const key = `evaluation ${decision} ${level} ${policyVersion} ${mode}`;
    this.#count(key, attributes, (request) =>
      this.#metrics.series('pod_security_evaluations_total', {
        decision,
        mode,
        policy_level: level,
        policy_version: policyVersion,
        ...request,
      }),
    );
  }

  recordExemption(attributes: Attributes): void {
    this.#count('exemption', attributes, (request) => this.#metrics.series('pod_security_exemptions_total', request));
  }

  recordError(isFatal: boolean, attributes: Attributes): void {
    this.#count(`error ${isFatal}`, attributes, (request) =>
      this.#metrics.series('pod_security_errors_total', { fatal: String(isFatal), ...request }),
    );
  }

  /** @param seriesOf called once for each key and kind of write */
  #count(
    what: string,
    { operation, definition, subresource }: Attributes,
    seriesOf: (request: Readonly<Record<string, string>>) => Series,
  ): void {
    const resource = isCore(definition, 'pods') ? 'pod' : isCore(definition, 'namespaces') ? 'namespace' : 'controller';
    const key = `${what} ${operation} ${resource} ${subresource}`;
    let series = this.#series.get(key);
    if (series === undefined) {
      series = seriesOf({ request_operation: operation.toLowerCase(), resource, subresource });
      this.#series.set(key, series);
    }
    series.observe(1);
  }
}
