import type { Part } from '../../machinery/object.ts';
import { formatQuantity, parseQuantity, roundUpQuantity } from '../../machinery/scalars/quantity.ts';

const finerThanMilli = /[nu]$|e-/i;

/** Amounts finer than a thousandth go up to the next one; all others stay as they are written. */
export function roundUpToMilli(amount: unknown): unknown {
  if (typeof amount !== 'string' || !finerThanMilli.test(amount)) return amount;
  return formatQuantity(roundUpQuantity(parseQuantity(amount), -3));
}

/** Rounds every amount of a resource list, in place. (SetDefaults_ResourceList, pkg/apis/core/v1/defaults.go) */
export function roundResourceList(list: Part): void {
  if (list === undefined || list === null) return;
  for (const name of Object.keys(list)) {
    const rounded = roundUpToMilli(list[name]);
    if (rounded !== list[name]) list[name] = rounded;
  }
}

/** Copies the entries of `from` that `to` lacks. */
export function addMissing(to: Part, from: Part): void {
  for (const name of Object.keys(from ?? {})) {
    if (Object.hasOwn(to, name)) continue;
    // A resource may be named __proto__: an assignment would not make an entry of it.
    Object.defineProperty(to, name, { value: from[name], enumerable: true, configurable: true, writable: true });
  }
}

export function roundResources(requirements: Part): void {
  roundResourceList(requirements.limits);
  roundResourceList(requirements.requests);
}

export function roundCapacity(spec: Part): void {
  roundResourceList(spec.capacity);
}

export function roundHard(spec: Part): void {
  roundResourceList(spec.hard);
}

export function roundHardAndUsed(status: Part): void {
  roundResourceList(status.hard);
  roundResourceList(status.used);
}

export function roundPodOverhead(spec: Part): void {
  roundResourceList(spec.overhead);
}

/** (SetDefaults_LimitRangeItem) Limits on containers default to the most, requests to the limit, else to the least. */
export function setLimitRangeDefaults(item: Part): void {
  if (item.type === 'Container') {
    const limits = { ...item.default };
    addMissing(limits, item.max);
    const requests = { ...item.defaultRequest };
    addMissing(requests, limits);
    addMissing(requests, item.min);
    if (Object.keys(limits).length > 0) item.default = limits;
    if (Object.keys(requests).length > 0) item.defaultRequest = requests;
  }
  for (const list of [item.max, item.min, item.default, item.defaultRequest, item.maxLimitRequestRatio]) {
    roundResourceList(list);
  }
}

/** (SetDefaults_NodeStatus) What can be allocated is what there is. */
export function setNodeAllocatable(status: Part): void {
  if (status.allocatable === undefined && status.capacity !== undefined) status.allocatable = { ...status.capacity };
  roundResourceList(status.capacity);
  roundResourceList(status.allocatable);
}
