import { quoteExcerpt as quote } from '../machinery/go/quote.ts';
import { maxInt64, minInt64 } from '../machinery/scalars/integers.ts';
import { type Query, queryValue } from './query-string.ts';

/** A query parameter has a wrong type. The message is that of Go's strconv. */
export class ParameterError extends Error {
  readonly isParameterError = true;
}

export function isParameterError(error: unknown): error is ParameterError {
  return typeof error === 'object' && error !== null && (error as ParameterError).isParameterError === true;
}

/**
 * Parses a decimal int64 as strconv.ParseInt does. Returns the nearest double for a value beyond 2^53. Parameters are
 * limits and seconds, for which the difference does not matter.
 *
 * @throws ParameterError
 */
export function parseInt64(text: string): number {
  const [, sign, digits] = /^([+-]?)0*(?!0.)([0-9]+)$/.exec(text) ?? [];
  if (digits === undefined) throw new ParameterError(`strconv.ParseInt: parsing ${quote(text)}: invalid syntax`);
  if (digits.length < 16) return Number(text);
  const value = digits.length > 19 ? undefined : BigInt(sign === '-' ? `-${digits}` : digits);
  if (value === undefined || value > maxInt64 || value < minInt64) {
    throw new ParameterError(`strconv.ParseInt: parsing ${quote(text)}: value out of range`);
  }
  return Number(value);
}

export function int64Parameter(query: Query, name: string): number | undefined {
  const text = queryValue(query, name);
  return text === undefined ? undefined : parseInt64(text);
}

/**
 * Returns false for "0" and for "false" in any letter case, undefined for an absent parameter, and true for every other
 * value, even "".
 */
export function boolParameter(query: Query, name: string): boolean | undefined {
  const text = queryValue(query, name);
  return text === undefined ? undefined : text !== '0' && text.toLowerCase() !== 'false';
}
