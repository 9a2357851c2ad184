import { expect, test } from '@jest/globals';
import { literal, objectBlock, objectLiteral } from '../../../../codegen/print/literal.ts';

test.each([
  ["it's", "'it\\'s'"],
  ['"a"\n', '\'"a"\\n\''],
  ['\u2028', "'\\u2028'"],
  [12n, '12n'],
  [null, 'null'],
  [[1, 'a'], "[1, 'a']"],
  [{}, '{}'],
  [{ a: 1, 'b-c': undefined, 'd-e': true }, "{ a: 1, 'd-e': true }"],
])('%j is %s', (given, want) => {
  expect(literal(given)).toBe(want);
});

test('__proto__ is a member, not the prototype', () => {
  expect(literal(Object.fromEntries([['__proto__', 1]]))).toBe("{ ['__proto__']: 1 }");
});

test('objects are made of expressions, on one line or on several', () => {
  const members = [
    ['a', 'f()'],
    ['b', undefined],
  ] as const;
  expect(objectLiteral(members, ['get c() { return 1; }'])).toBe('{ a: f(), get c() { return 1; } }');
  expect(objectBlock(members)).toBe('{\n  a: f(),\n}');
});
