import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from '@jest/globals';
import { EventLoopBudgetError } from '../../../runtime/machinery/event-loop/budget.ts';
import type { Json } from '../../../runtime/machinery/object.ts';
import { applyJsonPatch, unknownJsonPatchFields } from '../../../runtime/patch/json-patch.ts';
import { isPatchError, type PatchErrorKind } from '../../../runtime/patch/patch-error.ts';
import { scalarTexts } from '../../../runtime/patch/scalar-texts.ts';
import { withoutBudget } from '../../support/event-loop-budget.ts';

interface Vector {
  readonly comment?: string;
  readonly doc: Json;
  readonly patch: Json;
  readonly expected?: Json;
  readonly error?: string;
  readonly disabled?: boolean;
}

const require = createRequire(import.meta.url);
const vectors = (file: string): [string, Vector][] => {
  const all = JSON.parse(readFileSync(require.resolve(`json-patch-test-suite/${file}`), 'utf8')) as Vector[];
  return all
    .filter((vector) => vector.disabled !== true && vector.patch !== undefined)
    .map((vector, i) => [`${i} ${vector.comment ?? vector.error ?? ''}`, vector]);
};

/** Intended differences between Kubernetes' library and the RFC. */
const upstreamHabits: Readonly<Record<string, Json>> = {
  '15 Out of bounds (lower)': { bar: [1, 2, '5'] },
  "68 missing 'value' parameter to add": [1, null],
  "69 missing 'value' parameter to replace": [null],
  "70 missing 'value' parameter to test": [null],
};
const refusedByUpstream = '57 replacing the root of the document is possible with add';

describe.each(['tests.json', 'spec_tests.json'])('json-patch-test-suite %s', (file) => {
  test.each(vectors(file))('%s', (name, vector) => {
    const before = JSON.stringify(vector.doc);
    const apply = (): Json => applyJsonPatch(vector.doc, vector.patch);
    if (Object.hasOwn(upstreamHabits, name)) expect(apply()).toEqual(upstreamHabits[name]);
    else if (vector.error !== undefined || name === refusedByUpstream) expect(apply).toThrow();
    else expect(apply()).toEqual(vector.expected ?? vector.doc);
    expect(JSON.stringify(vector.doc)).toBe(before);
  });
});

