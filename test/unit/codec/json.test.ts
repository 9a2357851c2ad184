import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseExactJson } from '../../../runtime/codec/json/exact.ts';
import { decodeJson, encodeJson, encodeJsonLine, stringifyJson } from '../../../runtime/codec/json.ts';
import { Float64 } from '../../../runtime/machinery/json/float64.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const encodedPlain = (text: string): string => JSON.stringify(decodeJson(bytes(text)));
const decode = (text: string, duplicates?: string[]): unknown => decodeJson(bytes(text), { duplicates });

describe('decodeJson', () => {
  test.each([
    ['{}', {}],
    [' [1, -2.5, "a\\n\\u00e9\\ud83d\\ude00", true, false, null] ', [1, -2.5, 'a\né😀', true, false, null]],
    ['"é😀"', 'é😀'],
    ['{"a":{"b":[{"c":1}]},"":2}', { a: { b: [{ c: 1 }] }, '': 2 }],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['-9223372036854775808', -9223372036854775808n],
    ['9223372036854775807', 9223372036854775807n],
    ['9223372036854775808', 2 ** 63],
    ['0.12345678901234567', Number('0.12345678901234567')],
    ['1e3', 1000],
    ['1E-7', 1e-7],
    ['"\\ud800"', '\ufffd'],
    ['"\\udc00x"', '\ufffdx'],
    ['"\\ud800\\u0041"', '\ufffdA'],
    ['{"\\u0061":1}', { a: 1 }],
  ])('%s', (text, want) => {
    expect(decode(text)).toEqual(want);
    expect(parseExactJson(bytes(text))).toEqual(want);
  });

  test.each([
    ['5.0', true],
    ['-0.0', true],
    ['1e3', true],
    ['5.5e1', true],
    ['[{"a":[12.000 ,1]}]', true],
    ['5', false],
    ['5.05', false],
    ['1.5', false],
    ['1e-3', false],
    ['1e300', false],
    ['9007199254740992.0', false],
    ['{"5.0":"1e3"}', false],
  ])('%s has a whole float: %s', (text, want) => {
    const value = decodeJson(bytes(text), { floats: true });
    const found: string[] = [];
    const replaced = JSON.stringify(value, function (key, inner) {
      const raw = (this as Record<string, unknown>)[key];
      if (raw instanceof Float64) found.push(String(raw));
      return inner;
    });
    expect(found.length > 0).toBe(want);
    expect(found.every((one) => text.includes(one))).toBe(true);
    expect(replaced).toBe(encodedPlain(text));
    expect(encodeJson(value)).toEqual(encodeJson(decodeJson(bytes(text))));
  });

  test.each([
    ['', 'unexpected end of JSON input'],
    ['   ', 'unexpected end of JSON input'],
    ['{', 'unexpected end of JSON input'],
    ['{"a":', 'unexpected end of JSON input'],
    ['"abc', 'unexpected end of JSON input'],
    ['\ufeff{}', "invalid character 'ï' looking for beginning of value"],
    ['{}x', "invalid character 'x' after top-level value"],
    ['{a:1}', "invalid character 'a' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b"}', "invalid character '\"' after object key:value pair"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ['[1,]', "invalid character ']' looking for beginning of value"],
    ['[1 2]', "invalid character '2' after array element"],
    ["'a'", "invalid character '\\'' looking for beginning of value"],
    ['tru1', "invalid character '1' in literal true (expecting 'e')"],
    ['nul', "invalid character ' ' in literal null (expecting 'l')"],
    ['{"a":tru', "invalid character ' ' in literal true (expecting 'e')"],
    ['"\\', "invalid character ' ' in string escape code"],
    ['"\\u1', "invalid character ' ' in \\u hexadecimal character escape"],
    ['1.', "invalid character ' ' after decimal point in numeric literal"],
    ['1e+', "invalid character ' ' in exponent of numeric literal"],
    ['-x', "invalid character 'x' in numeric literal"],
    ['01', "invalid character '1' after top-level value"],
    ['1.x', "invalid character 'x' after decimal point in numeric literal"],
    ['1ex', "invalid character 'x' in exponent of numeric literal"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['"\\u00g0"', "invalid character 'g' in \\u hexadecimal character escape"],
    ['"\n"', "invalid character '\\n' in string literal"],
    ['1e400', 'json: cannot unmarshal number 1e400 into Go value of type float64'],
  ])('%j is rejected in the words of encoding/json', (text, message) => {
    expect(() => decode(text)).toThrow(message);
  });

  test('excessive depth is an error, and does not overflow the stack', () => {
    for (const open of ['[', '{"a":', '[{"a":']) {
      const message = /^invalid character '[[{]' exceeded max depth$/;
      expect(() => decode(open.repeat(1_000_000))).toThrow(message);
      expect(() => decode(open.repeat(100_000), [])).toThrow(message);
      expect(() => decode(`[1e3,${open.repeat(100_000)}`)).toThrow(message);
    }
    expect(() => decode(`[?${'['.repeat(100_000)}`)).toThrow("invalid character '?' looking for beginning of value");
    expect(decode('['.repeat(1000) + ']'.repeat(1000))).toBeDefined();
  });

  test('each byte that is not UTF-8 becomes U+FFFD', () => {
    const raw = Uint8Array.from([0x22, 0xe2, 0x82, 0x61, 0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80, 0xc3, 0xa9, 0x22]);
    expect(decodeJson(raw)).toBe('\ufffd\ufffda\ufffd\ufffd\ufffd\ufffd\ufffd\ufffdé');
    expect(decode('"\ufffd"')).toBe('\ufffd');
  });

  test('__proto__ is an ordinary key', () => {
    for (const text of ['{"__proto__":{"x":1},"constructor":2}', '{"__proto__":{"x":1},"n":1e1}']) {
      const value = decode(text) as object;
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect(Object.hasOwn(value, '__proto__')).toBe(true);
      expect((value as { x?: number }).x).toBeUndefined();
    }
  });

  test.each([
    ['{"a":1,"b":{"a":1},"c":[{"a":1},{"a":1}]}', []],
    ['{"a":1,"a":2}', ['duplicate field "a"']],
    ['{"spec":{"foo":1,"foo":2,"foo":3}}', ['duplicate field "spec.foo"']],
    ['{"a":[{},{"b":{"c":1,"c":2}}],"a":[]}', ['duplicate field "a[1].b.c"', 'duplicate field "a"']],
    ['{"a":1,"\\u0061":2}', ['duplicate field "a"']],
    ['{"__proto__":1,"__proto__":2}', ['duplicate field "__proto__"']],
    ['{"toString":1}', []],
  ])('duplicates of %s', (text, want) => {
    const duplicates: string[] = [];
    decode(text, duplicates);
    expect(duplicates).toEqual(want);
  });

  test('the last of equal keys wins', () => {
    expect(decode('{"a":1,"a":2}', [])).toEqual({ a: 2 });
    expect(decode('{"a":1,"a":2}')).toEqual({ a: 2 });
  });

  test('the fast and the exact decoder agree on any text, and on its duplicate keys', () => {
    // few keys, many of them equal; escapes, digits, brackets and quotes in critical places
    const piece = fc.constantFrom('a', 'b', '1', '{', '}', '[', ']', ',', ':', ' ', '\\"', '\\\\', '\\u0061', '\\ud83d', 'é');
    const string = fc.array(piece, { maxLength: 4 }).map((pieces) => `"${pieces.join('')}"`);
    const scalar = fc.oneof(string, fc.constantFrom('1', '-0.5', '1e3', '9007199254740993', 'true', 'null'));
    const blank = fc.constantFrom('', '', ' ', '\n  ');
    const { value } = fc.letrec<{ value: string }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        scalar,
        fc
          .tuple(blank, fc.array(fc.tuple(string, blank, tie('value')), { maxLength: 5 }))
          .map(
            ([between, members]) =>
              `{${between}${members.map(([key, after, one]) => `${key}${after}:${after}${one}`).join(`${between},${between}`)}}`,
          ),
        fc.tuple(blank, fc.array(tie('value'), { maxLength: 4 })).map(([between, items]) => `[${items.join(`,${between}`)}]`),
      ),
    }));
    fc.assert(
      fc.property(value, (text) => {
        const [quick, exact]: string[][] = [[], []];
        expect(decode(text, quick)).toEqual(parseExactJson(bytes(text), { duplicates: exact }));
        expect(quick).toEqual(exact);
        expect(decode(text)).toEqual(parseExactJson(bytes(text)));
      }),
      { numRuns: 1_000 },
    );
  });

  test('one duplicate among many keys is found, at any size', () => {
    for (const count of [3, 100, 5_000, 50_000]) {
      const members = Array.from({ length: count }, (_, i) => `"key-${i}":{"name":${i}}`);
      const clean: string[] = [];
      decode(`{${members.join(',')}}`, clean);
      expect(clean).toEqual([]);
      const found: string[] = [];
      decode(`{${[...members, '"key-1":0'].join(',')}}`, found);
      expect(found).toEqual(['duplicate field "key-1"']);
    }
  });
});

