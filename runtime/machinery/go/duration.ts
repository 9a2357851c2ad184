import { quoteExcerpt as quote } from './quote.ts';

/** A text that is no duration; the message is Go's. */
export class DurationError extends Error {
  readonly isDurationError = true;
}

export function isDurationError(error: unknown): error is DurationError {
  return typeof error === 'object' && error !== null && (error as DurationError).isDurationError === true;
}

/**
 * A duration as Go's time.ParseDuration reads it, in milliseconds: `1h15m30.918s`, `-1.5h`, `300ms`, `0`.
 *
 * @throws DurationError `time: invalid duration "x"`, `time: missing unit in duration "3"`, ...
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
  const invalid = new DurationError(`time: invalid duration ${quote(text)}`);
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
    if (!unit) throw new DurationError(`time: missing unit in duration ${quote(text)}`);
    const scale = Object.hasOwn(units, unit[0]) ? units[unit[0]] : undefined;
    if (scale === undefined) {
      throw new DurationError(`time: unknown unit ${quote(unit[0])} in duration ${quote(text)}`);
    }
    total += Number(number[0]) * scale;
    rest = rest.slice(unit[0].length);
  }
  // Go's durations are int64 nanoseconds
  if (total > 9_223_372_036_854.775) throw invalid;
  return sign * total;
}
