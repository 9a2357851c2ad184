import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseExactJson } from '../../../runtime/codec/json/exact.ts';
import { decodeJson, encodeJson } from '../../../runtime/codec/json.ts';
import { decodeYaml, encodeYaml } from '../../../runtime/codec/yaml.ts';
import { isJsonObject } from '../../../runtime/machinery/json/values.ts';
import type { Json } from '../../../runtime/machinery/object.ts';

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 12 }).filter((value) => Buffer.from(value).toString() === value),
  fc.constantFrom('yes', '012', '1e3', '-', '- a', 'a: b', ' x', 'x ', '#', 'a #b', '{}', "'", '"', '!x', '&a', '*a', '|', '>'),
  fc
    .array(fc.constantFrom('a', ' ', '\n', ':', '#', '\t', '-', "'", '"', '\\', '\r', '\u2028', '\u0085'), {
      maxLength: 14,
    })
    .map((chars) => chars.join('')),
  fc.array(fc.constantFrom('word', 'is', '  ', 'x:', "it's"), { minLength: 20, maxLength: 60 }).map((words) => words.join(' ')),
);
const { value: anyValue } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Number.isInteger(number)),
    fc.boolean(),
    fc.constant(null),
    fc.bigInt(-(2n ** 63n), -(2n ** 53n) - 1n),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4 }),
  ),
}));

/** Sorts members, replaces -0 by 0, and distinguishes bigints from text. */
function canonical(value: Json): unknown {
  if (typeof value === 'bigint') return `bigint ${value}`;
  if (typeof value === 'number') return value + 0;
  if (Array.isArray(value)) return value.map(canonical);
  if (!isJsonObject(value)) return value;
  return Object.keys(value)
    .sort()
    .map((key) => [key, canonical(value[key])]);
}

describe('encoded values decode to themselves', () => {
  test('JSON', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const bytes = encodeJson(value);
        expect(canonical(decodeJson(bytes))).toEqual(canonical(value));
        expect(canonical(parseExactJson(bytes))).toEqual(canonical(value));
        const duplicates: string[] = [];
        decodeJson(bytes, { duplicates });
        expect(duplicates).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test('YAML', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        // Go writes Unicode line breaks unescaped, and reads them as line breaks
        fc.pre(!/\u0085|\\u2028|\\u2029/.test(Buffer.from(encodeJson(value)).toString()));
        expect(canonical(decodeYaml(encodeYaml(value)))).toEqual(canonical(value));
      }),
      { numRuns: 300 },
    );
  });
});

test('broken JSON is rejected where JSON.parse rejects it', () => {
  const broken = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom('', '"', '\\', ',', '{', ']', '1', '.', 'e', '-', 'u', ' ', 'n'))
    .map(([json, at, insert]) => `${json.slice(0, at % (json.length + 1))}${insert}${json.slice((at % (json.length + 1)) + 1)}`);
  fc.assert(
    fc.property(broken, (json) => {
      let want: unknown;
      try {
        want = JSON.parse(json);
      } catch {
        expect(() => parseExactJson(Buffer.from(json))).toThrow();
        expect(() => decodeJson(Buffer.from(json))).toThrow();
        return;
      }
      if (!/[0-9]{15}|[0-9][eE]|\\u/.test(json)) expect(decodeJson(Buffer.from(json))).toEqual(want);
    }),
    { numRuns: 1000 },
  );
});
