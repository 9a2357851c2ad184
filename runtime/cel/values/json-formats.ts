import { spend } from '../../machinery/event-loop/budget.ts';
import { parseDuration, parseTimestamp } from './time.ts';
import { Bytes, CelError, Duration, isError, type Value } from './value.ts';

/** The value of a formatted string; undefined: the format means nothing to expressions, the text stays. */
export function parseFormatted(format: string, text: string): Value | undefined {
  if (text.length < long) return read(format, text);
  const known = lately.find((one) => one.text === text && one.format === format);
  if (known) return known.value;
  spend(text.length * 0.005);
  const value = read(format, text);
  if (lately.length >= 4) lately.shift();
  lately.push({ format, text, value });
  return value;
}

/** Each rule reads a text again, and each step of a rule that goes to it. */
const long = 256;
let lately: { format: string; text: string; value: Value | undefined }[] = [];

/** Lets go of the values that are remembered. */
export function clearFormatCache(): void {
  if (lately.length > 0) lately = [];
}

function read(format: string, text: string): Value | undefined {
  switch (format) {
    case 'duration': {
      const nanoseconds = parseLooseDuration(text);
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
      return readBytes(text);
    default:
      return undefined;
  }
}

function readBytes(text: string): Value {
  const stripped = text.replace(/[\r\n]/g, '');
  if (stripped.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(stripped)) {
    return new CelError(`Invalid byte formatted string ${text}`);
  }
  return new Bytes(new Uint8Array(Buffer.from(stripped, 'base64')));
}

/** Far more than a duration can have. */
const mostDigits = 1_000;

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

/** Go's durations, and `3 days` as the format's own grammar has it. (go-openapi strfmt duration.go) */
function parseLooseDuration(text: string): bigint | undefined {
  const exact = parseDuration(text);
  if (exact !== undefined) return exact;
  let total = 0n;
  let found = false;
  // a number begins where no digit is before it, or each of its digits would begin one
  for (const [, number, unit] of text.matchAll(/(?<!\d)(\d+)(?!\d)\s*([A-Za-zµ]+)/g)) {
    const size = unitNanoseconds.find(([pattern]) => pattern.test(unit))?.[1];
    if (size === undefined || number.length > mostDigits) return undefined;
    total += BigInt(number) * size;
    found = true;
  }
  return found ? total : undefined;
}
