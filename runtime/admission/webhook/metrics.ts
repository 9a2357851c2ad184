import type { Operation } from '../../machinery/admission.ts';
import type { AdmissionMetricName, AdmissionMetrics } from '../admission-metrics.ts';
import type { MatchConditionObserver } from '../cel/match-conditions.ts';

/** The reason of a webhook's rejection. (metrics.WebhookRejectionErrorType) */
type RejectionErrorType = 'calling_webhook_error' | 'apiserver_internal_error' | 'no_error';

/** The metrics' name for the admission step of a webhook. */
type WebhookStep = 'admit' | 'validating';

interface Call {
  readonly seconds: number;
  /** The HTTP status of a rejection; 0 for an error of this server. */
  readonly code: number;
  readonly rejected: boolean;
}

/** Greater codes count as this one, so that webhooks cannot create unlimited series. */
const maxCode = 600;

const codeLabel = (code: number): string => String(Math.min(code, maxCode));

/** Metrics of the calls of one webhook. (apiserver pkg/admission/metrics) */
export class WebhookObserver implements MatchConditionObserver {
  readonly #name: string;
  readonly #step: WebhookStep;
  readonly #metrics: AdmissionMetrics;

  constructor(name: string, step: WebhookStep, metrics: AdmissionMetrics) {
    this.#name = name;
    this.#step = step;
    this.#metrics = metrics;
  }

  called(operation: Operation, { seconds, code, rejected }: Call): void {
    const labels = { operation, rejected: String(rejected) };
    this.#observe('apiserver_admission_webhook_request_total', { code: codeLabel(code), ...labels });
    this.#observe('apiserver_admission_webhook_admission_duration_seconds', labels, seconds);
  }

  rejected(operation: Operation, errorType: RejectionErrorType, code: number): void {
    const labels = { error_type: errorType, operation, rejection_code: codeLabel(code) };
    this.#observe('apiserver_admission_webhook_rejection_count', labels);
  }

  failedOpen(): void {
    this.#observe('apiserver_admission_webhook_fail_open_count', {});
  }

  /** Counts a write that the match conditions exclude. Upstream has another name for the step here. */
  excluded(operation: Operation): void {
    const type = this.#step === 'admit' ? 'admit' : 'validate';
    this.#observe('apiserver_admission_match_condition_exclusions_total', { kind: 'webhook', operation, type });
  }

  evaluated(operation: Operation, seconds: number): void {
    this.#observeConditions('apiserver_admission_match_condition_evaluation_seconds', operation, seconds);
  }

  failed(operation: Operation): void {
    this.#observeConditions('apiserver_admission_match_condition_evaluation_errors_total', operation, 1);
  }

  #observeConditions(metric: AdmissionMetricName, operation: Operation, value: number): void {
    this.#observe(metric, { kind: 'webhook', operation }, value);
  }

  #observe(metric: AdmissionMetricName, labels: Readonly<Record<string, string>>, value = 1): void {
    this.#metrics.series(metric, { type: this.#step, ...labels, name: this.#name }).observe(value);
  }
}