describe('applyJsonPatch', () => {
  const apply = (doc: Json, ...patch: Json[]): Json => applyJsonPatch(doc, patch);

  test.each<[string, Json, Json, Json]>([
    ['-1 is the last element', { a: [1, 2, 3] }, { op: 'remove', path: '/a/-1' }, { a: [1, 2] }],
    ['-1 adds at the end', { a: [1, 2] }, { op: 'add', path: '/a/-1', value: 3 }, { a: [1, 2, 3] }],
    ['-2 replaces the one before the last', { a: [1, 2] }, { op: 'replace', path: '/a/-2', value: 9 }, { a: [9, 2] }],
    ['a path may have negative indexes', [{ a: 1 }], { op: 'remove', path: '/-1/a' }, [{}]],
    ['replace adds an absent member', {}, { op: 'replace', path: '/a', value: 1 }, { a: 1 }],
    ['an absent member tests as null', {}, { op: 'test', path: '/a', value: null }, {}],
    ['bigint is compared by value', { a: 2n ** 60n }, { op: 'test', path: '/a', value: 2n ** 60n }, { a: 2n ** 60n }],
    ['__proto__ is a member', {}, { op: 'add', path: '/__proto__', value: { x: 1 } }, { ['__proto__']: { x: 1 } }],
    ['what is before the first slash does not count', { a: 1 }, { op: 'remove', path: 'x/a' }, {}],
    ['an absent value is null', {}, { op: 'add', path: '/a' }, { a: null }],
    ['an absent value replaces with null', { a: 1 }, { op: 'replace', path: '/a' }, { a: null }],
    ['an absent value tests as null', {}, { op: 'test', path: '/a' }, {}],
    ['indices may have a plus and zeros', { a: [1, 2] }, { op: 'remove', path: '/a/+01' }, { a: [1] }],
    ['replace reaches the whole document', { a: 1 }, { op: 'replace', path: '', value: { b: 1 } }, { b: 1 }],
    ['a copy leaves its source', { a: { b: 1 } }, { op: 'copy', from: '/a', path: '/c' }, { a: { b: 1 }, c: { b: 1 } }],
  ])('%s', (_name, doc, operation, want) => {
    const got = apply(doc, operation);
    expect(got).toEqual(want);
    expect(Object.getPrototypeOf(got)).toBe(Object.getPrototypeOf(doc));
  });

  test('a copy does not change with its source', () => {
    const operations: Json[] = [
      { op: 'copy', from: '/a', path: '/b' },
      { op: 'add', path: '/a/-', value: 2 },
      { op: 'copy', from: '/b', path: '/c' },
    ];
    expect(apply({ a: [1] }, ...operations)).toEqual({ a: [1, 2], b: [1], c: [1] });
  });

  test.each<[Json, PatchErrorKind, string]>([
    [{}, 'malformed', 'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp'],
    [['x'], 'malformed', 'error decoding patch: json: cannot unmarshal string into Go value of type handlers.jsonPatchOp'],
    [[{ op: 1 }], 'malformed', 'error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string'],
    [Array(10_001).fill({}), 'too-large', 'The allowed maximum operations in a JSON patch is 10000, got 10001'],
    [[{ op: 'frob' }], 'unprocessable', 'Unexpected kind: frob'],
    [[{}], 'unprocessable', 'Unexpected kind: unknown'],
    [[null], 'unprocessable', 'Unexpected kind: unknown'],
    [[{ op: 'add', path: '', value: {} }], 'unprocessable', 'add operation does not apply: doc is missing path: "": missing value'],
    [[{ op: 'copy', from: '', path: '/b' }], 'unprocessable', 'copy operation does not apply: doc is missing from path: : missing value'],
    [[{ op: 'add', path: 'b', value: 1 }], 'unprocessable', 'add operation does not apply: doc is missing path: "b": missing value'],
    [[{ op: 'replace', path: '', value: 1 }], 'unprocessable', 'replace operation value must be object or array'],
    [[{ op: 'test', path: '/a', value: 2 }], 'unprocessable', 'testing value /a failed: test failed'],
    [[{ op: 'remove', path: '/x' }], 'unprocessable', "error in remove for path: '/x': Unable to remove nonexistent key: x: missing value"],
    [[{ op: 'remove', path: '/x/y' }], 'unprocessable', 'remove operation does not apply: doc is missing path: "/x/y": missing value'],
    [
      [{ op: 'add', path: '/l/9', value: 1 }],
      'unprocessable',
      "error in add for path: '/l/9': Unable to access invalid index: 9: invalid index referenced",
    ],
    [
      [{ op: 'add', path: '/l/x', value: 1 }],
      'unprocessable',
      "error in add for path: '/l/x': value was not a proper array index: 'x': strconv.Atoi: parsing \"x\": invalid syntax",
    ],
    [
      [{ op: 'replace', path: '/l/9', value: 1 }],
      'unprocessable',
      'replace operation does not apply: doc is missing key: /l/9: missing value',
    ],
    [[{ op: 'add', value: 1 }], 'unprocessable', 'add operation failed to decode path: missing value'],
  ])('%j is %s', (patch, kind, message) => {
    let error: unknown;
    try {
      applyJsonPatch({ a: 1, l: [1] }, patch);
    } catch (thrown) {
      error = thrown;
    }
    expect(isPatchError(error) && error.kind).toBe(kind);
    expect((error as Error).message).toBe(message);
  });

  test.each<[Json, string, boolean]>([
    ['a', '"a"', true],
    ['a', '"\\u0061"', false],
    ['<', '"<"', false],
    ['<', '"\\u003c"', true],
    [5, '5', true],
    [5, '5.0', false],
    [2n ** 60n, '1152921504606846976', true],
    [null, 'null', true],
    [true, 'true', true],
    [{ a: [1, { b: 'x:y' }], c: null }, '{"c" : null, "a": [1, {"b" :"x:y"}]}', true],
    [{ a: 1 }, '{"b":1}', false],
    [[1], '[1,2]', false],
  ])('%p is tested against the text %s', (value, text, isEqual) => {
    const patch = `[{"op":"test","path":"/a","value":${text}},{"op":"add","path":"/b","value":"]}"}]`;
    const attempt = () => applyJsonPatch({ a: value }, JSON.parse(patch), (count) => scalarTexts(patch, count));
    if (isEqual) expect(attempt).not.toThrow();
    else expect(attempt).toThrow('test failed');
  });

  test('null has no operations', () => {
    expect(applyJsonPatch({ a: 1 }, null)).toEqual({ a: 1 });
  });

  test.each<[Json, PatchErrorKind, string]>([
    [{}, 'malformed', 'json: cannot unmarshal object into Go value of type jsonpatch.Patch'],
    [['x'], 'malformed', 'json: cannot unmarshal string into Go value of type jsonpatch.Operation'],
    [[{ op: 1 }], 'unprocessable', 'Unexpected kind: unknown'],
    [[{ op: 'add', path: 5 }], 'unprocessable', 'add operation failed to decode path: missing value'],
  ])('%j is %s without strict decoding', (patch, kind, message) => {
    const apply = () => applyJsonPatch({}, patch, undefined, false);
    expect(apply).toThrow(expect.objectContaining({ kind, message }));
  });

  describe('copies', () => {
    withoutBudget();
    const copy = (i: number): Json => ({ op: 'copy', from: '/a', path: `/b${i}` });
    const exceeding = (bytes: number): string =>
      `Unable to complete the copy, the accumulated size increase of copy is ${bytes}, exceeding the limit 3145728`;

    test.each<[what: string, value: Json, bytes: number, copies: number]>([
      ['of a long text', 'x'.repeat(1_048_574), 1_048_576, 3],
      ['of a text a byte longer', 'x'.repeat(1_048_575), 1_048_577, 2],
      ['of what Go escapes', '<'.repeat(100_000), 600_002, 5],
      ['of letters of three bytes', '\u20ac'.repeat(200_000), 600_002, 5],
      ['of a list', Array(500_000).fill(1), 1_000_001, 3],
      ['of members', { '"': ['\n', 1.5, true, null, {}, []], long: 'x'.repeat(1_000_000) }, 1_000_043, 3],
    ])('%s may add 3 MiB as compact JSON', (_what, value, bytes, copies) => {
      const operations = Array.from({ length: copies }, (_, i) => copy(i));
      expect(() => apply({ a: value }, ...operations)).not.toThrow();
      expect(() => apply({ a: value }, ...operations, copy(copies))).toThrow(exceeding(bytes * (copies + 1)));
    });

    test('of null have no size, as upstream', () => {
      const result = apply({ a: null }, ...Array.from({ length: 9_999 }, (_, i) => copy(i)));
      expect(Object.keys(result as object)).toHaveLength(10_000);
    });

    test('that double a list are counted as one copy of all of it', () => {
      const double: Json = { op: 'copy', from: '/a', path: '/a/-' };
      const times = (count: number): Json[] => Array(count).fill(double);
      const list = Array(10).fill({});
      expect(() => apply({ a: list }, ...times(16))).not.toThrow();
      expect(() => apply({ a: list }, ...times(17))).toThrow('exceeding the limit 3145728');
    });
  });

  test('copies of 65 KiB belong on a worker thread', () => {
    const operations: Json[] = [{ op: 'copy', from: '/a', path: '/b' }];
    expect(() => apply({ a: 'x'.repeat(64_000) }, ...operations)).not.toThrow();
    expect(() => apply({ a: 'x'.repeat(65_000) }, ...operations)).toThrow(EventLoopBudgetError);
  });

  test('operations cannot nest beyond the depth limit', () => {
    let deep: Json = {};
    for (let i = 0; i < 600; i++) deep = { a: deep };
    const path = '/a'.repeat(601);
    expect(() => apply(deep, { op: 'add', path, value: deep })).toThrow('exceeded max depth');
  });

  test('a patch of many operations on a long list is fast', () => {
    const doc = { a: Array.from({ length: 10_000 }, (_, i) => i) };
    const patch = Array.from({ length: 10_000 }, (_, i) => ({ op: 'replace', path: `/a/${i}`, value: -i }));
    expect((applyJsonPatch(doc, patch) as { a: number[] }).a[9_999]).toBe(-9_999);
    expect(doc.a[9_999]).toBe(9_999);
  });

  test('unknown fields of an operation are reported', () => {
    expect(unknownJsonPatchFields([{ op: 'add', foo: 1 }, {}, { bar: 1 }])).toEqual([
      'json patch unknown field "[0].foo"',
      'json patch unknown field "[2].bar"',
    ]);
  });
});
