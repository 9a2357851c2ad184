import type { KubeObject } from './object.ts';
import { zeroTimeText } from './scalars/time.ts';

interface Unit {
  readonly name: string;
  readonly ms: number;
}

const second: Unit = { name: 's', ms: 1000 };
const minute: Unit = { name: 'm', ms: 60 * second.ms };
const hour: Unit = { name: 'h', ms: 60 * minute.ms };
const day: Unit = { name: 'd', ms: 24 * hour.ms };
const year: Unit = { name: 'y', ms: 365 * day.ms };

/**
 * Formats milliseconds with up to two units: `90s`, `5m30s`, `3h`, `2d4h`, `400d`, `3y20d`. (apimachinery
 * pkg/util/duration, HumanDuration)
 */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / second.ms);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (ms < 2 * minute.ms) return `${seconds}s`;
  if (ms < 10 * minute.ms) return twoUnits(ms, minute, second);
  if (ms < 3 * hour.ms) return `${Math.trunc(ms / minute.ms)}m`;
  if (ms < 8 * hour.ms) return twoUnits(ms, hour, minute);
  if (ms < 2 * day.ms) return `${Math.trunc(ms / hour.ms)}h`;
  if (ms < 8 * day.ms) return twoUnits(ms, day, hour);
  if (ms < 2 * year.ms) return `${Math.trunc(ms / day.ms)}d`;
  if (ms < 8 * year.ms) return twoUnits(ms, year, day);
  return `${Math.trunc(ms / year.ms)}y`;
}

function twoUnits(ms: number, large: Unit, small: Unit): string {
  const rest = Math.trunc((ms % large.ms) / small.ms);
  return `${Math.trunc(ms / large.ms)}${large.name}${rest === 0 ? '' : `${rest}${small.name}`}`;
}

/**
 * The `now` of a cached row. Its cells contain a mark with the start time in place of an age, so the row can be printed
 * later with any age. Only ageOf prints times in cells.
 */
export const anyTime = Number.NaN;

/**
 * Delimiters of the marked time, which is in milliseconds. The server's own texts do not contain them, and rows of
 * objects that do are not cached.
 */
export const ageMarks = ['\ue000', '\ue001'] as const;

/** Returns the age of an RFC 3339 time; `<unknown>` for an absent one. */
export function ageOf(time: unknown, now: number): string {
  if (typeof time !== 'string' || time === '') return '<unknown>';
  const from = Date.parse(time);
  return Number.isNaN(now) ? ageMarks[0] + from + ageMarks[1] : humanDuration(now - from);
}

/** Only stored objects have an age. */
export const age = (object: Partial<KubeObject>, now: number): string => ageOf(object.metadata?.creationTimestamp, now);

/** The column of kinds without their own printer. (apiserver pkg/registry/rest/table.go) */
export const createdAt = (object: KubeObject): string => object.metadata?.creationTimestamp ?? zeroTimeText;
