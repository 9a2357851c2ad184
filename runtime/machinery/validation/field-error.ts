import { excerpt } from '../errors/excerpt.ts';
import { quote } from '../go/quote.ts';
import { GoPointer, goValue } from '../go/value.ts';
import { maxDetailLength, maxExcerptLength, maxReportedErrors } from '../limits.ts';
import type { FieldPath } from './field-path.ts';

/** The `reason` of a Status cause. (apimachinery pkg/util/validation/field/errors.go) */
export type FieldErrorType =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'InternalError'
  | 'FieldValueTypeInvalid';

const titles: Record<FieldErrorType, string> = {
  FieldValueNotFound: 'Not found',
  FieldValueRequired: 'Required value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
  InternalError: 'Internal error',
  FieldValueTypeInvalid: 'Invalid value',
};

const withoutValue: ReadonlySet<FieldErrorType> = new Set([
  'FieldValueRequired',
  'FieldValueForbidden',
  'FieldValueTooLong',
  'InternalError',
]);

/** An error of one field. Validation returns errors and does not throw. */
export interface FieldError {
  readonly type: FieldErrorType;
  readonly field: string;
  readonly badValue?: unknown;
  readonly detail: string;
}

/** Reports whether further errors would only be counted, so that validation of long lists can stop. */
export const isEnough = (errors: readonly FieldError[]): boolean => errors.length > maxReportedErrors;

/** The bad value of an error that hides its value. (OmitValueType) */
export const omittedValue: unique symbol = Symbol('omitted value');

/**
 * Returns the message of a cause without the field: `Invalid value: "x": must be ...`.
 *
 * @param structLimit the most characters shown of a GoStruct
 */
export function fieldErrorBody(error: FieldError, structLimit = maxExcerptLength): string {
  const title = titles[error.type];
  const head =
    withoutValue.has(error.type) || error.badValue === omittedValue ? title : `${title}: ${goValue(error.badValue, structLimit)}`;
  return error.detail === '' ? head : `${head}: ${excerpt(error.detail, maxDetailLength)}`;
}

/** Returns the whole message: `spec.replicas: Invalid value: -1: must be greater than or equal to 0`. */
export function fieldErrorMessage(error: FieldError): string {
  return `${excerpt(error.field)}: ${fieldErrorBody(error)}`;
}

function make(type: FieldErrorType, path: FieldPath, badValue: unknown, detail: string): FieldError {
  return { type, field: path.errorText, badValue, detail };
}

export const required = (path: FieldPath, detail = ''): FieldError => make('FieldValueRequired', path, '', detail);
export const invalid = (path: FieldPath, value: unknown, detail: string): FieldError => make('FieldValueInvalid', path, value, detail);
export const typeInvalid = (path: FieldPath, value: unknown, detail: string): FieldError =>
  make('FieldValueTypeInvalid', path, value, detail);
export const forbidden = (path: FieldPath, detail: string): FieldError => make('FieldValueForbidden', path, '', detail);
export const duplicate = (path: FieldPath, value: unknown, detail = ''): FieldError => make('FieldValueDuplicate', path, value, detail);
export const notFound = (path: FieldPath, value: unknown, detail = ''): FieldError => make('FieldValueNotFound', path, value, detail);
export const internalError = (path: FieldPath, detail: string): FieldError => make('InternalError', path, null, detail);

/** @param isNamed whether the value has a named Go type, which Go prints as JSON instead of quoting it. Default: true */
export function notSupported(path: FieldPath, value: unknown, supported: readonly string[], isNamed = true): FieldError {
  const detail = supported.length === 0 ? '' : `supported values: ${[...supported].map(quote).join(', ')}`;
  return make('FieldValueNotSupported', path, isNamed && typeof value === 'string' ? new GoPointer(value) : value, detail);
}

export function tooLong(path: FieldPath, value: unknown, maxLength: number): FieldError {
  const detail = maxLength >= 0 ? `may not be more than ${maxLength} byte${maxLength === 1 ? '' : 's'}` : 'value is too long';
  return make('FieldValueTooLong', path, value, detail);
}

export function tooMany(path: FieldPath, actual: number, max: number): FieldError {
  const noun = max === 1 ? 'item' : 'items';
  return make('FieldValueTooMany', path, actual, `must have at most ${max} ${noun}`);
}
