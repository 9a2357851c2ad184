import { quote } from '../machinery/quote.ts';
import { firstOf, type Query } from './query-string.ts';

const int64Max = 9223372036854775807n;
const int64Min = -9223372036854775808n;

/** A query parameter that cannot be read as its type; the message is Go's strconv's. */
export class ParameterError extends Error {
  readonly isParameterError = true;
}

export function isParameterError(error: unknown): error is ParameterError {
  return typeof error === 'object' && error !== null && (error as ParameterError).isParameterError === true;
}

/**
 * A decimal int64 as strconv.ParseInt reads it. Values that a double cannot hold come back as the nearest one that it
 * can: they are limits and seconds, where that makes no difference.
 *
 * @throws ParameterError
 */
export function parseInt64(text: string): number {
  if (!/^[+-]?[0-9]+$/.test(text)) throw new ParameterError(`strconv.ParseInt: parsing ${quote(text)}: invalid syntax`);
  const value = text.length < 16 ? Number(text) : BigInt(text.startsWith('+') ? text.slice(1) : text);
  if (value > int64Max || value < int64Min) {
    throw new ParameterError(`strconv.ParseInt: parsing ${quote(text)}: value out of range`);
  }
  return Number(value);
}

export function int64Parameter(query: Query, name: string): number | undefined {
  const text = firstOf(query, name);
  return text === undefined ? undefined : parseInt64(text);
}

/** False for "0" and "false" in any case, true for every other value, "" among them; undefined when absent. */
export function boolParameter(query: Query, name: string): boolean | undefined {
  const text = firstOf(query, name);
  return text === undefined ? undefined : text !== '0' && text.toLowerCase() !== 'false';
}

/**
 * A duration as Go's time.ParseDuration reads it, in milliseconds: `1h15m30.918s`, `-1.5h`, `300ms`, `0`.
 *
 * @throws ParameterError `time: invalid duration "x"`, `time: missing unit in duration "3"`, ...
 */
export function parseDuration(text: string): number {
  const units: Readonly<Record<string, number>> = {
    ns: 1e-6,
    us: 1e-3,
    µs: 1e-3,
    μs: 1e-3,
    ms: 1,
    s: 1e3,
    m: 6e4,
    h: 3.6e6,
  };
  const invalid = new ParameterError(`time: invalid duration ${quote(text)}`);
  const sign = text.startsWith('-') ? -1 : 1;
  let rest = /^[+-]/.test(text) ? text.slice(1) : text;
  if (rest === '0') return 0;
  if (rest === '') throw invalid;
  let total = 0;
  while (rest !== '') {
    const number = /^(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)/.exec(rest);
    if (!number) throw invalid;
    rest = rest.slice(number[0].length);
    const unit = /^[^0-9.]+/.exec(rest);
    if (!unit) throw new ParameterError(`time: missing unit in duration ${quote(text)}`);
    const scale = Object.hasOwn(units, unit[0]) ? units[unit[0]] : undefined;
    if (scale === undefined) {
      throw new ParameterError(`time: unknown unit ${quote(unit[0])} in duration ${quote(text)}`);
    }
    total += Number(number[0]) * scale;
    rest = rest.slice(unit[0].length);
  }
  // Go's durations are int64 nanoseconds
  if (total > 9_223_372_036_854.775) throw invalid;
  return sign * total;
}
