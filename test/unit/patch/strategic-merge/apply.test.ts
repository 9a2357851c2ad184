import { describe, expect, test } from '@jest/globals';
import type { Json, JsonObject } from '../../../../runtime/machinery/object.ts';
import {
  list,
  type MergeSchema,
  map,
  type StructMerge,
  text,
  textList,
  textMapping,
  untyped,
} from '../../../../runtime/machinery/schema/merge-schema.ts';
import { isPatchError, type PatchErrorKind } from '../../../../runtime/patch/patch-error.ts';
import { applyStrategicMergePatch } from '../../../../runtime/patch/strategic-merge/apply.ts';

const port: StructMerge = {
  kind: 'struct',
  mapType: 'granular',
  fields: { port: text, name: text, tags: list(text, { listType: 'set', patchStrategy: 'merge' }) },
};

/** A type with a field of each kind of strategic merge. */
const thing: StructMerge = {
  kind: 'struct',
  mapType: 'granular',
  fields: {
    name: text,
    value: text,
    labels: textMapping,
    atomicList: textList,
    set: list(text, { listType: 'set', patchStrategy: 'merge' }),
    ports: list(() => port, { listType: 'map', mapKeys: ['port'], patchStrategy: 'merge', patchMergeKey: 'port' }),
    keyless: list(() => port, { listType: 'atomic', patchStrategy: 'merge' }),
    atomicPorts: list(() => port, { listType: 'atomic' }),
    child: () => thing,
    replaced: () => thing,
    retained: () => thing,
    extras: map(textList, { mapType: 'granular' }),
    raw: untyped,
    matrix: list(textList, { listType: 'atomic', patchStrategy: 'merge' }),
  },
  patchStrategies: { replaced: 'replace', retained: 'retainKeys' },
};

const apply = (document: JsonObject, patch: JsonObject, schema: MergeSchema = thing): JsonObject =>
  applyStrategicMergePatch(document, patch, schema);

describe('objects', () => {
  test.each<[string, JsonObject, JsonObject, JsonObject]>([
    ['scalars are replaced', { name: 'a', value: 1 }, { value: 2 }, { name: 'a', value: 2 }],
    ['members are added', { name: 'a' }, { value: 2 }, { name: 'a', value: 2 }],
    ['null removes', { name: 'a', value: 1 }, { value: null, labels: null }, { name: 'a' }],
    ['maps are merged', { labels: { a: '1', b: '2' } }, { labels: { b: null, c: '3' } }, { labels: { a: '1', c: '3' } }],
    ['structs are merged', { child: { name: 'a' } }, { child: { value: 1 } }, { child: { name: 'a', value: 1 } }],
    ['a field of strategy replace is replaced', { replaced: { name: 'a' } }, { replaced: { value: 1 } }, { replaced: { value: 1 } }],
    ['$patch: replace', { child: { name: 'a' } }, { child: { value: 1, $patch: 'replace' } }, { child: { value: 1 } }],
    ['$patch: delete', { child: { name: 'a' } }, { child: { $patch: 'delete' } }, { child: {} }],
    ['$patch: replace at the root', { name: 'a' }, { $patch: 'replace', value: 1 }, { value: 1 }],
    ['a directive for an absent object adds nothing', {}, { child: { $patch: 'delete' }, name: 'x' }, { name: 'x' }],
    ['nulls of a new object are omitted', {}, { child: { name: 'x', value: null } }, { child: { name: 'x' } }],
    ['a value of another type replaces the old one', { value: { a: 1 } }, { value: [1] }, { value: [1] }],
    [
      '$retainKeys keeps the named keys',
      { retained: { name: 'a', value: 1, labels: { x: '1' } } },
      { retained: { $retainKeys: ['name', 'labels'], name: 'b', value: null } },
      { retained: { name: 'b', labels: { x: '1' } } },
    ],
    [
      '$retainKeys at the root, beside directives',
      { name: 'a', set: ['x', 'y'], value: 1 },
      { $retainKeys: ['set'], '$deleteFromPrimitiveList/set': ['x'], '$setElementOrder/set': ['y'] },
      { set: ['y'] },
    ],
    ['unknown fields are merged', { odd: 1 }, { odd: 2, even: { x: 1 } }, { odd: 2, even: { x: 1 } }],
  ])('%s', (_name, document, patch, want) => {
    const before = JSON.stringify([document, patch]);
    expect(apply(document, patch)).toEqual(want);
    expect(JSON.stringify([document, patch])).toBe(before);
  });

  test('__proto__ is an ordinary member', () => {
    const patch = JSON.parse('{"labels":{"__proto__":"x"},"child":{"__proto__":{"name":"y"}}}') as JsonObject;
    const result = apply({ labels: { a: '1' }, child: {} }, patch);
    expect(JSON.stringify(result)).toBe('{"labels":{"a":"1","__proto__":"x"},"child":{"__proto__":{"name":"y"}}}');
  });
});

