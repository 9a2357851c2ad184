import { type TimeZone, timeZone, type ZonedTime } from './zoned-time.ts';

/** When something is due. Times are seconds since the Unix epoch. (robfig/cron Schedule) */
export interface CronSchedule {
  /** The first time after another one; `never` if there is none within five years. */
  next(after: number): number;
  /** The last time up to `now` that `next` finds step by step from `after` on; undefined if there is none. */
  latest(after: number, now: number): number | undefined;
}

/** Go's zero time. */
export const never = -62_135_596_800;

/** (robfig/cron constantdelay.go) */
export class ConstantDelaySchedule implements CronSchedule {
  readonly #delay: number;

  /** @param nanoseconds fractions of a second are left out; at least a second */
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

/** The values of a field, and whether it says that any will do. */
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

/** How far `next` looks ahead. */
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
    // the first minute that begins after the time
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

  /** As if `next` were called again and again, in as many steps as the distance has bits. */
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

  /** If both fields of days say something, one of them is enough. (dayMatches) */
  #matchesDay({ day, weekday }: ZonedTime): boolean {
    const { dayOfMonth, dayOfWeek } = this.#fields;
    const isDay = dayOfMonth.values.has(day);
    const isWeekday = dayOfWeek.values.has(weekday);
    return dayOfMonth.isStar || dayOfWeek.isStar ? isDay && isWeekday : isDay || isWeekday;
  }

  /** Where a day does not begin at midnight, this may be an hour before it begins. */
  #nextDay(time: ZonedTime): ZonedTime {
    const next = this.#zone.date({ ...time, day: time.day + 1 });
    if (next.hour === 0) return next;
    return this.#zone.at(next.seconds + (next.hour > 12 ? 24 - next.hour : -next.hour) * 3600);
  }
}
