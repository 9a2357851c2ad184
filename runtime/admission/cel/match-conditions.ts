import type { NamedExpression } from '../../cel/admission/composition.ts';
import { AdmissionExpression } from '../../cel/admission/expression.ts';
import type { Environment } from '../../cel/expression.ts';
import { runtimeCostBudgetMatchConditions } from '../../cel/rules/limits.ts';
import { boolType } from '../../cel/types/type.ts';
import type { Operation } from '../../machinery/admission.ts';
import { aggregate } from '../../machinery/errors/aggregate.ts';
import { Activation, type EvaluationInputs } from './activation.ts';
import { evaluate, isOutOfBudget } from './evaluation.ts';

/** Whether a hook applies to a write, or the error that left this undecided. */
export type MatchResult =
  | { readonly matches: boolean; readonly error?: undefined }
  | { readonly matches?: undefined; readonly error: string };

/** Receives each evaluation. (admissionmetrics ObserveMatchConditionEvaluationTime, ObserveMatchConditionEvalError) */
export interface MatchConditionObserver {
  /** @param seconds the time for all conditions */
  evaluated(operation: Operation, seconds: number): void;
  failed(operation: Operation): void;
}

interface MatchConditionsOptions {
  readonly environment: () => Environment;
  /** The variables of a policy. Default: none. */
  readonly variables?: ReadonlyMap<string, AdmissionExpression>;
  /** With Ignore, failing conditions do not match the write. Default: Fail. */
  readonly failurePolicy?: string | undefined;
  readonly observer?: MatchConditionObserver | undefined;
}

const doesNotMatch: MatchResult = { matches: false };

/** The match conditions of a webhook or a policy. (apiserver pkg/admission/plugin/webhook/matchconditions) */
export class MatchConditions {
  readonly #expressions: readonly AdmissionExpression[];
  readonly #options: MatchConditionsOptions;

  constructor(conditions: readonly NamedExpression[], options: MatchConditionsOptions) {
    this.#options = options;
    this.#expressions = conditions.map(({ expression }) => new AdmissionExpression(expression, [boolType], options.environment));
  }

  /**
   * Evaluates the conditions. A false condition decides, even if others fail. Conditions never see the namespace.
   *
   * Call within `retryWhenArrived` if the authorizer may wait.
   *
   * @throws EventLoopBudgetError
   */
  match(inputs: Omit<EvaluationInputs, 'namespaceObject'>): MatchResult {
    const start = performance.now();
    const { operation } = inputs.attributes;
    const result = this.#match({ ...inputs, namespaceObject: undefined }, operation);
    this.#options.observer?.evaluated(operation, (performance.now() - start) / 1000);
    if (result.error === undefined || this.#options.failurePolicy !== 'Ignore') return result;
    return doesNotMatch;
  }

  #match(inputs: EvaluationInputs, operation: Operation): MatchResult {
    const { variables, observer } = this.#options;
    const errors: string[] = [];
    try {
      const activation = new Activation(inputs, variables);
      const { results } = evaluate(this.#expressions, activation, runtimeCostBudgetMatchConditions);
      for (const { value, error } of results) {
        if (value === false) return doesNotMatch;
        if (error === undefined) continue;
        errors.push(error);
        observer?.failed(operation);
      }
    } catch (error) {
      if (!isOutOfBudget(error)) throw error;
      return { error: error.message };
    }
    return errors.length === 0 ? { matches: true } : { error: aggregate(errors) };
  }
}
