import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { decodeJson } from '../../../runtime/codec/json.ts';
import { decodeYaml, encodeYaml } from '../../../runtime/codec/yaml.ts';
import { maxDepth } from '../../../runtime/machinery/limits.ts';

import type { Json } from '../../../runtime/machinery/object.ts';
import { withoutBudget } from '../../support/event-loop-budget.ts';
import { testShared } from '../../support/shared.ts';

withoutBudget();

const decode = (text: string, duplicates?: string[]): Json => decodeYaml(Buffer.from(text), { duplicates });
const encode = (value: unknown): string => Buffer.from(encodeYaml(value)).toString();

describe('plain scalars', () => {
  test.each<[string, Json]>([
    ['a', 'a'],
    ['', null],
    ['~', null],
    ['NULL', null],
    ['nUll', 'nUll'],
    ['yes', true],
    ['y', true],
    ['off', false],
    ['True', true],
    ['tRue', 'tRue'],
    ['"yes"', 'yes'],
    ["'1'", '1'],
    ['1', 1],
    ['-1', -1],
    ['+1', 1],
    ['010', 8],
    ['0o17', 15],
    ['08', 8],
    ['0x1F', 31],
    ['0b101', 5],
    ['-0x10', -16],
    ['1_000', 1000],
    ['9223372036854775807', 9223372036854775807n],
    ['9223372036854775808', 2 ** 63],
    ['1.5', 1.5],
    ['.5', 0.5],
    ['1e3', 1000],
    ['1.', 1],
    ['1e400', '1e400'],
    ['.', '.'],
    ['1:30', '1:30'],
    ['2001-01-01', '2001-01-01'],
    ['2001-12-14t21:59:43.10-05:00', '2001-12-14t21:59:43.10-05:00'],
    ['1.2.3', '1.2.3'],
    ['-', [null]],
    ['!!str 1', '1'],
    ['!!int "1"', 1],
    ['!!float 1', 1],
    ['!!binary aGk=', 'hi'],
    ['!custom 1', '1'],
    ['|\n  a\n  b\n', 'a\nb\n'],
    ['>-\n  a\n  b\n', 'a b'],
  ])('%j is %j', (text, want) => {
    expect(decode(text)).toEqual(want);
  });

  test('zero has no sign, like the integers of JSON', () => {
    expect(decode('-0.0')).toBe(0);
  });
});

