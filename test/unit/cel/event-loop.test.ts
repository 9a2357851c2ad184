import { expect, test } from '@jest/globals';
import { newRuleValidator, validateRules } from '../../../runtime/cel/rules/validate.ts';
import { isEventLoopBudgetError } from '../../../runtime/machinery/event-loop/budget.ts';
import type { Json } from '../../../runtime/machinery/object.ts';
import type { JsonSchema } from '../../../runtime/machinery/schema/json-schema.ts';

const list: JsonSchema = { type: 'array', items: { type: 'integer' } };
const schema = (...rules: string[]): JsonSchema => ({
  type: 'object',
  properties: { list, text: { type: 'string' } },
  'x-kubernetes-validations': rules.map((rule) => ({ rule })),
});
const self: Json = { list: Array.from({ length: 100 }, (_, i) => i), text: 'a'.repeat(3_000_000) };
const long = 'self.list.all(x, self.list.all(y, self.list.all(z, x + y + z >= 0)))';

/** Returns undefined if the rules exceed the budget of the event loop. */
function errorsOf(of: JsonSchema, value: Json = self): number | undefined {
  const tree = newRuleValidator(of, true);
  try {
    return validateRules(tree as NonNullable<typeof tree>, { self: value }).errors.length;
  } catch (error) {
    if (!isEventLoopBudgetError(error)) throw error;
    return undefined;
  }
}

test.each([
  ['a slow rule', long],
  ['|| that would ignore an error', `${long} || true`],
  ['&& that would ignore an error', `(${long} && false) || true`],
  ['a slow macro', `self.list.exists(q, ${long})`],
  ['a slow condition', `${long} ? true : true`],
  ['a pattern on a long text', 'self.text.matches("(a+)+$")'],
  ['a conversion of a long text', 'int(self.text) > 0 || true'],
  ['a size that counts no cost', 'self.list.all(x, (self.text + "é😀").size() > x)'],
  ['a pattern that is slow to compile', `self.text.matches("${'x{1000}'.repeat(20)}")`],
])('%s stops the evaluation', (_what, rule) => {
  expect(errorsOf(schema(rule))).toBeUndefined();
});

test('many rules that are cheap by themselves stop the evaluation', () => {
  const cheap = 'self.list.all(x, x >= 0)';
  const of = (count: number): JsonSchema => schema(...Array.from({ length: count }, (_, i) => `${cheap} || ${i} == 1`));
  expect(errorsOf(of(20))).toBe(0);
  const tree = newRuleValidator(of(400), true) as NonNullable<ReturnType<typeof newRuleValidator>>;
  const attempt = () => validateRules(tree, { self });
  expect(attempt).toThrow('hold the event loop');
});

test('rules that are compiled stay compiled when an evaluation is stopped', () => {
  const tree = newRuleValidator(schema(...Array.from({ length: 300 }, (_, i) => `self.list.size() > -${i + 1}`)), true);
  const small = { list: [1], text: '' };
  let attempts = 0;
  for (;;) {
    attempts++;
    try {
      expect(validateRules(tree as NonNullable<typeof tree>, { self: small }).errors).toEqual([]);
      break;
    } catch (error) {
      if (!isEventLoopBudgetError(error)) throw error;
      expect(attempts).toBeLessThan(50);
    }
  }
  expect(attempts).toBeGreaterThan(1);
});
