import { DecodeError } from '../errors/decode-error.ts';
import { quoteExcerpt as quote } from '../go/quote.ts';

/** Durations as Go writes them: `1h30m0s`, `1.5ms`. Values are nanoseconds. (Go time.ParseDuration, Duration.String) */
const unitNanoseconds: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

const limit = 2n ** 63n;

/** Nanoseconds, within int64. Throws DecodeError with Go's text. */
export function parseDuration(text: string): bigint {
  const invalid = () => new DecodeError(`time: invalid duration ${quote(text)}`);
  const negative = text.startsWith('-');
  let rest = /^[+-]/.test(text) ? text.slice(1) : text;
  if (rest === '0') return 0n;
  if (rest === '') throw invalid();
  let total = 0n;
  while (rest !== '') {
    const number = /^([0-9]*)(?:\.([0-9]*))?/.exec(rest) as RegExpExecArray;
    const [head, whole, fraction = ''] = number;
    if (whole === '' && fraction === '') throw invalid();
    rest = rest.slice(head.length);
    const unit = (/^[^0-9.]+/.exec(rest) ?? [''])[0];
    if (unit === '') throw new DecodeError(`time: missing unit in duration ${quote(text)}`);
    if (!Object.hasOwn(unitNanoseconds, unit))
      throw new DecodeError(`time: unknown unit ${quote(unit)} in duration ${quote(text)}`);
    rest = rest.slice(unit.length);
    const nanoseconds = unitNanoseconds[unit];
    const digitsOfWhole = whole.replace(/^0+/, '');
    if (digitsOfWhole.length > 19) throw invalid();
    total += BigInt(digitsOfWhole || '0') * nanoseconds;
    // Beyond 18 digits a fraction of an hour is below one nanosecond.
    const digits = fraction.slice(0, 18);
    if (digits !== '') total += (BigInt(digits) * nanoseconds) / 10n ** BigInt(digits.length);
    if (total > limit) throw invalid();
  }
  if (!negative && total === limit) throw invalid();
  return negative ? -total : total;
}

/** As Go's Duration.String: `0s`, `1.5ms`, `1h0m0.5s`. */
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

/** `value / 10^places` without trailing zeroes. */
function decimal(value: bigint, places: number): string {
  const digits = value.toString().padStart(places + 1, '0');
  const fraction = digits.slice(-places).replace(/0+$/, '');
  const whole = digits.slice(0, -places);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
