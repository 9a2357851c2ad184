import { GoPointer } from '../../machinery/go/value.ts';
import { equalPruned } from '../../machinery/json/equality.ts';
import { maxInt32 } from '../../machinery/scalars/integers.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { type Format, percent, portName } from '../../structural/formats.ts';

/** Rules for single fields. (apimachinery pkg/api/validation, pkg/util/validation; pkg/apis/core/validation) */

export const negativeText = 'must be greater than or equal to 0';
export const immutableText = 'field is immutable';
export const maxLengthText = (length: number): string => `must be no more than ${length} characters`;
export const rangeText = (low: number, high: number): string => `must be between ${low} and ${high}, inclusive`;

/** Reports each message of the format. */
export function validateFormat(value: string, format: Format, field: Field): void {
  for (const message of format(value)) field.invalid(value, message);
}

/** Like validateFormat, but an absent or empty value is an error. */
export function validateRequiredFormat(value: string | undefined, format: Format, field: Field): void {
  if (!value) field.required();
  else validateFormat(value, format, field);
}

/** (ValidateNonnegativeField) */
export function validateNonnegativeField(value: number | bigint | undefined, field: Field): void {
  if (value !== undefined && value < 0) field.invalid(value, negativeText);
}

/** Like validateNonnegativeField, for members of an object. */
export function validateNonnegativeFields<Name extends string>(
  object: { readonly [Key in Name]?: number | bigint },
  names: readonly Name[],
  field: Field,
): void {
  for (const name of names) validateNonnegativeField(object[name], field.child(name));
}

/** (ValidateImmutableField) */
export function validateImmutableField(value: unknown, old: unknown, field: Field): void {
  if (!equalPruned(value, old)) field.invalid(value, immutableText);
}

/** Like validateImmutableField, for a text with a named Go type, which Go prints as JSON. */
export function validateImmutableEnum(value: string | undefined, old: string | undefined, field: Field): void {
  if (!equalPruned(value, old)) field.invalid(value === undefined ? value : new GoPointer(value), immutableText);
}

/** @param isNamed whether the value has a named Go type. Default: true */
export function validateEnum(value: string, values: readonly string[], field: Field, isNamed = true): void {
  if (!values.includes(value)) field.notSupported(value, values, isNamed);
}

/** Like validateEnum, but an absent or empty value is reported as missing. */
export function validateRequiredEnum(value: string | undefined, values: readonly string[], field: Field): void {
  if (!value) field.required();
  else validateEnum(value, values, field);
}

/** (ValidatePortNumOrName) */
export function validatePortNumOrName(port: number | string | undefined, field: Field): void {
  if (typeof port === 'string') validateFormat(port, portName, field);
  else validatePortNum(port ?? 0, field);
}

/** (IsValidPortNum) */
export function validatePortNum(port: number, field: Field): void {
  if (port < 1 || port > 65535) field.invalid(port, rangeText(1, 65535));
}

/** A Linux user or group. (IsValidUserID, IsValidGroupID) */
export function validateUserID(id: number | bigint | undefined, field: Field): void {
  if (id !== undefined && (id < 0 || id > maxInt32)) field.invalid(id, rangeText(0, maxInt32));
}

/** A count or a percentage. (ValidatePositiveIntOrPercent) */
export function validatePositiveIntOrPercent(value: number | string | undefined, field: Field): void {
  if (typeof value === 'string') validateFormat(value, percent, field);
  else validateNonnegativeField(value, field);
}

/** (IsNotMoreThan100Percent) */
export function isNotMoreThan100Percent(value: number | string | undefined, field: Field): void {
  if (typeof value === 'string' && percent(value).length === 0 && Number.parseInt(value, 10) > 100) {
    field.invalid(value, 'must not be greater than 100%');
  }
}

/** Reports whether a value is 0, 0% or absent. */
export const isZeroOrAbsent = (value: number | string | undefined): boolean =>
  value === undefined || value === 0 || /^0*%?$/.test(String(value));

/** Returns a function that reports each name it has seen before, except empty ones. */
export function uniqueNames(): (name: string | undefined, field: Field) => void {
  const seen = new Set<string>();
  return (name, field) => {
    if (!name) return;
    if (seen.has(name)) field.duplicate(name);
    seen.add(name);
  };
}
