import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject } from '../../../../runtime/machinery/object.ts';
import { list, type StructMerge, text, textList, textMapping } from '../../../../runtime/machinery/schema/merge-schema.ts';
import { applyStrategicMergePatch } from '../../../../runtime/patch/strategic-merge/apply.ts';
import { createTwoWayStrategicMergePatch } from '../../../../runtime/patch/strategic-merge/diff.ts';

const volume: StructMerge = {
  kind: 'struct',
  mapType: 'granular',
  fields: {
    name: text,
    path: text,
    secret: text,
    keys: list(text, { listType: 'set', patchStrategy: 'merge' }),
  },
};
const thing: StructMerge = {
  kind: 'struct',
  mapType: 'granular',
  fields: {
    name: text,
    labels: textMapping,
    atomic: textList,
    set: list(text, { listType: 'set', patchStrategy: 'merge' }),
    volumes: list(() => volume, { listType: 'map', patchStrategy: 'merge,retainKeys', patchMergeKey: 'name' }),
    child: () => thing,
    strategy: () => volume,
  },
  patchStrategies: { strategy: 'retainKeys' },
};

const diff = (original: JsonObject, modified: JsonObject): JsonObject => createTwoWayStrategicMergePatch(original, modified, thing);

describe('createTwoWayStrategicMergePatch', () => {
  test.each<[string, JsonObject, JsonObject, JsonObject]>([
    ['equal objects', { name: 'a', set: [1] }, { name: 'a', set: [1] }, {}],
    [
      'changed, added and removed fields',
      { name: 'a', atomic: [1] },
      { name: 'b', labels: { x: '1' } },
      { name: 'b', labels: { x: '1' }, atomic: null },
    ],
    ['inside', { child: { name: 'a', set: [1] } }, { child: { set: [1] } }, { child: { name: null } }],
    ['atomic lists whole', { atomic: [1, 2] }, { atomic: [2] }, { atomic: [2] }],
    [
      'scalars by directive',
      { set: [1, 2] },
      { set: [3, 2] },
      { set: [3], '$deleteFromPrimitiveList/set': [1], '$setElementOrder/set': [3, 2] },
    ],
    [
      'elements by key',
      { volumes: [{ name: 'a', path: '1' }, { name: 'b' }] },
      { volumes: [{ name: 'c' }, { name: 'a', path: '2' }] },
      {
        volumes: [{ name: 'c' }, { name: 'a', path: '2', $retainKeys: ['name', 'path'] }, { name: 'b', $patch: 'delete' }],
        '$setElementOrder/volumes': [{ name: 'c' }, { name: 'a' }],
      },
    ],
    [
      'retainKeys',
      { strategy: { name: 'a', path: '1' } },
      { strategy: { name: 'b' } },
      { strategy: { name: 'b', path: null, $retainKeys: ['name'] } },
    ],
  ])('%s', (_name, original, modified, want) => {
    expect(diff(original, modified)).toEqual(want);
  });
});

const word = fc.constantFrom('a', 'b', 'c', 'd', 'e', '__proto__', 'toString');
const volumes = fc.uniqueArray(
  fc.record(
    { name: word, path: word, secret: word, keys: fc.uniqueArray(fc.constantFrom('x', 'y', 'z'), { minLength: 1 }) },
    { requiredKeys: ['name'] },
  ),
  { selector: (item) => item.name, minLength: 1 },
);
const leaf = {
  name: word,
  labels: fc.dictionary(word, word, { minKeys: 1 }),
  atomic: fc.array(fc.nat(5)),
  set: fc.uniqueArray(fc.nat(9), { minLength: 1 }),
  volumes,
  strategy: fc.record({ name: word, path: word, secret: word }, { requiredKeys: ['name'] }),
};
const object = fc
  .record({ ...leaf, child: fc.record(leaf, { requiredKeys: [] }) }, { requiredKeys: [] })
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonObject);

test('a patch computed from two objects turns one into the other', () => {
  fc.assert(
    fc.property(object, object, (original, modified) => {
      const [before, patch] = [JSON.stringify(original), diff(original, modified)];
      expect(applyStrategicMergePatch(original, patch, thing)).toEqual(modified);
      expect(JSON.stringify(original)).toBe(before);
    }),
    { numRuns: 250 },
  );
});

test('applying a patch again changes nothing', () => {
  fc.assert(
    fc.property(object, object, (original, modified) => {
      const patch = diff(original, modified);
      const once = applyStrategicMergePatch(original, patch, thing);
      expect(applyStrategicMergePatch(once, patch, thing)).toEqual(once);
    }),
    { numRuns: 100 },
  );
});
