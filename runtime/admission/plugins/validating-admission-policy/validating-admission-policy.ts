import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '../../../../generated/v1.35/admissionregistration.k8s.io/v1/types.ts';
import type { Attributes, Operation } from '../../../machinery/admission.ts';
import type { ResourceDefinition } from '../../../machinery/resource.ts';
import type { Plugin, PluginContext, PluginFactory } from '../../plugin.ts';
import { isExcluded } from '../../policy/exclusion.ts';
import { PolicyMetrics } from '../../policy/metrics.ts';
import { nameOf } from '../../policy/policy.ts';
import { PolicySource } from '../../policy/source.ts';
import { retryWhenArrived } from '../../retry-when-arrived.ts';
import { withinBudget } from '../../within-budget.ts';
import { Dispatcher } from './dispatcher.ts';
import { PolicyEvaluator } from './evaluator.ts';

export const newValidatingAdmissionPolicy: PluginFactory = (context) => new ValidatingAdmissionPolicyPlugin(context);

/** Refuses writes that validating policies deny. (apiserver pkg/admission/plugin/policy/validating) */
class ValidatingAdmissionPolicyPlugin implements Plugin {
  readonly #source: PolicySource<ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding, PolicyEvaluator>;
  readonly #metrics: PolicyMetrics;

  constructor(context: PluginContext) {
    const metrics = new PolicyMetrics(context.metrics);
    this.#metrics = metrics;
    this.#source = new PolicySource(context, {
      policies: 'validatingadmissionpolicies',
      bindings: 'validatingadmissionpolicybindings',
      version: 'v1',
      compile: (policy) => new PolicyEvaluator(policy, metrics.ofConditions(nameOf(policy))),
    });
  }

  handles(_operation: Operation, definition: ResourceDefinition): boolean {
    return this.#source.isServed && !isExcluded(definition);
  }

  start(): Promise<void> {
    return this.#source.start();
  }

  validate(attributes: Attributes): void | Promise<void> {
    const candidates = this.#source.candidates(attributes);
    if (candidates.length === 0) return;
    const request = this.#source.request(attributes);
    const decide = () => {
      const invocations = this.#source.collect(candidates, request);
      const results = invocations.invocations.map(({ evaluator, matched, params }) => evaluator.validate(request.inputs(matched, params)));
      return { invocations, results };
    };
    const decided = retryWhenArrived(() => withinBudget(attributes, decide));
    const dispatch = ({ invocations, results }: Awaited<typeof decided>): void =>
      new Dispatcher(attributes, this.#metrics).dispatch(invocations, results);
    return decided instanceof Promise ? decided.then(dispatch) : dispatch(decided);
  }
}
