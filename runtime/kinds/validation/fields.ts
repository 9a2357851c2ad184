import type { Part } from '../../machinery/object.ts';
import type { Field } from '../../machinery/validation/field.ts';
import type { FieldError } from '../../machinery/validation/field-error.ts';
import { type Format, portName } from '../../structural/formats.ts';
import { portNumber } from './formats.ts';

/** What every rule is given to append to. */
export type Errors = FieldError[];

export const negativeText = 'must be greater than or equal to 0';
export const immutableText = 'field is immutable';

/** One error for each thing that a format says is wrong. */
export function validateFormat(value: string, format: Format, field: Field): void {
  for (const message of format(value)) field.invalid(value, message);
}

/** A name that must be there and be well-formed. */
export function validateRequiredFormat(value: string | undefined, format: Format, field: Field): void {
  if (!value) field.required();
  else validateFormat(value, format, field);
}

export function validateNonnegativeField(value: number | bigint | undefined, field: Field): void {
  if (value !== undefined && value < 0) field.invalid(value, negativeText);
}

export function validateEnum(value: string, values: readonly string[], field: Field): void {
  if (!values.includes(value)) field.notSupported(value, values);
}

/** As checkEnum, where "" is an absent value. */
export function validateRequiredEnum(value: string | undefined, values: readonly string[], field: Field): void {
  if (!value) field.required();
  else validateEnum(value, values, field);
}

/** An IntOrString that is a port or the name of one. */
export function validatePortNumOrName(port: number | string | undefined, field: Field): void {
  if (typeof port === 'string') validateFormat(port, portName, field);
  else validatePortNum(port ?? 0, field);
}

export function validatePortNum(port: number, field: Field): void {
  for (const message of portNumber(port)) field.invalid(port, message);
}

/** Reports each name that came before. Empty names are no names. */
export function uniqueNames(): (name: string | undefined, field: Field) => void {
  const seen = new Set<string>();
  return (name, field) => {
    if (!name) return;
    if (seen.has(name)) field.duplicate(name);
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

export function validateImmutableField(value: Part, old: Part, field: Field): void {
  if (!semanticDeepEqual(value, old)) field.invalid(value, immutableText);
}
