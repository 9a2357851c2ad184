import { expect, test } from '@jest/globals';
import { RevisionTimes } from '../../../../runtime/testkit/faults/revision-times.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

test('the revision of a while ago is known from the beginning on, however many there are', () => {
  const clock = new ManualClock();
  let revision = 10;
  let commit = (): void => undefined;
  const store = {
    revision: () => revision,
    onCommit(listener: () => void) {
      commit = listener;
      return () => undefined;
    },
  };
  const times = new RevisionTimes(clock, store, 1000);
  expect(times.revisionAgo(0)).toBe(10);
  expect(times.revisionAgo(1000)).toBe(10);
  for (let at = 1; at <= 5000; at++) {
    clock.advance(1);
    revision += 2;
    commit();
  }
  expect([0, 1, 500, 1000].map((ago) => times.revisionAgo(ago))).toEqual([10_010, 10_008, 9_010, 8_010]);
});
