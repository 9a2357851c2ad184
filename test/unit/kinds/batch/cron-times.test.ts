import { describe, expect, it } from '@jest/globals';
import { parseSchedule } from '../../../../runtime/kinds/batch/cron-schedule.ts';
import { never } from '../../../../runtime/kinds/batch/cron-times.ts';
import { rfc3339, timeZone } from '../../../../runtime/kinds/batch/zoned-time.ts';

const seconds = (text: string): number => Date.parse(text) / 1000;

function schedule(text: string) {
  const parsed = parseSchedule(text);
  if (typeof parsed === 'string') throw new Error(parsed);
  return parsed;
}

describe('the times of a schedule', () => {
  it.each([
    ['* * * * *', '2026-01-01T00:00:00Z', '2026-01-01T00:01:00Z'],
    ['* * * * *', '2026-01-01T00:00:59.9Z', '2026-01-01T00:01:00Z'],
    ['0/15 * * * *', '2026-07-09T14:45:00Z', '2026-07-09T15:00:00Z'],
    ['20-35/15 * * * *', '2026-07-09T23:35:51Z', '2026-07-10T00:20:00Z'],
    ['0 0 1 jan *', '2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z'],
    ['0 0 29 2 *', '2026-01-01T00:00:00Z', '2028-02-29T00:00:00Z'],
    ['0 0 13 * fri', '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'],
    ['0 0 13 * */1', '2026-01-01T00:00:00Z', '2026-01-13T00:00:00Z'],
    ['0 0 */2 * mon', '2026-01-05T00:00:00Z', '2026-01-07T00:00:00Z'],
    ['30 6-16/4 * * 1-5', '2026-01-02T15:00:00Z', '2026-01-05T06:30:00Z'],
    ['@weekly', '2026-01-01T00:00:00Z', '2026-01-04T00:00:00Z'],
    ['@yearly', '2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z'],
    ['@every 1h30m', '2026-01-01T00:00:10Z', '2026-01-01T01:30:10Z'],
    ['@every 1ms', '2026-01-01T00:00:10Z', '2026-01-01T00:00:11Z'],
    ['TZ=Asia/Kolkata 30 9 * * *', '2026-01-01T00:00:00Z', '2026-01-01T04:00:00Z'],
    // clocks go forward on March 8th and back on November 1st
    ['TZ=America/New_York 0 0 * * *', '2026-03-08T06:00:00Z', '2026-03-09T04:00:00Z'],
    ['TZ=America/New_York 30 2 8 3 *', '2026-03-08T00:00:00Z', '2027-03-08T07:30:00Z'],
    ['TZ=America/New_York 0 3 * * *', '2026-03-08T06:59:00Z', '2026-03-08T07:00:00Z'],
    ['TZ=America/New_York 30 1 * * *', '2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z'],
    ['TZ=America/New_York 0 12 * * *', '2026-11-01T00:00:00Z', '2026-11-01T17:00:00Z'],
    // robfig/cron skips the day on which clocks go forward at midnight
    ['TZ=Asia/Beirut 0 0 29 3 *', '2026-03-20T00:00:00Z', '2027-03-28T21:00:00Z'],
  ])('%s after %s is %s', (text, after, expected) => {
    expect(new Date(schedule(text).next(seconds(after)) * 1000)).toEqual(new Date(expected));
  });

  it.each(['59 23 31 2 *', '0 0 30 feb ?', 'TZ=Europe/Berlin 0 0 31 2,4,6,9,11 *'])('%s never comes', (text) => {
    expect(schedule(text).next(seconds('2026-01-01T00:00:00Z'))).toBe(never);
    expect(schedule(text).latest(seconds('2026-01-01T00:00:00Z'), seconds('2030-01-01T00:00:00Z'))).toBeUndefined();
  });

  it.each([
    ['*/5 * * * *', '2026-01-01T00:00:00Z', '2026-01-01T00:04:59Z', undefined],
    ['*/5 * * * *', '2026-01-01T00:00:00Z', '2026-01-01T00:05:00Z', '2026-01-01T00:05:00Z'],
    ['30 6-16/4 * * 1-5', '2016-01-01T00:00:00Z', '2026-01-04T00:00:00Z', '2026-01-02T14:30:00Z'],
    ['* * * 1-11 *', '2025-11-30T23:58:00Z', '2026-02-20T12:00:30Z', '2026-02-20T12:00:00Z'],
    ['@every 7m', '2026-01-01T00:00:10Z', '2026-01-01T00:20:00Z', '2026-01-01T00:14:10Z'],
  ])('%s from %s to %s was last at %s', (text, after, now, expected) => {
    const latest = schedule(text).latest(seconds(after), seconds(now));
    expect(latest).toBe(expected === undefined ? undefined : seconds(expected));
  });

  it.each([
    ['', '2026-01-01T12:00:00Z'],
    ['UTC', '2026-01-01T12:00:00Z'],
    ['Europe/London', '2026-01-01T12:00:00Z'],
    ['America/St_Johns', '2026-01-01T08:30:00-03:30'],
    ['Asia/Kathmandu', '2026-01-01T17:45:00+05:45'],
  ])('in the zone %j noon is %s', (zone, expected) => {
    expect(rfc3339(seconds('2026-01-01T12:00:00Z'), timeZone(zone))).toBe(expected);
  });
});
