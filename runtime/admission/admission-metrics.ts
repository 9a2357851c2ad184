import { BoundedHistogram } from '../machinery/metrics/bounded-histogram.ts';
import { Exposition, formatLabels } from '../machinery/metrics/exposition.ts';

const durations = [0.005, 0.025, 0.1, 0.5, 1, 2.5];
const expressionDurations = [0.0000005, 0.001, 0.01, 0.1, 1];

interface AdmissionMetric {
  readonly help: string;
  /** Upper bounds of a histogram, in seconds. Absent for a counter. */
  readonly bounds?: readonly number[];
}

/** The metrics by name. (apiserver pkg/admission/metrics) */
const admissionMetrics = {
  apiserver_admission_step_admission_duration_seconds: {
    help: '[STABLE] Time of a step of admission by operation and outcome.',
    bounds: durations,
  },
  apiserver_admission_controller_admission_duration_seconds: {
    help: '[STABLE] Time of one admission plugin by step, operation and outcome.',
    bounds: durations,
  },
  apiserver_admission_webhook_admission_duration_seconds: {
    help: '[STABLE] Time of a call of a webhook by step, operation and outcome.',
    bounds: [...durations, 10, 25],
  },
  apiserver_admission_webhook_rejection_count: {
    help: '[ALPHA] Writes that a webhook has rejected, or that were rejected because it could not be called.',
  },
  apiserver_admission_webhook_fail_open_count: {
    help: '[ALPHA] Writes that went on although a webhook could not be called.',
  },
  apiserver_admission_webhook_request_total: {
    help: '[ALPHA] Calls of webhooks by operation, HTTP status and outcome.',
  },
  apiserver_admission_match_condition_evaluation_errors_total: {
    help: '[ALPHA] Match conditions that could not be evaluated.',
  },
  apiserver_admission_match_condition_exclusions_total: {
    help: '[ALPHA] Writes that match conditions have excluded.',
  },
  apiserver_admission_match_condition_evaluation_seconds: {
    help: '[ALPHA] Time to evaluate the match conditions of a webhook or a policy.',
    bounds: [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25],
  },
  pod_security_evaluations_total: {
    help: '[ALPHA] Number of evaluations of pods by decision, policy and mode, without exempt requests.',
  },
  pod_security_exemptions_total: { help: '[ALPHA] Number of requests that are exempt from Pod Security.' },
  pod_security_errors_total: {
    help: '[ALPHA] Number of errors in the evaluation of pods; those that are not fatal may use the newest restricted policy.',
  },
  apiserver_validating_admission_policy_check_total: {
    help: '[BETA] Validations of a policy that did not simply admit, by what was done about them.',
  },
  apiserver_validating_admission_policy_check_duration_seconds: {
    help: '[BETA] Time of one validation of a policy, by what was done about it.',
    bounds: expressionDurations,
  },
  apiserver_mutating_admission_policy_check_total: {
    help: '[ALPHA] Mutations by policy and outcome.',
  },
  apiserver_mutating_admission_policy_check_duration_seconds: {
    help: '[ALPHA] Time of one mutation by policy and outcome.',
    bounds: expressionDurations,
  },
} as const satisfies Record<string, AdmissionMetric>;

export type AdmissionMetricName = keyof typeof admissionMetrics;

/** One metric with one set of labels. */
export interface Series {
  /** @param value seconds; 1 for a counter */
  observe(value: number): void;
}

/** A value that a worker thread has observed. */
export interface Observation {
  readonly metric: AdmissionMetricName;
  /** Labels as text. */
  readonly labels: string;
  readonly value: number;
}

/** Returns series. Callers that observe often keep them. */
export interface AdmissionMetrics {
  series(metric: AdmissionMetricName, labels: Readonly<Record<string, string>>): Series;
}

/** Formats labels sorted by name, as Prometheus' own libraries do. */
const textOf = (labels: Readonly<Record<string, string>>): string =>
  formatLabels(Object.fromEntries(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1))));

class Counter implements Series {
  total = 0;

  observe(value: number): void {
    this.total += value;
  }
}

/** The admission metrics of the server. */
export class AdmissionMetricsPage implements AdmissionMetrics {
  readonly #series = new Map<AdmissionMetricName, Map<string, Counter | BoundedHistogram>>();

  series(metric: AdmissionMetricName, labels: Readonly<Record<string, string>>): Series {
    return this.#at(metric, textOf(labels));
  }

  /** Adds the observations of a worker thread. */
  merge(observations: readonly Observation[]): void {
    for (const { metric, labels, value } of observations) this.#at(metric, labels).observe(value);
  }

  /** Returns text in the Prometheus format. */
  render(): string {
    const text = new Exposition();
    for (const [metric, byLabels] of this.#series) {
      const { help, bounds }: AdmissionMetric = admissionMetrics[metric];
      text.head(metric, bounds === undefined ? 'counter' : 'histogram', help);
      for (const [labels, series] of byLabels) {
        if (series.total === 0) continue;
        if (series instanceof Counter) text.line(metric, labels, series.total);
        else text.histogram(metric, labels, series);
      }
    }
    return text.toString();
  }

  #at(metric: AdmissionMetricName, labels: string): Counter | BoundedHistogram {
    const byLabels = this.#series.get(metric) ?? new Map<string, Counter | BoundedHistogram>();
    this.#series.set(metric, byLabels);
    const known = byLabels.get(labels);
    if (known !== undefined) return known;
    const { bounds }: AdmissionMetric = admissionMetrics[metric];
    const made = bounds === undefined ? new Counter() : new BoundedHistogram(bounds);
    byLabels.set(labels, made);
    return made;
  }
}

/** Collects the observations of a worker thread for the server. */
export class AdmissionObservations implements AdmissionMetrics {
  #observed: Observation[] = [];

  series(metric: AdmissionMetricName, labels: Readonly<Record<string, string>>): Series {
    const text = textOf(labels);
    return { observe: (value) => this.#observed.push({ metric, labels: text, value }) };
  }

  /** Returns what was observed since the last call. */
  take(): readonly Observation[] {
    const observed = this.#observed;
    this.#observed = [];
    return observed;
  }
}
