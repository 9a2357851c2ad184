import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { encodeJson } from '../../../runtime/codec/json.ts';
import { jsonListComma, jsonListEnd } from '../../../runtime/codec/json-list.ts';
import { metaVersionOf, partialObjectMetadata } from '../../../runtime/codec/partial-metadata.ts';
import { columnDefinitions, includedObject, rowCells, table, tableHead } from '../../../runtime/codec/table.ts';
import { Descriptions } from '../../../runtime/machinery/descriptions.ts';
import type { TableColumn } from '../../../runtime/machinery/resource.ts';
import type { TestObject } from '../../support/test-object.ts';

const column = (name: string, cell: TableColumn['cell'], priority = 0): TableColumn => ({
  name,
  type: 'string',
  format: name === 'Name' ? 'name' : '',
  description: `the ${name}`,
  priority,
  cell,
});
const columns = [column('Name', (object) => object.metadata.name ?? null), column('Age', (_object, now) => `${now}ms`, 1)];
const object: TestObject = { apiVersion: 'v1', kind: 'Thing', metadata: { name: 'x' }, spec: { a: 1 } };
const partial = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: { name: 'x' } };

describe('tables', () => {
  test.each([
    ['None', null],
    ['Metadata', partial],
    ['Object', object],
  ] as const)('a row with includeObject=%s', (include, want) => {
    expect(rowCells(object, columns, 5)).toEqual(['x', '5ms']);
    expect(includedObject(object, include)).toEqual(want);
  });

  test('a column that shows metadata is described as its field is, where that is known', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kubeloom-table-'));
    const file = join(folder, 'descriptions.tsv');
    await writeFile(file, '\nio.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta\t{"name":"upstream\'s"}\n');
    const [name, age] = columns;
    const shown = [{ ...name, field: 'name' }, name, { ...age, field: 'creationTimestamp' }] as const;
    const described = (known: Descriptions): string[] => columnDefinitions(shown, known).map((one) => one.description);
    expect(described(new Descriptions(file))).toEqual(["upstream's", 'the Name', 'the Age']);
    expect(described(new Descriptions(undefined))).toEqual(['the Name', 'the Name', 'the Age']);
    await rm(folder, { recursive: true });
  });

  test('a table has headers and the metadata of the list', () => {
    const whole = table([], columns, { resourceVersion: '7', continue: '', remainingItemCount: 0 }, 'v1beta1');
    expect(whole).toEqual({
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1beta1',
      metadata: { resourceVersion: '7', remainingItemCount: 0 },
      columnDefinitions: [
        { name: 'Name', type: 'string', format: 'name', description: 'the Name', priority: 0 },
        { name: 'Age', type: 'string', format: '', description: 'the Age', priority: 1 },
      ],
      rows: [],
    });
    expect(table([], undefined, {}).columnDefinitions).toBeNull();
  });

  test('a table assembled from encoded rows equals the encoded table', () => {
    const rows = (['None', 'Object'] as const).map((include, index) => ({
      cells: rowCells(object, columns, index),
      object: includedObject(object, include),
    }));
    const [first, second] = rows.map(encodeJson);
    const meta = { resourceVersion: '7' };
    const pieces = Buffer.concat([tableHead(columns, meta), first, jsonListComma, second, jsonListEnd]);
    expect(pieces.toString()).toBe(`${Buffer.from(encodeJson(table(rows, columns, meta))).toString()}\n`);
  });
});

describe('partial metadata', () => {
  test('is a view of an object, in either version', () => {
    expect(partialObjectMetadata(object)).toEqual(partial);
    expect(partialObjectMetadata(object, 'v1beta1')).toEqual({ ...partial, apiVersion: 'meta.k8s.io/v1beta1' });
  });

  test('exists in two versions of one group', () => {
    expect(metaVersionOf({ group: 'meta.k8s.io', version: 'v1' })).toBe('v1');
    expect(metaVersionOf({ group: 'meta.k8s.io', version: 'v2' })).toBeUndefined();
    expect(metaVersionOf({ group: '', version: 'v1' })).toBeUndefined();
  });
});
