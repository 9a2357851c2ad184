import { expect, test } from '@jest/globals';
import { GoPointer } from '../../../../runtime/machinery/go/value.ts';
import { fieldErrorMessage, invalid } from '../../../../runtime/machinery/validation/field-error.ts';
import { FieldPath } from '../../../../runtime/machinery/validation/field-path.ts';

test.each<[value: unknown, shown: string]>([
  ['a "word"', '"a \\"word\\""'],
  [null, 'null'],
  [true, 'true'],
  [-1, '-1'],
  [0.1, '0.1'],
  [0.0001, '0.0001'],
  [0.00001, '1e-05'],
  [1.5e-7, '1.5e-07'],
  [1e20, '1e+20'],
  [1234567.5, '1.2345675e+06'],
  [1e21, '1e+21'],
  [9007199254740993n, '9007199254740993'],
  [[9007199254740993n, '<a>', null], '[9007199254740993,"\\u003ca\\u003e",null]'],
  [{ large: -9223372036854775808n, none: undefined, in: { it: 1n } }, '{"large":-9223372036854775808,"in":{"it":1}}'],
  [{}, '{}'],
  [new GoPointer('<a>\u0001'), '"\\u003ca\\u003e\\u0001"'],
])('an invalid value %p is shown as %s', (value, shown) => {
  const error = invalid(FieldPath.of('spec'), value, 'is wrong');
  expect(fieldErrorMessage(error)).toBe(`spec: Invalid value: ${shown}: is wrong`);
});
