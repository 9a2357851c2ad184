import { describe, expect, test } from '@jest/globals';
import { manualStart } from '../../../../runtime/testkit/clock/manual-clock.ts';
import { SettlingClock } from '../../../../runtime/testkit/clock/settling-clock.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

describe('a manual clock', () => {
  test('runs thousands of timers in the order of their times, and those of one time in the order in which they were set', () => {
    const clock = new ManualClock();
    const delays = Array.from({ length: 5000 }, (_, at) => (at * 7919) % 613);
    const ran: number[] = [];
    for (const [at, delay] of delays.entries()) clock.after(delay, () => ran.push(at));
    clock.advance(1000);
    const want = delays.map((_, at) => at).sort((a, b) => delays[a] - delays[b] || a - b);
    expect(ran).toEqual(want);
  });

  test('runs no timer that was cancelled, also by another of the same time', () => {
    const clock = new ManualClock();
    const ran: string[] = [];
    const cancel: (() => void)[] = [];
    clock.after(5, () => cancel[0]());
    cancel.push(clock.after(5, () => ran.push('second')));
    clock.after(6, () => ran.push('third'));
    clock.after(4, () => ran.push('first'))();
    clock.advance(10);
    expect(ran).toEqual(['third']);
  });
});

describe('the clock of a server', () => {
  test('lets everything that a timer brings about happen before the next timer runs', async () => {
    const clock = new SettlingClock();
    const log: string[] = [];
    const note = (text: string): void => void log.push(`${clock.now() - manualStart} ${text}`);
    clock.after(1000, async () => {
      note('first');
      for (let turn = 0; turn < 5; turn++) await new Promise<void>((resolve) => void clock.after(0, resolve));
      note('what it began');
      clock.after(500, () => note('what it planned'));
    });
    clock.after(1001, () => note('second'));
    clock.after(60_000, () => note('later'));
    await clock.advance('59s');
    expect(log).toEqual(['1000 first', '1000 what it began', '1001 second', '1500 what it planned']);
    expect(clock.now()).toBe(manualStart + 59_000);
    await Promise.all([clock.advance(1000), clock.advance('1h30m')]);
    expect(log.slice(4)).toEqual(['60000 later']);
    expect(clock.now()).toBe(manualStart + 60_000 + 5_400_000);
  });

  test.each([['-1s'], [-1], ['1'], ['soon'], [Number.NaN], ['1us']])('is not advanced by %p', async (duration) => {
    const clock = new SettlingClock();
    await expect(clock.advance(duration)).rejects.toThrow();
    expect(clock.now()).toBe(manualStart);
  });
});
