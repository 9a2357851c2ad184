import { describe, expect, test } from '@jest/globals';
import { isEventLoopBudgetError } from '../../../../runtime/machinery/event-loop/budget.ts';
import { checkEventLoopObjects, maxEventLoopObjects } from '../../../../runtime/machinery/event-loop/objects.ts';

const most = maxEventLoopObjects;
const list = (count: number, item: () => unknown = () => ({})): unknown[] => Array.from({ length: count }, item);
const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });

function fits(value: unknown): boolean {
  try {
    checkEventLoopObjects(value);
    return true;
  } catch (error) {
    if (!isEventLoopBudgetError(error)) throw error;
    return false;
  }
}

describe('the event loop takes an object by the objects in it', () => {
  test.each<[name: string, value: unknown, want: boolean]>([
    ['nothing', null, true],
    ['as many as it handles', { list: list(most - 1) }, true],
    ['one more', { list: list(most) }, false],
    ['items of two', { list: list(most / 2, () => ({ a: {} })) }, false],
    ['members of maps', { map: Object.fromEntries(list(most).map((one, at) => [at, one])) }, false],
    ['objects in each other', list(5, () => nested(900)), false],
    ['many texts and lists', { list: list(20_000, () => ['a', 1, null]) }, true],
  ])('%s', (_name, value, want) => {
    expect(fits(value)).toBe(want);
  });
});
