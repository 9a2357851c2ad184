import { describe, expect, test } from '@jest/globals';
import { emitTypes } from '../../../../codegen/emit/types.ts';
import type { FieldModel } from '../../../../codegen/model/model.ts';
import { exampleV1, field, list, map, message, model, objectMeta, scalar, special, type } from '../model-fixture.ts';

const context = { header: '', runtime: '../../../../runtime' };

/** Returns the emitted property of a type with one field. */
function property(given: FieldModel): string {
  const only = type('example.com/v1', 'Only', [given]);
  const groupVersion = { ...exampleV1, types: [only], resources: [] };
  const text = emitTypes(groupVersion, { ...model, groupVersions: [groupVersion] }, context);
  return text.match(/interface Only \{\s*([\s\S]*?);?\s*\}\s*$/)?.[1].replace(/\s+/g, ' ') ?? text;
}

describe('a field becomes a property', () => {
  const cases: [string, FieldModel, string][] = [
    ['a string', field('a', scalar('string')), 'a?: string'],
    ['a number of any width', field('a', scalar('int64')), 'a?: number'],
    ['bytes are base64 text', field('a', scalar('bytes')), 'a?: string'],
    ['a required field', field('a', scalar('bool'), { required: true }), 'a: boolean'],
    ['int-or-string', field('a', special('IntOrString')), 'a?: number | string'],
    ['a quantity', field('a', special('Quantity')), 'a?: string'],
    ['raw JSON', field('a', special('RawExtension')), 'a?: JsonObject'],
    ['a type of this group-version', field('a', message('example.com/v1.Port')), 'a?: Port'],
    ['a type of another group-version', field('a', message(objectMeta.id)), 'a?: metav1.ObjectMeta'],
    ['a list', field('a', list(message('example.com/v1.Port'))), 'a?: Port[]'],
    ['a map of lists', field('a', map(list(scalar('string')))), 'a?: { [key: string]: string[]; }'],
    ['an open enumeration', field('a', scalar('string'), { enum: ['X', 'Y'] }), 'a?: "X" | "Y" | (string & {})'],
    ['a list of one', field('a', list(scalar('string')), { enum: ['X'] }), 'a?: ("X" | (string & {}))[]'],
    ['a name that is not an identifier', field('x-a', scalar('string')), '"x-a"?: string'],
  ];
  test.each(cases)('%s', (_, given, want) => {
    expect(property(given)).toBe(want);
  });
});

test('stored kinds and their lists always have metadata', () => {
  const text = emitTypes(exampleV1, model, context);
  expect(text).toContain('metadata: metav1.ObjectMeta;');
  expect(text).toContain('metadata: metav1.ListMeta;');
  expect(text).toContain("import type * as metav1 from '../../meta/v1/types.ts';");
  expect(text).toContain("import type { JsonObject } from '../../../../runtime/machinery/object.ts';");
});
