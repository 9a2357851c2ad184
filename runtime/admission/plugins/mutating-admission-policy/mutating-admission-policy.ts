import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
} from '../../../../generated/v1.35/admissionregistration.k8s.io/v1beta1/types.ts';
import type { Attributes, Operation } from '../../../machinery/admission.ts';
import type { ResourceDefinition } from '../../../machinery/resource.ts';
import type { Plugin, PluginContext, PluginFactory } from '../../plugin.ts';
import { isExcluded } from '../../policy/exclusion.ts';
import type { Candidate } from '../../policy/hooks.ts';
import { PolicyMetrics } from '../../policy/metrics.ts';
import { nameOf } from '../../policy/policy.ts';
import { PolicySource } from '../../policy/source.ts';
import { ReinvokeContexts } from '../../reinvocation.ts';
import { retryWhenArrived } from '../../retry-when-arrived.ts';
import { withinBudget } from '../../within-budget.ts';
import { Dispatcher } from './dispatcher.ts';
import { MutationEvaluator } from './evaluator.ts';

export const newMutatingAdmissionPolicy: PluginFactory = (context) => new MutatingAdmissionPolicyPlugin(context);

type MutatingCandidate = Candidate<MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding, MutationEvaluator>;

/** Applies mutating policies, if a version of their kind is served. (apiserver pkg/admission/plugin/policy/mutating) */
class MutatingAdmissionPolicyPlugin implements Plugin {
  readonly #source: PolicySource<MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding, MutationEvaluator>;
  readonly #metrics: PolicyMetrics;
  readonly #reinvocations = new ReinvokeContexts();

  constructor(context: PluginContext) {
    const metrics = new PolicyMetrics(context.metrics);
    this.#metrics = metrics;
    this.#source = new PolicySource(context, {
      policies: 'mutatingadmissionpolicies',
      bindings: 'mutatingadmissionpolicybindings',
      version: 'v1beta1',
      compile: (policy) => new MutationEvaluator(policy, metrics.ofConditions(nameOf(policy))),
    });
  }

  /** Excludes DELETE, which has no object to change, and CONNECT, whose options are not read again. */
  handles(operation: Operation, definition: ResourceDefinition): boolean {
    return (operation === 'CREATE' || operation === 'UPDATE') && this.#source.isServed && !isExcluded(definition);
  }

  start(): Promise<void> {
    return this.#source.start();
  }

  admit(attributes: Attributes): void | Promise<void> {
    const candidates = this.#source.candidates(attributes);
    if (candidates.length > 0) return this.#mutate(attributes, candidates);
  }

  async #mutate(attributes: Attributes, candidates: readonly MutatingCandidate[]): Promise<void> {
    const request = this.#source.request(attributes);
    const invocations = await retryWhenArrived(() => withinBudget(attributes, () => this.#source.collect(candidates, request)));
    if (invocations.invocations.length === 0 && invocations.problems.length === 0) return;
    await new Dispatcher(request, this.#metrics, this.#reinvocations.of(attributes)).dispatch(invocations);
  }
}
