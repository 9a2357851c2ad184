import { expect, test } from '@jest/globals';
import { scaledIntOrPercent } from '../../../../runtime/machinery/scalars/int-or-string.ts';

test.each([
  [undefined, 10, true, 0],
  [3, 10, true, 3],
  ['0%', 10, true, 0],
  ['25%', 10, true, 3],
  ['25%', 10, false, 2],
  ['100%', 7, false, 7],
  ['200%', 7, false, 14],
  ['1%', 0, true, 0],
])('%j of %i, rounded up: %j, is %i', (value, total, roundUp, want) => {
  expect(scaledIntOrPercent(value, total, roundUp)).toBe(want);
});

test.each([
  ['5', 'invalid value for IntOrString: invalid type: string is not a percentage'],
  ['x%', 'invalid value for IntOrString: invalid value "x%": strconv.Atoi: parsing "x": invalid syntax'],
])('%j is refused', (value, message) => {
  expect(() => scaledIntOrPercent(value, 1, true)).toThrow(message);
});
