import { quote } from '../../machinery/go/quote.ts';
import type { Part } from '../../machinery/object.ts';
import {
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  roundUpQuantity,
  scaledQuantityValue,
} from '../../machinery/scalars/quantity.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { dnsLabel, labelKey as qualifiedName } from '../../machinery/validation/name-formats.ts';
import { negativeText, validateFormat } from '../validation/fields.ts';

/** Amounts of resources: limits, requests, capacity, quota. (pkg/apis/core/validation, pkg/apis/core/helper) */

const counted = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
];
const containerResources: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);
const quotaResources: ReadonlySet<string> = new Set([
  ...counted,
  ...[...containerResources, 'storage']
    .flatMap((name) => [name, `requests.${name}`])
    .filter((name) => name !== 'storage'),
  ...[...containerResources].map((name) => `limits.${name}`),
]);
const standardResources: ReadonlySet<string> = new Set([...quotaResources, 'storage']);
const integerResources: ReadonlySet<string> = new Set(counted);

export const isHugePageResourceName = (name: string): boolean => name.startsWith('hugepages-');
const isQuotaHugePageResourceName = (name: string): boolean =>
  isHugePageResourceName(name) || name.startsWith('requests.hugepages-');
const isNativeResource = (name: string): boolean => !name.includes('/') || name.includes('kubernetes.io/');
const isExtendedResourceName = (name: string): boolean =>
  !isNativeResource(name) && !name.startsWith('requests.') && qualifiedName(`requests.${name}`).length === 0;
/** What nodes may promise more of than they have. */
export const isOvercommitAllowed = (name: string): boolean => isNativeResource(name) && !isHugePageResourceName(name);

export const isStandardQuotaResourceName = (name: string): boolean =>
  quotaResources.has(name) || isQuotaHugePageResourceName(name);

export type NameCheck = (name: string, field: Field) => void;

export const validateResourceName: NameCheck = (name, field) => {
  const before = field.errors.length;
  validateFormat(name, qualifiedName, field);
  if (
    field.errors.length > before ||
    name.includes('/') ||
    standardResources.has(name) ||
    isQuotaHugePageResourceName(name)
  )
    return;
  field.invalid(name, 'must be a standard resource type or fully qualified');
};

export const validateContainerResourceName: NameCheck = (name, field) => {
  validateResourceName(name, field);
  if (!name.includes('/')) {
    if (!containerResources.has(name) && !isHugePageResourceName(name)) {
      field.invalid(name, 'must be a standard resource for containers');
    }
  } else if (!isNativeResource(name) && !isExtendedResourceName(name)) {
    field.invalid(name, "doesn't follow extended resource name standard");
  }
};

export const validateResourceQuotaResourceName: NameCheck = (name, field) => {
  validateResourceName(name, field);
  if (!name.includes('/') && !isStandardQuotaResourceName(name)) {
    field.invalid(name, 'must be a standard resource for quota');
  }
};

export const quantityOf = (value: unknown): Quantity => parseQuantity(String(value));
const zero = quantityOf('0');

/** Not negative, and whole where it counts things. */
export function validateResourceQuantityValue(name: string, amount: unknown, field: Field): void {
  const quantity = quantityOf(amount);
  if (compareQuantities(quantity, zero) < 0) field.invalid(amount, negativeText);
  if ((integerResources.has(name) || isExtendedResourceName(name)) && !isWhole(quantity)) {
    field.invalid(amount, 'must be an integer');
  }
}

const isWhole = ({ unscaled, scale }: Quantity): boolean => scale >= 0 || unscaled % 10n ** BigInt(-scale) === 0n;

export function validatePositiveQuantity(amount: unknown, field: Field): void {
  if (compareQuantities(quantityOf(amount), zero) <= 0) {
    field.invalid(amount, 'must be greater than zero');
  }
}

/** Limits and requests: known names, right amounts, requests within limits. (validateResourceRequirements) */
export function validateResourceRequirements(
  requirements: Part,
  checkResource: NameCheck,
  claimNames: ReadonlySet<string>,
  field: Field,
): void {
  if (!requirements) return;
  const { limits = {}, requests = {}, claims = [] } = requirements;
  for (const name of Object.keys(limits)) {
    const at = field.child('limits').key(name);
    checkResource(name, at);
    validateResourceQuantityValue(name, limits[name], at);
  }
  for (const name of Object.keys(requests)) {
    const at = field.child('requests').key(name);
    checkResource(name, at);
    validateResourceQuantityValue(name, requests[name], at);
    validateRequestWithinLimit(name, requests, limits, field);
  }
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  if (names.some(isHugePageResourceName) && !names.some((name) => name === 'cpu' || name === 'memory')) {
    field.forbidden('HugePages require cpu or memory');
  }
  validateResourceClaimNames(claims, claimNames, field.child('claims'));
}

function validateRequestWithinLimit(name: string, requests: Part, limits: Part, field: Field): void {
  if (!Object.hasOwn(limits, name)) {
    if (!isOvercommitAllowed(name)) {
      field.child('limits').required('Limit must be set for non overcommitable resources');
    }
    return;
  }
  const order = compareQuantities(quantityOf(requests[name]), quantityOf(limits[name]));
  if (order !== 0 && !isOvercommitAllowed(name)) {
    field.child('requests').invalid(requests[name], `must be equal to ${name} limit of ${limits[name]}`);
  } else if (order > 0) {
    const detail = `must be less than or equal to ${name} limit of ${limits[name]}`;
    field.child('requests').invalid(requests[name], detail);
  }
}

function validateResourceClaimNames(claims: readonly Part[], claimNames: ReadonlySet<string>, field: Field): void {
  const seen = new Set<string>();
  for (const [index, { name, request }] of claims.entries()) {
    const at = field.index(index);
    if (!name) {
      at.required();
      continue;
    }
    if (request) validateFormat(request, dnsLabel, at.child('request'));
    const key = request ? `${name}/${request}` : name;
    if (seen.has(name)) at.duplicate(name);
    else if (seen.has(key)) at.duplicate(key);
    seen.add(key);
    if (claimNames.has(name)) continue;
    const detail = `must be one of the names in pod.spec.resourceClaims${namesText(claimNames)}`;
    at.notFound(name, detail);
  }
}

/** The names of a pod are told for each claim that is none of them. */
const namesTexts = new WeakMap<ReadonlySet<string>, string>();

function namesText(names: ReadonlySet<string>): string {
  let text = namesTexts.get(names);
  if (text === undefined) {
    text = names.size === 0 ? ' which is empty' : `: ${[...names].sort().join(', ')}`;
    namesTexts.set(names, text);
  }
  return text;
}

/** Numbers of bytes that are none, as `100m` for what was meant to be 100M. `path` names the list. */
export function addFractionalByteWarnings(
  list: Part,
  names: readonly string[],
  path: string,
  warnings: string[],
): void {
  if (list === undefined || list === null) return;
  for (const name of names) {
    if (list[name] === undefined || list[name] === null) continue;
    const text = String(list[name]);
    const { scale, unscaled } = parseQuantity(text);
    if (scale >= 0 || scaledQuantityValue({ scale, unscaled, format: 'DecimalSI' }, -3) % 1000n === 0n) continue;
    const amount = quote(canonicalQuantity(text));
    warnings.push(`${path}[${name}]: fractional byte value ${amount} is invalid, must be an integer`);
  }
}

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
