import { DecodeError } from '../errors/decode-error.ts';
import { quoteExcerpt as quote } from '../go/quote.ts';

/**
 * RFC 3339 times of metav1.Time and MicroTime, written in UTC with seconds or microseconds.
 * (apimachinery pkg/apis/meta/v1/{time,micro_time}.go; Go time.Parse)
 */
export interface Instant {
  /** Whole seconds since the Unix epoch; may be negative. */
  readonly seconds: number;
  readonly nanoseconds: number;
}

const timeLayout = '2006-01-02T15:04:05Z07:00';
const microTimeLayout = '2006-01-02T15:04:05.000000Z07:00';

/** Go's time.Time{}. Null and absent values decode to it, and it is written as null. */
const zeroSeconds = -62_135_596_800;

/** Go's time.Time{} where a message or a cell shows it. */
export const zeroTimeText = '0001-01-01T00:00:00Z';

/** Reads a metav1.Time with any fraction of a second. Throws DecodeError with Go's message. */
export function parseTime(text: string): Instant {
  // The format that this server writes, which nearly all times have.
  if (plainTime.test(text)) return { seconds: Date.parse(text) / 1000, nanoseconds: 0 };
  return parse(text, timeLayout, '5');
}

/** Reads a MicroTime, whose fraction must have exactly six digits. Throws DecodeError with Go's message. */
export function parseMicroTime(text: string): Instant {
  return parse(text, microTimeLayout, '5.000000');
}

interface Part {
  readonly pattern: RegExp;
  readonly layout: string;
  readonly max?: number;
  readonly range?: string;
}

const dateParts: readonly Part[] = [
  { pattern: /^[0-9]{4}/, layout: '2006' },
  { pattern: /^-/, layout: '-' },
  { pattern: /^[0-9]{2}/, layout: '01', max: 12, range: 'month' },
  { pattern: /^-/, layout: '-' },
  { pattern: /^[0-9]{2}/, layout: '02', max: 31 },
  { pattern: /^T/, layout: 'T' },
  { pattern: /^[0-9]{2}/, layout: '15', max: 23, range: 'hour' },
  { pattern: /^:/, layout: ':' },
  { pattern: /^[0-9]{2}/, layout: '04', max: 59, range: 'minute' },
  { pattern: /^:/, layout: ':' },
  { pattern: /^[0-9]{2}/, layout: '05', max: 59, range: 'second' },
];

function parse(text: string, layout: string, secondLayout: string): Instant {
  const failed = (rest: string, part: string) =>
    new DecodeError(`parsing time ${quote(text)} as ${quote(layout)}: cannot parse ${quote(rest)} as ${quote(part)}`);
  const outOfRange = (what: string) => new DecodeError(`parsing time ${quote(text)}: ${what} out of range`);
  let rest = text;
  const numbers: number[] = [];
  for (const part of dateParts) {
    const match = part.pattern.exec(rest);
    if (!match) throw failed(rest, part.layout);
    const value = Number(match[0]);
    if (part.range === 'month' && (value < 1 || value > 12)) throw outOfRange('month');
    if (part.range !== undefined && part.max !== undefined && value > part.max) throw outOfRange(part.range);
    if (part.layout.length > 1) numbers.push(value);
    rest = rest.slice(match[0].length);
  }
  const fraction = secondLayout === '5' ? /^(?:[.,]([0-9]+))?/.exec(rest) : /^[.,]([0-9]{6})/.exec(rest);
  if (!fraction) throw failed(rest, '.000000');
  rest = rest.slice(fraction[0].length);
  const zone = /^(?:Z|([+-])([0-9]{2}):([0-9]{2}))/.exec(rest);
  if (!zone) throw failed(rest, 'Z07:00');
  if (Number(zone[2] ?? 0) > 24) throw outOfRange('time zone offset hour');
  if (Number(zone[3] ?? 0) > 60) throw outOfRange('time zone offset minute');
  if (zone[0].length < rest.length) throw new DecodeError(`parsing time ${quote(text)}: extra text: ${quote(rest.slice(zone[0].length))}`);
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = numbers;
  if (day < 1 || day > daysIn(month, year)) throw outOfRange('day');
  const offset = zone[1] === undefined ? 0 : (zone[1] === '-' ? -60 : 60) * (Number(zone[2]) * 60 + Number(zone[3]));
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  return {
    seconds: date.getTime() / 1000 - offset,
    nanoseconds: Number((fraction[1] ?? '').padEnd(9, '0').slice(0, 9)),
  };
}

function daysIn(month: number, year: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

export const isZeroTime = ({ seconds, nanoseconds }: Instant): boolean => seconds === zeroSeconds && nanoseconds === 0;

/** Returns `2008-01-01T01:01:01Z`, or null for Go's zero time. */
export function formatTime(instant: Instant): string | null {
  return isZeroTime(instant) ? null : `${dateText(instant.seconds)}Z`;
}

/** Returns `2008-01-01T01:01:01.000001Z`, or null for Go's zero time. */
export function formatMicroTime(instant: Instant): string | null {
  if (isZeroTime(instant)) return null;
  return `${dateText(instant.seconds)}.${String(Math.trunc(instant.nanoseconds / 1000)).padStart(6, '0')}Z`;
}

const pairs = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'));

/**
 * Returns `2008-01-01T01:01:01`. Four times as fast as Date. (Howard Hinnant, chrono-compatible low-level date
 * algorithms)
 */
function dateText(seconds: number): string {
  const days = Math.floor(seconds / 86_400);
  const rest = seconds - days * 86_400;
  // Years begin in March here, so the leap day is the last day of its year. An era has 400 years.
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1;
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  const yearText = year >= 1_000 ? String(year) : `${year < 0 ? '-' : ''}${String(Math.abs(year)).padStart(4, '0')}`;
  const minutes = Math.floor(rest / 60);
  return `${yearText}-${pairs[month]}-${pairs[day]}T${pairs[Math.floor(minutes / 60)]}:${pairs[minutes % 60]}:${pairs[rest % 60]}`;
}

const plainTime =
  /^(?:000[2-9]|00[1-9]\d|0[1-9]\d\d|[1-9]\d{3})-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

/** Returns the text that Go writes for a metav1.Time, or null for its zero time. @throws DecodeError */
export function canonicalTime(text: string): string | null {
  return plainTime.test(text) ? text : formatTime(parseTime(text));
}

/** Returns the text that Go writes for a MicroTime, or null for its zero time. @throws DecodeError */
export function canonicalMicroTime(text: string): string | null {
  return formatMicroTime(parseMicroTime(text));
}

/** Returns a time as metav1.Time writes it, with seconds. */
export const timeText = (milliseconds: number): string => dateText(Math.floor(milliseconds / 1000)).concat('Z');

/** Returns a time as metav1.MicroTime writes it, with microseconds. */
export const microTimeText = (milliseconds: number): string => new Date(milliseconds).toISOString().replace('Z', '000Z');
