import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import { canonicalQuantity, compareQuantities, scaledQuantityValue } from '../../../machinery/scalars/quantity.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { dnsLabel } from '../../../machinery/validation/name-formats.ts';
import { validateEnum, validateFormat } from '../../validation/fields.ts';
import {
  isHugePageResourceName,
  isOvercommitAllowed,
  quantityOf,
  type ResourceList,
  type ResourceNameRule,
  validateContainerResourceName,
  validateResourceName,
  validateResourceQuantityValue,
} from '../resource-list.ts';
import { newTemplate, type PodValidationOptions } from './validation-options.ts';

/** Requests and limits of containers, and of pods as a whole. (pkg/apis/core/validation) */

type Requirements = Unvalidated<core.ResourceRequirements>;

/** The facts about a pod that the rules need. */
export interface ResourceContext {
  /** Names of the pod's resource claims. */
  readonly claimNames: ReadonlySet<string>;
  readonly options: PodValidationOptions;
}

/** (ValidateContainerResourceRequirements) */
export function validateContainerResourceRequirements(requirements: Requirements | undefined, pod: ResourceContext, field: Field): void {
  if (requirements) validateResourceRequirements(requirements, validateContainerResourceName, pod, field);
}

/**
 * The amounts that a pod takes besides its containers. (validateOverhead)
 *
 * @param options default: those of a new template
 */
export const validateOverhead = (overhead: ResourceList, field: Field, options = newTemplate): void =>
  validateContainerResourceRequirements({ limits: overhead }, { claimNames: new Set(), options }, field);

const podResources = ['cpu', 'hugepages-', 'memory'];

/** (validatePodResourceName) */
const validatePodResourceName: ResourceNameRule = (name, field) => {
  const before = field.errors.length;
  validateResourceName(name, field);
  if (field.errors.length === before && !isHugePageResourceName(name)) validateEnum(name, podResources, field);
};

/** (validatePodResourceRequirements) */
export const validatePodResourceRequirements = (requirements: Requirements, pod: ResourceContext, field: Field): void =>
  validateResourceRequirements(requirements, validatePodResourceName, pod, field);

/** (validateResourceRequirements) */
function validateResourceRequirements(
  { limits, requests, claims }: Requirements,
  validateName: ResourceNameRule,
  pod: ResourceContext,
  field: Field,
): void {
  if (limits) validateAmounts(limits, validateName, pod, field.child('limits'));
  if (requests) {
    validateAmounts(requests, validateName, pod, field.child('requests'));
    for (const name in requests) validateRequestWithinLimit(name, requests, limits ?? {}, field);
  }
  if ((hasHugePages(limits) || hasHugePages(requests)) && !hasCompute(limits) && !hasCompute(requests)) {
    field.forbidden('HugePages require cpu or memory');
  }
  if (claims?.length) validateResourceClaimNames(claims, pod.claimNames, field.child('claims'));
}

function validateAmounts(list: Readonly<ResourceList>, validateName: ResourceNameRule, { options }: ResourceContext, field: Field): void {
  for (const name in list) {
    const at = field.key(name);
    validateName(name, at);
    validateResourceQuantityValue(name, list[name], at);
    if (!isHugePageResourceName(name)) continue;
    if (options.allowIndivisibleHugePagesValues || isHugePageResourceValueDivisible(name, list[name] ?? '')) continue;
    const amount = canonicalQuantity(String(list[name]));
    at.invalid(amount, `${amount} is not positive integer multiple of ${name}`);
  }
}

/** (pkg/apis/core/helper, IsHugePageResourceValueDivisible) */
export function isHugePageResourceValueDivisible(name: string, amount: string): boolean {
  let pageSize: ReturnType<typeof quantityOf>;
  try {
    pageSize = quantityOf(name.slice('hugepages-'.length));
  } catch {
    return false; // not a size
  }
  if (pageSize.unscaled <= 0n || scaledQuantityValue(pageSize, -3) % 1000n !== 0n) return false;
  return scaledQuantityValue(quantityOf(amount)) % scaledQuantityValue(pageSize) === 0n;
}

function hasHugePages(list: Readonly<ResourceList> | undefined): boolean {
  for (const name in list) if (isHugePageResourceName(name)) return true;
  return false;
}

const hasCompute = (list: Readonly<ResourceList> | undefined): boolean =>
  list !== undefined && (Object.hasOwn(list, 'cpu') || Object.hasOwn(list, 'memory'));

function validateRequestWithinLimit(name: string, requests: ResourceList, limits: ResourceList, field: Field): void {
  if (!Object.hasOwn(limits, name)) {
    if (isOvercommitAllowed(name)) return;
    field.child('limits').required('Limit must be set for non overcommitable resources');
    return;
  }
  const order = compareQuantities(quantityOf(requests[name]), quantityOf(limits[name]));
  const mustBeEqual = !isOvercommitAllowed(name);
  if (order === 0 || (order < 0 && !mustBeEqual)) return;
  const relation = mustBeEqual ? 'equal to' : 'less than or equal to';
  const detail = `must be ${relation} ${name} limit of ${canonicalQuantity(String(limits[name]))}`;
  field.child('requests').invalid(canonicalQuantity(String(requests[name])), detail);
}

/** (validateResourceClaimNames) */
function validateResourceClaimNames(
  claims: readonly Unvalidated<core.ResourceClaim>[],
  claimNames: ReadonlySet<string>,
  field: Field,
): void {
  const seen = new Set<string>();
  const requestsSeen = new Map<string, number>();
  for (const [index, { name = '', request = '' }] of claims.entries()) {
    const at = field.index(index);
    if (name === '') {
      at.required();
      continue;
    }
    if (seen.has(name)) at.duplicate(name);
    else {
      if (request !== '') validateFormat(request, dnsLabel, at.child('request'));
      const key = request === '' ? name : `${name}/${request}`;
      const requests = requestsSeen.get(name) ?? 0;
      if (seen.has(key)) at.duplicate(key);
      else if (request !== '') requestsSeen.set(name, requests + 1);
      else for (let count = 0; count < requests; count++) at.duplicate(name); // one for each, as upstream
      seen.add(key);
    }
    if (!claimNames.has(name)) {
      at.notFound(name, `must be one of the names in pod.spec.resourceClaims${namesText(claimNames)}`);
    }
  }
}

/** The text of the names, made once because each unknown claim repeats it. */
const namesTexts = new WeakMap<ReadonlySet<string>, string>();

function namesText(names: ReadonlySet<string>): string {
  let text = namesTexts.get(names);
  if (text === undefined) {
    text = names.size === 0 ? ' which is empty' : `: ${[...names].sort().join(', ')}`;
    namesTexts.set(names, text);
  }
  return text;
}
