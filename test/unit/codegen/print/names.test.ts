import { expect, test } from '@jest/globals';
import { variableName } from '../../../../codegen/print/names.ts';

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
