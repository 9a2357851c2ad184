import { BoundedMap } from '../../machinery/collections/bounded-map.ts';
import { spend } from '../../machinery/event-loop/budget.ts';
import { readDuration } from '../../machinery/go/duration.ts';
import { checkedTimestamp } from './arithmetic.ts';
import { CelError, intValue, type Timestamp, type Value } from './value.ts';

const second = 1_000_000_000n;
const rfc3339 = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:[.,](\d+))?(?:Z|([+-])(\d{2}):(\d{2}))$/;

/** Parses RFC 3339 as Go's time.Parse does. Returns undefined for invalid text, or an error for a time out of range. */
export function parseTimestamp(text: string): Value | undefined {
  spend(1 + text.length * 0.005);
  const match = rfc3339.exec(text);
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, seconds = 0] = match.slice(1, 7).map(Number);
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  if (hour > 23 || minute > 59 || seconds > 59) return undefined;
  const [, , , , , , , fraction = '', sign, zoneHours = '0', zoneMinutes = '0'] = match;
  if (Number(zoneHours) > 24 || Number(zoneMinutes) > 60) return undefined;
  const offset = (sign === '-' ? -1 : 1) * (Number(zoneHours) * 3600 + Number(zoneMinutes) * 60);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, seconds);
  const nanoseconds = BigInt(fraction.slice(0, 9).padEnd(9, '0'));
  return checkedTimestamp(BigInt(date.getTime()) * 1_000_000n - BigInt(offset) * second + nanoseconds, offset);
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** Splits nanoseconds, rounding seconds down, so that times before 1970 have a positive fraction too. */
function split(value: bigint): { seconds: bigint; nanoseconds: bigint } {
  let seconds = value / second;
  let nanoseconds = value % second;
  if (nanoseconds < 0n) {
    seconds -= 1n;
    nanoseconds += second;
  }
  return { seconds, nanoseconds };
}

/** Returns the seconds since 1970, rounded down. */
export const unixSeconds = (timestamp: Timestamp): number | bigint => intValue(split(timestamp.value).seconds);

/** Formats a timestamp as RFC 3339 in the zone of its text, without trailing zeros. */
export function formatTimestamp(timestamp: Timestamp): string {
  spend(1);
  const { seconds, nanoseconds } = split(timestamp.value + BigInt(timestamp.offset) * second);
  const date = new Date(Number(seconds) * 1000);
  const year = String(date.getUTCFullYear()).padStart(4, '0');
  const rest = date.toISOString().slice(-20, -5);
  const fraction = nanoseconds === 0n ? '' : `.${String(nanoseconds).padStart(9, '0').replace(/0+$/, '')}`;
  return `${year}${rest}${fraction}${formatOffset(timestamp.offset)}`;
}

function formatOffset(offset: number): string {
  if (offset === 0) return 'Z';
  const minutes = Math.trunc(Math.abs(offset) / 60);
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(Math.trunc(minutes / 60))}:${two(minutes % 60)}`;
}

export type DatePart = 'year' | 'month' | 'dayOfYear' | 'day' | 'weekday' | 'hours' | 'minutes' | 'seconds' | 'milliseconds';

/** @param zone UTC, `+02:30`, `-07:00`, or a name in the IANA database */
export function datePart(timestamp: Timestamp, part: DatePart, zone: string): number | CelError {
  const { seconds, nanoseconds } = split(timestamp.value);
  const offset = zoneOffset(zone, Number(seconds));
  if (typeof offset !== 'number') return offset;
  const date = new Date((Number(seconds) + offset) * 1000);
  switch (part) {
    case 'year':
      return date.getUTCFullYear();
    case 'month':
      return date.getUTCMonth();
    case 'day':
      return date.getUTCDate();
    case 'weekday':
      return date.getUTCDay();
    case 'hours':
      return date.getUTCHours();
    case 'minutes':
      return date.getUTCMinutes();
    case 'seconds':
      return date.getUTCSeconds();
    case 'milliseconds':
      return Number(nanoseconds / 1_000_000n);
    case 'dayOfYear': {
      const start = new Date(date);
      start.setUTCMonth(0, 1);
      return Math.round((date.getTime() - start.getTime()) / 86_400_000);
    }
  }
}

/** Formatters by zone name. Clients may spell a name in many ways. */
const zones = new BoundedMap<string, Intl.DateTimeFormat>(200);

function zoneOffset(zone: string, seconds: number): number | CelError {
  if (zone === 'UTC' || zone === '') return 0;
  const colon = zone.indexOf(':');
  if (colon >= 0) {
    const hours = zone.slice(0, colon);
    const minutes = zone.slice(colon + 1);
    for (const number of [hours, minutes]) {
      if (!/^[+-]?\d+$/.test(number)) return new CelError(`strconv.Atoi: parsing "${number}": invalid syntax`);
    }
    const sum = Number(hours) * 60 + (zone.startsWith('-') ? -1 : 1) * Number(minutes);
    return sum * 60;
  }
  // finding the offset takes as long as hundreds of other operations
  spend(40);
  let format = zones.get(zone);
  if (!format) {
    try {
      const options = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;
      const time = { hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23', era: 'short' } as const;
      format = new Intl.DateTimeFormat('en-US', { timeZone: zone, ...options, ...time });
    } catch {
      return new CelError(`unknown time zone ${zone}`);
    }
    zones.set(zone, format);
  }
  const parts = Object.fromEntries(format.formatToParts(seconds * 1000).map(({ type, value }) => [type, value]));
  const local = new Date(0);
  const year = parts.era === 'BC' ? 1 - Number(parts.year) : Number(parts.year);
  local.setUTCFullYear(year, Number(parts.month) - 1, Number(parts.day));
  local.setUTCHours(Number(parts.hour), Number(parts.minute), Number(parts.second));
  return Math.round(local.getTime() / 1000 - seconds);
}

/**
 * Parses `1h30m`, `-1.5s` or `0` as Go's time.ParseDuration does. Returns nanoseconds, or undefined for invalid text.
 */
export function parseDuration(text: string): bigint | undefined {
  spend(0.5 + text.length * 0.05);
  const duration = readDuration(text);
  return typeof duration === 'string' ? undefined : duration;
}

/** Formats a duration in seconds without an exponent: `90s`, `0.001s`. */
export function formatDuration(nanoseconds: bigint): string {
  const magnitude = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const seconds = Number(magnitude / second) + Number(magnitude % second) / 1e9;
  const text = String(seconds).includes('e') ? seconds.toFixed(9).replace(/0+$/, '') : String(seconds);
  return `${nanoseconds < 0n ? '-' : ''}${text}s`;
}
