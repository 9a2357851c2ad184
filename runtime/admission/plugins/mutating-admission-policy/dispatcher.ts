import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
} from '../../../../generated/v1.35/admissionregistration.k8s.io/v1beta1/types.ts';
import type { StatusError } from '../../../machinery/errors/status.ts';
import { TimeSlice } from '../../../machinery/event-loop/yield.ts';
import { quote } from '../../../machinery/go/quote.ts';
import { formatGroupVersion } from '../../../machinery/gvk.ts';
import { requestedVersion, versionedObjects } from '../../conversion.ts';
import { newForbidden } from '../../errors.ts';
import type { Invocation, Invocations } from '../../policy/invocations.ts';
import { errorTypeOf, type PolicyMetrics } from '../../policy/metrics.ts';
import { nameOf } from '../../policy/policy.ts';
import type { PolicyRequest } from '../../policy/policy-request.ts';
import type { ReinvokeContext } from '../../reinvocation.ts';
import { retryWhenArrived } from '../../retry-when-arrived.ts';
import { withinBudget } from '../../within-budget.ts';
import type { MutationEvaluator } from './evaluator.ts';
import { isPatchFailure } from './patch/patch-failure.ts';

type MutatingInvocation = Invocation<MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding, MutationEvaluator>;
export type MutatingInvocations = Invocations<MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding, MutationEvaluator>;

interface PolicyError {
  readonly policy: MutatingAdmissionPolicy;
  readonly binding?: MutatingAdmissionPolicyBinding;
  readonly message: string;
  /** The reason of the response. Default: Forbidden. */
  readonly reason?: string;
}

/** Applies policies one after the other to the object of one write. (policy/mutating dispatcher) */
export class Dispatcher {
  readonly #request: PolicyRequest;
  readonly #reinvocation: ReinvokeContext;
  readonly #metrics: PolicyMetrics;
  readonly #errors: PolicyError[] = [];

  constructor(request: PolicyRequest, metrics: PolicyMetrics, reinvocation: ReinvokeContext) {
    this.#request = request;
    this.#metrics = metrics;
    this.#reinvocation = reinvocation;
  }

  /** @throws StatusError if a policy fails */
  async dispatch({ invocations, problems }: MutatingInvocations): Promise<void> {
    const { attributes } = this.#request;
    this.#errors.push(...problems);
    this.#reinvocation.noticeChanges(attributes);
    const slice = new TimeSlice();
    let isPatched = false;
    for (const invocation of invocations) {
      if (await this.#invoke(invocation)) isPatched = true;
      if (slice.isOver) await slice.next();
    }
    // upstream counts a patch without a change too, even from the last policy
    if (isPatched) {
      this.#reinvocation.requireReinvocation();
      attributes.reinvocation.isNeeded = true;
    }
    this.#reinvocation.setOutput(attributes);
    const failed = this.#errors.filter(({ policy }) => policy.spec?.failurePolicy !== 'Ignore');
    if (failed.length > 0) throw this.#refusal(failed);
  }

  /** Resolves to whether a patch was applied. */
  async #invoke(invocation: MutatingInvocation): Promise<boolean> {
    const { policy, evaluator, matched, params } = invocation;
    const { attributes } = this.#request;
    const versioned = await versionedObjects(attributes, matched.equivalent);
    const { type } = versioned;
    const groupVersion = formatGroupVersion(matched.equivalent?.definition ?? attributes.definition);
    let { object } = versioned;
    const inputs = () => this.#request.inputs(matched, params, { object, oldObject: versioned.oldObject });
    const { matches, error } = await retryWhenArrived(() => withinBudget(attributes, () => evaluator.match(inputs())));
    if (error !== undefined) this.#fail(invocation, error);
    if (matches !== true) return false;
    const key = keyOf(invocation);
    if (attributes.reinvocation.isRunning && !this.#reinvocation.shouldReinvoke(key)) return false;
    let isPatched = false;
    for (const patcher of object === undefined ? [] : evaluator.patchers) {
      const start = performance.now();
      try {
        const patched = await retryWhenArrived(() =>
          withinBudget(attributes, () => evaluator.patch(patcher, inputs(), type, groupVersion)),
        );
        if (patched !== object) type.setDefaults(patched);
        object = patched;
        isPatched = true;
        this.#observe(invocation, 'no_error', start);
      } catch (failure) {
        this.#observe(invocation, errorTypeOf((failure as Error).message), start);
        if (!isPatchFailure(failure)) throw failure;
        this.#fail(invocation, failure.message);
      }
    }
    if (object !== versioned.object && object !== undefined) {
      const from = matched.equivalent?.definition;
      attributes.object = from === undefined ? object : await requestedVersion(object, attributes, from);
    }
    if (policy.spec?.reinvocationPolicy === 'IfNeeded') this.#reinvocation.addReinvocable(key);
    return isPatched;
  }

  #fail({ policy, binding }: MutatingInvocation, message: string): void {
    this.#errors.push({ policy, binding, message, reason: 'Invalid' });
  }

  #observe({ policy, binding }: MutatingInvocation, type: string, start: number): void {
    const elapsed = (performance.now() - start) / 1000;
    this.#metrics.mutated({ policy: nameOf(policy), binding: nameOf(binding), errorType: type, elapsed });
  }

  /** The first error is the message; all of them are causes. */
  #refusal(errors: readonly PolicyError[]): StatusError {
    const causes = errors.map((error) => ({ message: messageOf(error) }));
    const refusal = newForbidden(this.#request.attributes, 'admission request denied by policy', causes);
    const [first] = errors;
    const reason = first?.reason;
    refusal.status.message = causes[0]?.message ?? '';
    if (reason !== undefined) refusal.status.reason = reason;
    return refusal;
  }
}

function messageOf({ policy, binding, message }: PolicyError): string {
  if (binding === undefined) return `policy ${quote(nameOf(policy))} denied request: ${message}`;
  return `policy '${nameOf(policy)}' with binding '${nameOf(binding)}' denied request: ${message}`;
}

function keyOf({ policy, binding, params }: MutatingInvocation): string {
  const { namespace = '', name = '' } = params?.metadata ?? {};
  return `${nameOf(policy)}/${nameOf(binding)}/${namespace}/${name}`;
}
