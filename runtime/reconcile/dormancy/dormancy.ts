import type { WakeRule, WriteAlarm } from './write-alarm.ts';

/** The controllers that start asleep, and the events that wake them. */
export interface Dormancy {
  readonly alarm: WriteAlarm;
  readonly rules: ReadonlyMap<string, WakeRule>;
}
