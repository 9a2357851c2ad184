import { describe, expect, test } from '@jest/globals';
import { waitForTurn } from '../../../../runtime/machinery/event-loop/yield.ts';

describe('turns', () => {
  test('one waiter continues in each turn of the event loop, in order', async () => {
    let loops = 0;
    let counting = true;
    const count = (): void => {
      loops += 1;
      if (counting) setImmediate(count);
    };
    setImmediate(count);
    const order: string[] = [];
    const at: number[] = [];
    const work = async (name: string): Promise<void> => {
      for (let step = 0; step < 3; step += 1) {
        await waitForTurn();
        order.push(`${name}${step}`);
        at.push(loops);
      }
    };
    await Promise.all([work('a'), work('b'), work('c')]);
    counting = false;
    expect(order.join(' ')).toBe('a0 b0 c0 a1 b1 c1 a2 b2 c2');
    expect(new Set(at).size).toBe(at.length);
  });
});