describe('documents', () => {
  test.each<[string, string, Json]>([
    ['nothing', '', null],
    ['a comment', '# x\n', null],
    ['two documents: the first', 'a: 1\n---\nb: 2\n', { a: 1 }],
    ['an empty first document', '---\n---\nb: 2\n', null],
    ['JSON', '{"a":[1,{"b":null}]}', { a: [1, { b: null }] }],
    ['flow style that is not JSON', '{a: [1, 2], b: {c: yes}}', { a: [1, 2], b: { c: true } }],
    ['keys of other types', '1: a\ntrue: b\n1.5: c\n', { 1: 'a', true: 'b', 1.5: 'c' }],
    ['anchors', 'a: &x [1, 2]\nb: *x\n', { a: [1, 2], b: [1, 2] }],
    ['merge keys', 'a: &x {p: 1, q: 2}\nb:\n  <<: *x\n  q: 3\n', { a: { p: 1, q: 2 }, b: { p: 1, q: 3 } }],
    [
      'a merge of several: the first wins',
      's: &s {p: 1}\nt: &t {p: 2, q: 2}\nb: {<<: [*s, *t]}\n',
      { s: { p: 1 }, t: { p: 2, q: 2 }, b: { p: 1, q: 2 } },
    ],
    ['Windows line ends', 'a: 1\r\nb:\r\n- x\r\n', { a: 1, b: ['x'] }],
    ['a byte order mark', '\ufeffa: 1\n', { a: 1 }],
  ])('%s', (_name, text, want) => {
    expect(decode(text)).toEqual(want);
  });

  test('__proto__ is an ordinary key', () => {
    const value = decode('__proto__:\n  x: 1\nconstructor: 2\n') as object;
    expect(JSON.stringify(value)).toBe('{"__proto__":{"x":1},"constructor":2}');
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  test('duplicate keys are reported, and the last one wins', () => {
    const duplicates: string[] = [];
    expect(decode('a: 1\nb:\n  c: 1\n  c: 2\na: 3\n', duplicates)).toEqual({ a: 3, b: { c: 2 } });
    expect(duplicates).toEqual(['yaml: unmarshal errors:\n  line 4: key "c" already set in map\n  line 5: key "a" already set in map']);
    const none: string[] = [];
    decode('a: {x: 1}\nb: {x: 1}\n', none);
    expect(none).toEqual([]);
  });

  test('aliases cannot expand a document without bound', () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let i = 1; i < 12; i++)
      lines.push(
        `a${i}: &a${i} [${Array(10)
          .fill(`*a${i - 1}`)
          .join(', ')}]`,
      );
    expect(() => decode(lines.join('\n'))).toThrow('yaml: document contains excessive aliasing');
    const long = `a: &a ${'x'.repeat(200_000)}\nb: [${Array(100).fill('*a').join(', ')}]\n`;
    expect(() => decode(long)).toThrow('yaml: document contains excessive aliasing');
    expect(decode(`a: &a 1\nb: [${Array(500).fill('*a').join(', ')}]\n`)).toBeDefined();
  });

  test.each([
    ['brackets', '['.repeat(500_000), 10_000],
    ['braces', '{a: '.repeat(200_000), 10_000],
    ['dashes', '- '.repeat(200_000), 10_000],
    ['question marks', '? '.repeat(200_000), 10_000],
    ['brackets that are closed', `${'['.repeat(9_999)}${']'.repeat(9_999)}`, maxDepth],
    ['indentation', Array.from({ length: 2_000 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'), maxDepth],
    ['aliases', `- &a0 ${nested(400)}\n- &a1 ${nested(400, '*a0')}\n- ${nested(400, '*a1')}\n`, maxDepth],
  ])('excessive depth is an error, and does not overflow the stack: %s', (_name, text, depth) => {
    expect(() => decode(text)).toThrow(new RegExp(`^yaml: (line \\d+: )?exceeded max depth of ${depth}$`));
  });

  test('documents may be as deep as in JSON', () => {
    expect(JSON.stringify(decode(nested(maxDepth, 'x')))).toBe(nested(maxDepth, '"x"'));
    expect(JSON.stringify(decode(`${'- '.repeat(maxDepth)}x`))).toBe(nested(maxDepth, '"x"'));
  });
});

function nested(depth: number, inside = ''): string {
  return `${'['.repeat(depth)}${inside}${']'.repeat(depth)}`;
}

test('brackets and dashes in text do not count as depth', () => {
  const text = '[{- '.repeat(1000);
  for (const yaml of [`a: |\n  ${text}\n`, `a: "${text}"\n`, `a: x${text}\n`, `# ${text}\na: b\n`]) {
    expect(Object.keys(decode(yaml) as object)).toEqual(['a']);
  }
  const wide = Array.from({ length: 1000 }, (_, i) => `k${i}:\n  - a: [1]\n`).join('');
  expect(Object.keys(decode(wide) as object)).toHaveLength(1000);
});

describe('encodeYaml', () => {
  test.each<[unknown, string]>([
    [{}, '{}\n'],
    [[], '[]\n'],
    [null, 'null\n'],
    ['x', 'x\n'],
    [{ b: 1, a: { d: [], c: {} } }, 'a:\n  c: {}\n  d: []\nb: 1\n'],
    [{ a: [1, { b: 2, c: [3] }, [4, 5]] }, 'a:\n- 1\n- b: 2\n  c:\n  - 3\n- - 4\n  - 5\n'],
    [[{ a: 1, b: 2 }], '- a: 1\n  b: 2\n'],
    [{ a: undefined, b: null }, 'b: null\n'],
    [{ a: 1e19, b: -1e19, c: 1e20, d: 2 ** 64 }, 'a: 10000000000000000000\nb: -1e+19\nc: 1e+20\nd: 1.8446744073709552e+19\n'],
    [{ a: 2n ** 60n, b: 1.5, c: 1e-7, d: 1234567.5 }, 'a: 1152921504606846976\nb: 1.5\nc: 1e-07\nd: 1.2345675e+06\n'],
    [{ a10: 1, a2: 2, B: 3, 'a/b': 4, a: 5 }, 'B: 3\na: 5\na/b: 4\na2: 2\na10: 1\n'],
    [{ '1h': 1, '10.0.0.1': 2 }, '10.0.0.1: 2\n1h: 1\n'],
  ])('%#', (value, want) => {
    expect(encode(value)).toBe(want);
  });

  test.each([
    ['true', '"true"'],
    ['yes', '"yes"'],
    ['1', '"1"'],
    ['0x1', '"0x1"'],
    ['1e3', '"1e3"'],
    ['1:30', '"1:30"'],
    ['2024-01-01T00:00:00Z', '"2024-01-01T00:00:00Z"'],
    ['', '""'],
    ['null', '"null"'],
    ['<<', '"<<"'],
    ['a: b', "'a: b'"],
    ['a #b', "'a #b'"],
    ['a#b', 'a#b'],
    ["it's: x", "'it''s: x'"],
    ['*a', "'*a'"],
    ['- a', "'- a'"],
    ['-a', '-a'],
    [' a', "' a'"],
    ['a:b', 'a:b'],
    ['a:', "'a:'"],
    ['é', 'é'],
    ['😀', '"\\U0001F600"'],
    ['a\tb', '"a\\tb"'],
    ['a\u0001', '"a\\x01"'],
    ['a\nb', '|-\n  a\n  b'],
    ['a\nb\n', '|\n  a\n  b'],
    ['a\n\n', '|+\n  a\n'],
    [' a\nb', '|2-\n   a\n  b'],
    ['a \nb', '"a \\nb"'],
    ['a\n\nb', '|-\n  a\n\n  b'],
    ['100m', '100m'],
    ['10.0.0.1', '10.0.0.1'],
  ])('%j is written %s', (text, want) => {
    expect(encode({ k: text })).toBe(`k: ${want}\n`);
  });

  test('long text is folded and decodes to itself', () => {
    const words = Array.from({ length: 60 }, (_, i) => `word${i}`).join(' ');
    for (const text of [words, `${words}: x`, `${words}\t`, `${words}  ${words}`, 'x'.repeat(300)]) {
      expect(decode(encode({ a: { b: text } }))).toEqual({ a: { b: text } });
    }
    expect(encode({ a: words }).split('\n')[0].length).toBeLessThan(95);
  });

  test('long and unusual keys decode to themselves', () => {
    const value = { ['k'.repeat(200)]: 1, 'a\nb': { c: [1] }, '': 2, yes: 3, '- x': 4 };
    expect(decode(encode(value))).toEqual(value);
  });
});

testShared('every golden kind: YAML and JSON decode alike, and JSON encodes to the same YAML', (shared) => {
  const golden = `${shared}/golden/v1.35`;
  for (const file of readdirSync(golden).filter((name) => name.endsWith('.yaml'))) {
    const yaml = readFileSync(`${golden}/${file}`);
    const json = decodeJson(readFileSync(`${golden}/${file.replace('.yaml', '.json')}`));
    expect(encode(json)).toBe(yaml.toString());
    expect(decodeYaml(yaml)).toEqual(json);
  }
});
