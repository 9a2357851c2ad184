import { Pattern } from '../machinery/patterns/pattern.ts';
import type { Field } from '../machinery/validation/field.ts';
import { byteLength } from '../machinery/validation/name-formats.ts';
import { formatErrors } from './formats.ts';

/**
 * The checks of generated validators. Each checks one field of an object and reports its errors; the path of the field
 * is made only for an error. All checks except required and forbidden accept an absent value. `message` replaces the
 * usual detail of the error.
 */

/** The validator of kinds without rules. */
export function nothingToValidate(_object: object, _field: Field): void {}

/** The value of a check, with upstream's detail where it is unusual. */
type Rule<V extends string | number> = V | { readonly value: V; readonly message: string };

const ruleValue = <V extends string | number>(rule: Rule<V>): V => (typeof rule === 'object' ? rule.value : rule);

const ruleMessage = (rule: Rule<string | number>): string | undefined => (typeof rule === 'object' ? rule.message : undefined);

function isAbsent(value: unknown): boolean {
  if (value == null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  if (typeof value !== 'object') return false;
  for (const key in value) if (Object.hasOwn(value, key)) return false;
  return true;
}

export function checkRequired(value: unknown, field: Field, name: string, message = ''): void {
  if (isAbsent(value)) field.child(name).required(message);
}

/** checkRequired for structs: a struct without fields is present. */
export function checkPresent(value: unknown, field: Field, name: string, message = ''): void {
  if (value == null) field.child(name).required(message);
}

export function checkForbidden(value: unknown, field: Field, name: string, message = ''): void {
  if (!isAbsent(value)) field.child(name).forbidden(message);
}

/** A string or each string of a list. "" is absent. */
export function checkEnum(
  value: string | readonly string[] | null | undefined,
  values: readonly string[],
  field: Field,
  name: string,
): void {
  if (!value) return;
  if (typeof value === 'string') {
    if (!values.includes(value)) field.child(name).notSupported(value, values);
    return;
  }
  for (const [index, one] of value.entries()) {
    if (values.includes(one)) continue;
    field.child(name).index(index).notSupported(one, values);
  }
}

export function checkMin(value: number | bigint | null | undefined, rule: Rule<number>, field: Field, name: string): void {
  const min = ruleValue(rule);
  if (value == null || value >= min) return;
  field.child(name).invalid(value, ruleMessage(rule) ?? `must be greater than or equal to ${min}`);
}

export function checkMax(value: number | bigint | null | undefined, rule: Rule<number>, field: Field, name: string): void {
  const max = ruleValue(rule);
  if (value == null || value <= max) return;
  field.child(name).invalid(value, ruleMessage(rule) ?? `must be less than or equal to ${max}`);
}

export function checkMinLength(value: string | null | undefined, rule: Rule<number>, field: Field, name: string): void {
  const min = ruleValue(rule);
  // a character has one or two units
  if (value == null || value.length >= 2 * min || [...value].length >= min) return;
  const at = field.child(name);
  at.invalid(value, ruleMessage(rule) ?? `${at} in body should be at least ${min} chars long`);
}

/** The length is in bytes of UTF-8. */
export function checkMaxLength(value: string | null | undefined, max: number, field: Field, name: string): void {
  if (value != null && value.length * 3 > max && byteLength(value) > max) {
    field.child(name).tooLong(value, max);
  }
}

type Items = readonly unknown[] | Readonly<Record<string, unknown>> | null | undefined;

function sizeOf(value: Items): number {
  if (value == null) return 0;
  return Array.isArray(value) ? value.length : Object.keys(value).length;
}

export function checkMinItems(value: Items, rule: Rule<number>, field: Field, name: string): void {
  const min = ruleValue(rule);
  if (value == null || sizeOf(value) >= min) return;
  const at = field.child(name);
  at.invalid(sizeOf(value), ruleMessage(rule) ?? `${at} in body should have at least ${min} items`);
}

export function checkMaxItems(value: Items, max: number, field: Field, name: string): void {
  const size = sizeOf(value);
  if (size > max) field.child(name).tooMany(size, max);
}

/** The patterns of generated validators, whose number is fixed. */
const patterns = new Map<string, Pattern>();

/** The pattern has RE2's syntax and need not match the whole value. */
export function checkPattern(value: string | null | undefined, rule: Rule<string>, field: Field, name: string): void {
  if (value == null) return;
  const pattern = ruleValue(rule);
  let compiled = patterns.get(pattern);
  if (!compiled) {
    compiled = new Pattern(pattern);
    patterns.set(pattern, compiled);
  }
  if (compiled.test(value)) return;
  const at = field.child(name);
  at.invalid(value, ruleMessage(rule) ?? `${at} in body should match '${pattern}'`);
}

/** Checks a string, a number (`port`), or each string of a list. `format` is a name of formats.ts. */
export function checkFormat(
  value: string | number | readonly string[] | null | undefined,
  rule: Rule<string>,
  field: Field,
  name: string,
): void {
  if (value == null) return;
  if (typeof value === 'object') {
    for (const [index, one] of value.entries()) {
      formatAt(one, rule, () => field.child(name).index(index));
    }
  } else formatAt(value, rule, () => field.child(name));
}

function formatAt(value: string | number, rule: Rule<string>, field: () => Field): void {
  const format = ruleValue(rule);
  const found = formatErrors(format, value as string, '');
  if (found.length === 0) return;
  const at = field();
  const message = ruleMessage(rule);
  const details = message === undefined ? formatErrors(format, value as string, at.toString()) : [message];
  for (const detail of details) at.invalid(value, detail);
}

/** Checks a set for repeated values. Values are compared as JSON. */
export function checkUnique(value: readonly unknown[] | null | undefined, field: Field, name: string): void {
  if (value == null || value.length < 2) return;
  const seen = new Set<unknown>();
  for (let index = 0; index < value.length; index++) {
    const key = typeof value[index] === 'object' ? JSON.stringify(value[index]) : value[index];
    if (seen.has(key)) field.child(name).index(index).duplicate(value[index]);
    else seen.add(key);
  }
}

/** Checks a map list for repeated combinations of keys. */
export function checkUniqueKeys(value: readonly object[] | null | undefined, keys: readonly string[], field: Field, name: string): void {
  if (value == null || value.length < 2) return;
  const seen = new Set<string>();
  for (let index = 0; index < value.length; index++) {
    const item = value[index] as Readonly<Record<string, unknown>>;
    const present = keys.filter((key) => item[key] !== undefined);
    const parts = Object.fromEntries(present.map((key) => [key, item[key]]));
    const identity = JSON.stringify(parts);
    if (seen.has(identity)) field.child(name).index(index).duplicate(parts);
    else seen.add(identity);
  }
}
