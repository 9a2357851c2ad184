import { expect, test } from '@jest/globals';
import { elementAt } from '../../../../runtime/machinery/collections/element-at.ts';

test('an element is returned, and one that is missing throws', () => {
  expect(elementAt(['a', 'b'], 1)).toBe('b');
  expect(elementAt([null], 0)).toBeNull();
  expect(() => elementAt(['a'], 1)).toThrow(new RangeError('no element 1 in a list of 1'));
});