describe('lists of scalars', () => {
  test.each<[string, JsonObject, JsonObject, JsonObject]>([
    ['without a strategy they are replaced', { atomicList: [1, 2] }, { atomicList: [3] }, { atomicList: [3] }],
    ['with merge they are united, with new ones first', { set: [1, 2] }, { set: [3, 2] }, { set: [3, 1, 2] }],
    ['a new list is added', {}, { set: [1] }, { set: [1] }],
    ['an empty patch changes nothing', { set: [1] }, { set: [] }, { set: [1] }],
    ['two empty lists stay empty', { set: [] }, { set: [] }, { set: [] }],
    ['elements are deleted', { set: [1, 2, 3] }, { '$deleteFromPrimitiveList/set': [2, 9] }, { set: [1, 3] }],
    ['deleting from no list does nothing', {}, { '$deleteFromPrimitiveList/set': [2] }, {}],
    ['the order is set', { set: [1, 2, 3] }, { '$setElementOrder/set': [3, 4, 1], set: [4] }, { set: [2, 3, 4, 1] }],
    ['only the order is set', { set: [1, 2, 3] }, { '$setElementOrder/set': [3, 2, 1] }, { set: [3, 2, 1] }],
    ['an order for no list does nothing', { name: 'a' }, { '$setElementOrder/set': [1] }, { name: 'a' }],
    [
      'order and deletion together',
      { set: [1, 2, 3] },
      { '$setElementOrder/set': [3, 1], '$deleteFromPrimitiveList/set': [2] },
      { set: [3, 1] },
    ],
    ['1 and "1" are different', { set: ['1'] }, { '$deleteFromPrimitiveList/set': ['2'], set: ['1'] }, { set: ['1'] }],
  ])('%s', (_name, document, patch, want) => {
    expect(apply(document, patch)).toEqual(want);
  });
});

describe('lists of objects', () => {
  const a = { port: 1, name: 'a' };
  const b = { port: 2, name: 'b' };
  const c = { port: 3, name: 'c' };

  test.each<[string, JsonObject, JsonObject, JsonObject]>([
    ['elements are merged by key', { ports: [a, b] }, { ports: [{ port: 2, name: 'x' }] }, { ports: [a, { port: 2, name: 'x' }] }],
    ['new elements are added before those that the patch does not name', { ports: [a] }, { ports: [b] }, { ports: [b, a] }],
    ['$patch: delete', { ports: [a, b, c] }, { ports: [{ port: 2, $patch: 'delete' }] }, { ports: [a, c] }],
    ['$patch: delete of an absent element', { ports: [a] }, { ports: [{ port: 9, $patch: 'delete' }] }, { ports: [a] }],
    ['$patch: replace', { ports: [a, b] }, { ports: [{ $patch: 'replace' }, c] }, { ports: [c] }],
    ['$patch: replace alone empties the list', { ports: [a, b] }, { ports: [{ $patch: 'replace' }] }, { ports: [] }],
    ['delete and add', { ports: [a, b] }, { ports: [c, { port: 1, $patch: 'delete' }] }, { ports: [c, b] }],
    ['a new list loses its directives', {}, { ports: [a, { port: 2, $patch: 'delete' }] }, { ports: [a] }],
    ['an atomic list is replaced', { atomicPorts: [a, b] }, { atomicPorts: [c] }, { atomicPorts: [c] }],
    [
      'the order is set, and the other elements keep theirs',
      { ports: [a, b, c] },
      { '$setElementOrder/ports': [{ port: 3 }, { port: 1 }] },
      { ports: [b, c, a] },
    ],
    [
      'order, change and deletion together',
      { ports: [a, b, c] },
      {
        '$setElementOrder/ports': [{ port: 3 }, { port: 1 }],
        ports: [
          { port: 1, name: 'x' },
          { port: 2, $patch: 'delete' },
        ],
      },
      { ports: [c, { port: 1, name: 'x' }] },
    ],
    [
      'lists in elements are merged too',
      { ports: [{ port: 1, tags: ['x', 'y'] }] },
      { ports: [{ port: 1, tags: ['z'], '$deleteFromPrimitiveList/tags': ['x'] }] },
      { ports: [{ port: 1, tags: ['z', 'y'] }] },
    ],
    [
      'a repeated element is merged twice',
      { ports: [a] },
      {
        ports: [
          { port: 4, name: 'x' },
          { port: 4, tags: ['t'] },
        ],
      },
      { ports: [{ port: 4, name: 'x', tags: ['t'] }, a] },
    ],
  ])('%s', (_name, document, patch, want) => {
    expect(apply(document, patch)).toEqual(want);
  });
});

