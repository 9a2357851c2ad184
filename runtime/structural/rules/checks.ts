import { isIP } from 'node:net';
import { duplicate, type FieldError, forbidden, invalid, notSupported, required } from '../../machinery/field-error.ts';
import type { FieldPath } from '../../machinery/field-path.ts';
import type { Part } from '../../machinery/object.ts';
import { type Format, labelValue, portName, portNumber, qualifiedName } from './text-formats.ts';

/** What every rule is given to append to. */
export type Errors = FieldError[];

export const negativeText = 'must be greater than or equal to 0';
export const immutableText = 'field is immutable';

/** One error for each thing that a format says is wrong. */
export function checkFormat(value: string, format: Format, path: FieldPath, errors: Errors): void {
  for (const message of format(value)) errors.push(invalid(path, value, message));
}

/** A name that must be there and be well-formed. */
export function checkName(value: string | undefined, format: Format, path: FieldPath, errors: Errors): void {
  if (!value) errors.push(required(path));
  else checkFormat(value, format, path, errors);
}

export function checkNonNegative(value: number | bigint | undefined, path: FieldPath, errors: Errors): void {
  if (value !== undefined && value < 0) errors.push(invalid(path, value, negativeText));
}

export function checkEnum(value: string, values: readonly string[], path: FieldPath, errors: Errors): void {
  if (!values.includes(value)) errors.push(notSupported(path, value, values));
}

/** As checkEnum, where "" is an absent value. */
export function checkRequiredEnum(
  value: string | undefined,
  values: readonly string[],
  path: FieldPath,
  errors: Errors,
): void {
  if (!value) errors.push(required(path));
  else checkEnum(value, values, path, errors);
}

/** An IntOrString that is a port or the name of one. */
export function checkPortOrName(port: number | string | undefined, path: FieldPath, errors: Errors): void {
  if (typeof port === 'string') checkFormat(port, portName, path, errors);
  else checkPort(port ?? 0, path, errors);
}

export function checkPort(port: number, path: FieldPath, errors: Errors): void {
  for (const message of portNumber(port)) errors.push(invalid(path, port, message));
}

/** 4, 6, or 0 for no address. Leading zeroes are let pass, as Kubernetes always did. */
export function ipVersion(value: string): number {
  if (value.includes('%')) return 0;
  return isIP(/^[0-9.]+$/.test(value) ? value.replace(/(^|\.)0+(?=\d)/g, '$1') : value);
}

export function checkIP(value: string, path: FieldPath, errors: Errors): void {
  if (ipVersion(value) === 0) {
    errors.push(invalid(path, value, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'));
  }
}

export function checkCIDR(value: string, path: FieldPath, errors: Errors): void {
  if (!isCIDR(value)) {
    errors.push(invalid(path, value, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'));
  }
}

const isCIDR = (value: string): boolean => cidrVersion(value) !== 0;

/** 4, 6, or 0 for no range. */
export function cidrVersion(value: string): number {
  const match = /^([^/]+)\/(\d{1,3})$/.exec(value);
  const version = ipVersion(match?.[1] ?? '');
  return Number(match?.[2]) <= (version === 4 ? 32 : 128) ? version : 0;
}

/** (apimachinery pkg/apis/meta/v1/validation, ValidateLabels) Errors name the map, not the key. */
export function checkLabels(labels: Part, path: FieldPath, errors: Errors): void {
  for (const key of Object.keys(labels ?? {})) {
    checkFormat(key, qualifiedName, path, errors);
    checkFormat(labels[key], labelValue, path, errors);
  }
}

/** Keys in any case; 256 KiB in all. */
export function checkAnnotations(annotations: Part, path: FieldPath, errors: Errors): void {
  for (const key of Object.keys(annotations ?? {})) {
    for (const message of qualifiedName(key.toLowerCase())) errors.push(invalid(path, key, message));
  }
}

/** (apimachinery pkg/apis/meta/v1/validation, ValidateLabelSelector) */
export function checkLabelSelector(selector: Part, path: FieldPath, errors: Errors): void {
  if (!selector) return;
  checkLabels(selector.matchLabels, path.child('matchLabels'), errors);
  for (const [index, requirement] of (selector.matchExpressions ?? []).entries()) {
    const at = path.child('matchExpressions').index(index);
    checkOperator(requirement, at, errors);
    checkFormat(requirement.key ?? '', qualifiedName, at.child('key'), errors);
    for (const [place, value] of (requirement.values ?? []).entries()) {
      checkFormat(value, labelValue, at.child('values').index(place), errors);
    }
  }
}

/** In and NotIn want values, Exists and DoesNotExist want none. */
export function checkOperator({ operator, values = [] }: Part, path: FieldPath, errors: Errors): void {
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length === 0) {
        errors.push(required(path.child('values'), "must be specified when `operator` is 'In' or 'NotIn'"));
      }
      return;
    case 'Exists':
    case 'DoesNotExist':
      if (values.length > 0) {
        errors.push(
          forbidden(path.child('values'), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
        );
      }
      return;
    default:
      errors.push(invalid(path.child('operator'), operator ?? '', 'not a valid selector operator'));
  }
}

export const isEmptySelector = (selector: Part): boolean =>
  !selector || (Object.keys(selector.matchLabels ?? {}).length === 0 && (selector.matchExpressions ?? []).length === 0);

/** Whether labels meet a metav1.LabelSelector whose operators are known. */
export function selectorMatches(selector: Part, labels: Part): boolean {
  const has = (key: string): boolean => Object.hasOwn(labels ?? {}, key);
  for (const key of Object.keys(selector.matchLabels ?? {})) {
    if (!has(key) || labels[key] !== selector.matchLabels[key]) return false;
  }
  return (selector.matchExpressions ?? []).every(({ key, operator, values = [] }: Part) => {
    if (operator === 'Exists') return has(key);
    if (operator === 'DoesNotExist') return !has(key);
    const included = has(key) && values.includes(labels[key]);
    return operator === 'In' ? included : !included;
  });
}

/** Reports each name that came before. Empty names are no names. */
export function uniqueNames(): (name: string | undefined, path: FieldPath, errors: Errors) => void {
  const seen = new Set<string>();
  return (name, path, errors) => {
    if (!name) return;
    if (seen.has(name)) errors.push(duplicate(path, name));
    seen.add(name);
  };
}

/** Equality of JSON values as Go's Semantic.DeepEqual has it: an absent value equals an empty list or map. */
export function sameValue(a: Part, b: Part): boolean {
  if (a === b) return true;
  if (isNothing(a) && isNothing(b)) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => sameValue(item, b[index]));
  }
  if (!isMap(a) || !isMap(b)) return false;
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => sameValue(own(a, key), own(b, key)));
}

const own = (map: Part, key: string): Part => (Object.hasOwn(map, key) ? map[key] : undefined);
const isMap = (value: Part): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
const isNothing = (value: Part): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === false ||
  value === 0 ||
  (Array.isArray(value) ? value.length === 0 : isMap(value) && Object.values(value).every(isNothing));

export function checkImmutable(value: Part, old: Part, path: FieldPath, errors: Errors): void {
  if (!sameValue(value, old)) errors.push(invalid(path, value, immutableText));
}
