import type { MutatingAdmissionPolicy, Mutation } from '../../../../generated/v1.35/admissionregistration.k8s.io/v1beta1/types.ts';
import { CompositionEnvironment } from '../../../cel/admission/composition.ts';
import { AdmissionExpression } from '../../../cel/admission/expression.ts';
import { jsonPatchType } from '../../../cel/mutation/json-patch-value.ts';
import { objectType } from '../../../cel/mutation/object-value.ts';
import { runtimeCostBudget } from '../../../cel/rules/limits.ts';
import { listOf } from '../../../cel/types/type.ts';
import type { KubeObject } from '../../../machinery/object.ts';
import type { TypeDefinition } from '../../../machinery/resource.ts';
import { Activation, type EvaluationInputs } from '../../cel/activation.ts';
import { evaluate, isOutOfBudget } from '../../cel/evaluation.ts';
import { type MatchConditionObserver, MatchConditions, type MatchResult } from '../../cel/match-conditions.ts';
import { applyConfiguration } from './patch/apply-configuration.ts';
import { applyOperations } from './patch/json-patch.ts';
import { PatchFailure } from './patch/patch-failure.ts';

/** A mutation that makes the changed object. (policy/mutating/patch Patcher) */
interface Patcher {
  readonly expression: AdmissionExpression;
  readonly apply: typeof applyConfiguration;
}

/** The expressions of one policy. (policy/mutating PolicyEvaluator) */
export class MutationEvaluator {
  readonly patchers: readonly Patcher[];
  readonly #composition: CompositionEnvironment;
  readonly #matchConditions: MatchConditions | undefined;

  constructor(policy: MutatingAdmissionPolicy, observer?: MatchConditionObserver) {
    const { paramKind, variables = [], matchConditions = [], mutations = [], failurePolicy } = policy.spec ?? {};
    const optional = { params: paramKind !== undefined, authorizer: true };
    const composition = new CompositionEnvironment(variables, optional);
    this.#composition = composition;
    if (matchConditions.length > 0) {
      const environment = () => composition.of(optional);
      const options = { environment, variables: composition.variables, failurePolicy, observer };
      this.#matchConditions = new MatchConditions(matchConditions, options);
    }
    const environment = () => composition.of({ ...optional, patchTypes: true });
    this.patchers = mutations.flatMap((mutation) => patcherOf(mutation, environment) ?? []);
  }

  /** Call within `retryWhenArrived`. */
  match(inputs: EvaluationInputs): MatchResult {
    return this.#matchConditions?.match(inputs) ?? { matches: true };
  }

  /**
   * Returns a new object without defaults, or the given one. Call within `retryWhenArrived`.
   *
   * @param groupVersion of the resource
   * @throws PatchFailure, StatusError, EventLoopBudgetError
   */
  patch({ expression, apply }: Patcher, inputs: EvaluationInputs, type: TypeDefinition, groupVersion: string): KubeObject {
    const { error } = expression.result;
    if (error !== undefined) throw new PatchFailure(error.detail);
    const [result] = this.#evaluate(expression, inputs);
    if (result?.error !== undefined) throw new PatchFailure(result.error);
    return apply(result?.value ?? null, inputs.object as KubeObject, type, groupVersion);
  }

  #evaluate(expression: AdmissionExpression, inputs: EvaluationInputs) {
    try {
      return evaluate([expression], new Activation(inputs, this.#composition.variables), runtimeCostBudget).results;
    } catch (error) {
      if (!isOutOfBudget(error)) throw error;
      throw new PatchFailure(error.message);
    }
  }
}

function patcherOf(mutation: Mutation, environment: ConstructorParameters<typeof AdmissionExpression>[2]): Patcher | undefined {
  const { patchType, jsonPatch, applyConfiguration: configuration } = mutation;
  if (patchType === 'JSONPatch' && jsonPatch !== undefined) {
    const expression = new AdmissionExpression(jsonPatch.expression ?? '', [listOf(jsonPatchType)], environment);
    return { expression, apply: applyOperations };
  }
  if (patchType === 'ApplyConfiguration' && configuration !== undefined) {
    const expression = new AdmissionExpression(configuration.expression ?? '', [objectType], environment);
    return { expression, apply: applyConfiguration };
  }
  return undefined;
}
