import { describe, expect, test } from '@jest/globals';
import { once } from '../../../../runtime/machinery/event-loop/once.ts';

describe('what is made once', () => {
  test('is the same for everybody who asks', async () => {
    let count = 0;
    const get = once(async () => ++count);
    expect(await Promise.all([get(), get()])).toEqual([1, 1]);
    expect(await get()).toBe(1);
  });

  test('is made again after a failure, which only those see who waited for it', async () => {
    let count = 0;
    const get = once(async () => {
      if (++count === 1) throw new Error('not yet');
      return count;
    });
    const both = [get(), get()];
    for (const one of both) await expect(one).rejects.toThrow('not yet');
    expect(await get()).toBe(2);
  });
});
