import { spend } from '../../machinery/event-loop/budget.ts';
import { parseDuration, parseTimestamp } from './time.ts';
import { Bytes, CelError, Duration, isError, type Value } from './value.ts';

/** Parses a string with a format; returns undefined for formats that are plain strings in expressions. */
export function parseFormatted(format: string, text: string): Value | undefined {
  if (text.length < minCachedLength) return parse(format, text);
  const cached = cache.find((one) => one.text === text && one.format === format);
  if (cached) return cached.value;
  spend(text.length * 0.005);
  const value = parse(format, text);
  if (cache.length >= 4) cache.shift();
  cache.push({ format, text, value });
  return value;
}

/** Strings of this length or more are cached: each access of each rule would parse them again. */
const minCachedLength = 256;
let cache: { format: string; text: string; value: Value | undefined }[] = [];

/** Clears the cache of parsed strings. */
export function clearFormatCache(): void {
  if (cache.length > 0) cache = [];
}

function parse(format: string, text: string): Value | undefined {
  switch (format) {
    case 'duration': {
      const nanoseconds = parseStrfmtDuration(text);
      return nanoseconds === undefined
        ? new CelError(`Invalid duration ${text}: unable to parse ${text} as duration`)
        : new Duration(nanoseconds);
    }
    case 'date': {
      const date = /^\d{4}-\d{2}-\d{2}$/.test(text) ? parseTimestamp(`${text}T00:00:00Z`) : undefined;
      return date === undefined || isError(date) ? new CelError(`Invalid date formatted string ${text}`) : date;
    }
    case 'date-time': {
      const time = parseTimestamp(text.replace(/^(\d{4}-\d{2}-\d{2})[t ]/, '$1T').replace(/z$/, 'Z'));
      return time === undefined || isError(time) ? new CelError(`Invalid date-time formatted string ${text}`) : time;
    }
    case 'byte':
      return parseBytes(text);
    default:
      return undefined;
  }
}

function parseBytes(text: string): Value {
  const stripped = text.replace(/[\r\n]/g, '');
  if (stripped.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(stripped)) {
    return new CelError(`Invalid byte formatted string ${text}`);
  }
  return new Bytes(new Uint8Array(Buffer.from(stripped, 'base64')));
}

/** More digits than any duration can have. */
const maxDigits = 1_000;

const unitNanoseconds: readonly [RegExp, bigint][] = [
  [/^(?:ns|nano|nanos|nanosec|nanosecs|nanosecond|nanoseconds)$/, 1n],
  [/^(?:us|µs|micro|micros|microsec|microsecs|microsecond|microseconds)$/, 1_000n],
  [/^(?:ms|milli|millis|millisec|millisecs|millisecond|milliseconds)$/, 1_000_000n],
  [/^(?:s|sec|secs|second|seconds)$/, 1_000_000_000n],
  [/^(?:m|min|mins|minute|minutes)$/, 60_000_000_000n],
  [/^(?:h|hr|hrs|hour|hours)$/, 3_600_000_000_000n],
  [/^(?:d|day|days)$/, 86_400_000_000_000n],
  [/^(?:w|week|weeks|wk|wks)$/, 604_800_000_000_000n],
];

/** Parses Go durations, and the format's own grammar such as `3 days`. (go-openapi strfmt duration.go) */
function parseStrfmtDuration(text: string): bigint | undefined {
  const exact = parseDuration(text);
  if (exact !== undefined) return exact;
  let total = 0n;
  let found = false;
  // a number starts only where no digit precedes it; otherwise each of its digits would start one
  for (const [, number = '', unit = ''] of text.matchAll(/(?<!\d)(\d+)(?!\d)\s*([A-Za-zµ]+)/g)) {
    const size = unitNanoseconds.find(([pattern]) => pattern.test(unit))?.[1];
    if (size === undefined || number.length > maxDigits) return undefined;
    total += BigInt(number) * size;
    found = true;
  }
  return found ? total : undefined;
}
