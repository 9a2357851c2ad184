import { Pattern } from '../machinery/patterns/pattern.ts';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
  tooLong,
  tooMany,
} from '../machinery/validation/field-error.ts';
import type { FieldPath } from '../machinery/validation/field-path.ts';
import { byteLength } from '../machinery/validation/name-formats.ts';
import { formatErrors } from './formats.ts';

/**
 * The checks of generated validators. Each looks at one field of an object and appends what is wrong with it; the
 * field's path is only made when something is. All but required and forbidden pass an absent value. `message` stands
 * for upstream's detail text where that is not the check's usual one.
 */

/** The validator of kinds that have nothing to check. */
export function nothingToValidate(_object: object, _path: FieldPath, _errors: FieldError[]): void {}

function isAbsent(value: unknown): boolean {
  if (value == null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  if (typeof value !== 'object') return false;
  for (const key in value) if (Object.hasOwn(value, key)) return false;
  return true;
}

export function checkRequired(
  value: unknown,
  path: FieldPath,
  field: string,
  errors: FieldError[],
  message = '',
): void {
  if (isAbsent(value)) errors.push(required(path.child(field), message));
}

/** checkRequired for structs: one without fields is there. */
export function checkPresent(value: unknown, path: FieldPath, field: string, errors: FieldError[], message = ''): void {
  if (value == null) errors.push(required(path.child(field), message));
}

export function checkForbidden(
  value: unknown,
  path: FieldPath,
  field: string,
  errors: FieldError[],
  message = '',
): void {
  if (!isAbsent(value)) errors.push(forbidden(path.child(field), message));
}

/** A string, or each of a list of strings; "" counts as absent. */
export function checkEnum(
  value: string | readonly string[] | null | undefined,
  values: readonly string[],
  path: FieldPath,
  field: string,
  errors: FieldError[],
): void {
  if (!value) return;
  if (typeof value === 'string') {
    if (!values.includes(value)) errors.push(notSupported(path.child(field), value, values));
    return;
  }
  for (let index = 0; index < value.length; index++) {
    if (values.includes(value[index])) continue;
    errors.push(notSupported(path.child(field).index(index), value[index], values));
  }
}

export function checkMin(
  value: number | bigint | null | undefined,
  min: number,
  path: FieldPath,
  field: string,
  errors: FieldError[],
  message = `must be greater than or equal to ${min}`,
): void {
  if (value != null && value < min) errors.push(invalid(path.child(field), value, message));
}

export function checkMax(
  value: number | bigint | null | undefined,
  max: number,
  path: FieldPath,
  field: string,
  errors: FieldError[],
  message = `must be less than or equal to ${max}`,
): void {
  if (value != null && value > max) errors.push(invalid(path.child(field), value, message));
}

export function checkMinLength(
  value: string | null | undefined,
  min: number,
  path: FieldPath,
  field: string,
  errors: FieldError[],
  message?: string,
): void {
  // characters are one or two units
  if (value == null || value.length >= 2 * min || [...value].length >= min) return;
  const at = path.child(field);
  errors.push(invalid(at, value, message ?? `${at} in body should be at least ${min} chars long`));
}

/** In bytes of UTF-8. */
export function checkMaxLength(
  value: string | null | undefined,
  max: number,
  path: FieldPath,
  field: string,
  errors: FieldError[],
): void {
  if (value != null && value.length * 3 > max && byteLength(value) > max) {
    errors.push(tooLong(path.child(field), value, max));
  }
}

type Items = readonly unknown[] | Readonly<Record<string, unknown>> | null | undefined;

function sizeOf(value: Items): number {
  if (value == null) return 0;
  return Array.isArray(value) ? value.length : Object.keys(value).length;
}

export function checkMinItems(
  value: Items,
  min: number,
  path: FieldPath,
  field: string,
  errors: FieldError[],
  message?: string,
): void {
  if (value == null || sizeOf(value) >= min) return;
  const at = path.child(field);
  errors.push(invalid(at, sizeOf(value), message ?? `${at} in body should have at least ${min} items`));
}

export function checkMaxItems(value: Items, max: number, path: FieldPath, field: string, errors: FieldError[]): void {
  const size = sizeOf(value);
  if (size > max) errors.push(tooMany(path.child(field), size, max));
}

/** Those of the schemas that validators were generated from. */
const patterns = new Map<string, Pattern>();

/** The pattern is RE2's, and need not match the whole value. */
export function checkPattern(
  value: string | null | undefined,
  pattern: string,
  path: FieldPath,
  field: string,
  errors: FieldError[],
  message?: string,
): void {
  if (value == null) return;
  let compiled = patterns.get(pattern);
  if (!compiled) {
    compiled = new Pattern(pattern);
    patterns.set(pattern, compiled);
  }
  if (compiled.test(value)) return;
  const at = path.child(field);
  errors.push(invalid(at, value, message ?? `${at} in body should match '${pattern}'`));
}

/** A string, a number (`port`), or each of a list of strings, against a name of formats.ts. */
export function checkFormat(
  value: string | number | readonly string[] | null | undefined,
  format: string,
  path: FieldPath,
  field: string,
  errors: FieldError[],
  message?: string,
): void {
  if (value == null) return;
  if (typeof value === 'object') {
    for (let index = 0; index < value.length; index++) {
      formatAt(value[index], format, () => path.child(field).index(index), errors, message);
    }
  } else formatAt(value, format, () => path.child(field), errors, message);
}

function formatAt(
  value: string | number,
  format: string,
  path: () => FieldPath,
  errors: FieldError[],
  message: string | undefined,
): void {
  const found = formatErrors(format, value as string, '');
  if (found.length === 0) return;
  const at = path();
  const details = message === undefined ? formatErrors(format, value as string, at.toString()) : [message];
  for (const detail of details) errors.push(invalid(at, value, detail));
}

/** A set: each value once. Values that are equal as JSON are equal. */
export function checkUnique(
  value: readonly unknown[] | null | undefined,
  path: FieldPath,
  field: string,
  errors: FieldError[],
): void {
  if (value == null || value.length < 2) return;
  const seen = new Set<unknown>();
  for (let index = 0; index < value.length; index++) {
    const key = typeof value[index] === 'object' ? JSON.stringify(value[index]) : value[index];
    if (seen.has(key)) errors.push(duplicate(path.child(field).index(index), value[index]));
    else seen.add(key);
  }
}

/** A map kept as a list: each combination of the keys' values once. */
export function checkUniqueKeys(
  value: readonly object[] | null | undefined,
  keys: readonly string[],
  path: FieldPath,
  field: string,
  errors: FieldError[],
): void {
  if (value == null || value.length < 2) return;
  const seen = new Set<string>();
  for (let index = 0; index < value.length; index++) {
    const item = value[index] as Readonly<Record<string, unknown>>;
    const present = keys.filter((key) => item[key] !== undefined);
    const parts = Object.fromEntries(present.map((key) => [key, item[key]]));
    const identity = JSON.stringify(parts);
    if (seen.has(identity)) errors.push(duplicate(path.child(field).index(index), parts));
    else seen.add(identity);
  }
}
