import type { Part } from '../../machinery/object.ts';

const quantity = /^([+-]?)(\d*)(?:\.(\d*))?(?:(n|u|m)|[eE]([+-]?\d+))?$/;
const decimals: Readonly<Record<string, number>> = { n: 9, u: 6, m: 3 };
const suffixes = ['', 'k', 'M', 'G', 'T', 'P', 'E'];

/** Amounts finer than a thousandth go up to the next one; all others stay as they are written. */
export function roundUpToMilli(amount: unknown): unknown {
  const match = typeof amount === 'string' ? quantity.exec(amount) : null;
  if (!match) return amount;
  const [, sign, whole = '', fraction = '', suffix, exponent] = match;
  const scale = fraction.length + (suffix ? (decimals[suffix] as number) : 0) - Number(exponent ?? 0);
  if (scale <= 3 || scale > 100) return amount;
  const digits = BigInt(`${whole}${fraction}` || '0');
  const unit = 10n ** BigInt(scale - 3);
  if (digits % unit === 0n) return amount;
  const milli = digits / unit + 1n;
  return `${sign === '-' ? '-' : ''}${formatMilli(milli)}`;
}

function formatMilli(milli: bigint): string {
  if (milli % 1000n !== 0n) return `${milli}m`;
  let amount = milli / 1000n;
  let step = 0;
  while (amount !== 0n && amount % 1000n === 0n && step < suffixes.length - 1) {
    amount /= 1000n;
    step++;
  }
  return `${amount}${suffixes[step]}`;
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
