import { describe, expect, test } from '@jest/globals';
import { goTypeName, lowerFirst } from '../../../../codegen/model/names.ts';
import { member } from '../../../../codegen/print/expressions.ts';
import { variableName } from '../../../../codegen/print/names.ts';
import { field, scalar, type } from '../emit-fixture.ts';

describe('names', () => {
  test.each([
    ['name', 'name'],
    ['default', 'defaultField'],
    ['reader', 'readerField'],
    ['x-kubernetes-map-type', 'xKubernetesMapType'],
    ['$ref', '$ref'],
    ['0day', 'field0day'],
    ['readBytes', 'readBytesField'],
  ])('the variable of %s is %s', (given, want) => {
    expect(variableName(given)).toBe(want);
  });

  test.each([
    ['name', 'object.name'],
    ['x-a', "object['x-a']"],
    ['__proto__', "object['__proto__']"],
  ])('the member %s is %s', (given, want) => {
    expect(member('object', given)).toBe(want);
  });

  test.each([
    ['PodSpec', 'podSpec'],
    ['APIGroup', 'apiGroup'],
    ['CSI', 'csi'],
  ])('%s begins small as %s', (given, want) => {
    expect(lowerFirst(given)).toBe(want);
  });

  test('errors name a type by the last part of its package', () => {
    const spec = type('example.com/v1', 'Spec', [field('a', scalar('string'))], { goPackage: 'k8s.io/api/core/v2' });
    expect(goTypeName(spec)).toBe('v2.Spec');
  });
});
