import { describe, expect, test } from '@jest/globals';
import { Float64 } from '../../../../runtime/machinery/json/float64.ts';
import type { Json } from '../../../../runtime/machinery/object.ts';
import {
  list,
  type MergeSchema,
  map,
  number,
  type StructMerge,
  text,
  textList,
  textMapping,
  untyped,
} from '../../../../runtime/machinery/schema/merge-schema.ts';
import { FieldSet } from '../../../../runtime/patch/fieldpath/field-set.ts';
import { fromFieldsV1, toFieldsV1 } from '../../../../runtime/patch/fieldpath/fields-v1.ts';
import { compareTyped } from '../../../../runtime/patch/typed/compare.ts';
import { mergeTyped } from '../../../../runtime/patch/typed/merge.ts';
import { ensureNamedFieldsAreMembers } from '../../../../runtime/patch/typed/named-fields.ts';
import { reconcileFieldSetWithSchema } from '../../../../runtime/patch/typed/reconcile-schema.ts';
import { removeItems } from '../../../../runtime/patch/typed/remove-items.ts';
import { toFieldSet } from '../../../../runtime/patch/typed/to-field-set.ts';
import { validateTyped } from '../../../../runtime/patch/typed/validate.ts';

const port: StructMerge = {
  kind: 'struct',
  mapType: 'granular',
  fields: { port: number, protocol: text, name: text, tags: textList },
};
const atomicStruct: StructMerge = { kind: 'struct', mapType: 'atomic', fields: { x: text, y: text } };
const schema: StructMerge = {
  kind: 'struct',
  mapType: 'granular',
  fields: {
    text: text,
    count: number,
    labels: textMapping,
    set: list(text, { listType: 'set' }),
    ports: list(() => port, {
      listType: 'map',
      mapKeys: ['port', 'protocol'],
      keyDefaults: { protocol: 'TCP' },
    }),
    atomicList: textList,
    atomicMap: map(text, { mapType: 'atomic' }),
    atomicStruct: () => atomicStruct,
    inner: () => schema,
    any: untyped,
    raw: () => ({ kind: 'untyped', mapType: 'atomic' }),
    others: () => ({ kind: 'struct', mapType: 'granular', fields: { a: text }, others: untyped }),
  },
};

const fields = (set: FieldSet) => JSON.parse(JSON.stringify(toFieldsV1(set)));
const key = (n: number, protocol = 'TCP') => `k:{"port":${n},"protocol":"${protocol}"}`;

describe('the field set of a value', () => {
  test.each<[string, Json, Json]>([
    ['leaves', { text: 'a', count: null }, { 'f:text': {}, 'f:count': {} }],
    ['keys of maps, and maps only when empty', { labels: { a: 'b' } }, { 'f:labels': { 'f:a': {} } }],
    ['an empty map', { labels: {} }, { 'f:labels': {} }],
    ['an empty list has no fields', { set: [] }, {}],
    ['null in place of a list', { set: null }, { 'f:set': {} }],
    ['members of a set', { set: ['a', 'b'] }, { 'f:set': { 'v:"a"': {}, 'v:"b"': {} } }],
    [
      'items by their keys, with defaults',
      { ports: [{ port: 80, name: 'web' }] },
      { 'f:ports': { [key(80)]: { '.': {}, 'f:name': {}, 'f:port': {} } } },
    ],
    ['repeated items as one leaf', { ports: [{ port: 80, name: 'a' }, { port: 80 }] }, { 'f:ports': { [key(80)]: {} } }],
    ['repeated members', { set: ['a', 'a', 'b'] }, { 'f:set': { 'v:"a"': {}, 'v:"b"': {} } }],
    [
      'atomic parts as wholes',
      { atomicList: ['a'], atomicMap: { a: 'b' }, atomicStruct: { x: 'y' }, raw: { a: { b: 1 } } },
      { 'f:atomicList': {}, 'f:atomicMap': {}, 'f:atomicStruct': {}, 'f:raw': {} },
    ],
    [
      'untyped objects key by key',
      { any: { a: { b: [1] }, c: 1, d: {} } },
      { 'f:any': { 'f:a': { '.': {}, 'f:b': {} }, 'f:c': {}, 'f:d': {} } },
    ],
    ['fields beyond the named ones', { others: { a: 'x', b: { c: 1 } } }, { 'f:others': { 'f:a': {}, 'f:b': { '.': {}, 'f:c': {} } } }],
    ['nested structs', { inner: { inner: { text: 'a' } } }, { 'f:inner': { 'f:inner': { 'f:text': {} } } }],
    ['__proto__ as an ordinary key', { labels: JSON.parse('{"__proto__":"x"}') }, { 'f:labels': { 'f:__proto__': {} } }],
  ])('%s', (_name, value, want) => {
    expect(fields(toFieldSet(value, schema))).toEqual(want);
  });
});

