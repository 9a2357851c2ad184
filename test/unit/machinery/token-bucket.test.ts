import { expect, test } from '@jest/globals';
import { TokenBucket } from '../../../runtime/machinery/token-bucket.ts';
import { ManualClock } from '../../support/manual-clock.ts';

test('a bucket lets through its burst, then one caller after the other, except those who have given up', async () => {
  const clock = new ManualClock();
  const bucket = new TokenBucket(2, 3, clock);
  const through: number[] = [];
  const givenUp = new AbortController();
  for (let caller = 0; caller < 6; caller++) {
    void bucket.take(caller === 4 ? givenUp.signal : undefined).then(() => through.push(caller));
  }
  const settled = () => new Promise(setImmediate);
  await settled();
  expect(through).toEqual([0, 1, 2]);
  givenUp.abort();
  clock.advance(499);
  await settled();
  expect(through).toEqual([0, 1, 2]);
  clock.advance(1);
  await settled();
  expect(through).toEqual([0, 1, 2, 3, 4]);
  clock.advance(500);
  await settled();
  expect(through).toEqual([0, 1, 2, 3, 4, 5]);
});