test('encodeJsonLine ends with a newline for any text', () => {
  for (const value of [{}, { a: 'é<\u2028\ud800' }, 'a'.repeat(10_000)]) {
    expect(Buffer.from(encodeJsonLine(value)).equals(Buffer.concat([encodeJson(value), Buffer.from('\n')]))).toBe(true);
  }
});

describe('encodeJson', () => {
  test.each([
    [{ a: 1, b: undefined, c: [undefined, null] }, '{"a":1,"c":[null,null]}'],
    [{ a: 9223372036854775807n, b: ['x', { c: undefined }] }, '{"a":9223372036854775807,"b":["x",{}]}'],
    ['<a href="x">&\u2028\u2029', '"\\u003ca href=\\"x\\"\\u003e\\u0026\\u2028\\u2029"'],
    [[1n, '<'], '[1,"\\u003c"]'],
    [1e21, '1e+21'],
    [-0, '0'],
  ])('%#', (value, want) => {
    expect(stringifyJson(value)).toBe(want);
    expect(new TextDecoder().decode(encodeJson(value))).toBe(want);
  });

  test('encodes a document at the depth limit', () => {
    const deep = decode(`${'{"a":'.repeat(1000)}9007199254740993${'}'.repeat(1000)}`);
    expect(encodeJson(deep)).toHaveLength(6016);
  });

  test('encoded values decode to themselves', () => {
    const value = { a: [1, 2n ** 62n, 'é\u2028<', null, true], ['__proto__']: { b: 1 } };
    expect(decodeJson(encodeJson(value))).toEqual(value);
  });
});
