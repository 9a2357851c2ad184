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
import type { Field } from '../../machinery/validation/field.ts';
import { labelKey as qualifiedName } from '../../machinery/validation/name-formats.ts';
import { negativeText, validateFormat } from '../validation/fields.ts';

/** Names and amounts of resources: limits, requests, capacity and quota. (pkg/apis/core/validation, pkg/apis/core/helper) */

/** Amounts by resource name. (v1.ResourceList) */
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
  ...[...containerResources, 'storage'].flatMap((name) => [name, `requests.${name}`]).filter((name) => name !== 'storage'),
  ...[...containerResources].map((name) => `limits.${name}`),
]);
const standardResources: ReadonlySet<string> = new Set([...quotaResources, 'storage']);
const integerResources: ReadonlySet<string> = new Set(countedResources);

export const isHugePageResourceName = (name: string): boolean => name.startsWith('hugepages-');
const isQuotaHugePageResourceName = (name: string): boolean => isHugePageResourceName(name) || name.startsWith('requests.hugepages-');
export const isNativeResource = (name: string): boolean => !name.includes('/') || name.includes('kubernetes.io/');
export const isExtendedResourceName = (name: string): boolean =>
  !isNativeResource(name) && !name.startsWith('requests.') && qualifiedName(`requests.${name}`).length === 0;
/** (IsOvercommitAllowed) */
export const isOvercommitAllowed = (name: string): boolean => isNativeResource(name) && !isHugePageResourceName(name);

export const isStandardQuotaResourceName = (name: string): boolean => quotaResources.has(name) || isQuotaHugePageResourceName(name);

export type ResourceNameRule = (name: string, field: Field) => void;

/** (validateResourceName) */
export const validateResourceName: ResourceNameRule = (name, field) => {
  const errorsBefore = field.errors.length;
  validateFormat(name, qualifiedName, field);
  if (field.errors.length > errorsBefore || name.includes('/') || standardResources.has(name) || isQuotaHugePageResourceName(name)) return;
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
  if (compareQuantities(quantity, zero) < 0) field.invalid(canonicalQuantity(String(amount)), negativeText);
  if ((integerResources.has(name) || isExtendedResourceName(name)) && !isWhole(quantity)) {
    field.invalid(canonicalQuantity(String(amount)), 'must be an integer');
  }
}

const isWhole = ({ unscaled, scale }: Quantity): boolean => scale >= 0 || unscaled % 10n ** BigInt(-scale) === 0n;

/** (ValidateNonnegativeQuantity) */
export function validateNonnegativeQuantity(amount: unknown, field: Field): void {
  if (compareQuantities(quantityOf(amount), zero) < 0) field.invalid(canonicalQuantity(String(amount)), negativeText);
}

/** (ValidatePositiveQuantityValue) */
export function validatePositiveQuantityValue(amount: unknown, field: Field): void {
  if (compareQuantities(quantityOf(amount), zero) <= 0) {
    field.invalid(canonicalQuantity(String(amount)), 'must be greater than zero');
  }
}

/** Returns false if the amount is negative. Its error shows a whole number. (validateBasicResource) */
export function validateBasicResource(amount: unknown, field: Field): boolean {
  const quantity = quantityOf(amount);
  if (compareQuantities(quantity, zero) >= 0) return true;
  field.invalid(scaledQuantityValue(quantity), 'must be a valid resource quantity');
  return false;
}

/** Reports whether lists have equal amounts in any notation. An absent list equals an empty one. */
export function equalResourceLists(a: Readonly<ResourceList> | undefined, b: Readonly<ResourceList> | undefined): boolean {
  const names = Object.keys(a ?? {});
  if (names.length !== Object.keys(b ?? {}).length) return false;
  return names.every((name) => {
    const other = b?.[name];
    return other !== undefined && compareQuantities(quantityOf(a?.[name]), quantityOf(other)) === 0;
  });
}

/** Returns the list as Go shows it in messages. */
export const sortedResourceList = (list: Readonly<ResourceList> | undefined): Readonly<ResourceList> | undefined =>
  list &&
  Object.fromEntries(
    Object.keys(list)
      .sort()
      .map((name) => [name, canonicalQuantity(String(list[name]))]),
  );

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

/** Rounds up amounts finer than a thousandth. Other amounts keep their notation. */
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
