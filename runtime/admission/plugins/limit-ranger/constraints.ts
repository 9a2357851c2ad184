import { maxInt64 } from '../../../machinery/scalars/integers.ts';
import { formatQuantity, type Quantity, scaledQuantityValue } from '../../../machinery/scalars/quantity.ts';
import { type Amounts, zero } from '../../../machinery/scalars/resource-amounts.ts';

/** The requests and limits of a container, a pod or a claim. */
export interface Observed {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

/** One amount of a limit range. */
export interface Constraint {
  /** The type of object: `Pod`. */
  readonly type: string;
  /** The name of the resource, a key of `list`. */
  readonly name: string;
  readonly list: Amounts;
}

/** The largest number of whole units that can be compared by thousandths. (resource.MaxMilliValue) */
const maxMilliValue = maxInt64 / 1000n;

/** Converts three quantities to whole units, or to thousandths if none is too large. (requestLimitEnforcedValues) */
function enforcedValues(request: Quantity, limit: Quantity, enforced: Quantity) {
  const valuesAt = (scale: number) => ({
    requestValue: scaledQuantityValue(request, scale),
    limitValue: scaledQuantityValue(limit, scale),
    enforcedValue: scaledQuantityValue(enforced, scale),
  });
  const whole = valuesAt(0);
  return Object.values(whole).every((value) => value <= maxMilliValue) ? valuesAt(-3) : whole;
}

interface Comparison extends ReturnType<typeof enforcedValues> {
  readonly request: Quantity | undefined;
  readonly limit: Quantity | undefined;
  readonly enforced: Quantity;
}

function compare({ name, list }: Constraint, { requests, limits }: Observed): Comparison {
  const request = requests.get(name);
  const limit = limits.get(name);
  const enforced = list.get(name) ?? zero;
  return { request, limit, enforced, ...enforcedValues(request ?? zero, limit ?? zero, enforced) };
}

/** Returns the violation of a constraint; undefined if there is none. */
type Check = (constraint: Constraint, observed: Observed) => string | undefined;

export const minConstraint: Check = (constraint, observed) => {
  const { request, limit, enforced, requestValue, limitValue, enforcedValue } = compare(constraint, observed);
  const words = `minimum ${constraint.name} usage per ${constraint.type} is ${formatQuantity(enforced)}`;
  if (request === undefined) return `${words}.  No request is specified`;
  if (requestValue < enforcedValue) return `${words}, but request is ${formatQuantity(request)}`;
  if (limit !== undefined && limitValue < enforcedValue) return `${words}, but limit is ${formatQuantity(limit)}`;
  return undefined;
};

export const maxConstraint: Check = (constraint, observed) => {
  const { request, limit, enforced, requestValue, limitValue, enforcedValue } = compare(constraint, observed);
  const words = `maximum ${constraint.name} usage per ${constraint.type} is ${formatQuantity(enforced)}`;
  if (limit === undefined) return `${words}.  No limit is specified`;
  if (limitValue > enforcedValue) return `${words}, but limit is ${formatQuantity(limit)}`;
  if (request !== undefined && requestValue > enforcedValue) {
    return `${words}, but request is ${formatQuantity(request)}`;
  }
  return undefined;
};

/** The maximum for objects without limits. */
export const maxRequestConstraint: Check = (constraint, observed) => {
  const { request, enforced, requestValue, enforcedValue } = compare(constraint, observed);
  const words = `maximum ${constraint.name} usage per ${constraint.type} is ${formatQuantity(enforced)}`;
  if (request === undefined) return `${words}.  No request is specified`;
  if (requestValue > enforcedValue) return `${words}, but request is ${formatQuantity(request)}`;
  return undefined;
};

export const limitRequestRatioConstraint: Check = (constraint, observed) => {
  const { request, limit, enforced, requestValue, limitValue } = compare(constraint, observed);
  const { name, type } = constraint;
  const words = `${name} max limit to request ratio per ${type} is ${formatQuantity(enforced)}`;
  if (request === undefined || requestValue === 0n) return `${words}, but no request is specified or request is 0`;
  if (limit === undefined || limitValue === 0n) return `${words}, but no limit is specified or limit is 0`;
  const ratio = Number(limitValue) / Number(requestValue);
  const whole = scaledQuantityValue(enforced);
  const exceeds = whole <= maxMilliValue ? ratio * 1000 > Number(scaledQuantityValue(enforced, -3)) : ratio > Number(whole);
  return exceeds ? `${words}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
};
