import type {
  Container,
  LimitRange,
  LimitRangeItem,
  PersistentVolumeClaim,
  Pod,
  PodSpec,
} from '../../../../generated/v1.35/core/v1/types.ts';
import { sumOfContainers } from '../../../kinds/core/pod/resources.ts';
import { type Amounts, amountsOf, none, sortedNames } from '../../../machinery/scalars/resource-amounts.ts';
import { limitRequestRatioConstraint, maxConstraint, maxRequestConstraint, minConstraint, type Observed } from './constraints.ts';

/** A limit range item with its amounts parsed. */
interface Limits {
  readonly type: string;
  readonly min: Amounts;
  readonly max: Amounts;
  readonly maxLimitRequestRatio: Amounts;
}

const limitsOfRange = new WeakMap<LimitRange, readonly Limits[]>();

function limitsOf(range: LimitRange): readonly Limits[] {
  let limits = limitsOfRange.get(range);
  if (limits === undefined) {
    limits = (range.spec?.limits ?? []).map(({ type, min, max, maxLimitRequestRatio }: LimitRangeItem) => ({
      type,
      min: amountsOf(min),
      max: amountsOf(max),
      maxLimitRequestRatio: amountsOf(maxLimitRequestRatio),
    }));
    limitsOfRange.set(range, limits);
  }
  return limits;
}

/** Returns the violations of a pod's containers and of the pod as a whole. (PodValidateLimitFunc) */
export function validatePodLimits(range: LimitRange, pod: Pod): string[] {
  const spec: PodSpec = pod.spec ?? { containers: [] };
  const problems: string[] = [];
  for (const limits of limitsOf(range)) {
    if (limits.type === 'Container') {
      for (const container of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) {
        checkAmounts(limits, observedOf(container), problems);
      }
    }
    if (limits.type === 'Pod') checkAmounts(limits, observedOfPod(spec), problems);
  }
  return problems;
}

/**
 * Returns the violations of a claim's storage request. The claim's limits do not matter.
 * (PersistentVolumeClaimValidateLimitFunc)
 */
export function validateClaimLimits(range: LimitRange, claim: PersistentVolumeClaim): string[] {
  const problems: (string | undefined)[] = [];
  const observed: Observed = { requests: amountsOf(claim.spec?.resources?.requests), limits: none };
  for (const { type, min, max } of limitsOf(range)) {
    if (type !== 'PersistentVolumeClaim') continue;
    for (const name of sortedNames(min)) problems.push(minConstraint({ type, name, list: min }, observed));
    for (const name of sortedNames(max)) problems.push(maxRequestConstraint({ type, name, list: max }, observed));
  }
  return problems.filter((problem) => problem !== undefined);
}

function checkAmounts({ type, min, max, maxLimitRequestRatio }: Limits, observed: Observed, problems: string[]): void {
  const constraints = [
    { list: min, check: minConstraint },
    { list: max, check: maxConstraint },
    { list: maxLimitRequestRatio, check: limitRequestRatioConstraint },
  ];
  for (const { list, check } of constraints) {
    for (const name of sortedNames(list)) {
      const problem = check({ type, name, list }, observed);
      if (problem !== undefined) problems.push(problem);
    }
  }
}

const observedOf = ({ resources }: Container): Observed => ({
  requests: amountsOf(resources?.requests),
  limits: amountsOf(resources?.limits),
});

/**
 * Returns the sum over the containers, or the resources set for the pod itself. Overhead does not count. (podRequests,
 * podLimits)
 */
function observedOfPod(spec: PodSpec): Observed {
  const sumOf = (list: 'requests' | 'limits'): Amounts => {
    const sum = sumOfContainers(spec, ({ resources }) => amountsOf(resources?.[list]));
    const podLevel = amountsOf(spec.resources?.[list]);
    for (const name of ['cpu', 'memory']) {
      const amount = podLevel.get(name);
      if (amount !== undefined) sum.set(name, amount);
    }
    return sum;
  };
  return { requests: sumOf('requests'), limits: sumOf('limits') };
}
