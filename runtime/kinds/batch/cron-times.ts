import { type TimeZone, timeZone, type ZonedTime } from './zoned-time.ts';

/** The times of a schedule, in seconds since the Unix epoch. (robfig/cron Schedule) */
export interface CronSchedule {
  /** Returns the first time after `after`; `never` if none comes within five years. */
  next(after: number): number;
  /** Returns the last time up to `now` that repeated calls of `next` reach from `after` on; undefined if none does. */
  latest(after: number, now: number): number | undefined;
}

/** Go's zero time. */
export const never = -62_135_596_800;

/** (robfig/cron constantdelay.go) */
export class ConstantDelaySchedule implements CronSchedule {
  readonly #delay: number;

  /** @param nanoseconds rounded down to seconds, and at least a second */
  constructor(nanoseconds: bigint) {
    this.#delay = Math.max(1, Number(nanoseconds / 1_000_000_000n));
  }

  next(after: number): number {
    return Math.floor(after) + this.#delay;
  }

  latest(after: number, now: number): number | undefined {
    const times = Math.floor((now - Math.floor(after)) / this.#delay);
    return times < 1 ? undefined : Math.floor(after) + times * this.#delay;
  }
}

/** The values of a field, and whether it is a wildcard. */
export interface CronField {
  readonly values: ReadonlySet<number>;
  readonly isStar: boolean;
}

export interface CronFields {
  readonly minute: CronField;
  readonly hour: CronField;
  readonly dayOfMonth: CronField;
  readonly month: CronField;
  readonly dayOfWeek: CronField;
}

/** The number of years in which `next` searches. */
const maxYears = 5;

/** (robfig/cron spec.go SpecSchedule) */
export class SpecSchedule implements CronSchedule {
  readonly #fields: CronFields;
  readonly #zone: TimeZone;

  constructor(fields: CronFields, zone: string) {
    this.#fields = fields;
    this.#zone = timeZone(zone);
  }

  next(after: number): number {
    const { month, hour, minute } = this.#fields;
    const zone = this.#zone;
    // the first minute that begins after the given time
    let time = zone.at(Math.floor(after / 60) * 60 + 60);
    const lastYear = zone.at(Math.floor(after) + 1).year + maxYears;
    let isCut = false;
    while (time.year <= lastYear) {
      if (!month.values.has(time.month)) {
        const start = isCut ? time : zone.date({ year: time.year, month: time.month, day: 1 });
        time = zone.date({ ...start, month: start.month + 1 });
      } else if (!this.#matchesDay(time)) time = this.#nextDay(isCut ? time : zone.date({ ...time, hour: 0 }));
      else if (!hour.values.has(time.hour)) time = zone.at(time.seconds - time.minute * 60 + 3600);
      else if (!minute.values.has(time.minute)) time = zone.at(time.seconds + 60);
      else return time.seconds;
      isCut = true;
    }
    return never;
  }

  /** Finds the time by bisection: in as many steps as the distance has bits. */
  latest(after: number, now: number): number | undefined {
    const isDue = (time: number): boolean => {
      const next = this.next(time);
      return next !== never && next <= now;
    };
    let due = Math.floor(after);
    let notDue = Math.floor(now);
    if (due >= notDue || !isDue(due)) return undefined;
    while (notDue - due > 1) {
      const middle = Math.floor((due + notDue) / 2);
      if (isDue(middle)) due = middle;
      else notDue = middle;
    }
    return this.next(due);
  }

  /** A wildcard must match as well as the other day field. Without wildcards, one match is enough. (dayMatches) */
  #matchesDay({ day, weekday }: ZonedTime): boolean {
    const { dayOfMonth, dayOfWeek } = this.#fields;
    const isDay = dayOfMonth.values.has(day);
    const isWeekday = dayOfWeek.values.has(weekday);
    return dayOfMonth.isStar || dayOfWeek.isStar ? isDay && isWeekday : isDay || isWeekday;
  }

  /** Returns the beginning of the next day. Without a midnight, the result may be an hour early. */
  #nextDay(time: ZonedTime): ZonedTime {
    const next = this.#zone.date({ ...time, day: time.day + 1 });
    if (next.hour === 0) return next;
    return this.#zone.at(next.seconds + (next.hour > 12 ? 24 - next.hour : -next.hour) * 3600);
  }
}
