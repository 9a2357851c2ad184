import type { ValidatingAdmissionPolicy, Validation } from '../../../../generated/v1.35/admissionregistration.k8s.io/v1/types.ts';
import { CompositionEnvironment } from '../../../cel/admission/composition.ts';
import { AdmissionExpression } from '../../../cel/admission/expression.ts';
import type { CelValue } from '../../../cel/expression.ts';
import { maxEvaluatedMessageExpressionSizeBytes, perCallLimit, runtimeCostBudget } from '../../../cel/rules/limits.ts';
import { boolType, nullType, stringType } from '../../../cel/types/type.ts';
import { valueType } from '../../../cel/values/types.ts';
import { elementAt } from '../../../machinery/collections/element-at.ts';
import { Activation, type EvaluationInputs } from '../../cel/activation.ts';
import { type EvaluationResult, evaluate, isOutOfBudget, type OutOfBudgetError } from '../../cel/evaluation.ts';
import { type MatchConditionObserver, MatchConditions } from '../../cel/match-conditions.ts';
import type { AuditAnnotationResult, PolicyDecision, ValidateResult } from './decisions.ts';

const nothing: ValidateResult = { decisions: [], auditAnnotations: [] };

/** The expressions of one policy. (policy/validating validator) */
export class PolicyEvaluator {
  readonly #policy: ValidatingAdmissionPolicy;
  readonly #composition: CompositionEnvironment;
  readonly #matchConditions: MatchConditions | undefined;
  readonly #validations: readonly AdmissionExpression[];
  readonly #messages: ReadonlyMap<Validation, AdmissionExpression>;
  readonly #auditAnnotations: readonly AdmissionExpression[];

  constructor(policy: ValidatingAdmissionPolicy, observer?: MatchConditionObserver) {
    this.#policy = policy;
    const { paramKind, variables = [], matchConditions = [], validations = [], auditAnnotations = [] } = policy.spec ?? {};
    const params = paramKind !== undefined;
    const composition = new CompositionEnvironment(variables, { params, authorizer: true });
    const environment = () => composition.of({ params, authorizer: true });
    const messageEnvironment = () => composition.of({ params });
    this.#composition = composition;
    if (matchConditions.length > 0) {
      const { failurePolicy } = policy.spec ?? {};
      const options = { environment, variables: composition.variables, failurePolicy, observer };
      this.#matchConditions = new MatchConditions(matchConditions, options);
    }
    this.#validations = validations.map(({ expression }) => new AdmissionExpression(expression, [boolType], environment));
    this.#messages = new Map(
      validations.flatMap((validation) => {
        const { messageExpression } = validation;
        if (!messageExpression) return [];
        return [[validation, new AdmissionExpression(messageExpression, [stringType], messageEnvironment)]];
      }),
    );
    this.#auditAnnotations = auditAnnotations.map(
      ({ valueExpression }) => new AdmissionExpression(valueExpression, [stringType, nullType], environment),
    );
  }

  /** Evaluates the policy without side effects. Call within `retryWhenArrived`. @throws EventLoopBudgetError */
  validate(inputs: EvaluationInputs): ValidateResult {
    const matched = this.#matchConditions?.match(inputs);
    if (matched?.error !== undefined) return this.#failed(matched.error);
    if (matched?.matches === false) return nothing;
    try {
      const decisions = this.#decide(inputs);
      return { decisions, auditAnnotations: this.#annotate(inputs) };
    } catch (error) {
      if (!isOutOfBudget(error)) throw error;
      return this.#failed(error.message);
    }
  }

  get #ignores(): boolean {
    return this.#policy.spec?.failurePolicy === 'Ignore';
  }

  #failed(message: string): ValidateResult {
    return { decisions: [this.#errorDecision(message, 0)], auditAnnotations: [] };
  }

  #errorDecision(message: string, elapsed: number): PolicyDecision {
    return { action: this.#ignores ? 'admit' : 'deny', evaluation: 'error', message, elapsed };
  }

  #decide(inputs: EvaluationInputs): PolicyDecision[] {
    const { validations = [] } = this.#policy.spec ?? {};
    const { results, remaining } = this.#evaluate(this.#validations, inputs, runtimeCostBudget);
    const messages = this.#evaluateMessages(inputs, results, remaining);
    return results.map((result, at) => {
      const { value, error, elapsed } = result;
      if (error !== undefined) return this.#errorDecision(error, elapsed);
      if (isOutOfBudget(messages)) return this.#errorDecision(`failed messageExpression: ${messages.message}`, elapsed);
      if (value === true) return { action: 'admit', evaluation: 'admit', message: '', elapsed };
      const validation = elementAt(validations, at);
      const message = messageOf(validation, messages.get(validation)?.value);
      return { action: 'deny', evaluation: 'deny', message, elapsed, reason: validation.reason ?? 'Invalid' };
    });
  }

  /**
   * Evaluates all messages, because their cost counts even if they are unused. Skips unused messages that cannot exceed
   * the budget.
   */
  #evaluateMessages(
    inputs: EvaluationInputs,
    validated: readonly EvaluationResult[],
    budget: number,
  ): ReadonlyMap<Validation, EvaluationResult> | OutOfBudgetError {
    if (this.#messages.size === 0) return new Map();
    const most = (this.#messages.size + this.#composition.variables.size) * perCallLimit;
    if (most <= budget && validated.every(({ value }) => value === true)) return new Map();
    try {
      const { results } = this.#evaluate([...this.#messages.values()], { ...inputs, authorizer: undefined }, budget);
      return new Map([...this.#messages.keys()].map((validation, at) => [validation, elementAt(results, at)]));
    } catch (error) {
      if (!isOutOfBudget(error)) throw error;
      return error;
    }
  }

  #annotate(inputs: EvaluationInputs): AuditAnnotationResult[] {
    if (this.#auditAnnotations.length === 0) return [];
    const { auditAnnotations = [] } = this.#policy.spec ?? {};
    const { results } = this.#evaluate(this.#auditAnnotations, { ...inputs, authorizer: undefined }, runtimeCostBudget);
    return results.map(({ value, error, elapsed }, at) => {
      const { key, valueExpression } = elementAt(auditAnnotations, at);
      if (error !== undefined) return { key, action: this.#ignores ? 'exclude' : 'error', error, elapsed };
      return { key, elapsed, ...annotationOf(value as CelValue, valueExpression) };
    });
  }

  #evaluate(expressions: readonly AdmissionExpression[], inputs: EvaluationInputs, budget: number) {
    return evaluate(expressions, new Activation(inputs, this.#composition.variables), budget);
  }
}

/** Returns the evaluated message. Replaces a long, multi-line or blank one by the next best message. */
function messageOf({ expression, message = '' }: Validation, evaluated: CelValue | undefined): string {
  const text = typeof evaluated === 'string' ? evaluated.trim() : '';
  const fits = Buffer.byteLength(text) <= maxEvaluatedMessageExpressionSizeBytes && !text.includes('\n');
  return (fits && text) || message.trim() || `failed expression: ${expression.trim()}`;
}

function annotationOf(value: CelValue, expression: string): Pick<AuditAnnotationResult, 'action' | 'value' | 'error'> {
  if (typeof value === 'string') {
    const text = value.trim();
    return text === '' ? { action: 'exclude' } : { action: 'publish', value: text };
  }
  if (value === null) return { action: 'exclude' };
  const type = valueType(value).name;
  const error = `valueExpression '${expression}' resulted in unsupported return type: ${type}. Return type must be either string or null.`;
  return { action: 'error', error };
}
