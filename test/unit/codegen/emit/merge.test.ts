import { describe, expect, test } from '@jest/globals';
import { emitMerge } from '../../../../codegen/emit/merge.ts';
import type { FieldModel } from '../../../../codegen/model/model.ts';
import { exampleV1, field, list, map, message, model, objectMeta, scalar, special, type } from '../model-fixture.ts';

const context = { header: '', runtime: '../../../../runtime' };

function emitOnly(given: FieldModel): string {
  const only = type('example.com/v1', 'Only', [given]);
  return emitMerge({ ...exampleV1, types: [only], resources: [] }, model, context);
}

describe('a field becomes a function that returns its schema', () => {
  const port = message('example.com/v1.Port');
  const cases: [string, FieldModel, string][] = [
    ['text', field('a', scalar('string')), 'a: text'],
    ['numbers', field('a', scalar('int32')), 'a: number'],
    ['quantities', field('a', special('Quantity')), 'a: quantity'],
    ['structs', field('a', port), 'a: () => portMerge'],
    ['structs of another group-version', field('a', message(objectMeta.id)), 'a: () => metav1.objectMetaMerge'],
    ['an atomic use of a granular struct', field('a', port, { mapType: 'atomic' }), "({ ...portMerge, mapType: 'atomic' })"],
    ['plain lists', field('a', list(scalar('string'))), 'a: textList'],
    ['sets', field('a', list(scalar('string')), { listType: 'set' }), "a: list(text, { listType: 'set' })"],
    [
      'maps by key, with the defaults of their keys',
      field('a', list(port), { listType: 'map', listMapKeys: ['number', 'protocol'], patchMergeKey: 'number' }),
      "list(() => portMerge, { listType: 'map', mapKeys: ['number', 'protocol'], keyDefaults: { protocol: 'TCP' }, patchMergeKey: 'number' })",
    ],
    ['plain maps', field('a', map(scalar('string'))), 'a: textMapping'],
    ['atomic maps', field('a', map(scalar('string')), { mapType: 'atomic' }), "map(text, { mapType: 'atomic' })"],
  ];
  test.each(cases)('%s', (_, given, want) => {
    expect(emitOnly(given)).toContain(want);
  });
});

test('a struct keeps the patch strategies of its struct fields', () => {
  expect(emitMerge(exampleV1, model, context)).toContain("patchStrategies: { strategy: 'retainKeys' }");
});

test('only what is used is imported', () => {
  const text = emitOnly(field('a', list(scalar('string'))));
  expect(text).toContain("import { type StructMerge, textList } from '../../../../runtime/machinery/schema/merge-schema.ts';");
});
