import { expect, test } from '@jest/globals';
import { eachInSlices } from '../../../../runtime/machinery/event-loop/each-in-slices.ts';

test('work on each item goes on if some of it fails, and lets others run when it takes long', async () => {
  const log: string[] = [];
  const longerThanASlice = 5;
  const errors = await eachInSlices([1, 2, 3], async (item) => {
    for (const end = performance.now() + longerThanASlice; performance.now() < end; );
    log.push(`item ${item}`);
    if (item === 1) setImmediate(() => log.push('another'));
    if (item !== 3) throw new Error(`failure ${item}`);
  });
  expect(log.filter((entry) => entry !== 'another')).toEqual(['item 1', 'item 2', 'item 3']);
  expect(log.indexOf('another')).toBeLessThan(3);
  expect(errors).toEqual([new Error('failure 1'), new Error('failure 2')]);
});