describe('comparing values', () => {
  const nothing = { removed: {}, modified: {}, added: {} };
  test.each<[string, Json, Json, Partial<Record<'removed' | 'modified' | 'added', Json>>]>([
    ['nothing', { text: 'a', labels: {}, any: { a: [1] } }, { any: { a: [1] }, labels: {}, text: 'a' }, {}],
    ['a leaf', { text: 'a' }, { text: 'b' }, { modified: { 'f:text': {} } }],
    ['an added leaf', {}, { text: 'b' }, { added: { 'f:text': {} } }],
    ['a removed leaf', { text: 'b' }, {}, { removed: { 'f:text': {} } }],
    ['text differs from the number', { text: '1' }, { text: 1 }, { modified: { 'f:text': {} } }],
    ['an added map', {}, { labels: { a: 'b' } }, { added: { 'f:labels': { '.': {}, 'f:a': {} } } }],
    ['a map that was empty', { labels: {} }, { labels: { a: 'b' } }, { added: { 'f:labels': { 'f:a': {} } } }],
    ['a list that was null', { set: null }, { set: ['a'] }, { added: { 'f:set': { 'v:"a"': {} } } }],
    ['empty and null', { labels: {} }, { labels: null }, { modified: { 'f:labels': {} } }],
    [
      'items of a list',
      { ports: [{ port: 1 }, { port: 2, protocol: 'TCP', name: 'a' }] },
      { ports: [{ port: 2, name: 'b' }, { port: 3 }] },
      {
        removed: { 'f:ports': { [key(1)]: { '.': {}, 'f:port': {} }, [key(2)]: { 'f:protocol': {} } } },
        modified: { 'f:ports': { [key(2)]: { 'f:name': {} } } },
        added: { 'f:ports': { [key(3)]: { '.': {}, 'f:port': {} } } },
      },
    ],
    ['the order of items does not count', { set: ['a', 'b'] }, { set: ['b', 'a'] }, {}],
    ['the order in an atomic list counts', { atomicList: ['a', 'b'] }, { atomicList: ['b', 'a'] }, { modified: { 'f:atomicList': {} } }],
    ['atomic structs', { atomicStruct: { x: 'a' } }, { atomicStruct: { x: 'b' } }, { modified: { 'f:atomicStruct': {} } }],
    ['a change of type', { any: { a: 1 } }, { any: 'text' }, { removed: { 'f:any': { 'f:a': {} } }, modified: { 'f:any': {} } }],
    ['repeated items, equal', { set: ['a', 'a'] }, { set: ['a', 'a'] }, {}],
    ['repeated items, one more', { set: ['a', 'a'] }, { set: ['a', 'a', 'a'] }, { modified: { 'f:set': { 'v:"a"': {} } } }],
    [
      'an item that is no longer repeated',
      { ports: [{ port: 1 }, { port: 1, name: 'x' }] },
      { ports: [{ port: 1 }] },
      { removed: { 'f:ports': { [key(1)]: {} } }, added: { 'f:ports': { [key(1)]: { '.': {}, 'f:port': {} } } } },
    ],
    [
      'an item that is repeated now',
      { ports: [{ port: 1 }] },
      { ports: [{ port: 1 }, { port: 1, name: 'x' }] },
      { removed: { 'f:ports': { [key(1)]: { '.': {}, 'f:port': {} } } }, added: { 'f:ports': { [key(1)]: {} } } },
    ],
  ])('%s', (_name, left, right, want) => {
    const { removed, modified, added } = compareTyped(left, right, schema);
    expect({ removed: fields(removed), modified: fields(modified), added: fields(added) }).toEqual({
      ...nothing,
      ...want,
    });
  });
});

test.each<[Json, Json, boolean]>([
  // the float that a JavaScript webhook makes of the integer
  [9223372036854775807n, 2 ** 63, true],
  [2 ** 63, 9223372036854775807n, true],
  [9223372036854775807n, 9223372036854775806n, false],
  [9223372036854775807n, '9223372036854775807', false],
  [new Float64('5.0'), 5, true],
])('comparing %s and %s: equal is %s', (left, right, isEqual) => {
  for (const one of [(value: Json) => ({ count: value }), (value: Json) => ({ atomicList: [{ deep: value }] })]) {
    expect(compareTyped(one(left), one(right), schema).modified.isEmpty).toBe(isEqual);
  }
});

describe('merging a configuration into an object', () => {
  test.each<[string, Json, Json, Json | undefined]>([
    ['leaves win', { text: 'a', count: 1 }, { text: 'b' }, { text: 'b', count: 1 }],
    ['maps are merged', { labels: { a: '1' } }, { labels: { b: '2' } }, { labels: { a: '1', b: '2' } }],
    ['null over a map removes nothing', { labels: { a: '1' } }, { labels: null }, { labels: { a: '1' } }],
    [
      'atomic parts are replaced',
      { atomicList: ['a'], atomicStruct: { x: '1' } },
      { atomicList: ['b'], atomicStruct: { y: '2' } },
      { atomicList: ['b'], atomicStruct: { y: '2' } },
    ],
    ['sets keep their order', { set: ['a', 'b'] }, { set: ['c', 'b'] }, { set: ['a', 'c', 'b'] }],
    ['unless the configuration changes it', { set: ['a', 'b', 'c'] }, { set: ['c', 'a'] }, { set: ['b', 'c', 'a'] }],
    ['new items are placed as in the configuration', { set: ['a', 'c'] }, { set: ['a', 'b', 'c'] }, { set: ['a', 'b', 'c'] }],
    [
      'items are merged by their keys',
      { ports: [{ port: 1, protocol: 'TCP', name: 'x' }] },
      { ports: [{ port: 1, tags: ['t'] }] },
      { ports: [{ port: 1, protocol: 'TCP', name: 'x', tags: ['t'] }] },
    ],
    ['repeated items become one', { set: ['a', 'a', 'b'] }, { set: ['a'] }, { set: ['a', 'b'] }],
    ['repeated items stay if the configuration does not name them', { set: ['a', 'a'] }, { set: ['b'] }, { set: ['a', 'a', 'b'] }],
    ['another type of value replaces', { any: { a: 1 } }, { any: [1] }, { any: [1] }],
  ])('%s', (_name, live, config, want) => {
    expect(mergeTyped(live, config, schema)).toEqual(want);
  });
});

