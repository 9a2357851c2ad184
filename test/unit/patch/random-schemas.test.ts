import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Json, JsonObject } from '../../../runtime/machinery/object.ts';
import {
  boolean,
  list,
  type MergeSchema,
  map,
  number,
  type StructMerge,
  text,
  untyped,
} from '../../../runtime/machinery/schema/merge-schema.ts';
import { fromFieldsV1, toFieldsV1 } from '../../../runtime/patch/fieldpath/fields-v1.ts';
import { createFieldManager } from '../../../runtime/patch/managed-fields/field-manager.ts';
import { applyStrategicMergePatch } from '../../../runtime/patch/strategic-merge/apply.ts';
import { createTwoWayStrategicMergePatch } from '../../../runtime/patch/strategic-merge/diff.ts';
import { compareTyped } from '../../../runtime/patch/typed/compare.ts';
import { mergeTyped } from '../../../runtime/patch/typed/merge.ts';
import { toFieldSet } from '../../../runtime/patch/typed/to-field-set.ts';
import { validateTyped } from '../../../runtime/patch/typed/validate.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import type { TestObject } from '../../support/test-object.ts';

/** A schema with a generator of values that conform to it. */
interface Shape {
  readonly schema: MergeSchema;
  readonly values: fc.Arbitrary<Json>;
}

const texts = fc.constantFrom('x', 'y', 'z');
const scalars: readonly Shape[] = [
  { schema: text(), values: texts },
  { schema: number(), values: fc.integer({ min: 0, max: 3 }) },
  { schema: boolean(), values: fc.boolean() },
];
const keyed = (item: Shape): Shape => {
  const fields = { name: text, size: () => item.schema };
  const element: StructMerge = { kind: 'struct', mapType: 'granular', fields };
  const values = fc.uniqueArray(fc.record({ name: texts, size: item.values }, { requiredKeys: ['name'], noNullPrototype: true }), {
    selector: ({ name }) => name,
    minLength: 1,
    maxLength: 3,
  });
  const facts = { listType: 'map', mapKeys: ['name'], patchStrategy: 'merge', patchMergeKey: 'name' } as const;
  return { schema: list(() => element, facts)(), values: values as fc.Arbitrary<Json> };
};
const set: Shape = {
  schema: list(text, { listType: 'set', patchStrategy: 'merge' })(),
  values: fc.uniqueArray(texts, { minLength: 1, maxLength: 3 }) as fc.Arbitrary<Json>,
};
const mapped = (inner: Shape, mapType: 'granular' | 'atomic'): Shape => ({
  schema: map(() => inner.schema, { mapType })(),
  values: fc.dictionary(texts, inner.values, { minKeys: 1, maxKeys: 3, noNullPrototype: true }) as fc.Arbitrary<Json>,
});
const listed = (inner: Shape): Shape => ({
  schema: list(() => inner.schema, { listType: 'atomic' })(),
  values: fc.array(inner.values, { minLength: 1, maxLength: 3 }) as fc.Arbitrary<Json>,
});
const anything: Shape = {
  schema: untyped(),
  values: fc.dictionary(texts, fc.integer(), { minKeys: 1, maxKeys: 2, noNullPrototype: true }) as fc.Arbitrary<Json>,
};

function struct(members: readonly Shape[], mapType: 'granular' | 'atomic' = 'granular'): Shape {
  const named = members.map((member, i) => [`f${i}`, member] as const);
  const fields = Object.fromEntries(named.map(([name, { schema }]) => [name, () => schema]));
  const record = Object.fromEntries(named.map(([name, { values }]) => [name, values]));
  return {
    schema: { kind: 'struct', mapType, fields },
    values: fc
      .record(record, { requiredKeys: [], noNullPrototype: true })
      .filter((value) => Object.keys(value).length > 0) as fc.Arbitrary<Json>,
  };
}

