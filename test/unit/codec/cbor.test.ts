import { describe, expect, test } from '@jest/globals';
import { Decoder, Encoder } from 'cbor-x';
import fc from 'fast-check';
import {
  cborListPieces,
  cborWatchFrame,
  decodeCbor,
  diagnoseCbor,
  encodeCbor,
  interpretCbor,
  isCbor,
} from '../../../runtime/codec/cbor.ts';
import { isDecodeError } from '../../../runtime/machinery/errors/decode-error.ts';
import { Float64 } from '../../../runtime/machinery/json/float64.ts';
import { isJsonObject } from '../../../runtime/machinery/json/values.ts';
import type { Json } from '../../../runtime/machinery/object.ts';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
const encoded = (value: unknown): string => Buffer.from(encodeCbor(value)).toString('hex').slice(6);

describe('encodeCbor', () => {
  test.each<[unknown, string]>([
    [null, 'f6'],
    [true, 'f5'],
    [false, 'f4'],
    [0, '00'],
    [23, '17'],
    [24, '1818'],
    [255, '18ff'],
    [256, '190100'],
    [65536, '1a00010000'],
    [2 ** 40, '1b0000010000000000'],
    [-1, '20'],
    [-25, '3818'],
    [5n, '05'],
    [2n ** 63n - 1n, '1b7fffffffffffffff'],
    [-(2n ** 63n), '3b7fffffffffffffff'],
    [1.5, 'f93e00'],
    [-0.5, 'f9b800'],
    [2 ** -24, 'f90001'],
    [2 ** -14 + 2 ** -24, 'f90401'],
    [100000.5, 'fa47c35040'],
    [0.1, 'fb3fb999999999999a'],
    [1e300, 'fb7e37e43c8800759c'],
    ['', '40'],
    ['é', '42c3a9'],
    [[1, [2]], '82018102'],
    [{ b: 1, aa: 2, a: 3, x: undefined }, 'a3 4161 03 4162 01 426161 02'.replaceAll(' ', '')],
  ])('%p is %s', (value, want) => {
    expect(encoded(value)).toBe(want);
    expect(isCbor(encodeCbor(value))).toBe(true);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, 2n ** 63n, Symbol('x')])('%p is rejected', (value) => {
    expect(() => encodeCbor(value)).toThrow(TypeError);
  });
});

describe('decodeCbor', () => {
  test.each<[string, Json]>([
    ['d9d9f7 01', 1],
    ['1b 0000000000000001', 1],
    ['1b 0020000000000000', 2n ** 53n],
    ['3b 7fffffffffffffff', -(2n ** 63n)],
    ['62 c3a9', 'é'],
    ['42 c3a9', 'é'],
    ['5f 4161 4162 ff', 'ab'],
    ['7f 6161 ff', 'a'],
    ['9f 01 02 ff', [1, 2]],
    ['bf 6161 01 ff', { a: 1 }],
    ['f9 0001', 2 ** -24],
    ['fa 3fc00000', 1.5],
    ['d6 43 010203', 'AQID'],
    ['d5 42 fbff', '-_8'],
    ['d7 42 00ff', '00ff'],
    ['c0 74 323031332d30332d32315432303a30343a30305a', '2013-03-21T20:04:00Z'],
    ['c1 1a514b67b0', '2013-03-21T20:04:00Z'],
    ['d9 1234 01', 1],
    ['a1 f6 01', { '': 1 }],
    ['a1 49 5f5f70726f746f5f5f a1 4178 01', JSON.parse('{"__proto__":{"x":1}}')],
  ])('%s', (bytes, want) => {
    const value = decodeCbor(hex(bytes));
    expect(value).toEqual(want);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    }
  });

  test.each([
    ['', 'EOF'],
    ['19', 'unexpected EOF'],
    ['43 01', 'unexpected EOF'],
    ['82 01', 'unexpected EOF'],
    ['9f 01', 'unexpected EOF'],
    ['5b ffffffffffffffff', 'unexpected EOF'],
    ['01 02', 'cbor: 1 bytes of extraneous data starting at index 1'],
    ['61 ff', 'cbor: invalid UTF-8 string'],
    ['7f 61c3 61a9 ff', 'cbor: invalid UTF-8 string'],
    ['a2 4161 01 6161 02', 'cbor: found duplicate map key "a" at map element index 1'],
    ['a1 01 02', 'cbor: cannot unmarshal positive integer into Go value of type string'],
    [
      '1b 8000000000000000',
      "cbor: cannot unmarshal positive integer into Go value of type int64 (9223372036854775808 overflows Go's int64)",
    ],
    ['f9 7e00', 'cbor: data item of cbor type primitives is not accepted by protocol: floating-point NaN'],
    ['f9 7c00', 'cbor: data item of cbor type primitives is not accepted by protocol: floating-point infinity'],
    ['f7', 'cbor: data item of cbor type primitives is not accepted by protocol: simple value 23 is not recognized'],
    ['f8 20', 'cbor: data item of cbor type primitives is not accepted by protocol: simple value 32 is not recognized'],
    ['c2 41 01', 'cbor: data item of cbor type tag is not accepted by protocol: bignum'],
    ['1c', 'cbor: invalid additional information 28 for type positive integer'],
    ['1f', 'cbor: invalid additional information 31 for type positive integer'],
    ['ff', 'cbor: unexpected "break" code'],
    ['5f 6161 ff', 'cbor: wrong element type UTF-8 text string for indefinite-length byte string'],
    ['c0 01', 'cbor: tag number 0 must be followed by text string, got positive integer'],
    [`${'81'.repeat(65)}01`, 'cbor: exceeded max nested level 64'],
    ['81'.repeat(100_000), 'cbor: exceeded max nested level 64'],
    ['c6'.repeat(100_000), 'cbor: exceeded max nested level 64'],
    ['99 0401', 'cbor: exceeded max number of elements 1024 for CBOR array'],
    ['b9 0401', 'cbor: exceeded max number of key-value pairs 1024 for CBOR map'],
    [`9f${'01'.repeat(1025)}ff`, 'cbor: exceeded max number of elements 1024 for CBOR array'],
  ])('%.40s is rejected', (bytes, message) => {
    let error: unknown;
    try {
      decodeCbor(hex(bytes));
    } catch (thrown) {
      error = thrown;
    }
    expect((error as Error).message).toBe(message);
    expect(isDecodeError(error)).toBe(true);
  });
});

