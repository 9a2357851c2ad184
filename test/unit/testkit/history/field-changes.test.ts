import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../runtime/machinery/object.ts';
import { changeText } from '../../../../runtime/testkit/history/change-text.ts';
import { fieldChanges } from '../../../../runtime/testkit/history/field-changes.ts';

const managed = (fieldsV1: JsonObject): JsonObject => ({ managedFields: [{ manager: 'm', fieldsV1 }] });
const keyed = managed({ 'f:items': { 'k:{"name":"a"}': { 'f:ports': { 'k:{"port":1,"protocol":"TCP"}': {} } } } });

describe('the fields that differ between two objects', () => {
  test.each<[string, JsonObject, JsonObject, string[]]>([
    ['none', { a: 1 }, { a: 1 }, []],
    ['a value', { a: { b: 1 } }, { a: { b: 2 } }, ['.a.b: 1 -> 2']],
    ['another type', { a: 1 }, { a: { b: 1 } }, ['.a: 1 -> {"b":1}']],
    ['an added and a removed one', { a: 1 }, { b: null }, ['-.a: 1', '+.b: null']],
    ['names with dots and slashes', { l: { 'a.b/c': '1' } }, { l: { 'a.b/c': '2' } }, ['.l["a.b/c"]: "1" -> "2"']],
    ['a list without keys', { a: [1, 2] }, { a: [1, 3, 4] }, ['.a[1]: 2 -> 3', '+.a[2]: 4']],
    ['what every write changes', { metadata: { resourceVersion: '1' } }, { metadata: { resourceVersion: '2' } }, []],
    [
      'items with keys, in any order',
      { metadata: keyed, items: [{ name: 'a', x: 1 }, { name: 'b' }] },
      { metadata: keyed, items: [{ name: 'c' }, { name: 'a', x: 2 }] },
      ['.items[name="a"].x: 1 -> 2', '-.items[name="b"]: {"name":"b"}', '+.items[name="c"]: {"name":"c"}'],
    ],
    [
      'items with several keys',
      { metadata: keyed, items: [{ name: 'a', ports: [{ port: 1, protocol: 'TCP', x: 1 }] }] },
      { metadata: keyed, items: [{ name: 'a', ports: [{ port: 1, protocol: 'TCP', x: 2 }] }] },
      ['.items[name="a"].ports[port=1,protocol="TCP"].x: 1 -> 2'],
    ],
    [
      'items with the same key, which have places only',
      { metadata: keyed, items: [{ name: 'a' }, { name: 'a' }] },
      { metadata: keyed, items: [{ name: 'a' }, { name: 'b' }] },
      ['.items[1].name: "a" -> "b"'],
    ],
    [
      'members of sets',
      { metadata: managed({ 'f:finalizers': { 'v:"x"': {} } }), finalizers: ['x', 'y'] },
      { metadata: managed({ 'f:finalizers': { 'v:"x"': {} } }), finalizers: ['z', 'x'] },
      ['-.finalizers[="y"]: "y"', '+.finalizers[="z"]: "z"'],
    ],
  ])('%s', (_, before, after, want) => {
    expect(fieldChanges(before, after).map((change) => changeText(change, 100))).toEqual(want);
  });

  test('have long values cut off', () => {
    expect(changeText({ path: '.a', after: 'x'.repeat(30) }, 10)).toBe('+.a: "xxxxxxxxx...');
  });
});
