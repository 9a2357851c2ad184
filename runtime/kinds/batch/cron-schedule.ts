import { isTimeZone } from './time-zone.ts';

/** Schedules of robfig/cron: five fields, or a descriptor such as `@daily` or `@every 1h`. (parser.go, ParseStandard) */

/** The values of a field of a schedule. */
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
const descriptors: ReadonlySet<string> = new Set([
  '@yearly',
  '@annually',
  '@monthly',
  '@weekly',
  '@daily',
  '@midnight',
  '@hourly',
]);
const durations = /^(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:ns|us|µs|ms|s|m|h))*$/;

/** Returns the parser's error for a schedule, or undefined if it is valid. */
export function scheduleProblem(schedule: string): string | undefined {
  if (schedule === '') return 'empty spec string';
  let text = schedule;
  if (/^(TZ|CRON_TZ)=/.test(schedule)) {
    const space = schedule.indexOf(' ');
    if (space < 0) return 'invalid schedule format: runtime error: slice bounds out of range [:-1]';
    const zone = schedule.slice(schedule.indexOf('=') + 1, space);
    if (!isTimeZone(zone)) return `provided bad location ${zone}: unknown time zone ${zone}`;
    text = schedule.slice(space).trim();
  }
  if (text.startsWith('@')) return descriptorProblem(text);
  const parts = text.split(/\s+/).filter((part) => part !== '');
  if (parts.length !== 5) return `expected exactly 5 fields, found ${parts.length}: [${parts.join(' ')}]`;
  for (const [index, part] of parts.entries()) {
    for (const range of part.split(',').filter((each) => each !== '')) {
      const problem = rangeProblem(range, fields[index] as Bounds);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

function descriptorProblem(text: string): string | undefined {
  if (descriptors.has(text)) return undefined;
  if (!text.startsWith('@every ')) return `unrecognized descriptor: ${text}`;
  const rest = text.slice('@every '.length).replace(/^[-+]/, '');
  return durations.test(rest) ? undefined : `failed to parse duration ${text}`;
}

/** A range is `*`, `?`, a number or two numbers such as `1-5`, each with an optional step such as `/2`. (getRange) */
function rangeProblem(range: string, { low, high, names }: Bounds): string | undefined {
  const [span = '', step, ...tooManySteps] = range.split('/');
  const [from = '', to, ...tooManyDashes] = span.split('-');
  const values = [low, high];
  if (from !== '*' && from !== '?') {
    if (tooManyDashes.length > 0) return `too many hyphens: ${range}`;
    for (const [index, text] of [from, to].entries()) {
      if (text === undefined) continue;
      const value = parseIntOrName(text, low, names);
      if (typeof value === 'string') return value;
      values[index] = value;
    }
    if (to === undefined && step === undefined) values[1] = values[0] as number;
  }
  if (tooManySteps.length > 0) return `too many slashes: ${range}`;
  if (step !== undefined) {
    const every = parseIntOrName(step, low, undefined);
    if (typeof every === 'string') return every;
    if (every === 0) return `step of range should be a positive number: ${range}`;
  }
  const [first = low, last = high] = values;
  if (first < low) return `beginning of range (${first}) below minimum (${low}): ${range}`;
  if (last > high) return `end of range (${last}) above maximum (${high}): ${range}`;
  if (first > last) return `beginning of range (${first}) beyond end of range (${last}): ${range}`;
  return undefined;
}

/** Returns the number, or the error. (parseIntOrName) */
function parseIntOrName(text: string, low: number, names: readonly string[] | undefined): number | string {
  const named = names?.indexOf(text.toLowerCase()) ?? -1;
  if (named >= 0) return named + low;
  if (/^[+]?\d+$/.test(text)) return Number(text);
  if (/^-\d+$/.test(text)) return `negative number (${Number(text)}) not allowed: ${text}`;
  return `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
}
