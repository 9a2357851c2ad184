import type { Operation } from '../../machinery/admission.ts';
import type { AdmissionMetricName, AdmissionMetrics } from '../admission-metrics.ts';
import type { MatchConditionObserver } from '../cel/match-conditions.ts';

/** One expression, evaluated for a policy and a binding. */
export interface PolicyCheck {
  readonly policy: string;
  readonly binding: string;
  /** The type of error: `no_error`, `compile_error`. */
  readonly errorType: string;
  /** Seconds. */
  readonly elapsed: number;
}

/** Metrics of policies. (policy/validating/metrics, policy/mutating/metrics) */
export class PolicyMetrics {
  readonly #metrics: AdmissionMetrics;

  constructor(metrics: AdmissionMetrics) {
    this.#metrics = metrics;
  }

  /** Returns an observer of a policy's match conditions. Upstream labels them validating even for mutating policies. */
  ofConditions(name: string): MatchConditionObserver {
    const observe = (metric: AdmissionMetricName, operation: Operation, value: number): void =>
      this.#metrics.series(metric, { kind: 'policy', name, operation, type: 'validate' }).observe(value);
    return {
      evaluated: (operation, seconds) => observe('apiserver_admission_match_condition_evaluation_seconds', operation, seconds),
      failed: (operation) => observe('apiserver_admission_match_condition_evaluation_errors_total', operation, 1),
    };
  }

  validated(action: 'allow' | 'deny' | 'audit' | 'warn', check: PolicyCheck): void {
    const labels = { enforcement_action: action, ...labelsOf(check) };
    this.#metrics.series('apiserver_validating_admission_policy_check_total', labels).observe(1);
    this.#metrics.series('apiserver_validating_admission_policy_check_duration_seconds', labels).observe(check.elapsed);
  }

  mutated(check: PolicyCheck): void {
    const labels = labelsOf(check);
    this.#metrics.series('apiserver_mutating_admission_policy_check_total', labels).observe(1);
    this.#metrics.series('apiserver_mutating_admission_policy_check_duration_seconds', labels).observe(check.elapsed);
  }
}

/** Returns the metrics' name for an error. (policy/validating and policy/mutating ErrorType) */
export function errorTypeOf(message: string): string {
  if (message.startsWith('compilation')) return 'compile_error';
  return message.startsWith('validation failed due to running out of cost budget') ? 'out_of_budget' : 'invalid_error';
}

const labelsOf = ({ policy, binding, errorType }: PolicyCheck): Record<string, string> => ({
  error_type: errorType,
  policy,
  policy_binding: binding,
});
