import type * as core from '../../../generated/v1.35/core/v1/types.ts';
import { quote } from '../../machinery/go/quote.ts';
import { setMember } from '../../machinery/json/values.ts';
import {
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  roundUpQuantity,
  scaledQuantityValue,
} from '../../machinery/scalars/quantity.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { dnsLabel, labelKey as qualifiedName } from '../../machinery/validation/name-formats.ts';
import { negativeText, validateFormat } from '../validation/fields.ts';

/** Names and amounts of resources: limits, requests, capacity and quota. (pkg/apis/core/validation, pkg/apis/core/helper) */

/** Amounts by the name of the resource. (v1.ResourceList) */
export type ResourceList = Record<string, string>;

const countedResources = [
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
  ...countedResources,
  ...[...containerResources, 'storage']
    .flatMap((name) => [name, `requests.${name}`])
    .filter((name) => name !== 'storage'),
  ...[...containerResources].map((name) => `limits.${name}`),
]);
const standardResources: ReadonlySet<string> = new Set([...quotaResources, 'storage']);
const integerResources: ReadonlySet<string> = new Set(countedResources);

export const isHugePageResourceName = (name: string): boolean => name.startsWith('hugepages-');
const isQuotaHugePageResourceName = (name: string): boolean =>
  isHugePageResourceName(name) || name.startsWith('requests.hugepages-');
export const isNativeResource = (name: string): boolean => !name.includes('/') || name.includes('kubernetes.io/');
export const isExtendedResourceName = (name: string): boolean =>
  !isNativeResource(name) && !name.startsWith('requests.') && qualifiedName(`requests.${name}`).length === 0;
/** (IsOvercommitAllowed) */
export const isOvercommitAllowed = (name: string): boolean => isNativeResource(name) && !isHugePageResourceName(name);

export const isStandardQuotaResourceName = (name: string): boolean =>
  quotaResources.has(name) || isQuotaHugePageResourceName(name);

export type ResourceNameRule = (name: string, field: Field) => void;

/** (validateResourceName) */
export const validateResourceName: ResourceNameRule = (name, field) => {
  const errorsBefore = field.errors.length;
  validateFormat(name, qualifiedName, field);
  if (
    field.errors.length > errorsBefore ||
    name.includes('/') ||
    standardResources.has(name) ||
    isQuotaHugePageResourceName(name)
  )
    return;
  field.invalid(name, 'must be a standard resource type or fully qualified');
};

/** (validateContainerResourceName) */
export const validateContainerResourceName: ResourceNameRule = (name, field) => {
  validateResourceName(name, field);
  if (!name.includes('/')) {
    if (!containerResources.has(name) && !isHugePageResourceName(name)) {
      field.invalid(name, 'must be a standard resource for containers');
    }
  } else if (!isNativeResource(name) && !isExtendedResourceName(name)) {
    field.invalid(name, "doesn't follow extended resource name standard");
  }
};

/** (ValidateResourceQuotaResourceName) */
export const validateResourceQuotaResourceName: ResourceNameRule = (name, field) => {
  validateResourceName(name, field);
  if (!name.includes('/') && !isStandardQuotaResourceName(name)) {
    field.invalid(name, 'must be a standard resource for quota');
  }
};

export const quantityOf = (value: unknown): Quantity => parseQuantity(String(value));
const zero = quantityOf('0');

/** (ValidateResourceQuantityValue) */
export function validateResourceQuantityValue(name: string, amount: unknown, field: Field): void {
  const quantity = quantityOf(amount);
  if (compareQuantities(quantity, zero) < 0) field.invalid(amount, negativeText);
  if ((integerResources.has(name) || isExtendedResourceName(name)) && !isWhole(quantity)) {
    field.invalid(amount, 'must be an integer');
  }
}

const isWhole = ({ unscaled, scale }: Quantity): boolean => scale >= 0 || unscaled % 10n ** BigInt(-scale) === 0n;

/** (ValidatePositiveQuantityValue) */
export function validatePositiveQuantityValue(amount: unknown, field: Field): void {
  if (compareQuantities(quantityOf(amount), zero) <= 0) {
    field.invalid(amount, 'must be greater than zero');
  }
}

/**
 * (validateResourceRequirements)
 *
 * @param claimNames of the pod's resource claims
 */
export function validateResourceRequirements(
  requirements: Unvalidated<core.ResourceRequirements> | undefined,
  validateName: ResourceNameRule,
  claimNames: ReadonlySet<string>,
  field: Field,
): void {
  if (!requirements) return;
  const { limits = {}, requests = {}, claims = [] } = requirements;
  for (const name of Object.keys(limits)) {
    const at = field.child('limits').key(name);
    validateName(name, at);
    validateResourceQuantityValue(name, limits[name], at);
  }
  for (const name of Object.keys(requests)) {
    const at = field.child('requests').key(name);
    validateName(name, at);
    validateResourceQuantityValue(name, requests[name], at);
    validateRequestWithinLimit(name, requests, limits, field);
  }
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  if (names.some(isHugePageResourceName) && !names.some((name) => name === 'cpu' || name === 'memory')) {
    field.forbidden('HugePages require cpu or memory');
  }
  validateResourceClaimNames(claims, claimNames, field.child('claims'));
}

function validateRequestWithinLimit(name: string, requests: ResourceList, limits: ResourceList, field: Field): void {
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

function validateResourceClaimNames(
  claims: readonly Unvalidated<core.ResourceClaim>[],
  claimNames: ReadonlySet<string>,
  field: Field,
): void {
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
    at.notFound(name, `must be one of the names in pod.spec.resourceClaims${namesText(claimNames)}`);
  }
}

/** Each unknown claim repeats the names, so their text is made once. */
const namesTexts = new WeakMap<ReadonlySet<string>, string>();

function namesText(names: ReadonlySet<string>): string {
  let text = namesTexts.get(names);
  if (text === undefined) {
    text = names.size === 0 ? ' which is empty' : `: ${[...names].sort().join(', ')}`;
    namesTexts.set(names, text);
  }
  return text;
}

/**
 * Warns about fractions of bytes, such as `100m` in place of `100M`.
 *
 * @param path of the list
 */
export function addFractionalByteWarnings(
  list: Readonly<ResourceList> | undefined,
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

/** Rounds amounts finer than a thousandth up, and leaves all others as they are written. */
function roundUpToMilli(amount: string): string {
  if (!finerThanMilli.test(amount)) return amount;
  return formatQuantity(roundUpQuantity(parseQuantity(amount), -3));
}

/** Rounds every amount, in place. (SetDefaults_ResourceList, pkg/apis/core/v1/defaults.go) */
export function roundResourceList(list: ResourceList | undefined): void {
  if (list === undefined || list === null) return;
  for (const name of Object.keys(list)) {
    const amount = list[name];
    if (typeof amount !== 'string') continue;
    const rounded = roundUpToMilli(amount);
    if (rounded !== amount) list[name] = rounded;
  }
}

/** Copies the amounts of `from` that `to` lacks. */
export function addMissing(to: ResourceList, from: Readonly<ResourceList> | undefined): void {
  for (const [name, amount] of Object.entries(from ?? {})) if (!Object.hasOwn(to, name)) setMember(to, name, amount);
}
