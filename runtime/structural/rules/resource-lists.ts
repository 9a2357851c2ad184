import { duplicate, forbidden, invalid, notFound, required } from '../../machinery/field-error.ts';
import type { FieldPath } from '../../machinery/field-path.ts';
import type { Part } from '../../machinery/object.ts';
import { compareQuantities, parseQuantity, type Quantity } from '../../machinery/scalars/quantity.ts';
import { checkFormat, type Errors, negativeText } from './checks.ts';
import { dnsLabel, qualifiedName } from './text-formats.ts';

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

export const isHugePages = (name: string): boolean => name.startsWith('hugepages-');
const isQuotaHugePages = (name: string): boolean => isHugePages(name) || name.startsWith('requests.hugepages-');
const isNative = (name: string): boolean => !name.includes('/') || name.includes('kubernetes.io/');
const isExtended = (name: string): boolean =>
  !isNative(name) && !name.startsWith('requests.') && qualifiedName(`requests.${name}`).length === 0;
/** What nodes may promise more of than they have. */
export const isOvercommitAllowed = (name: string): boolean => isNative(name) && !isHugePages(name);

export const isStandardQuotaResource = (name: string): boolean => quotaResources.has(name) || isQuotaHugePages(name);

export type NameCheck = (name: string, path: FieldPath, errors: Errors) => void;

export const checkResourceName: NameCheck = (name, path, errors) => {
  const before = errors.length;
  checkFormat(name, qualifiedName, path, errors);
  if (errors.length > before || name.includes('/') || standardResources.has(name) || isQuotaHugePages(name)) return;
  errors.push(invalid(path, name, 'must be a standard resource type or fully qualified'));
};

export const checkContainerResourceName: NameCheck = (name, path, errors) => {
  checkResourceName(name, path, errors);
  if (!name.includes('/')) {
    if (!containerResources.has(name) && !isHugePages(name)) {
      errors.push(invalid(path, name, 'must be a standard resource for containers'));
    }
  } else if (!isNative(name) && !isExtended(name)) {
    errors.push(invalid(path, name, "doesn't follow extended resource name standard"));
  }
};

export const checkQuotaResourceName: NameCheck = (name, path, errors) => {
  checkResourceName(name, path, errors);
  if (!name.includes('/') && !isStandardQuotaResource(name)) {
    errors.push(invalid(path, name, 'must be a standard resource for quota'));
  }
};

export const quantityOf = (value: unknown): Quantity => parseQuantity(String(value));
const zero = quantityOf('0');

/** Not negative, and whole where it counts things. */
export function checkAmount(name: string, amount: unknown, path: FieldPath, errors: Errors): void {
  const quantity = quantityOf(amount);
  if (compareQuantities(quantity, zero) < 0) errors.push(invalid(path, amount, negativeText));
  if ((integerResources.has(name) || isExtended(name)) && !isWhole(quantity)) {
    errors.push(invalid(path, amount, 'must be an integer'));
  }
}

const isWhole = ({ unscaled, scale }: Quantity): boolean => scale >= 0 || unscaled % 10n ** BigInt(-scale) === 0n;

export function checkPositiveAmount(amount: unknown, path: FieldPath, errors: Errors): void {
  if (compareQuantities(quantityOf(amount), zero) <= 0) {
    errors.push(invalid(path, amount, 'must be greater than zero'));
  }
}

/** Limits and requests: known names, right amounts, requests within limits. (validateResourceRequirements) */
export function checkRequirements(
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
    checkAmount(name, limits[name], at, errors);
  }
  for (const name of Object.keys(requests)) {
    const at = path.child('requests').key(name);
    checkResource(name, at, errors);
    checkAmount(name, requests[name], at, errors);
    checkWithinLimit(name, requests, limits, path, errors);
  }
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  if (names.some(isHugePages) && !names.some((name) => name === 'cpu' || name === 'memory')) {
    errors.push(forbidden(path, 'HugePages require cpu or memory'));
  }
  checkClaims(claims, claimNames, path.child('claims'), errors);
}

function checkWithinLimit(name: string, requests: Part, limits: Part, path: FieldPath, errors: Errors): void {
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

function checkClaims(claims: readonly Part[], claimNames: ReadonlySet<string>, path: FieldPath, errors: Errors): void {
  const seen = new Set<string>();
  for (const [index, { name, request }] of claims.entries()) {
    const at = path.index(index);
    if (!name) {
      errors.push(required(at));
      continue;
    }
    if (request) checkFormat(request, dnsLabel, at.child('request'), errors);
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
