import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../../runtime/machinery/object.ts';
import { applyMergePatch, mergeJson } from '../../../runtime/patch/merge-patch.ts';

describe('RFC 7386', () => {
  test.each<[Json, Json, Json]>([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
    // as upstream, a value that replaces a non-object loses null members in its lists too
    [{}, { a: [{ b: null, c: [null, { d: null }] }] }, { a: [{ c: [null, {}] }] }],
    [{ a: [1] }, { a: [{ b: null }] }, { a: [{}] }],
    [{ a: {} }, { a: [{ b: null }] }, { a: [{ b: null }] }],
  ])('%j with %j is %j', (target, patch, want) => {
    const before = JSON.stringify(target);
    expect(mergeJson(target, patch)).toEqual(want);
    expect(JSON.stringify(target)).toBe(before);
  });
});

test('a value without nulls is not copied', () => {
  const patch = { kept: { a: [null] }, cut: { a: 1, b: null, c: { d: null } } };
  const before = JSON.stringify(patch);
  const result = mergeJson(undefined, patch) as typeof patch;
  expect(result).toEqual({ kept: { a: [null] }, cut: { a: 1, c: {} } });
  expect(result.kept).toBe(patch.kept);
  expect(JSON.stringify(patch)).toBe(before);
});

describe('applyMergePatch', () => {
  test('__proto__ is an ordinary member', () => {
    const patch = JSON.parse('{"__proto__":{"x":1},"constructor":{"y":2}}') as Json;
    const result = applyMergePatch({}, patch);
    expect(JSON.stringify(result)).toBe('{"__proto__":{"x":1},"constructor":{"y":2}}');
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(applyMergePatch(result, JSON.parse('{"__proto__":null}') as Json)).toEqual({ constructor: { y: 2 } });
  });

  test.each<[Json, string]>([
    [[], 'array'],
    ['x', 'string'],
    [null, 'null'],
  ])('%j is not a patch', (patch, type) => {
    expect(() => applyMergePatch({}, patch)).toThrow(
      `error decoding patch: json: cannot unmarshal ${type} into Go value of type map[string]interface {}`,
    );
  });
});
