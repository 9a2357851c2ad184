import { elementAt } from '../../machinery/collections/element-at.ts';
import { readDuration } from '../../machinery/go/duration.ts';
import { quote } from '../../machinery/go/quote.ts';
import { ConstantDelaySchedule, type CronField, type CronFields, type CronSchedule, SpecSchedule } from './cron-times.ts';
import { isTimeZone } from './time-zone.ts';

/** Schedules of robfig/cron: five fields, or a descriptor such as `@daily` or `@every 1h`. (parser.go, ParseStandard) */

/** The bounds of a field's values, and names for the values. */
interface Bounds {
  readonly low: number;
  readonly high: number;
  readonly names?: readonly string[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const fields: readonly Bounds[] = [
  { low: 0, high: 59 },
  { low: 0, high: 23 },
  { low: 1, high: 31 },
  { low: 1, high: 12, names: months },
  { low: 0, high: 6, names: days },
];
/** The fields of each descriptor. */
const descriptors: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);

/** Returns the parser's error for a schedule, or undefined if it is valid. */
export function scheduleProblem(schedule: string): string | undefined {
  const parsed = parseSchedule(schedule);
  return typeof parsed === 'string' ? parsed : undefined;
}

/** Returns the schedule, or the parser's error. Times are in UTC unless the schedule names another zone. */
export function parseSchedule(schedule: string): CronSchedule | string {
  if (schedule === '') return 'empty spec string';
  let text = schedule;
  let zone = '';
  if (/^(TZ|CRON_TZ)=/.test(schedule)) {
    const space = schedule.indexOf(' ');
    if (space < 0) return 'invalid schedule format: runtime error: slice bounds out of range [:-1]';
    zone = schedule.slice(schedule.indexOf('=') + 1, space);
    if (!isTimeZone(zone)) return `provided bad location ${zone}: unknown time zone ${zone}`;
    text = schedule.slice(space).trim();
  }
  const every = '@every ';
  if (text.startsWith(every)) {
    const duration = readDuration(text.slice(every.length));
    return typeof duration === 'string' ? `failed to parse duration ${text}: ${duration}` : new ConstantDelaySchedule(duration);
  }
  const described = descriptors.get(text);
  if (described === undefined && text.startsWith('@')) return `unrecognized descriptor: ${text}`;
  const read = readFields(described ?? text);
  return typeof read === 'string' ? read : new SpecSchedule(read, zone);
}

function readFields(text: string): CronFields | string {
  const parts = text.split(/\s+/).filter((part) => part !== '');
  const wrongNumber = `expected exactly 5 fields, found ${parts.length}: [${parts.join(' ')}]`;
  if (parts.length !== 5) return wrongNumber;
  const read: CronField[] = [];
  for (const [index, part] of parts.entries()) {
    const field = readField(part, elementAt(fields, index));
    if (typeof field === 'string') return field;
    read.push(field);
  }
  const [minute, hour, dayOfMonth, month, dayOfWeek] = read;
  return minute && hour && dayOfMonth && month && dayOfWeek ? { minute, hour, dayOfMonth, month, dayOfWeek } : wrongNumber;
}

/** Parses one field. (getField) */
function readField(part: string, bounds: Bounds): CronField | string {
  const values = new Set<number>();
  let isStar = false;
  for (const text of part.split(',').filter((each) => each !== '')) {
    const range = readRange(text, bounds);
    if (typeof range === 'string') return range;
    for (let value = range.first; value <= range.last; value += range.step) values.add(value);
    isStar ||= range.isStar;
  }
  return { values, isStar };
}

interface Range {
  readonly first: number;
  readonly last: number;
  readonly step: number;
  readonly isStar: boolean;
}

/** A range is `*`, `?`, a number or two numbers such as `1-5`, each with an optional step such as `/2`. (getRange) */
function readRange(range: string, { low, high, names }: Bounds): Range | string {
  const [span = '', step, ...tooManySteps] = range.split('/');
  const [from = '', to, ...tooManyDashes] = span.split('-');
  let [first, last] = [low, high];
  const isAny = from === '*' || from === '?';
  if (!isAny) {
    if (tooManyDashes.length > 0) return `too many hyphens: ${range}`;
    const start = parseIntOrName(from, low, names);
    if (typeof start === 'string') return start;
    first = start;
    const end = to === undefined ? undefined : parseIntOrName(to, low, names);
    if (typeof end === 'string') return end;
    if (end !== undefined) last = end;
    else if (step === undefined) last = first;
  }
  if (tooManySteps.length > 0) return `too many slashes: ${range}`;
  const every = step === undefined ? 1 : parseIntOrName(step, low, undefined);
  if (typeof every === 'string') return every;
  if (every === 0) return `step of range should be a positive number: ${range}`;
  if (first < low) return `beginning of range (${first}) below minimum (${low}): ${range}`;
  if (last > high) return `end of range (${last}) above maximum (${high}): ${range}`;
  if (first > last) return `beginning of range (${first}) beyond end of range (${last}): ${range}`;
  return { first, last, step: every, isStar: isAny && every === 1 };
}

/** Returns the number, or the error. (parseIntOrName) */
function parseIntOrName(text: string, low: number, names: readonly string[] | undefined): number | string {
  const named = names?.indexOf(text.toLowerCase()) ?? -1;
  if (named >= 0) return named + low;
  if (/^[+]?\d+$/.test(text)) return Number(text);
  if (/^-\d+$/.test(text)) return `negative number (${Number(text)}) not allowed: ${text}`;
  return `failed to parse int from ${text}: strconv.Atoi: parsing ${quote(text)}: invalid syntax`;
}
