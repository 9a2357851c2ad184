import { describe, expect, test } from '@jest/globals';
import { emitPrune } from '../../../../codegen/emit/prune.ts';
import type { FieldModel } from '../../../../codegen/model/model.ts';
import { exampleV1, field, list, map, message, model, objectMeta, scalar, special, type } from '../model-fixture.ts';

const context = { header: '', runtime: '../../../runtime' };

function emitOnly(given: FieldModel): string {
  const only = type('example.com/v1', 'Only', [given]);
  return emitPrune({ ...exampleV1, types: [only], resources: [] }, model, context);
}

describe('a field becomes a statement', () => {
  const name = scalar('string');
  const cases: [string, FieldModel, string][] = [
    [
      'omitempty: omitted if zero',
      field('a', name, { goType: 'string' }),
      "  if (input.a != null && input.a !== '') output.a = string(input.a, context, 'a');",
    ],
    ['always there', field('a', name, { goType: 'string', omitEmpty: false }), "  output.a = string(input.a, context, 'a');"],
    [
      'pointers: omitted if absent',
      field('a', scalar('int32'), { goType: 'int32', pointer: true }),
      "  if (input.a != null) output.a = int32(input.a, context, 'a');",
    ],
    [
      'pointers without omitempty: null if absent',
      field('a', scalar('int64'), { goType: 'int64', pointer: true, omitEmpty: false }),
      "  output.a = input.a == null ? null : int64(input.a, context, 'a');",
    ],
    ['named types', field('a', name, { goType: 'v1.Mode', omitEmpty: false }), "string(input.a, context, 'a', 'v1.Mode')"],
    ['structs, in spite of omitempty', field('a', message(objectMeta.id)), '  output.a = metav1.pruneObjectMeta('],
    [
      'lists',
      field('a', list(message('example.com/v1.Port')), { goType: '[]v1.Port' }),
      "  if (!isEmptyList(input.a)) output.a = context.list(input.a, 'a', '[]v1.Port', prunePort);",
    ],
    [
      'maps that are null if absent',
      field('a', map(name), { goType: 'map[string]string', omitEmpty: false }),
      "  output.a = context.map(input.a, 'a', 'map[string]string', string);",
    ],
    [
      'lists of lists',
      field('a', list(list(name)), { goType: '[][]string' }),
      '(item, context, field, goType) => context.list(item, field, goType, string)',
    ],
    ['quantities', field('a', special('Quantity')), '  output.a = quantity(input.a);'],
    ['times that are omitted if zero', field('a', special('Time'), { omitZero: true }), '    if (value !== null) output.a = value;'],
    ['untyped values', field('x-raw', special('RawExtension')), "  output['x-raw'] = untyped(input['x-raw']);"],
    [
      'names that every object has',
      field('constructor', name, { goType: 'string', pointer: true }),
      "output.constructor = string(memberOf(input, 'constructor'), context, 'constructor')",
    ],
    [
      '__proto__',
      field('__proto__', name, { goType: 'string', pointer: true }),
      "setMember(output, '__proto__', string(memberOf(input, '__proto__'), context, '__proto__'))",
    ],
  ];
  test.each(cases)('%s', (_, given, want) => {
    expect(emitOnly(given)).toContain(want);
  });
});

test('kinds have kind and apiVersion first, in any order of their fields', () => {
  expect(emitPrune(exampleV1, model, context)).toContain(
    "const knownWidget: ReadonlySet<string> = new Set(['kind', 'apiVersion', 'metadata', 'spec']);",
  );
});

test('a group-version without types is still a module', () => {
  expect(emitPrune({ ...exampleV1, types: [] }, model, context)).toContain('export {};');
});
