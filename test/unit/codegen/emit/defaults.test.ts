import { describe, expect, test } from '@jest/globals';
import { emitDefaults } from '../../../../codegen/emit/defaults.ts';
import type { DefaultRule, FieldModel, TypeModel } from '../../../../codegen/model/model.ts';
import { exampleV1, field, list, map, message, model, scalar, type } from '../model-fixture.ts';

const context = { header: '', runtime: '../../../runtime' };

function emit(...types: TypeModel[]): string {
  const all = { ...model, types: new Map(types.map((each) => [each.id, each])) };
  return emitDefaults({ ...exampleV1, types, resources: [] }, all, context);
}

const only = (fields: FieldModel[], ...defaults: DefaultRule[]): string => emit(type('example.com/v1', 'Only', fields, { defaults }));

describe('a rule becomes a statement', () => {
  const mode = field('mode', scalar('string'));
  const count = field('count', scalar('int32'), { pointer: true });
  const labels = field('labels', map(scalar('string')));
  test.each<[string, FieldModel[], DefaultRule, string]>([
    ['non-pointers are filled when zero', [mode], { field: 'mode', value: 'A' }, "  if (!object.mode) object.mode = 'A';"],
    ['pointers only when absent', [count], { field: 'count', value: 1 }, '  if (object.count == null) object.count = 1;'],
    [
      'each object gets its own value',
      [labels],
      { field: 'labels', value: { a: 'b' } },
      "  if (object.labels == null) object.labels = { a: 'b' };",
    ],
    [
      'a value of a sibling is copied',
      [labels],
      { field: 'labels', from: 'template.labels' },
      'if (object.labels == null && object.template?.labels != null) object.labels = cloneJson(object.template?.labels);',
    ],
    [
      'conditions',
      [mode],
      {
        field: 'mode',
        value: 'A',
        when: { kind: { in: ['X', 'Y'] }, size: { present: true }, 'a.b': { not: 1 }, c: 2 },
      },
      "if (!object.mode && (object.kind === 'X' || object.kind === 'Y') && object.size != null && object.a?.b !== 1 && object.c === 2)",
    ],
    ['functions', [], { custom: 'setThings' }, '  setThings(object);'],
  ])('%s', (_, fields, rule, want) => {
    expect(only(fields, rule)).toContain(want);
  });
});

test("a type's rules come first, then its fields' defaults, then the types below", () => {
  const inner = type('example.com/v1', 'Inner', [field('b', scalar('string'), { default: 'x' })]);
  const outer = type(
    'example.com/v1',
    'Outer',
    [field('a', scalar('string'), { default: 'y' }), field('inner', message(inner.id)), field('many', list(message(inner.id)))],
    { defaults: [{ custom: 'first' }] },
  );
  expect(emit(outer, inner)).toContain(
    [
      'export function setDefaultsOuter(object: types.Outer): void {',
      '  first(object);',
      "  if (!object.a) object.a = 'y';",
      '  if (object.inner != null) setDefaultsInner(object.inner);',
      '  for (const item of object.many ?? []) setDefaultsInner(item);',
      '}',
    ].join('\n'),
  );
});

test('kinds without defaults get a function that does nothing, other types get none', () => {
  const plain = type('example.com/v1', 'Plain', [field('a', scalar('string'))]);
  const kind = { ...plain, id: 'k', name: 'Kind', gvk: { group: 'example.com', version: 'v1', kind: 'Kind' } };
  const text = emit(plain, kind);
  expect(text).toContain('export const setDefaultsKind = nothingToDefault;');
  expect(text).not.toContain('setDefaultsPlain');
});

test('types that contain themselves are handled', () => {
  const tree = type('example.com/v1', 'Tree', [
    field('size', scalar('int32'), { default: 1 }),
    field('children', list(message('example.com/v1.Tree'))),
  ]);
  expect(emit(tree)).toContain('  for (const item of object.children ?? []) setDefaultsTree(item);');
});

test('a rule for a field that does not exist is an error', () => {
  expect(() => only([], { field: 'mdoe', value: 'A' })).toThrow('a rule names the field "mdoe"');
});
