import type { Part } from '../../machinery/object.ts';
import { duplicate, type FieldError, invalid, notSupported, required } from '../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import { type Format, portName } from '../../structural/formats.ts';
import { portNumber } from './formats.ts';

/** What every rule is given to append to. */
export type Errors = FieldError[];

export const negativeText = 'must be greater than or equal to 0';
export const immutableText = 'field is immutable';

/** One error for each thing that a format says is wrong. */
export function validateFormat(value: string, format: Format, path: FieldPath, errors: Errors): void {
  for (const message of format(value)) errors.push(invalid(path, value, message));
}

/** A name that must be there and be well-formed. */
export function validateRequiredFormat(
  value: string | undefined,
  format: Format,
  path: FieldPath,
  errors: Errors,
): void {
  if (!value) errors.push(required(path));
  else validateFormat(value, format, path, errors);
}

export function validateNonnegativeField(value: number | bigint | undefined, path: FieldPath, errors: Errors): void {
  if (value !== undefined && value < 0) errors.push(invalid(path, value, negativeText));
}

export function validateEnum(value: string, values: readonly string[], path: FieldPath, errors: Errors): void {
  if (!values.includes(value)) errors.push(notSupported(path, value, values));
}

/** As checkEnum, where "" is an absent value. */
export function validateRequiredEnum(
  value: string | undefined,
  values: readonly string[],
  path: FieldPath,
  errors: Errors,
): void {
  if (!value) errors.push(required(path));
  else validateEnum(value, values, path, errors);
}

/** An IntOrString that is a port or the name of one. */
export function validatePortNumOrName(port: number | string | undefined, path: FieldPath, errors: Errors): void {
  if (typeof port === 'string') validateFormat(port, portName, path, errors);
  else validatePortNum(port ?? 0, path, errors);
}

export function validatePortNum(port: number, path: FieldPath, errors: Errors): void {
  for (const message of portNumber(port)) errors.push(invalid(path, port, message));
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
export function semanticDeepEqual(a: Part, b: Part): boolean {
  if (a === b) return true;
  if (isNothing(a) && isNothing(b)) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => semanticDeepEqual(item, b[index]));
  }
  if (!isMap(a) || !isMap(b)) return false;
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) =>
    semanticDeepEqual(own(a, key), own(b, key)),
  );
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

export function validateImmutableField(value: Part, old: Part, path: FieldPath, errors: Errors): void {
  if (!semanticDeepEqual(value, old)) errors.push(invalid(path, value, immutableText));
}
