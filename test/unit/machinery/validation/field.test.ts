import { describe, expect, test } from '@jest/globals';
import { Field } from '../../../../runtime/machinery/validation/field.ts';
import { type FieldError, fieldErrorMessage } from '../../../../runtime/machinery/validation/field-error.ts';
import { FieldPath } from '../../../../runtime/machinery/validation/field-path.ts';

describe('a field under validation', () => {
  test.each<[path: FieldPath, text: string]>([
    [FieldPath.root, 'spec.containers[0].env[a/b]'],
    [Field.at(FieldPath.root, []), 'spec.containers[0].env[a/b]'],
    [FieldPath.of('template'), 'template.spec.containers[0].env[a/b]'],
    [FieldPath.of('items').index(1), 'items[1].spec.containers[0].env[a/b]'],
  ])('below %s has the path of its steps', (path, text) => {
    const field = Field.at(path, []).child('spec', 'containers').index(0).child('env').key('a/b');
    expect(`${field}`).toBe(text);
  });

  test('is the root only where no step leads to it', () => {
    const root = Field.at(FieldPath.root, []);
    expect([FieldPath.root.isRoot, root.isRoot, Field.at(root, []).isRoot]).toEqual([true, true, true]);
    expect([root.child('spec').isRoot, root.index(0).isRoot, Field.at(FieldPath.of('spec'), []).isRoot]).toEqual([false, false, false]);
  });

  test('appends errors to the list of its object, in their order', () => {
    const errors: FieldError[] = [];
    const spec = Field.at(FieldPath.root, errors).child('spec');
    spec.child('name').required();
    spec.forbidden('may not be set');
    spec.child('ports').index(1).duplicate(80, 'each port once');
    expect(errors.map(fieldErrorMessage)).toEqual([
      'spec.name: Required value',
      'spec: Forbidden: may not be set',
      'spec.ports[1]: Duplicate value: 80: each port once',
    ]);
  });
});
