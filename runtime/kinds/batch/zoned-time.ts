import { BoundedMap } from '../../machinery/collections/bounded-map.ts';

/** Seconds. Zones change their offsets at multiples of this. */
const quarterHour = 900;

/** A time in a time zone. */
export interface ZonedTime {
  /** Seconds since the Unix epoch. */
  readonly seconds: number;
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
}

type LocalHour = Pick<ZonedTime, 'year' | 'month' | 'day'> & Partial<Pick<ZonedTime, 'hour'>>;

/** The local times of a time zone. (Go time.Location) */
export class TimeZone {
  readonly #format: Intl.DateTimeFormat | undefined;
  readonly #offsets = new BoundedMap<number, number>(10_000);

  /** @param name of the IANA database; "" and Local are UTC */
  constructor(name: string) {
    if (name === '' || name === 'UTC' || name === 'Local') return;
    this.#format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset', year: 'numeric' });
  }

  at(seconds: number): ZonedTime {
    const date = new Date((seconds + this.offset(seconds)) * 1000);
    return {
      seconds,
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
      weekday: date.getUTCDay(),
      hour: date.getUTCHours(),
      minute: date.getUTCMinutes(),
    };
  }

  /**
   * Returns a local time. Members may be out of range. A skipped or repeated time uses one of the zone's two offsets.
   * (time.Date)
   */
  date({ year, month, day, hour = 0 }: LocalHour): ZonedTime {
    const local = Date.UTC(year, month - 1, day, hour) / 1000;
    const offset = this.offset(local);
    return this.at(offset === 0 ? local : local - this.offset(local - offset));
  }

  /** Returns the seconds east of UTC. */
  offset(seconds: number): number {
    if (this.#format === undefined) return 0;
    const quarter = Math.floor(seconds / quarterHour);
    let offset = this.#offsets.get(quarter);
    if (offset === undefined) {
      offset = offsetOf(this.#format.format(seconds * 1000));
      this.#offsets.set(quarter, offset);
    }
    return offset;
  }
}

const zones = new BoundedMap<string, TimeZone>(100);

/** @param name of an existing zone */
export function timeZone(name: string): TimeZone {
  let zone = zones.get(name);
  if (zone === undefined) {
    zone = new TimeZone(name);
    zones.set(name, zone);
  }
  return zone;
}

/** Returns the offset in seconds from a text that ends in `GMT+05:30`. */
function offsetOf(text: string): number {
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = /([+-])(\d+):(\d+)(?::(\d+))?$/.exec(text) ?? [];
  const offset = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return sign === '-' ? -offset : offset;
}

/** Formats `2006-01-02T15:04:05+01:00`, with Z for an offset of 0. (Go time.RFC3339) */
export function rfc3339(seconds: number, zone: TimeZone): string {
  const offset = zone.offset(seconds);
  const text = new Date((seconds + offset) * 1000).toISOString().slice(0, 19);
  if (offset === 0) return `${text}Z`;
  const minutes = Math.trunc(Math.abs(offset) / 60);
  const pad = (value: number): string => String(value).padStart(2, '0');
  return `${text}${offset < 0 ? '-' : '+'}${pad(Math.trunc(minutes / 60))}:${pad(minutes % 60)}`;
}
