import { describe, expect, test } from '@jest/globals';
import type { Json, JsonObject, KubeObject } from '../../../runtime/machinery/object.ts';
import { list, type MergeSchema, number, text, textMapping, untyped } from '../../../runtime/machinery/schema/merge-schema.ts';
import { fromFieldsV1, toFieldsV1 } from '../../../runtime/patch/fieldpath/fields-v1.ts';
import { applyJsonPatch } from '../../../runtime/patch/json-patch.ts';
import { createFieldManager } from '../../../runtime/patch/managed-fields/field-manager.ts';
import { applyMergePatch } from '../../../runtime/patch/merge-patch.ts';
import { scalarTexts } from '../../../runtime/patch/scalar-texts.ts';
import { applyStrategicMergePatch } from '../../../runtime/patch/strategic-merge/apply.ts';
import { compareTyped } from '../../../runtime/patch/typed/compare.ts';
import { mergeTyped } from '../../../runtime/patch/typed/merge.ts';
import { toFieldSet } from '../../../runtime/patch/typed/to-field-set.ts';
import { validateTyped } from '../../../runtime/patch/typed/validate.ts';
import { withoutBudget } from '../../support/event-loop-budget.ts';
import { expectLinear, members } from '../../support/growth.ts';

// no budget, as on a worker thread: the test measures time
withoutBudget();

const item: MergeSchema = { kind: 'struct', mapType: 'granular', fields: { k: text, n: number, v: text } };
const schema: MergeSchema = {
  kind: 'struct',
  mapType: 'granular',
  fields: {
    apiVersion: text,
    kind: text,
    metadata: untyped,
    map: list(() => item, { listType: 'map', mapKeys: ['k', 'n'], patchStrategy: 'merge', patchMergeKey: 'k' }),
    set: list(text, { listType: 'set', patchStrategy: 'merge' }),
    labels: textMapping,
  },
};
const many = <T>(n: number, of: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => of(i));
const document = (n: number, value = 'a'): JsonObject => ({
  map: many(n, (i) => ({ k: `k${i}`, n: i, v: value })),
  set: many(n, (i) => `s${value}${i}`),
  labels: members(n, (i) => [`l${i}`, value]),
});

describe('a JSON patch takes linear time', () => {
  test.each<[string, number, (n: number) => [Json, Json]]>([
    ['inserts at the front', 1_000, (n) => [{ a: [] }, many(n, () => ({ op: 'add', path: '/a/0', value: 1 }))]],
    [
      'a long list moved back and forth',
      500,
      (n) => [{ a: many(50_000, (i) => i) }, many(n, (i) => ({ op: 'move', from: i % 2 ? '/b' : '/a', path: i % 2 ? '/a' : '/b' }))],
    ],
    ['copies', 20, (n) => [{ a: many(1_000, () => 1) }, many(n, (i) => ({ op: 'copy', from: '/a', path: `/b${i}` }))]],
    ['a long path', 100_000, (n) => [{}, [{ op: 'add', path: '/x'.repeat(n), value: 1 }]]],
  ])('%s', (_what, size, make) => {
    expectLinear(size, (n) => {
      const [doc, patch] = make(n);
      return () => applyJsonPatch(doc, patch);
    });
  });

  test.each<[string, (n: number) => Json]>([
    ['numbers', (n) => many(n, (i) => i)],
    ['escaped text', (n) => '\\"\n'.repeat(n)],
    ['members', (n) => members(n, (i) => [`k${i}`, `v${i}`])],
  ])('the texts of a test, of %s', (_what, make) => {
    expectLinear(2_000, (n) => {
      const patch = JSON.stringify([{ op: 'test', path: '/a', value: make(n) }]);
      return () => scalarTexts(patch, 1);
    });
  });

  test('a copy that doubles the document is rejected', () => {
    const patch = many(40, () => ({ op: 'copy', from: '/a', path: '/a/-' }));
    expect(() => applyJsonPatch({ a: ['x'.repeat(100)] }, patch)).toThrow('exceeding the limit 3145728');
  });

  test('a result that nests too deep is rejected, with a short error', () => {
    const deep = many(990, () => 0).reduce<Json>((inner) => [inner], 1);
    const patch: Json = [
      { op: 'add', path: '/a', value: deep },
      { op: 'move', from: '/a', path: '/b/c/d/e/f/g/h/i/j/k/l/m' },
    ];
    const doc = { b: { c: { d: { e: { f: { g: { h: { i: { j: { k: { l: {} } } } } } } } } } } };
    expect(() => applyJsonPatch(doc, patch)).toThrow('exceeded max depth');
    const long = [{ op: 'remove', path: `/${'x'.repeat(100_000)}` }];
    expect(() => applyJsonPatch({}, long)).toThrow(expect.objectContaining({ message: expect.stringMatching(/^.{1,1100}$/) }));
  });
});

