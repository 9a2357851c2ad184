import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { changed, parsePath } from './changes.ts';
import { coverage, documentPath, raised, readCounts } from './coverage.ts';
import { readTables, rowsOf } from './table.ts';

const tables = readTables();

test('the document says what the tables say', () => {
  expect(readFileSync(documentPath, 'utf8')).toBe(coverage(tables));
});

test('no table has fewer rows than it had, and all are counted', () => {
  const rows = Object.fromEntries(tables.map((table) => [table.name, rowsOf(table).length]));
  const counts = readCounts();
  expect(raised(counts, tables)).toEqual(counts);
  for (const [name, count] of Object.entries(counts)) expect([name, rows[name]]).toEqual([name, count]);
});

test('each function of upstream that refuses something is named by a row, or says why not', () => {
  const functions: Record<string, Record<string, number | string>> = parse(
    readFileSync(new URL('upstream-functions.yaml', import.meta.url), 'utf8'),
  );
  const named = new Set(tables.flatMap(rowsOf).flatMap(({ row }) => row.in?.match(/[A-Za-z_]\w+/g) ?? []));
  const unnamed = Object.entries(functions).flatMap(([file, sites]) =>
    Object.entries(sites).flatMap(([name, why]) => (named.has(name) || typeof why === 'string' ? [] : `${file}: ${name}`)),
  );
  expect(unnamed).toEqual([]);
});

test('no row is there twice', () => {
  for (const table of tables) {
    const seen = rowsOf(table).map(({ row }) => JSON.stringify(row));
    expect(seen.filter((row, index) => seen.indexOf(row) !== index)).toEqual([]);
  }
});

describe('changes of an object', () => {
  test.each([
    ['a member', { 'spec.a': 1 }, { spec: { a: 1, b: [1, 2] } }],
    ['a new object', { 'spec.c.d': 1 }, { spec: { b: [1, 2], c: { d: 1 } } }],
    ['an element', { 'spec.b[1]': 3 }, { spec: { b: [1, 3] } }],
    ['a new list', { 'spec.c[0].d': 1 }, { spec: { b: [1, 2], c: [{ d: 1 }] } }],
    ['a name with dots', { 'spec.["x.y/z"]': 1 }, { spec: { b: [1, 2], 'x.y/z': 1 } }],
    ['a removed member', { 'spec.b': null }, { spec: {} }],
    ['a removed element', { 'spec.b[0]': null }, { spec: { b: [2] } }],
  ])('%s', (_title, changes, expected) => {
    expect(changed({ metadata: {}, spec: { b: [1, 2] } }, changes)).toEqual({ metadata: {}, ...expected });
  });

  test('a path that is none is refused', () => {
    expect(() => parsePath('a[b')).toThrow('not a path: a[b');
  });
});
