import type { KubeObject, Part } from '../../../machinery/object.ts';
import { addQuantities, compareQuantities, parseQuantity, type Quantity } from '../../../machinery/scalars/quantity.ts';

type Totals = Map<string, Quantity>;

const zero = parseQuantity('0');
const computeResources = ['cpu', 'memory'];

/** How a pod's requests and limits rank it when memory runs out. (pkg/apis/core/helper/qos) */
export function getPodQOS(pod: KubeObject): 'BestEffort' | 'Burstable' | 'Guaranteed' {
  const requests: Totals = new Map();
  const limits: Totals = new Map();
  let allLimited = true;
  for (const { requests: asked, limits: allowed } of resourcesOf(pod.spec ?? {})) {
    collect(requests, asked);
    if (collect(limits, allowed) < computeResources.length) allLimited = false;
  }
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  const equal = [...requests].every(([name, amount]) => {
    const limit = limits.get(name);
    return limit !== undefined && compareQuantities(limit, amount) === 0;
  });
  return allLimited && equal && requests.size === limits.size ? 'Guaranteed' : 'Burstable';
}

/** Resources of the pod as a whole where it states any, else of its containers. */
function resourcesOf(spec: Part): { requests?: Part; limits?: Part }[] {
  const whole = spec.resources;
  if (computeResources.some((name) => whole?.requests?.[name] !== undefined || whole?.limits?.[name] !== undefined)) {
    return [whole];
  }
  return [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({ resources }) => resources ?? {});
}

/** Adds what is above zero; gives how many kinds that were. */
function collect(totals: Totals, list: Part): number {
  let found = 0;
  for (const name of computeResources) {
    if (list?.[name] === undefined) continue;
    const amount = parseQuantity(String(list[name]));
    if (compareQuantities(amount, zero) <= 0) continue;
    found++;
    const before = totals.get(name);
    totals.set(name, before === undefined ? amount : addQuantities(before, amount));
  }
  return found;
}