test('a merge patch takes linear time', () => {
  expectLinear(5_000, (n) => {
    const [doc, patch] = [document(n), { labels: members(n, (i) => [`l${i}`, null]) }];
    return () => applyMergePatch(doc, patch);
  });
});

test('a strategic merge patch takes linear time, with its directives', () => {
  expectLinear(3_000, (n) => {
    const patch: JsonObject = {
      map: many(n, (i) => ({ k: `k${i}`, v: 'b' })),
      '$setElementOrder/map': many(n, (i) => ({ k: `k${i}` })),
      '$deleteFromPrimitiveList/set': many(n, (i) => `sa${i}`),
      labels: { $retainKeys: many(n, (i) => `l${i}`), ...members(n, (i) => [`l${i}`, 'b']) },
    };
    const doc = document(n);
    return () => applyStrategicMergePatch(doc, patch, schema);
  });
});

describe('field ownership takes linear time', () => {
  test.each<[string, (n: number) => () => unknown]>([
    ['validated', (n) => () => validateTyped(document(n), schema)],
    ['the fields of an object', (n) => () => toFieldSet(document(n), schema)],
    ['compared', (n) => () => compareTyped(document(n), document(n, 'b'), schema)],
    ['merged', (n) => () => mergeTyped(document(n), document(n, 'b'), schema)],
    ['written and read', (n) => () => fromFieldsV1(toFieldsV1(toFieldSet(document(n), schema)))],
  ])('%s', (_what, make) => expectLinear(2_000, make));

  const options = { merge: schema, gvk: { group: 'a', version: 'v1', kind: 'A' }, clock: { now: () => new Date(0) } };
  const manager = createFieldManager(options as unknown as Parameters<typeof createFieldManager>[0]);
  const object = (fields: JsonObject, metadata = {}): KubeObject => ({
    apiVersion: 'a/v1',
    kind: 'A',
    metadata,
    ...fields,
  });

  test('applied, and applied again with fewer fields', () => {
    expectLinear(1_000, (n) => () => {
      const first = manager.apply(object({}), object(document(n)), 'me', false);
      manager.apply(first, object(document(n / 2)), 'me', false);
    });
  });

  test.each(['Update', 'Apply'])('among thousands of managers (%s)', (operation) => {
    expectLinear(500, (n) => {
      const managedFields = many(n, (i) => ({
        manager: `m${i}`,
        operation,
        apiVersion: 'a/v1',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:labels': { [`f:l${i}`]: {} } },
      }));
      const live = object(document(n), { uid: 'u', managedFields });
      return () => manager.update(live, object({ labels: {} }, live.metadata), 'me');
    });
  });

  test('an error lists a hundred conflicts of thousands', () => {
    const live = manager.apply(object({}), object(document(5_000)), 'me', false);
    let message = '';
    try {
      manager.apply(live, object(document(5_000, 'b')), 'you', false);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toMatch(/^Apply failed with 10000 conflicts: conflicts with "me":\n- /);
    expect(message.length).toBeLessThan(9_000);
  });
});
