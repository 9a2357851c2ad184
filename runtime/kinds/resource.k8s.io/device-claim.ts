import type * as resource from '../../../generated/v1.35/resource.k8s.io/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { dnsLabel, dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import { validateFormat, validateRequiredFormat } from '../validation/fields.ts';
import { maxConfigs, validateDeviceConfiguration } from './device-configuration.ts';
import { validateSelectors } from './device-selector.ts';
import { validateDeviceToleration } from './device-toleration.ts';
import { eachOf, eachOfSet } from './lists.ts';
import { validateFullyQualifiedName } from './names.ts';

/** The requests of a claim, at v1. (pkg/apis/resource/validation/validation.go) */

export type DeviceClaim = Unvalidated<resource.DeviceClaim>;

export const maxRequests = 32;
const maxConstraints = 32;
const maxAlternatives = 8;

export function validateDeviceClaim(claim: DeviceClaim, field: Field): void {
  const requests = claim.requests ?? [];
  const names = gatherRequestNames(requests);
  const nameOf = ({ name = '' }: { readonly name?: string }): string => name;
  eachOfSet({ items: requests, max: maxRequests, member: 'name', keyOf: nameOf }, field.child('requests'), validateDeviceRequest);
  eachOf(claim.constraints ?? [], maxConstraints, field.child('constraints'), (constraint, at) =>
    validateDeviceConstraint(constraint, names, at),
  );
  eachOf(claim.config ?? [], maxConfigs, field.child('config'), (each, at) => {
    validateRequestRefs(each.requests, names, at.child('requests'));
    validateDeviceConfiguration(each, at);
  });
}

/** The names of a claim's requests, and `request/alternative` for their alternatives. */
export type RequestNames = ReadonlySet<string>;

export function gatherRequestNames(requests: readonly Unvalidated<resource.DeviceRequest>[]): RequestNames {
  const names = new Set<string>();
  for (const { name = '', firstAvailable } of requests) {
    names.add(name);
    for (const alternative of firstAvailable ?? []) names.add(`${name}/${alternative.name ?? ''}`);
  }
  return names;
}

const oneOf = 'exactly one of `exactly` or `firstAvailable` is required';

function validateDeviceRequest(request: Unvalidated<resource.DeviceRequest>, field: Field): void {
  const { name = '', exactly } = request;
  const firstAvailable = request.firstAvailable ?? [];
  validateFormat(name, dnsLabel, field.child('name'));
  const hasAlternatives = firstAvailable.length > 0;
  const hasBoth = hasAlternatives && exactly !== undefined;
  if (!hasBoth || !field.follows('AmbiguousRequestIsNotRead')) {
    if (hasAlternatives) validateAlternatives(firstAvailable, field.child('firstAvailable'));
    if (exactly) validateExactDeviceRequest(exactly, field.child('exactly'));
  }
  if (hasBoth) field.invalid(null, `${oneOf}, but multiple fields are set`);
  else if (!hasAlternatives && !exactly) field.required(oneOf);
}

function validateAlternatives(alternatives: readonly SubRequest[], field: Field): void {
  const list = { items: alternatives, max: maxAlternatives, member: 'name', keyOf: (each: SubRequest) => each.name ?? '' };
  eachOfSet(list, field, (each, at) => {
    validateFormat(each.name ?? '', dnsLabel, at.child('name'));
    validateExactDeviceRequest(each, at);
  });
}

type SubRequest = Unvalidated<resource.DeviceSubRequest>;

/** Capacities are dropped before. (validateExactDeviceRequest, validateDeviceSubRequest) */
function validateExactDeviceRequest(request: SubRequest, field: Field): void {
  const { deviceClassName, selectors, allocationMode = '', count = 0, tolerations = [] } = request;
  validateRequiredFormat(deviceClassName, dnsSubdomain, field.child('deviceClassName'));
  validateSelectors(selectors ?? [], field.child('selectors'));
  validateDeviceAllocationMode(allocationMode, count, field);
  for (const [index, toleration] of tolerations.entries()) {
    validateDeviceToleration(toleration, field.child('tolerations').index(index));
  }
}

function validateDeviceAllocationMode(mode: string, count: number | bigint, field: Field): void {
  const at = field.child('count');
  if (mode === 'All') {
    if (Number(count) !== 0) at.invalid(count, "must not be specified when allocationMode is 'All'");
  } else if (mode === 'ExactCount') {
    if (count <= 0) at.invalid(count, 'must be greater than zero');
  } else field.child('allocationMode').notSupported(mode, ['All', 'ExactCount']);
}

/** `distinctAttribute` is dropped before. */
function validateDeviceConstraint(
  { requests, matchAttribute, distinctAttribute }: Unvalidated<resource.DeviceConstraint>,
  names: RequestNames,
  field: Field,
): void {
  validateRequestRefs(requests, names, field.child('requests'));
  const at = field.child('matchAttribute');
  if (matchAttribute !== undefined) validateFullyQualifiedName(matchAttribute, at);
  else if (distinctAttribute !== undefined) validateFullyQualifiedName(distinctAttribute, field.child('distinctAttribute'));
  else at.required();
}

export function validateRequestRefs(refs: readonly string[] | undefined, names: RequestNames, field: Field): void {
  eachOfSet({ items: refs ?? [], max: maxRequests, keyOf: (ref) => ref }, field, (ref, at) => validateRequestNameRef(ref, names, at));
}

const unknownRequest = "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";

export function validateRequestNameRef(ref: string, names: RequestNames, field: Field): void {
  const segments = ref.split('/', 3);
  if (segments.length <= 2) for (const segment of segments) validateFormat(segment, dnsLabel, field);
  if (segments.length > 2 || !names.has(ref)) field.invalid(ref, unknownRequest);
}
