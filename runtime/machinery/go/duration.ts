import { DecodeError } from '../errors/decode-error.ts';
import { quoteExcerpt } from './quote.ts';

/* Durations as Go reads and writes them: `1h30m0s`, `1.5ms`. (Go time.ParseDuration, Duration.String) */

/** A text that is not a duration; the message is Go's. */
export class DurationError extends DecodeError {
  readonly isDurationError = true;
}

export function isDurationError(error: unknown): error is DurationError {
  return typeof error === 'object' && error !== null && (error as DurationError).isDurationError === true;
}

const unitNanoseconds: ReadonlyMap<string, bigint> = new Map(
  Object.entries({
    ns: 1n,
    us: 1_000n,
    µs: 1_000n,
    μs: 1_000n,
    ms: 1_000_000n,
    s: 1_000_000_000n,
    m: 60_000_000_000n,
    h: 3_600_000_000_000n,
  }),
);

/** The maximum magnitude in nanoseconds. Only a negative duration can reach it. */
const maxMagnitude = 2n ** 63n;
/** The maximum number of digits of an int64. */
const maxWholeDigits = 19;
/** Further fraction digits of an hour are less than a nanosecond. */
const maxFractionDigits = 18;

const numberAndUnit = /([0-9]*)(?:\.([0-9]*))?([^0-9.]*)/y;

/** Returns nanoseconds, within int64. Returns Go's error message for text that is not a duration. */
export function readDuration(text: string): bigint | string {
  const isNegative = text.startsWith('-');
  let at = isNegative || text.startsWith('+') ? 1 : 0;
  if (text.length === at + 1 && text[at] === '0') return 0n;
  if (text.length === at) return invalid(text);
  let total = 0n;
  while (at < text.length) {
    numberAndUnit.lastIndex = at;
    const [matched, whole = '', fraction = '', unit = ''] = numberAndUnit.exec(text) as RegExpExecArray;
    if (whole === '' && fraction === '') return invalid(text);
    const wholeDigits = whole.replace(/^0+/, '');
    if (wholeDigits.length > maxWholeDigits || BigInt(wholeDigits || '0') > maxMagnitude) return invalid(text);
    if (unit === '') return `time: missing unit in duration ${quoteExcerpt(text)}`;
    const nanoseconds = unitNanoseconds.get(unit);
    if (nanoseconds === undefined) {
      return `time: unknown unit ${quoteExcerpt(unit)} in duration ${quoteExcerpt(text)}`;
    }
    total += BigInt(wholeDigits || '0') * nanoseconds;
    const fractionDigits = fraction.slice(0, maxFractionDigits);
    if (fractionDigits !== '') total += (BigInt(fractionDigits) * nanoseconds) / 10n ** BigInt(fractionDigits.length);
    if (total > maxMagnitude) return invalid(text);
    at += matched.length;
  }
  if (isNegative) return -total;
  return total === maxMagnitude ? invalid(text) : total;
}

const invalid = (text: string): string => `time: invalid duration ${quoteExcerpt(text)}`;

/** Returns nanoseconds, within int64. @throws DurationError */
export function parseDuration(text: string): bigint {
  const duration = readDuration(text);
  if (typeof duration === 'string') throw new DurationError(duration);
  return duration;
}

/** Returns milliseconds. @throws DurationError */
export const parseMilliseconds = (text: string): number => Number(parseDuration(text)) / 1e6;

/** Formats as Go's Duration.String: `0s`, `1.5ms`, `1h0m0.5s`. */
export function formatDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return '0s';
  const sign = nanoseconds < 0n ? '-' : '';
  const value = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (value < 1_000n) return `${sign}${value}ns`;
  if (value < 1_000_000n) return `${sign}${decimal(value, 3)}µs`;
  if (value < 1_000_000_000n) return `${sign}${decimal(value, 6)}ms`;
  const minutes = value / 60_000_000_000n;
  const seconds = decimal(value % 60_000_000_000n, 9);
  if (minutes === 0n) return `${sign}${seconds}s`;
  const hours = minutes / 60n;
  return `${sign}${hours === 0n ? '' : `${hours}h`}${minutes % 60n}m${seconds}s`;
}

/** Formats `value / 10^places` without trailing zeroes. */
function decimal(value: bigint, places: number): string {
  const digits = value.toString().padStart(places + 1, '0');
  const fraction = digits.slice(-places).replace(/0+$/, '');
  const whole = digits.slice(0, -places);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