test.each([
  ['f9 3c00', 1],
  ['fb 40f0000000000000', 65536],
])('%s is a float, although it is whole', (bytes, want) => {
  const value = decodeCbor(hex(bytes));
  expect(value).toBeInstanceOf(Float64);
  expect((value as unknown as Float64).value).toBe(want);
  expect(decodeCbor(encodeCbor(value))).toEqual(value);
});

const messageOf = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return (error as Error).message;
  }
};

describe('the kind of a document is known', () => {
  // a: {a: 1, a: 2}, an integer beyond int64, a text that is not UTF-8
  test.each(['a2 4161 01 4161 02', '1b ffffffffffffffff', '61 ff', 'a1 01 02', 'c0 01', 'c1 40'])(
    'although the value %s has no meaning',
    (value) => {
      const bytes = hex(`d9d9f7 a3 446b696e64 43466f6f 4161 ${value} 4a61706956657273696f6e 427631`);
      expect(() => decodeCbor(bytes)).toThrow('cbor: ');
      expect(interpretCbor(bytes)).toEqual({ apiVersion: 'v1', kind: 'Foo' });
    },
  );

  test.each([
    ['f6', { apiVersion: '', kind: '' }],
    ['a1 446b696e64 f6', { apiVersion: '', kind: '' }],
    ['80', 'cbor: cannot unmarshal array into Go value of type v1.TypeMeta (cannot decode CBOR array to struct without toarray option)'],
    ['20', 'cbor: cannot unmarshal negative integer into Go value of type v1.TypeMeta'],
    ['f9 3c00', 'cbor: cannot unmarshal primitives into Go value of type v1.TypeMeta'],
    ['a1 446b696e64 a0', 'cbor: cannot unmarshal map into Go struct field v1.TypeMeta.kind of type string'],
    ['a2 4161 01 4161 02', 'cbor: found duplicate map key "a" at map element index 1'],
    ['a1 61ff 01', 'cbor: invalid UTF-8 string'],
    ['a1 4161 f97e00', 'cbor: data item of cbor type primitives is not accepted by protocol: floating-point NaN'],
  ])('in %s: %j', (bytes, want) => {
    expect(messageOf(() => interpretCbor(hex(bytes)))).toEqual(want);
    expect(messageOf(() => interpretCbor(hex(`d9d9f7 ${bytes}`)))).toEqual(want);
  });
});

