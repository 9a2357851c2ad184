import { expect, test } from '@jest/globals';
import type { Json } from '../../../../runtime/machinery/object.ts';
import { PruneContext } from '../../../../runtime/machinery/prune/context.ts';
import type { JsonSchema } from '../../../../runtime/machinery/schema/json-schema.ts';
import type { FieldError } from '../../../../runtime/machinery/validation/field-error.ts';
import { FieldPath } from '../../../../runtime/machinery/validation/field-path.ts';
import { compileSchema } from '../../../../runtime/structural/schema/compile.ts';
import { withoutBudget } from '../../../support/event-loop-budget.ts';
import { expectLinear, members } from '../../../support/growth.ts';
import type { TestObject } from '../../../support/test-object.ts';

// no budget, as on a worker thread: the test measures time
withoutBudget();

const text: JsonSchema = { type: 'string' };
const many = <T>(n: number, of: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => of(i));
const listOf = (items: JsonSchema, more: JsonSchema = {}): JsonSchema => ({ type: 'array', items, ...more });
const open: JsonSchema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const mapList: JsonSchema = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k', 'v'] };
const wide = (inner: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: members(2_000, (i) => [`p${i}`, inner]),
});

test.each<[string, number, (n: number) => JsonSchema, (n: number) => Json]>([
  ['a set', 5_000, () => listOf(text, { 'x-kubernetes-list-type': 'set' }), (n) => many(n, (i) => `a${i >> 1}`)],
  ['a map list', 5_000, () => listOf(open, mapList), (n) => many(n, (i) => ({ k: `a${i >> 1}`, v: 'b' }))],
  ['unique objects', 2_000, () => listOf(open, { uniqueItems: true }), (n) => many(n, (i) => ({ k: `a${i}` }))],
  ['an enum of objects', 2_000, (n) => listOf({ ...open, enum: many(n, (i) => ({ a: i })) }), (n) => many(n, (i) => ({ a: i }))],
  ['a value outside of a long enum', 2_000, (n) => listOf({ ...text, enum: many(n, (i) => `e${i}`) }), (n) => many(n, (i) => `z${i}`)],
  ['wrong types', 10_000, () => listOf(text), (n) => many(n, () => 1)],
  ['absent required fields', 10_000, () => listOf({ type: 'object', required: many(500, (i) => `r${i}`) }), (n) => many(n, () => ({}))],
  [
    'a large schema and small items',
    10_000,
    () => listOf(wide(listOf(text, { 'x-kubernetes-list-type': 'set' }))),
    (n) => many(n, () => ({})),
  ],
  [
    'defaults deep in a large schema',
    10_000,
    () => listOf(wide({ type: 'object', properties: { a: { ...text, default: 'x' } } })),
    (n) => many(n, () => ({})),
  ],
  ['unknown fields', 10_000, () => listOf({ type: 'object', properties: {} }), (n) => many(n, (i) => ({ [`u${i}`]: 1 }))],
])('%s: pruned, defaulted and validated in linear time', (_what, size, schemaOf, of) => {
  expectLinear(size, (n) => {
    const schema = compileSchema({ type: 'object', properties: { spec: schemaOf(n) } });
    const object = { apiVersion: 'a/v1', kind: 'A', metadata: {}, spec: of(n) } as unknown as TestObject;
    schema.validate(object, FieldPath.root, []);
    return () => {
      const pruned = schema.prune(object, new PruneContext({ collectUnknown: true }));
      schema.setDefaults(pruned);
      schema.validate(object, FieldPath.root, []);
    };
  });
});

test('a hundred errors of thousands are reported', () => {
  const schema = compileSchema({ type: 'object', properties: { spec: listOf(text) } });
  const errors: FieldError[] = [];
  schema.validate({ metadata: {}, spec: many(5_000, () => 1) } as TestObject, FieldPath.root, errors);
  expect(errors).toHaveLength(100);
});
