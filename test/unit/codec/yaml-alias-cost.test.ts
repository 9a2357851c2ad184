import { expect, test } from '@jest/globals';
import { decodeYaml } from '../../../runtime/codec/yaml.ts';
import { isEventLoopBudgetError, withoutEventLoopBudget } from '../../../runtime/machinery/event-loop/budget.ts';

const list = (length: number, item: string): string => `[${Array(length).fill(item).join(', ')}]`;
const many = Buffer.from(`a: &a ${list(800, 'x')}\nb: ${list(75, '*a')}\n`);

test('a small text that aliases expand is decoded by a worker thread, not on the event loop', () => {
  let error: unknown;
  try {
    decodeYaml(many);
  } catch (thrown) {
    error = thrown;
  }
  expect(isEventLoopBudgetError(error)).toBe(true);
  expect((withoutEventLoopBudget(() => decodeYaml(many)) as { b: unknown[] }).b).toHaveLength(75);
});
