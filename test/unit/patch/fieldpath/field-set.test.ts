import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject } from '../../../../runtime/machinery/object.ts';
import { FieldSet } from '../../../../runtime/patch/fieldpath/field-set.ts';
import { fromFieldsV1, toFieldsV1 } from '../../../../runtime/patch/fieldpath/fields-v1.ts';
import { newExcludeSetFilter } from '../../../../runtime/patch/fieldpath/filter.ts';
import {
  deserializePathElement,
  fieldElement as f,
  indexElement as i,
  keyElement,
  pathToString,
  sortPathElements,
  valueElement as v,
} from '../../../../runtime/patch/fieldpath/path-element.ts';

const k = (keys: Record<string, string | number>) => keyElement(Object.entries(keys));

describe('path elements', () => {
  test.each([
    ['f:a', f('a')],
    ['f:', f('')],
    ['f:.', f('.')],
    ['v:"x"', v('x')],
    ['v:1', v(1)],
    ['v:9007199254740993', v(9007199254740993n)],
    ['v:"\\u003ca\\u0026b\\u003e"', v('<a&b>')],
    ['i:3', i(3)],
    ['k:{"containerPort":80,"protocol":"TCP"}', k({ protocol: 'TCP', containerPort: 80 })],
  ])('%s', (text, element) => {
    expect(element).toBe(text);
    expect(deserializePathElement(text)).toBe(text);
  });

  test('are parsed in any spelling and written in one', () => {
    expect(deserializePathElement('k:{ "b": 1.0, "a":"\\u0041" }')).toBe('k:{"a":"A","b":1}');
    expect(deserializePathElement('i:+07')).toBe('i:7');
    expect(deserializePathElement('x:y')).toBeUndefined();
  });

  test.each([
    ['f', 'key must be 2 characters long:'],
    ['fo:x', 'missing colon: fo:x'],
    ['i:x', 'strconv.Atoi: parsing "x": invalid syntax'],
  ])('%s is invalid', (text, message) => expect(() => deserializePathElement(text)).toThrow(message));

  test('are ordered: fields, keys, values, indexes, each by content', () => {
    const want = [
      f('A'),
      f('a'),
      f('b'),
      f('\uffff'),
      f('😀'),
      k({ name: 'a' }),
      k({ name: 'a', port: 9 }),
      k({ name: 'a', port: 80 }),
      k({ name: 'b' }),
      v(2),
      v(10),
      v('a'),
      v(true),
      i(2),
      i(10),
    ];
    expect(sortPathElements([...want].reverse())).toEqual(want);
  });

  test('are shown in messages as paths', () => {
    expect(pathToString([f('spec'), f('ports'), k({ protocol: 'TCP', port: 80 }), f('name')])).toBe(
      '.spec.ports[port=80,protocol="TCP"].name',
    );
    expect(pathToString([f('finalizers'), v('a"b'), i(0)])).toBe('.finalizers[="a\\"b"][0]');
  });
});

describe('FieldsV1', () => {
  const set = FieldSet.of(
    [f('spec')],
    [f('spec'), f('ports'), k({ port: 80 })],
    [f('spec'), f('ports'), k({ port: 80 }), f('port')],
    [f('metadata'), f('finalizers'), v('x')],
    [f('a')],
  );
  const json = {
    'f:a': {},
    'f:metadata': { 'f:finalizers': { 'v:"x"': {} } },
    'f:spec': { '.': {}, 'f:ports': { 'k:{"port":80}': { '.': {}, 'f:port': {} } } },
  };

  test('is written in order, with a dot for members that have children', () => {
    expect(JSON.stringify(toFieldsV1(set))).toBe(JSON.stringify(json));
  });

  test('is read in any order', () => {
    expect(fromFieldsV1(json).equals(set)).toBe(true);
    const { 'f:a': a, ...rest } = json;
    expect(fromFieldsV1({ ...rest, 'f:a': a }).equals(set)).toBe(true);
  });

  test('is written as it was read if that is in order, and as any equal set otherwise', () => {
    expect(toFieldsV1(fromFieldsV1(json))).toBe(json);
    const key = fc.constantFrom('.', 'f:a', 'f:b', 'k:{"n":1}', 'k:{"n":2}', 'k:{ "n":1}', 'v:2', 'v:10', 'i:1', 'z:new');
    const { read } = fc.letrec<{ read: JsonObject }>((tie) => ({
      read: fc.dictionary(key, fc.oneof({ depthSize: 'small' }, fc.constant({}), fc.constant(null), tie('read')), {
        maxKeys: 4,
      }),
    }));
    fc.assert(
      fc.property(read, (given) => {
        const decoded = fromFieldsV1(given);
        const want = toFieldsV1(FieldSet.of(...decoded.paths()));
        expect(JSON.stringify(toFieldsV1(decoded))).toBe(JSON.stringify(want));
      }),
    );
  });

  test('drops path elements of unknown types and keeps their parent', () => {
    expect(JSON.stringify(toFieldsV1(fromFieldsV1({ 'f:a': { 'z:new': {} }, 'y:other': {} })))).toBe('{"f:a":{}}');
  });
});

describe('sets', () => {
  const [a, b] = [f('a'), f('b')];

  test('removing a parent keeps its children, unless it is removed recursively', () => {
    const set = FieldSet.of([a], [a, b], [b]);
    expect(set.difference(FieldSet.of([a])).paths()).toEqual([[b], [a, b]]);
    expect(set.recursiveDifference(FieldSet.of([a])).paths()).toEqual([[b]]);
    expect(set.difference(FieldSet.of([a, b])).paths()).toEqual([[a], [b]]);
  });

  test('leaves are members without children', () => {
    expect(FieldSet.of([a], [a, b], [b]).leaves().paths()).toEqual([[b], [a, b]]);
  });

  test('a filter excludes fields with their children', () => {
    const set = FieldSet.of([a], [a, b], [a, v(1), b], [b]);
    expect(newExcludeSetFilter(FieldSet.of([a]))(set).paths()).toEqual([[b]]);
  });

  const path = fc.array(fc.constantFrom(f('a'), f('b'), f('c'), v(1), k({ n: 1 })), { minLength: 1, maxLength: 4 });
  const paths = fc.array(path, { maxLength: 12 });
  const texts = (set: FieldSet) =>
    set
      .paths()
      .map((found) => found.join('/'))
      .sort();
  const model = (list: readonly (readonly string[])[]) => new Set(list.map((found) => found.join('/')));

  test('behave as plain sets of paths', () => {
    fc.assert(
      fc.property(paths, paths, (left, right) => {
        const [x, y] = [FieldSet.of(...left), FieldSet.of(...right)];
        const [p, q] = [model(left), model(right)];
        expect(texts(x)).toEqual([...p].sort());
        expect(texts(x.union(y))).toEqual([...new Set([...p, ...q])].sort());
        expect(texts(x.intersection(y))).toEqual([...p].filter((found) => q.has(found)).sort());
        expect(texts(x.difference(y))).toEqual([...p].filter((found) => !q.has(found)).sort());
        const below = (found: string) => [...q].some((other) => found === other || found.startsWith(`${other}/`));
        expect(texts(x.recursiveDifference(y))).toEqual([...p].filter((found) => !below(found)).sort());
        expect(x.equals(y)).toBe(texts(x).join() === texts(y).join());
        expect(x.size).toBe(p.size);
        expect(fromFieldsV1(JSON.parse(JSON.stringify(toFieldsV1(x)))).equals(x)).toBe(true);
      }),
    );
  });
});
