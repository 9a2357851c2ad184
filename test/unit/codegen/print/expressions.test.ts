import { expect, test } from '@jest/globals';
import { conditionExpression, member, memberPath } from '../../../../codegen/print/expressions.ts';

test.each([
  ['name', 'object.name'],
  ['x-a', "object['x-a']"],
  ['__proto__', "object['__proto__']"],
])('the member %s is %s', (given, want) => {
  expect(member('object', given)).toBe(want);
});

test('every step of a path but the first may be absent', () => {
  expect(memberPath('metadata.labels.a-b')).toBe("object.metadata?.labels?.['a-b']");
});

test('the entries of a condition are joined', () => {
  expect(conditionExpression({ a: 'x', 'b.c': { present: false }, d: { in: [1, 2] }, e: { not: true } })).toBe(
    "object.a === 'x' && object.b?.c == null && (object.d === 1 || object.d === 2) && object.e !== true",
  );
});
