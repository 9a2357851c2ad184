import { describe, expect, test } from '@jest/globals';
import { ExpirationTimer, Expiring } from '../../../runtime/filters/deadlines.ts';
import { ManualClock } from '../../support/manual-clock.ts';

class Member extends Expiring {
  readonly #then: () => void;

  constructor(until: number, then: () => void) {
    super(until);
    this.#then = then;
  }

  override expire(): void {
    this.#then();
  }
}

/** Expiration timers whose firing times are recorded, in milliseconds from the start. */
function openFixture() {
  const clock = new ManualClock();
  const began = clock.now();
  let timers = 0;
  const limits = new ExpirationTimer({
    now: () => clock.now(),
    after: (ms, callback) => {
      timers++;
      return clock.after(ms, callback);
    },
  });
  const ended: [string, number][] = [];
  const member = (name: string, ms: number, then?: () => void): Expiring => {
    const one = new Member(clock.now() + ms, () => {
      ended.push([name, clock.now() - began]);
      then?.();
    });
    limits.add(one);
    return one;
  };
  return { clock, limits, ended, member, timers: () => timers };
}

describe('expiration timers', () => {
  test('fire at their times, in any order of creation', () => {
    const { clock, ended, member } = openFixture();
    for (const ms of [30, 10, 20, 10]) member(`of ${ms}`, ms);
    clock.advance(100);
    expect(ended).toEqual([
      ['of 10', 10],
      ['of 10', 10],
      ['of 20', 20],
      ['of 30', 30],
    ]);
  });

  test('do not fire once they are deleted', () => {
    const { clock, limits, ended, member } = openFixture();
    const gone = member('gone', 10);
    member('stays', 20);
    limits.delete(gone);
    clock.advance(100);
    expect(ended).toEqual([['stays', 20]]);
  });

  test('share one timer, for any number', () => {
    const { clock, limits, ended, member, timers } = openFixture();
    for (let at = 0; at < 1000; at++) limits.delete(member('short of its time', 15_000));
    expect(timers()).toBe(1);
    clock.advance(15_000);
    expect([timers(), ended]).toEqual([1, []]);
  });

  test('can be created while others fire', () => {
    const { clock, ended, member } = openFixture();
    member('first', 10, () => member('second', 5));
    member('third', 40);
    clock.advance(100);
    expect(ended).toEqual([
      ['first', 10],
      ['second', 15],
      ['third', 40],
    ]);
  });

  test('that have expired already fire as soon as the clock advances', () => {
    const { clock, ended, member } = openFixture();
    member('late', -5);
    clock.advance(0);
    expect(ended).toEqual([['late', 0]]);
  });
});