const { shape } = fc.letrec<{ shape: Shape }>((tie) => ({
  shape: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(...scalars, set, anything),
    tie('shape').map(keyed),
    tie('shape').map((inner) => mapped(inner, 'granular')),
    fc.constantFrom(...scalars).map((inner) => mapped(inner, 'atomic')),
    fc.constantFrom(...scalars).map(listed),
    fc.array(tie('shape'), { minLength: 1, maxLength: 3 }).map((members) => struct(members)),
    fc.array(fc.constantFrom(...scalars), { minLength: 1, maxLength: 2 }).map((members) => struct(members, 'atomic')),
  ),
}));

/** Strategic merge patch does not support objects in maps. */
const { plainShape } = fc.letrec<{ plainShape: Shape }>((tie) => ({
  plainShape: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(...scalars, set),
    tie('plainShape').map(keyed),
    fc.constantFrom(...scalars).map((inner) => mapped(inner, 'granular')),
    fc.constantFrom(...scalars).map(listed),
    fc.array(tie('plainShape'), { minLength: 1, maxLength: 3 }).map((members) => struct(members)),
  ),
}));

const pairsOf = (shapes: fc.Arbitrary<Shape>) =>
  fc
    .array(shapes, { minLength: 1, maxLength: 4 })
    .map((members) => struct(members))
    .chain(({ schema, values }) => fc.record({ schema: fc.constant(schema), a: values, b: values }));
const two = pairsOf(shape);

describe('for any schema', () => {
  test('values conform to their type and equal themselves', () => {
    fc.assert(
      fc.property(two, ({ schema, a }) => {
        validateTyped(a, schema);
        expect(mergeTyped(a, a, schema)).toEqual(a);
        const { added, removed, modified } = compareTyped(a, a, schema);
        expect([added.isEmpty, removed.isEmpty, modified.isEmpty]).toEqual([true, true, true]);
      }),
    );
  });

  test('fields survive a round trip through FieldsV1', () => {
    fc.assert(
      fc.property(two, ({ schema, a }) => {
        const fields = toFieldSet(a, schema);
        expect(fromFieldsV1(toFieldsV1(fields)).paths()).toEqual(fields.paths());
      }),
    );
  });

  test('a strategic patch computed from two objects turns one into the other', () => {
    fc.assert(
      fc.property(pairsOf(plainShape), ({ schema, a, b }) => {
        const patch = createTwoWayStrategicMergePatch(a as JsonObject, b as JsonObject, schema);
        expect(applyStrategicMergePatch(a as JsonObject, patch, schema)).toEqual(b);
      }),
      { numRuns: 200 },
    );
  });

  test('apply is idempotent, and keeps what is applied', () => {
    const gvk = { group: 'example.com', version: 'v1', kind: 'Thing' };
    const object = (spec: Json): TestObject =>
      ({ apiVersion: 'example.com/v1', kind: 'Thing', metadata: {}, spec }) as unknown as TestObject;
    fc.assert(
      fc.property(two, ({ schema, a, b }) => {
        const merge: StructMerge = {
          kind: 'struct',
          mapType: 'granular',
          fields: { apiVersion: text, kind: text, metadata: untyped, spec: () => schema },
        };
        const manager = createFieldManager({ merge, gvk, clock: new ManualClock() });
        const first: TestObject = manager.apply(object(a), object(b), 'one', true);
        expect(manager.apply(first, object(b), 'one', false)).toEqual(first);
        expect(mergeTyped(first.spec, b, schema)).toEqual(first.spec);
        const shared: TestObject = manager.apply(first, object(b), 'two', false);
        expect(shared.spec).toEqual(first.spec);
        const appliers = shared.metadata.managedFields?.filter(({ operation }) => operation === 'Apply');
        expect(appliers).toHaveLength(2);
        // one of two owners cannot remove a field
        const left: TestObject = manager.apply(shared, object({}), 'one', false);
        expect(left.spec).toEqual(first.spec);
      }),
      { numRuns: 200 },
    );
  });
});
