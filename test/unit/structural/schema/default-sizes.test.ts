import { describe, expect, test } from '@jest/globals';
import { isRequestTooLarge } from '../../../../runtime/machinery/errors/status.ts';
import { EventLoopBudgetError } from '../../../../runtime/machinery/event-loop/budget.ts';
import { fromUnstructured, type Json, type JsonObject } from '../../../../runtime/machinery/object.ts';
import type { JsonSchema } from '../../../../runtime/machinery/schema/json-schema.ts';
import { compileSchema } from '../../../../runtime/structural/schema/compile.ts';
import { withoutBudget } from '../../../support/event-loop-budget.ts';

const long = (length: number): string => 'x'.repeat(length);
const text = (length: number): JsonSchema => ({ type: 'string', default: long(length) });
const object = (properties: Record<string, JsonSchema>, more: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...more,
});
const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });

/** Fills in the defaults of `spec`, and returns its JSON. */
function defaulted(spec: JsonSchema, value: Json): string {
  const made: JsonObject = { metadata: {}, spec: value };
  compileSchema(object({ spec })).setDefaults(fromUnstructured(made));
  return JSON.stringify(made.spec);
}

type Row = readonly [what: string, schema: JsonSchema, value: (count: number) => Json, fitting: number];

describe('defaults may add 1.5 MiB to an object', () => {
  withoutBudget();

  test.each<Row>([
    ['in items', list(object({ a: text(1_000) })), items, 1_500],
    ['in members', { type: 'object', additionalProperties: object({ a: text(1_000) }) }, members, 1_500],
    ['in place of nulls', list(text(1_000)), (n) => Array(n).fill(null), 1_500],
    [
      'in place of null members',
      { type: 'object', additionalProperties: text(1_000) },
      (n) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, null])),
      1_500,
    ],
    ['below defaults', list(object({ a: object({ b: object({ c: text(1_000) }, { default: {} }) }, { default: {} }) })), items, 1_500],
    ['as whole objects', list(object({ a: { ...object({ b: text(500) }), default: { c: long(500) } } })), items, 2_900],
    ['of empty texts', list(object({ a: text(0) })), items, 500_000],
  ])('%s, and not more', (_what, schema, value, fitting) => {
    expect(defaulted(schema, value(fitting)).length).toBeGreaterThan(1_000_000);
    let error: unknown;
    try {
      defaulted(schema, value(Math.ceil(fitting * 1.1)));
    } catch (thrown) {
      error = thrown;
    }
    expect(isRequestTooLarge(error)).toBe(true);
  });

  test('and nulls that stay cost nothing', () => {
    const nulls = Array(600_000).fill(null);
    expect(defaulted(list(object({ a: text(10) })), nulls)).toHaveLength(3_000_001);
  });
});

test('defaults of 65 KiB belong on a worker thread', () => {
  const schema = list(object({ a: text(1_000) }));
  expect(defaulted(schema, items(60))).toHaveLength(60 * 1_009 + 1);
  expect(() => defaulted(schema, items(66))).toThrow(EventLoopBudgetError);
});

function items(count: number): Json {
  return Array.from({ length: count }, () => ({}));
}

function members(count: number): Json {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, {}]));
}
