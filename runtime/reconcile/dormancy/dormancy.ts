import type { WakeRule, WriteAlarm } from './write-alarm.ts';

/** Which controllers begin asleep, and what wakes them. */
export interface Dormancy {
  readonly alarm: WriteAlarm;
  readonly rules: ReadonlyMap<string, WakeRule>;
}
