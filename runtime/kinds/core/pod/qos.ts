import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import { addQuantities, compareQuantities, parseQuantity, type Quantity } from '../../../machinery/scalars/quantity.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';

type PodSpec = Unvalidated<core.PodSpec>;
type Resources = Unvalidated<core.ResourceRequirements>;
type Totals = Map<string, Quantity>;

const zero = parseQuantity('0');
const computeResources = ['cpu', 'memory'];

/**
 * Returns the pod's quality of service class. It decides the order of evictions when memory runs out.
 * (pkg/apis/core/v1/helper/qos)
 */
export function getPodQOS({ spec }: { readonly spec?: PodSpec }): 'BestEffort' | 'Burstable' | 'Guaranteed' {
  const requests: Totals = new Map();
  const limits: Totals = new Map();
  let allLimited = true;
  for (const resources of resourcesOf(spec ?? {})) {
    addToTotals(requests, resources.requests);
    if (addToTotals(limits, resources.limits) < computeResources.length) allLimited = false;
  }
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  const areEqual = [...requests].every(([name, amount]) => {
    const limit = limits.get(name);
    return limit !== undefined && compareQuantities(limit, amount) === 0;
  });
  return allLimited && areEqual && requests.size === limits.size ? 'Guaranteed' : 'Burstable';
}

/** Returns the resources of the pod, even if they are empty, otherwise those of its containers. */
function resourcesOf(spec: PodSpec): readonly Resources[] {
  const { resources } = spec;
  if (resources !== undefined) return [resources];
  return [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map((container) => container.resources ?? {});
}

/** Adds the positive amounts, and returns their number. */
function addToTotals(totals: Totals, list: Resources['limits']): number {
  let count = 0;
  for (const name of computeResources) {
    if (list?.[name] === undefined) continue;
    const amount = parseQuantity(String(list[name]));
    if (compareQuantities(amount, zero) <= 0) continue;
    count++;
    const total = totals.get(name);
    totals.set(name, total === undefined ? amount : addQuantities(total, amount));
  }
  return count;
}
