import { describe, expect, test } from '@jest/globals';
import { emitValidate } from '../../../../codegen/emit/validate.ts';
import type { FieldModel, TypeModel, ValidationRule } from '../../../../codegen/model/model.ts';
import { exampleV1, field, list, map, message, model, scalar, type } from '../model-fixture.ts';

const context = { header: '', runtime: '../../../runtime' };
const kind = { group: 'example.com', version: 'v1', kind: 'Only' };

function emit(...types: TypeModel[]): string {
  const all = { ...model, types: new Map(types.map((each) => [each.id, each])) };
  return emitValidate({ ...exampleV1, types, resources: [] }, all, context);
}

const only = (fields: FieldModel[], ...rules: ValidationRule[]): string =>
  emit(type('example.com/v1', 'Only', fields, { rules, gvk: kind }));

describe('a rule becomes a check', () => {
  const name = field('name', scalar('string'));
  const size = field('size', scalar('int32'));
  const pointer = field('size', scalar('int32'), { pointer: true });
  const ports = field('ports', list(scalar('string')));
  const spec = field('spec', message('x'));
  test.each<[FieldModel, ValidationRule, string]>([
    [name, { field: 'name', check: 'required' }, "checkRequired(object.name, field, 'name');"],
    [size, { field: 'size', check: 'required' }, "checkRequired(object.size || undefined, field, 'size');"],
    [pointer, { field: 'size', check: 'required' }, "checkPresent(object.size, field, 'size');"],
    [spec, { field: 'spec', check: 'required' }, "checkPresent(object.spec, field, 'spec');"],
    [
      name,
      { field: 'name', check: 'forbidden', message: 'may not', when: { mode: 'A' } },
      "  if (object.mode === 'A') checkForbidden(object.name, field, 'name', 'may not');",
    ],
    [name, { field: 'name', check: 'enum', values: ['B', 'A'] }, "checkEnum(object.name, ['B', 'A'], field, 'name');"],
    [size, { field: 'size', check: 'min', value: 0 }, "checkMin(object.size, 0, field, 'size');"],
    [
      size,
      { field: 'size', check: 'min', value: 0, message: 'too small' },
      "checkMin(object.size, { value: 0, message: 'too small' }, field, 'size');",
    ],
    [name, { field: 'name', check: 'maxLength', value: 9 }, "checkMaxLength(object.name, 9, field, 'name');"],
    [name, { field: 'name', check: 'minLength', value: 1 }, "checkMinLength(object.name, 1, field, 'name');"],
    [name, { field: 'name', check: 'format', value: 'dns-label' }, "checkFormat(object.name, 'dns-label', field, 'name');"],
    [name, { field: 'name', check: 'pattern', value: '^\\d$' }, "checkPattern(object.name, '^\\\\d$', field, 'name');"],
    [ports, { field: 'ports', check: 'unique' }, "checkUnique(object.ports, field, 'ports');"],
    [ports, { field: 'ports', check: 'unique', keys: ['a'] }, "checkUniqueKeys(object.ports, ['a'], field, 'ports');"],
    [name, { check: 'custom', name: 'checkAll' }, '  checkAll(object, field);'],
  ])('%j %j', (given, rule, want) => {
    expect(only([given], rule)).toContain(want);
  });

  test('for Go types "" counts as absent, pointer or not', () => {
    const facts = { gvk: kind, fromGoTypes: true, rules: [{ field: 'size', check: 'required' } as const] };
    expect(emit(type('example.com/v1', 'Only', [pointer], facts))).toContain('checkRequired(object.size, field');
  });
});

test.each([
  ['+k8s:required', "checkRequired(object.a, field, 'a');"],
  ['+k8s:maxLength=7', "checkMaxLength(object.a, 7, field, 'a');"],
  ['+k8s:format=k8s-uuid', "checkFormat(object.a, 'k8s-uuid', field, 'a');"],
])('the marker %s', (marker, want) => {
  expect(only([field('a', scalar('string'), { markers: [marker] })])).toContain(want);
});

describe('enumerations', () => {
  const phase = field('phase', scalar('string'), { enum: ['Up', 'Down'] });
  test('are checked, their values sorted', () => {
    expect(only([phase])).toContain("checkEnum(object.phase, ['Down', 'Up'], field, 'phase');");
  });

  test('are not checked if they are open', () => {
    expect(only([{ ...phase, openEnum: true }])).toContain('= nothingToValidate;');
  });

  test('are not checked in Go types that occur only below status', () => {
    const status = type('example.com/v1', 'OnlyStatus', [phase], { fromGoTypes: true });
    const root = type('example.com/v1', 'Only', [field('status', message(status.id))], { fromGoTypes: true, gvk: kind });
    expect(emit(root, status)).toContain('export const validateOnly = nothingToValidate;');
  });
});

test('nested messages with checks are validated, with their paths', () => {
  const leaf = type('example.com/v1', 'Leaf', [], { rules: [{ check: 'custom', name: 'checkLeaf' }] });
  const tree = type('example.com/v1', 'Tree', [
    field('one', message(leaf.id)),
    field('many', list(message(leaf.id))),
    field('named', map(message(leaf.id))),
    field('other', scalar('string')),
  ]);
  expect(emit(tree, leaf)).toContain(
    [
      "  if (object.one != null) validateLeaf(object.one, field.child('one'));",
      '  for (const [index, item] of (object.many ?? []).entries()) {',
      "    validateLeaf(item, field.child('many').index(index));",
      '  }',
      '  for (const [key, item] of Object.entries(object.named ?? {})) {',
      "    validateLeaf(item, field.child('named').key(key));",
      '  }',
    ].join('\n'),
  );
});

test('functions of overlays for another release get objects without their type', () => {
  const only = type('example.com/v1', 'Only', [], { rules: [{ check: 'custom', name: 'checkAll' }], gvk: kind });
  const older = { ...model, overlaysRelease: 'v0.2', types: new Map([[only.id, only]]) };
  expect(emitValidate({ ...exampleV1, types: [only], resources: [] }, older, context)).toContain('checkAll(object as never, field);');
});

test('rules for updates are in a separate function', () => {
  const text = only([], { check: 'custom', name: 'checkAll' }, { check: 'custom', name: 'checkChange', on: 'update' });
  expect(text).toContain(
    'export function validateUpdateOnly(object: types.Only, old: types.Only, field: Field): void {\n  checkChange(object, old, field);\n}',
  );
  expect(text.match(/checkChange\(/g)).toHaveLength(1);
});
