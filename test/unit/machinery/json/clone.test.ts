import { expect, test } from '@jest/globals';
import { cloneJson } from '../../../../runtime/machinery/json/clone.ts';

test('a copy is equal, shares nothing, and preserves what JSON.parse and JSON.stringify would not', () => {
  const given = JSON.parse('{"a":[{"b":1},null,"x"],"__proto__":{"c":true},"constructor":"d"}');
  given.big = 2n ** 60n;
  const copy = cloneJson(given);
  expect(copy).toEqual(given);
  expect(Object.keys(copy)).toEqual(Object.keys(given));
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  copy.a[0].b = 2;
  expect(given.a[0].b).toBe(1);
});
