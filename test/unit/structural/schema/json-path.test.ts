import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../../../runtime/machinery/object.ts';
import { newRowBudget } from '../../../../runtime/machinery/resource.ts';
import { columnCell, compileJsonPath, selectableValue } from '../../../../runtime/structural/schema/json-path.ts';

const object = {
  metadata: { name: 'x', labels: { 'a.b/c': 'dotted' }, creationTimestamp: '2020-01-01T00:00:00Z' },
  spec: {
    replicas: 3,
    ratio: 0.5,
    large: 9007199254740993n,
    on: true,
    none: null,
    tags: ['a', 'b', 'c'],
    map: { z: 1, a: [1] },
    markup: ['<a>&'],
  },
  status: {
    conditions: [
      { type: 'Ready', status: 'True', count: 1 },
      { type: 'Other', status: 'False', count: 2 },
    ],
  },
};

describe('values at a path', () => {
  test.each<[string, unknown[]]>([
    ['.spec.replicas', [3]],
    ['.spec.missing.deeper', []],
    ['.spec.replicas.deeper', []],
    ['.', []],
    [".metadata.labels['a.b/c']", []],
    [".metadata.labels['a\\.b/c']", ['dotted']],
    ['.metadata.labels.a\\.b/c', ['dotted']],
    ['.spec.tags[0]', ['a']],
    ['.spec.tags[-1]', ['c']],
    ['.spec.tags[-1:]', ['c']],
    ['.spec.tags[0:2]', ['a', 'b']],
    ['.spec.tags[::2]', ['a', 'c']],
    ['.spec.tags[*]', ['a', 'b', 'c']],
    ['.spec.tags[0,2]', ['a', 'c']],
    ['.spec.map.*', [1, [1]]],
    ['.status.conditions[?(@.type=="Ready")].status', ['True']],
    [".status.conditions[?(@.type=='Ready')].status", ['True']],
    ['.status.conditions[?(@.type!="Ready")].type', ['Other']],
    ['.status.conditions[?(@.count>1)].type', ['Other']],
    ['.status.conditions[?(@.reason)].type', []],
    ['.status.conditions[?(@.type=="(Ready)")].status', []],
    ['..type', ['Ready', 'Other']],
    ['$.spec.on', [true]],
  ])('%s', (path, want) => {
    expect(compileJsonPath(path)(object)).toEqual(want);
  });

  test.each([
    ['.a[', 'unterminated array'],
    ['.a[x]', 'invalid array index x'],
    ['.a[?(@.b==1]', 'unterminated filter'],
    ['.a}', 'unclosed action'],
    ['....a', 'invalid multiple recursive descent'],
  ])('%s is not a path', (path, why) => {
    expect(() => compileJsonPath(path)).toThrow(why);
  });

  test.each([
    ['range', 'unrecognized identifier range'],
    ['.spec.tags[5]', 'array index out of bounds: index 5, length 3'],
    ['.spec[0]', 'value is not array or slice'],
    ['.spec.tags[?(@==1)]', 'incompatible types for comparison'],
  ])('%s does not match the schema', (path, why) => {
    expect(() => compileJsonPath(path)(object)).toThrow(why);
  });
});

const now = Date.parse('2020-01-03T00:00:00Z');

describe('the cells of a printer column', () => {
  test.each<[string, string, unknown]>([
    ['string', '.spec.replicas', '3'],
    ['string', '.spec.on', 'true'],
    ['string', '.spec.tags', '["a","b","c"]'],
    ['string', '.spec.map', '{"a":[1],"z":1}'],
    ['string', '.spec.markup', '["\\u003ca\\u003e\\u0026"]'],
    ['string', '.spec.tags[*]', 'a'],
    ['string', '.spec.none', '<no value>'],
    ['string', '.spec.missing', null],
    ['string', '.spec.tags[9]', null],
    ['integer', '.spec.replicas', 3],
    ['integer', '.spec.ratio', 0],
    ['integer', '.spec.large', 9007199254740993n],
    ['integer', '.metadata.name', null],
    ['number', '.spec.ratio', 0.5],
    ['boolean', '.spec.on', true],
    ['boolean', '.metadata.name', null],
    ['date', '.metadata.creationTimestamp', '2d'],
    ['date', '.metadata.name', '<invalid>'],
    ['date', '.spec.replicas', null],
    ['date', '.spec.none', null],
  ])('%s %s', (type, path, want) => {
    expect(columnCell(type, path)(object, now)).toBe(want);
  });
});

test.each([
  ['.spec.replicas', '3'],
  ['.spec.on', 'true'],
  ['.metadata.name', 'x'],
  ['.spec.none', ''],
  ['.spec.missing', ''],
])('the value of the selectable field %s', (path, want) => {
  expect(selectableValue(path)(object)).toBe(want);
});

describe('a row of a table costs at most so much', () => {
  const nested = (levels: number): Json => (levels === 0 ? 1 : { a: nested(levels - 1) });
  const wide = { metadata: {}, spec: nested(100), text: 'x'.repeat(1_000_000) };

  test.each([
    ['unions of the same member', `.spec${"['a','a']".repeat(60)}`],
    ['descents below descents', `.spec${'..[*]'.repeat(30)}`],
    ['descents to a member', `.spec${'..a'.repeat(30)}`],
  ])('%s find nothing', (_what, path) => {
    expect(columnCell('string', path)(wide, 0)).toBeNull();
    expect(selectableValue(path)(wide)).toBe('');
  });

  test('long texts and what other columns have found count together', () => {
    const budget = newRowBudget();
    const cell = columnCell('string', '.text');
    const lengths = Array.from({ length: 6 }, () => String(cell(wide, 0, budget) ?? '').length);
    expect(lengths).toEqual([1_000_000, 1_000_000, 1_000_000, 1_000_000, 0, 0]);
    expect(columnCell('integer', '.spec.a')(wide, 0, budget)).toBeNull();
    expect(cell(wide, 0, newRowBudget())).toHaveLength(1_000_000);
  });
});