describe('removing items', () => {
  test.each<[string, Json, Json, Json]>([
    ['a key of a map', { labels: { a: '1', b: '2' } }, { 'f:labels': { 'f:a': {} } }, { labels: { b: '2' } }],
    ['the last key leaves null', { labels: { a: '1' } }, { 'f:labels': { 'f:a': {} } }, { labels: null }],
    ['an item', { ports: [{ port: 1 }, { port: 2 }] }, { 'f:ports': { [key(1)]: {} } }, { ports: [{ port: 2 }] }],
    ['a field of an item', { ports: [{ port: 1, name: 'a' }] }, { 'f:ports': { [key(1)]: { 'f:name': {} } } }, { ports: [{ port: 1 }] }],
    ['a member of a set', { set: ['a', 'b'] }, { 'f:set': { 'v:"a"': {} } }, { set: ['b'] }],
    ['nothing', { text: 'a' }, { 'f:count': {} }, { text: 'a' }],
  ])('%s', (_name, value, items, want) => {
    expect(removeItems(value, fromFieldsV1(items), schema)).toEqual(want);
  });
});

describe('values that do not conform to their type', () => {
  test.each<[string, Json, string]>([
    ['unknown fields', { inner: { nope: 1 } }, '.inner.nope: field not declared in schema'],
    ['numbers', { count: 'x' }, '.count: expected numeric (int or float), got string'],
    ['maps', { labels: ['a'] }, '.labels: expected map, got &{[a]}'],
    ['lists', { set: { a: 1 } }, '.set: expected list, got &{map[a:1]}'],
    ['text', { text: { a: 'b' } }, '.text: expected string, got &value.valueUnstructured{Value:map[string]interface {}{"a":"b"}}'],
    ['repeated members', { set: ['a', 'a'] }, '.set: duplicate entries for key [="a"]'],
    ['repeated items', { ports: [{ port: 1 }, { port: 1, protocol: 'TCP' }] }, '.ports: duplicate entries for key [port=1,protocol="TCP"]'],
    ['null in a set', { set: [null] }, ".set: element 0: associative list without keys has an element that's an explicit null"],
    ['null among items', { ports: [null] }, '.ports: element 0: associative list with keys may not have a null element'],
    [
      'several',
      { count: 'x', inner: { count: true } },
      'errors:\n  .count: expected numeric (int or float), got string\n  .inner.count: expected numeric (int or float), got bool',
    ],
  ])('%s', (_name, value, message) => {
    expect(() => validateTyped(value, schema)).toThrow(new Error(message));
  });

  test('an item without any key is rejected', () => {
    const conditions: MergeSchema = list(() => port, { listType: 'map', mapKeys: ['name'] })();
    expect(() => validateTyped([{ port: 1 }], conditions)).toThrow(
      `element 0: associative list with keys has an element that omits all key fields ["name"] (and doesn't have default values for any key fields)`,
    );
  });

  test('duplicates are allowed if asked for', () => {
    expect(() => validateTyped({ set: ['a', 'a'] }, schema, { allowDuplicates: true })).not.toThrow();
  });
});

test('named fields become members, and keys of maps do not', () => {
  const set = FieldSet.of(['f:inner', 'f:labels', 'f:a'], ['f:any', 'f:b', 'f:c'], ['f:ports', key(1), 'f:name']);
  expect(fields(ensureNamedFieldsAreMembers(set, schema))).toEqual({
    'f:any': { '.': {}, 'f:b': { 'f:c': {} } },
    'f:inner': { '.': {}, 'f:labels': { '.': {}, 'f:a': {} } },
    'f:ports': { '.': {}, [key(1)]: { 'f:name': {} } },
  });
});

test('the owner of a part of a list that became atomic owns the whole list', () => {
  const set = FieldSet.of(['f:atomicStruct', 'f:x'], ['f:inner', 'f:atomicList', 'v:"a"'], ['f:text'], ['f:any', 'f:a']);
  expect(fields(reconcileFieldSetWithSchema(set, schema))).toEqual({
    'f:any': { 'f:a': {} },
    'f:atomicStruct': {},
    'f:inner': { 'f:atomicList': {} },
    'f:text': {},
  });
});
