import { describe, expect, test } from '@jest/globals';
import { emitValidate } from '../../../../codegen/emit/validate.ts';
import type { FieldModel, TypeModel, ValidationRule } from '../../../../codegen/model/model.ts';
import { exampleV1, field, list, map, message, model, scalar, type } from '../emit-fixture.ts';

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
    [name, { field: 'name', check: 'required' }, "checkRequired(object.name, path, 'name', errors);"],
    [size, { field: 'size', check: 'required' }, "checkRequired(object.size || undefined, path, 'size', errors);"],
    [pointer, { field: 'size', check: 'required' }, "checkPresent(object.size, path, 'size', errors);"],
    [spec, { field: 'spec', check: 'required' }, "checkPresent(object.spec, path, 'spec', errors);"],
    [
      name,
      { field: 'name', check: 'forbidden', message: 'may not', when: { mode: 'A' } },
      "  if (object.mode === 'A') checkForbidden(object.name, path, 'name', errors, 'may not');",
    ],
    [
      name,
      { field: 'name', check: 'enum', values: ['B', 'A'] },
      "checkEnum(object.name, ['B', 'A'], path, 'name', errors);",
    ],
    [size, { field: 'size', check: 'min', value: 0 }, "checkMin(object.size, 0, path, 'size', errors);"],
    [name, { field: 'name', check: 'maxLength', value: 9 }, "checkMaxLength(object.name, 9, path, 'name', errors);"],
    [name, { field: 'name', check: 'minLength', value: 1 }, "checkMinLength(object.name, 1, path, 'name', errors);"],
    [
      name,
      { field: 'name', check: 'format', value: 'dns-label' },
      "checkFormat(object.name, 'dns-label', path, 'name', errors);",
    ],
    [
      name,
      { field: 'name', check: 'pattern', value: '^\\d$' },
      "checkPattern(object.name, '^\\\\d$', path, 'name', errors);",
    ],
    [ports, { field: 'ports', check: 'unique' }, "checkUnique(object.ports, path, 'ports', errors);"],
    [
      ports,
      { field: 'ports', check: 'unique', keys: ['a'] },
      "checkUniqueKeys(object.ports, ['a'], path, 'ports', errors);",
    ],
    [name, { check: 'custom', name: 'checkAll' }, '  checkAll(object, path, errors);'],
  ])('%j %j', (given, rule, want) => {
    expect(only([given], rule)).toContain(want);
  });

  test('of Go types "" is absent, pointer or not', () => {
    const facts = { gvk: kind, byGo: true, rules: [{ field: 'size', check: 'required' } as const] };
    expect(emit(type('example.com/v1', 'Only', [pointer], facts))).toContain('checkRequired(object.size, path');
  });
});

test.each([
  ['+k8s:required', "checkRequired(object.a, path, 'a', errors);"],
  ['+k8s:maxLength=7', "checkMaxLength(object.a, 7, path, 'a', errors);"],
  ['+k8s:format=k8s-uuid', "checkFormat(object.a, 'k8s-uuid', path, 'a', errors);"],
])('the marker %s', (marker, want) => {
  expect(only([field('a', scalar('string'), { markers: [marker] })])).toContain(want);
});

describe('enumerations', () => {
  const phase = field('phase', scalar('string'), { enum: ['Up', 'Down'] });
  test('are checked, their values sorted', () => {
    expect(only([phase])).toContain("checkEnum(object.phase, ['Down', 'Up'], path, 'phase', errors);");
  });

  test('in what Go controllers report below status are not', () => {
    const status = type('example.com/v1', 'OnlyStatus', [phase], { byGo: true });
    const root = type('example.com/v1', 'Only', [field('status', message(status.id))], { byGo: true, gvk: kind });
    expect(emit(root, status)).toContain('export const validateOnly = nothingToValidate;');
  });
});

test('what has something to check below is walked, its path kept', () => {
  const leaf = type('example.com/v1', 'Leaf', [], { rules: [{ check: 'custom', name: 'checkLeaf' }] });
  const tree = type('example.com/v1', 'Tree', [
    field('one', message(leaf.id)),
    field('many', list(message(leaf.id))),
    field('named', map(message(leaf.id))),
    field('other', scalar('string')),
  ]);
  expect(emit(tree, leaf)).toContain(
    [
      "  if (object.one != null) validateLeaf(object.one, path.child('one'), errors);",
      '  for (const [index, item] of (object.many ?? []).entries()) {',
      "  validateLeaf(item, path.child('many').index(index), errors);",
      '  }',
      '  for (const [key, item] of Object.entries(object.named ?? {})) {',
      "  validateLeaf(item, path.child('named').key(key), errors);",
      '  }',
    ].join('\n'),
  );
});

test('rules for updates have a function of their own', () => {
  const text = only([], { check: 'custom', name: 'checkAll' }, { check: 'custom', name: 'checkChange', on: 'update' });
  expect(text).toContain(
    'export function validateUpdateOnly(object: types.Only, old: types.Only, path: FieldPath, errors: FieldError[]): void {\n  checkChange(object, old, path, errors);\n}',
  );
  expect(text.match(/checkChange\(/g)).toHaveLength(1);
});