describe('rejections', () => {
  test.each<[JsonObject, JsonObject, PatchErrorKind, string]>([
    [{ child: {} }, { child: { $patch: 'merge' } }, 'internal', 'unknown patch type: merge in map: map[$patch:merge]'],
    [{ child: {} }, { child: { $retainKeys: 'x' } }, 'malformed', 'invalid patch format of retainKeys'],
    [{ child: {} }, { child: { $retainKeys: ['a'], name: 'x' } }, 'malformed', 'invalid patch format of retainKeys'],
    [{}, { '$deleteFromPrimitiveList.set': [1] }, 'malformed', 'invalid patch format of primitive list'],
    [{}, { '$setElementOrder.set': [1] }, 'malformed', 'invalid patch format of setElementOrder list'],
    [{ ports: [{ port: 1 }] }, { ports: [{ name: 'x' }] }, 'internal', 'map: map[name:x] does not contain declared merge key: port'],
    [
      { ports: [{ port: 1 }] },
      { ports: [{ $patch: 'delete' }] },
      'internal',
      'map: map[$patch:delete] does not contain declared merge key: port',
    ],
    [{ ports: [{ port: 1 }] }, { ports: [{ $patch: 'merge', port: 1 }] }, 'internal', 'merging lists cannot yet be specified in the patch'],
    [{ ports: [{ port: 1 }] }, { ports: [{ $patch: 'x', port: 1 }] }, 'internal', 'unknown patch type: x in map: map[$patch:x port:1]'],
    [{ ports: [{ port: 1 }] }, { ports: ['x'] }, 'internal', 'list element types are not identical: [[map[port:1]] [x]]'],
    [{ set: [1] }, { set: [[1]] }, 'internal', 'list element types are not identical: [[1] [[1]]]'],
    [{ set: [] }, { set: [[1]] }, 'unprocessable', 'lists of lists are not supported'],
    [{ matrix: [[1]] }, { matrix: [[2]] }, 'internal', 'unexpected slice of slice'],
    [{ keyless: [{ port: 1 }] }, { keyless: [{ port: 2 }] }, 'internal', 'cannot merge lists without merge key for struct'],
    [
      { set: [1, 2] },
      { set: [2, 1], '$setElementOrder/set': [1, 2] },
      'internal',
      "The order in patch list:\n[2 1]\n doesn't match $setElementOrder list:\n[1 2]\n",
    ],
    [{}, { '$setElementOrder/set': 'x' }, 'internal', 'expected a []interface {}, but received a string'],
    [{ set: 'x' }, { '$setElementOrder/set': [1] }, 'internal', 'expected a []interface {}, but received a string'],
    [{ odd: {} }, { odd: {} }, 'internal', 'unable to find api field in struct for the json field "odd"'],
    [
      { extras: { a: ['x'] } },
      { extras: { a: ['y'] } },
      'internal',
      'merging an object in json but data type is not struct, instead is: map',
    ],
  ])('%j with %j is %s', (document, patch, kind, message) => {
    let error: unknown;
    try {
      apply(document, patch);
    } catch (thrown) {
      error = thrown;
    }
    expect((error as Error | undefined)?.message).toBe(message);
    expect(isPatchError(error) && error.kind).toBe(kind);
  });
});

test('long lists are merged quickly', () => {
  const ports = Array.from({ length: 20_000 }, (_, i) => ({ port: i }));
  const patch = {
    ports: ports.map(({ port: number }) => ({ port: number + 10_000, name: 'x' })),
    '$setElementOrder/ports': [...ports].map(({ port: number }) => ({ port: number + 10_000 })),
  };
  expect((apply({ ports }, patch) as { ports: Json[] }).ports).toHaveLength(30_000);
});
