import type { CronJob } from '../../../generated/v1.35/batch/v1/types.ts';
import type { CronSchedule } from '../../kinds/batch/cron-times.ts';

/** The due times of a cron job, in seconds since the Unix epoch. */
export interface MostRecentSchedule {
  /** The due time of the last job, the creation time, or the beginning of the deadline. */
  readonly earliest: number;
  /** The last due time since then; undefined if there was none. */
  readonly mostRecent?: number;
  /** The approximate number of missed times. */
  readonly missed: number;
}

/** The number of missed times above which a warning is recorded. */
const manyMissed = 100;
/** Seconds by which jobs start late, because clocks may differ. */
const nextScheduleDelta = 0.1;

/**
 * (pkg/controller/cronjob/utils.go mostRecentScheduleTime)
 *
 * @returns an error text for a schedule that is never due
 */
export function mostRecentSchedule(
  { metadata, spec, status }: CronJob,
  now: number,
  schedule: CronSchedule,
  countsDeadline: boolean,
): MostRecentSchedule | string {
  const from = seconds(status?.lastScheduleTime ?? metadata.creationTimestamp);
  const deadline = countsDeadline ? spec?.startingDeadlineSeconds : undefined;
  const earliest = deadline === undefined ? from : Math.max(from, now - deadline);
  const first = schedule.next(earliest);
  const second = schedule.next(first);
  if (now < first) return { earliest, missed: 0 };
  if (now < second) return { earliest, mostRecent: first, missed: 0 };
  const between = second - first;
  if (between < 1) return 'time difference between two schedules is less than 1 second';
  const missed = Math.floor((now - first) / between) + 1;
  const mostRecent = schedule.latest(first + (missed - 2) * between, now);
  return mostRecent === undefined ? { earliest, missed } : { earliest, mostRecent, missed };
}

/** Returns the seconds until the next job is due. (nextScheduleTimeDuration) */
export function untilNextSchedule(cronJob: CronJob, now: number, schedule: CronSchedule): number {
  const found = mostRecentSchedule(cronJob, now, schedule, false);
  let after = now;
  if (typeof found !== 'string') after = found.mostRecent ?? (found.missed === 0 ? found.earliest : now);
  return schedule.next(after) + nextScheduleDelta - now;
}

/** The time for which a job is due now. (nextScheduleTime) */
export interface DueSchedule {
  /** The time; undefined if no job is due. */
  readonly time?: number;
  readonly isTooManyMissed: boolean;
}

/** @returns an error text for a schedule that is never due */
export function dueSchedule(cronJob: CronJob, now: number, schedule: CronSchedule): DueSchedule | string {
  const found = mostRecentSchedule(cronJob, now, schedule, true);
  if (typeof found === 'string') return found;
  if (found.mostRecent === undefined || found.mostRecent > now) return { isTooManyMissed: false };
  return { time: found.mostRecent, isTooManyMissed: found.missed > manyMissed };
}

const seconds = (time: string | null | undefined): number => Date.parse(time ?? '') / 1000;
