import type { KubeObject } from './object.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

/**
 * A duration in milliseconds to about two significant units: `90s`, `5m30s`, `3h`, `2d4h`, `400d`, `3y20d`.
 * (apimachinery pkg/util/duration, HumanDuration)
 */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / second);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (ms < 2 * minute) return `${seconds}s`;
  if (ms < 10 * minute) return twoUnits(ms, minute, 'm', second, 's');
  if (ms < 3 * hour) return `${Math.trunc(ms / minute)}m`;
  if (ms < 8 * hour) return twoUnits(ms, hour, 'h', minute, 'm');
  if (ms < 2 * day) return `${Math.trunc(ms / hour)}h`;
  if (ms < 8 * day) return twoUnits(ms, day, 'd', hour, 'h');
  if (ms < 2 * year) return `${Math.trunc(ms / day)}d`;
  if (ms < 8 * year) return twoUnits(ms, year, 'y', day, 'd');
  return `${Math.trunc(ms / year)}y`;
}

function twoUnits(ms: number, large: number, largeName: string, small: number, smallName: string): string {
  const rest = Math.trunc((ms % large) / small);
  return `${Math.trunc(ms / large)}${largeName}${rest === 0 ? '' : `${rest}${smallName}`}`;
}

/**
 * The `now` of a row that is kept: in place of an age comes a mark with the time it is counted from, so that the row
 * can be made to say any age later. Cells tell time by ageOf alone.
 */
export const anyTime = Number.NaN;

/** Marks around that time, in milliseconds. They stand in no text of ours; rows whose objects hold them are not kept. */
export const ageMarks = ['\ue000', '\ue001'] as const;

/** How long ago a time in RFC 3339 was; `<unknown>` where there is none. */
export function ageOf(time: unknown, now: number): string {
  if (typeof time !== 'string' || time === '') return '<unknown>';
  const from = Date.parse(time);
  return Number.isNaN(now) ? ageMarks[0] + from + ageMarks[1] : humanDuration(now - from);
}

export const age = (object: KubeObject, now: number): string => ageOf(object.metadata?.creationTimestamp, now);

/** The column of kinds without a printer of their own. (apiserver pkg/registry/rest/table.go) */
export const createdAt = (object: KubeObject): string | null => object.metadata?.creationTimestamp ?? null;