describe('diagnostic notation', () => {
  // encodings of fxamacher/cbor
  test.each([
    ['d9d9f7 a2 4161 fb3ff199999999999a 4162 f93c00', "55799({'a': 1.1, 'b': 1.0})"],
    ['85 20 80 a0 f5 f6', '[-1, [], {}, true, null]'],
    ['82 63c3bc0a 64f09f9880', '["\\u00fc\\n", "\\ud83d\\ude00"]'],
    ['82 43ff0102 45c3bc275c09', "[h'ff0102', '\\u00fc\\'\\\\\\t']"],
    ['83 fb54b249ad2594c37d fb3e7ad7f29abcaf48 fb4415af1d78b58c40', '[1.0e+100, 1.0e-7, 100000000000000000000.0]'],
    [
      '87 9f01ff 5f41614162ff c11a514b67b0 bf416101ff 7f6161ff d643010203 5fff',
      `[[_ 1], (_ 'a', 'b'), 1(1363896240), {_ 'a': 1}, (_ "a"), 22('\\u0001\\u0002\\u0003'), ''_]`,
    ],
  ])('of %s is %s', (bytes, want) => {
    expect(diagnoseCbor(hex(bytes), 1000)).toBe(want);
  });

  test('ends soon after the limit', () => {
    const many = hex(`9a 00100000 ${'01'.repeat(2 ** 20)}`);
    expect(diagnoseCbor(many, 100).length).toBeLessThan(110);
    expect(diagnoseCbor(hex(`59 ffff ${'61'.repeat(0xffff)}`), 100).length).toBeLessThan(110);
  });
});

/** JSON-shaped values; -0 is encoded as the integer 0. */
const anyJson = fc.jsonValue({ maxDepth: 6 }).map((value) => JSON.parse(JSON.stringify(value)) as Json);

describe('beside cbor-x', () => {
  const reader = new Decoder({ mapsAsObjects: false, int64AsType: 'bigint' } as object);
  const writer = new Encoder({ variableMapSize: true, useRecords: false, tagUint8Array: false } as object);

  /** Returns the JSON value that cbor-x decodes from our bytes. */
  const plain = (value: unknown): Json => {
    if (value instanceof Map || Object.prototype.toString.call(value) === '[object Map]') {
      const map = value as Map<Uint8Array, unknown>;
      return Object.fromEntries([...map].map(([key, member]) => [Buffer.from(key).toString(), plain(member)]));
    }
    if (Array.isArray(value)) return value.map(plain);
    if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString();
    // above 32 bits, cbor-x returns a bigint for every integer
    if (typeof value === 'bigint' && Number.isSafeInteger(Number(value))) return Number(value);
    return value as Json;
  };

  test('cbor-x reads what we write', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const bytes = Buffer.from(encodeCbor(value).subarray(3));
        expect(JSON.stringify(sorted(plain(reader.decode(bytes))))).toBe(JSON.stringify(sorted(value)));
      }),
      { numRuns: 150 },
    );
  });

  test('we read what cbor-x writes', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        expect(JSON.stringify(decodeCbor(writer.encode(value)))).toBe(JSON.stringify(value));
      }),
      { numRuns: 150 },
    );
  });
});

test('encoded values decode to themselves, and encode the same', () => {
  fc.assert(
    fc.property(anyJson, (value) => {
      const bytes = encodeCbor(value);
      const back = decodeCbor(bytes);
      expect(JSON.stringify(sorted(back))).toBe(JSON.stringify(sorted(value)));
      expect(Buffer.compare(encodeCbor(back), bytes)).toBe(0);
    }),
    { numRuns: 150 },
  );
});

test('a list and a watch event from encoded objects', () => {
  const items = [{ a: 1 }, { b: [2] }];
  const list = Buffer.concat([
    ...cborListPieces({ apiVersion: 'v1', kind: 'ThingList' }, { resourceVersion: '7' }, 2, (index) => encodeCbor(items[index])),
  ]);
  const want = { apiVersion: 'v1', kind: 'ThingList', metadata: { resourceVersion: '7' }, items };
  expect(decodeCbor(list)).toEqual(want);
  expect(Buffer.compare(list, encodeCbor(want))).toBe(0);
  const frame = cborWatchFrame('ADDED', encodeCbor(items[0]));
  expect(decodeCbor(frame)).toEqual({ type: 'ADDED', object: items[0] });
});

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  return Object.keys(value)
    .sort()
    .map((key) => [key, sorted(value[key])]);
}
