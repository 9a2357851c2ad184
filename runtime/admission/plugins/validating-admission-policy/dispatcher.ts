import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '../../../../generated/v1.35/admissionregistration.k8s.io/v1/types.ts';
import type { Attributes } from '../../../machinery/admission.ts';
import { elementAt } from '../../../machinery/collections/element-at.ts';
import type { StatusError } from '../../../machinery/errors/status.ts';
import { htmlSafe } from '../../../machinery/json/html-safe.ts';
import { newForbidden } from '../../errors.ts';
import type { Invocations } from '../../policy/invocations.ts';
import { errorTypeOf, type PolicyMetrics } from '../../policy/metrics.ts';
import { nameOf } from '../../policy/policy.ts';
import { AuditAnnotationCollector } from './audit-annotations.ts';
import { codeOf, type PolicyDecision, type ValidateResult } from './decisions.ts';
import type { PolicyEvaluator } from './evaluator.ts';

export type ValidatingInvocations = Invocations<ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding, PolicyEvaluator>;

type EnforcementAction = Parameters<PolicyMetrics['validated']>[0];

interface Denial {
  readonly policy: ValidatingAdmissionPolicy;
  readonly binding?: ValidatingAdmissionPolicyBinding | undefined;
  readonly message: string;
  readonly reason?: string | undefined;
}

/** Carries out the actions of a write's policies and bindings. (policy/validating dispatcher) */
export class Dispatcher {
  readonly #attributes: Attributes;
  readonly #metrics: PolicyMetrics;
  readonly #denials: Denial[] = [];

  constructor(attributes: Attributes, metrics: PolicyMetrics) {
    this.#attributes = attributes;
    this.#metrics = metrics;
  }

  /** @param results the results of the invocations. @throws StatusError if the write is denied */
  dispatch({ invocations, problems }: ValidatingInvocations, results: readonly ValidateResult[]): void {
    for (const { policy, binding, message } of problems) {
      if (policy.spec?.failurePolicy !== 'Ignore') this.#denials.push({ policy, binding, message });
    }
    const collectors = new Map<string, AuditAnnotationCollector>();
    for (const [at, { policy, binding }] of invocations.entries()) {
      const { decisions, auditAnnotations } = elementAt(results, at);
      for (const [index, decision] of decisions.entries()) this.#enforce(decision, index, { policy, binding });
      if (auditAnnotations.length === 0) continue;
      const collector = collectors.get(nameOf(policy)) ?? new AuditAnnotationCollector();
      collectors.set(nameOf(policy), collector);
      for (const { key, action, value = '', error: message = '', elapsed } of auditAnnotations) {
        if (action === 'publish') collector.add(key, value);
        if (action === 'error') this.#deny({ action: 'deny', evaluation: 'error', message, elapsed }, { policy, binding });
      }
    }
    for (const [name, collector] of collectors) {
      collector.publish(name, (key, value) => this.#attributes.addAnnotation(key, value));
    }
    const [first] = this.#denials;
    if (first) throw denied(this.#attributes, first);
  }

  #enforce(decision: PolicyDecision, index: number, bound: Bound): void {
    if (decision.action === 'admit') {
      if (decision.evaluation === 'error') this.#observe('allow', decision, bound);
      return;
    }
    const { policy, binding } = bound;
    for (const action of binding.spec?.validationActions ?? []) {
      switch (action) {
        case 'Deny':
          this.#deny(decision, bound);
          break;
        case 'Audit':
          this.#audit(decision, index, binding);
          this.#observe('audit', decision, bound);
          break;
        case 'Warn':
          this.#attributes.warn(
            `Validation failed for ValidatingAdmissionPolicy '${nameOf(policy)}' with binding '${nameOf(binding)}': ${decision.message}`,
          );
          this.#observe('warn', decision, bound);
          break;
        default:
      }
    }
  }

  #deny(decision: PolicyDecision, bound: Bound): void {
    this.#denials.push({ ...bound, message: decision.message, reason: decision.reason });
    this.#observe('deny', decision, bound);
  }

  #audit({ message }: PolicyDecision, expressionIndex: number, binding: ValidatingAdmissionPolicyBinding): void {
    const { policyName, validationActions } = binding.spec ?? {};
    const failure = { message, policy: policyName, binding: nameOf(binding), expressionIndex, validationActions };
    this.#attributes.addAnnotation('validation.policy.admission.k8s.io/validation_failure', htmlSafe(JSON.stringify([failure])));
  }

  #observe(action: EnforcementAction, decision: PolicyDecision, { policy, binding }: Bound): void {
    const { evaluation, message, elapsed } = decision;
    const errorType = evaluation === 'admit' ? 'no_error' : errorTypeOf(message);
    this.#metrics.validated(action, { policy: nameOf(policy), binding: nameOf(binding), errorType, elapsed });
  }
}

interface Bound {
  readonly policy: ValidatingAdmissionPolicy;
  readonly binding: ValidatingAdmissionPolicyBinding;
}

function denied(attributes: Attributes, { policy, binding, message, reason = 'Invalid' }: Denial): StatusError {
  const who = binding === undefined ? '' : ` with binding '${nameOf(binding)}'`;
  const text = `ValidatingAdmissionPolicy '${nameOf(policy)}'${who} denied request: ${message}`;
  const error = newForbidden(attributes, text, [{ message: text }]);
  error.status.reason = reason;
  error.status.code = codeOf(reason);
  return error;
}
