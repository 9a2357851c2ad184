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
import { duplicate, forbidden, invalid, notFound, required } from '../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import { dnsLabel, labelKey as qualifiedName } from '../../machinery/validation/name-formats.ts';
import { type Errors, negativeText, validateFormat } from '../validation/fields.ts';

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

export type NameCheck = (name: string, path: FieldPath, errors: Errors) => void;

export const validateResourceName: NameCheck = (name, path, errors) => {
  const before = errors.length;
  validateFormat(name, qualifiedName, path, errors);
  if (errors.length > before || name.includes('/') || standardResources.has(name) || isQuotaHugePageResourceName(name))
    return;
  errors.push(invalid(path, name, 'must be a standard resource type or fully qualified'));
};

export const validateContainerResourceName: NameCheck = (name, path, errors) => {
  validateResourceName(name, path, errors);
  if (!name.includes('/')) {
    if (!containerResources.has(name) && !isHugePageResourceName(name)) {
      errors.push(invalid(path, name, 'must be a standard resource for containers'));
    }
  } else if (!isNativeResource(name) && !isExtendedResourceName(name)) {
    errors.push(invalid(path, name, "doesn't follow extended resource name standard"));
  }
};

export const validateResourceQuotaResourceName: NameCheck = (name, path, errors) => {
  validateResourceName(name, path, errors);
  if (!name.includes('/') && !isStandardQuotaResourceName(name)) {
    errors.push(invalid(path, name, 'must be a standard resource for quota'));
  }
};

export const quantityOf = (value: unknown): Quantity => parseQuantity(String(value));
const zero = quantityOf('0');

/** Not negative, and whole where it counts things. */
export function validateResourceQuantityValue(name: string, amount: unknown, path: FieldPath, errors: Errors): void {
  const quantity = quantityOf(amount);
  if (compareQuantities(quantity, zero) < 0) errors.push(invalid(path, amount, negativeText));
  if ((integerResources.has(name) || isExtendedResourceName(name)) && !isWhole(quantity)) {
    errors.push(invalid(path, amount, 'must be an integer'));
  }
}

const isWhole = ({ unscaled, scale }: Quantity): boolean => scale >= 0 || unscaled % 10n ** BigInt(-scale) === 0n;

export function validatePositiveQuantity(amount: unknown, path: FieldPath, errors: Errors): void {
  if (compareQuantities(quantityOf(amount), zero) <= 0) {
    errors.push(invalid(path, amount, 'must be greater than zero'));
  }
}

/** Limits and requests: known names, right amounts, requests within limits. (validateResourceRequirements) */
export function validateResourceRequirements(
  requirements: Part,
  checkResource: NameCheck,
  claimNames: ReadonlySet<string>,
  path: FieldPath,
  errors: Errors,
): void {
  if (!requirements) return;
  const { limits = {}, requests = {}, claims = [] } = requirements;
  for (const name of Object.keys(limits)) {
    const at = path.child('limits').key(name);
    checkResource(name, at, errors);
    validateResourceQuantityValue(name, limits[name], at, errors);
  }
  for (const name of Object.keys(requests)) {
    const at = path.child('requests').key(name);
    checkResource(name, at, errors);
    validateResourceQuantityValue(name, requests[name], at, errors);
    validateRequestWithinLimit(name, requests, limits, path, errors);
  }
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  if (names.some(isHugePageResourceName) && !names.some((name) => name === 'cpu' || name === 'memory')) {
    errors.push(forbidden(path, 'HugePages require cpu or memory'));
  }
  validateResourceClaimNames(claims, claimNames, path.child('claims'), errors);
}

function validateRequestWithinLimit(name: string, requests: Part, limits: Part, path: FieldPath, errors: Errors): void {
  if (!Object.hasOwn(limits, name)) {
    if (!isOvercommitAllowed(name)) {
      errors.push(required(path.child('limits'), 'Limit must be set for non overcommitable resources'));
    }
    return;
  }
  const order = compareQuantities(quantityOf(requests[name]), quantityOf(limits[name]));
  if (order !== 0 && !isOvercommitAllowed(name)) {
    errors.push(invalid(path.child('requests'), requests[name], `must be equal to ${name} limit of ${limits[name]}`));
  } else if (order > 0) {
    const detail = `must be less than or equal to ${name} limit of ${limits[name]}`;
    errors.push(invalid(path.child('requests'), requests[name], detail));
  }
}

function validateResourceClaimNames(
  claims: readonly Part[],
  claimNames: ReadonlySet<string>,
  path: FieldPath,
  errors: Errors,
): void {
  const seen = new Set<string>();
  for (const [index, { name, request }] of claims.entries()) {
    const at = path.index(index);
    if (!name) {
      errors.push(required(at));
      continue;
    }
    if (request) validateFormat(request, dnsLabel, at.child('request'), errors);
    const key = request ? `${name}/${request}` : name;
    if (seen.has(name)) errors.push(duplicate(at, name));
    else if (seen.has(key)) errors.push(duplicate(at, key));
    seen.add(key);
    if (claimNames.has(name)) continue;
    const detail = `must be one of the names in pod.spec.resourceClaims${namesText(claimNames)}`;
    errors.push({ ...notFound(at, name), detail });
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
