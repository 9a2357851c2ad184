import { BinaryReader } from '@bufbuild/protobuf/wire';
import { describe, test } from '@jest/globals';
import { codecConfigMap, codecPod } from '../../../generated/v1.35/core/v1/codec.ts';
import { decodeCbor, encodeCbor } from '../../../runtime/codec/cbor.ts';
import { decodeJson, encodeJson } from '../../../runtime/codec/json.ts';
import { parseRawJson } from '../../../runtime/machinery/json/raw-json.ts';
import { expectLinear, joined, members } from '../../support/growth.ts';

describe('JSON is decoded in linear time', () => {
  test.each<[string, number, (n: number) => string]>([
    ['small keys', 20_000, (n) => `{${joined(n, (i) => `"k${i}":1`)}}`],
    ['small keys, for the exact parser', 20_000, (n) => `{"x":1e5,${joined(n, (i) => `"k${i}":1`)}}`],
    ['one key repeatedly', 50_000, (n) => `{${joined(n, () => '"a":1')}}`],
    ['each key twice', 10_000, (n) => `{${joined(2 * n, (i) => `"a${i >> 1}":1`)}}`],
    [
      'duplicates at a great depth',
      10_000,
      (n) =>
        `${deep(
          900,
          joined(n, () => '"p":{"a":1,"a":2}'),
        )}`,
    ],
    ['__proto__ and constructor', 20_000, (n) => `[${joined(n, () => '{"__proto__":{"constructor":1}}')}]`],
    ['a long key', 500_000, (n) => `{"${'k'.repeat(n)}":1,"${'k'.repeat(n)}":1}`],
    ['small items', 200_000, (n) => `[${joined(n, () => '{}')}]`],
    ['a string of escapes', 50_000, (n) => `"${'\\n'.repeat(n)}"`],
    ['a string of escaped quotation marks', 50_000, (n) => `"${'\\"'.repeat(n)}"`],
    ['an open string of escapes', 50_000, (n) => `"${'\\n'.repeat(n)}`],
    ['backslashes outside of strings', 50_000, (n) => `${'\\"'.repeat(n)}"a"`],
    ['surrogates', 50_000, (n) => `"${'\\ud83d\\ude00'.repeat(n)}"`],
    ['lone surrogates', 50_000, (n) => `"${'\\ud83d'.repeat(n)}"`],
    ['digits', 500_000, (n) => '1'.repeat(n)],
    ['digits of a fraction', 500_000, (n) => `0.${'1'.repeat(n)}`],
    ['long integers', 20_000, (n) => `[${joined(n, () => '1234567890123456789')}]`],
    ['an object that is truncated at its end', 20_000, (n) => `{${joined(n, (i) => `"k${i}":1`)},`],
  ])('%s', (_what, size, text) => {
    expectLinear(size, (n) => {
      const bytes = Buffer.from(text(n));
      return () => decodeJson(bytes, { duplicates: [] });
    });
  });

  test('bytes that are not UTF-8', () => {
    expectLinear(100_000, (n) => {
      const bytes = Buffer.concat([Buffer.from('"'), Buffer.alloc(n, 0xff), Buffer.from('"')]);
      return () => decodeJson(bytes);
    });
  });

  test('bigints and many members are encoded in linear time', () => {
    expectLinear(20_000, (n) => {
      const value = { big: 2n ** 62n, ...members(n, (i) => [`k${i}`, 1]) };
      return () => encodeJson(value);
    });
  });
});

describe('raw JSON is read in linear time', () => {
  test.each<[string, number, (n: number) => string]>([
    ['long integers', 10_000, (n) => `[${joined(n, () => '1234567890123456789')}]`],
    ['digits', 500_000, (n) => '1'.repeat(n)],
    ['a broken string after a long integer', 100_000, (n) => `1234567890123456"${'\\"'.repeat(n)}`],
    ['quotation marks after a long integer', 100_000, (n) => `1234567890123456${'"\\'.repeat(n)}`],
    ['escapes', 100_000, (n) => `["${'\\\\'.repeat(n)}",1234567890123456789]`],
    ['levels', 100_000, (n) => '['.repeat(n)],
  ])('%s', (_what, size, text) => {
    expectLinear(size, (n) => {
      const bytes = Buffer.from(text(n));
      return () => parseRawJson(bytes);
    });
  });
});

describe('CBOR is decoded and encoded in linear time', () => {
  const maps = (n: number): unknown => Array.from({ length: n }, () => members(500, (i) => [`k${i}`, i]));

  test('of maps', () => {
    expectLinear(20, (n) => {
      const bytes = encodeCbor(maps(n));
      return () => decodeCbor(bytes);
    });
  });

  test('of chunks of a string', () => {
    expectLinear(40_000, (n) => {
      const bytes = Buffer.concat([Buffer.of(0x5f), Buffer.alloc(2 * n, Buffer.of(0x41, 0x61)), Buffer.of(0xff)]);
      return () => decodeCbor(bytes);
    });
  });

  test('of a wide map that is encoded', () => {
    expectLinear(10_000, (n) => {
      const value = members(n, (i) => [`k${i}`, 1]);
      return () => encodeCbor(value);
    });
  });
});

describe('protobuf is decoded in linear time', () => {
  const entry = (i: number): Buffer => {
    const key = Buffer.from(`k${i}`);
    return Buffer.concat([Buffer.of(0x12, key.length + 5, 0x0a, key.length), key, Buffer.of(0x12, 1, 0x76)]);
  };

  test.each<[string, number, (n: number) => Uint8Array]>([
    ['unknown fields', 100_000, (n) => Buffer.alloc(2 * n, Buffer.of(0x78, 1))],
    ['one message repeatedly', 100_000, (n) => Buffer.alloc(2 * n, Buffer.of(0x0a, 0))],
    ['entries of a map', 10_000, (n) => Buffer.concat(Array.from({ length: n }, (_, i) => entry(i)))],
    ['groups that never end', 100_000, (n) => Buffer.alloc(n, 0x7b)],
  ])('%s', (_what, size, bytesOf) => {
    expectLinear(size, (n) => {
      const bytes = bytesOf(n);
      return () => codecConfigMap.decode(new BinaryReader(bytes), bytes.length);
    });
  });

  test('empty items of a list', () => {
    expectLinear(20_000, (n) => {
      const items = Buffer.alloc(2 * n, Buffer.of(0x12, 0));
      const length = Buffer.of(0x12, 0, 0, 0, 0);
      for (let i = 0; i < 4; i++) length[i + 1] = ((items.length >>> (7 * i)) & 0x7f) | (i < 3 ? 0x80 : 0);
      const bytes = Buffer.concat([length, items]);
      return () => codecPod.decode(new BinaryReader(bytes), bytes.length);
    });
  });
});

function deep(levels: number, inside: string): string {
  return `${'{"a":'.repeat(levels)}{${inside}}${'}'.repeat(levels)}`;
}
