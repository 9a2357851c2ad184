import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cborToJson, jsonToCbor } from './cbor.ts';

test.each([
  ['[]', 'd9d9f780'],
  ['{"a":[1,-1,"ü"],"b":null}', 'd9d9f7a241618301 2042c3bc 4162f6'],
  ['1.0', 'd9d9f7fb3ff0000000000000'],
  ['18446744073709551615', 'd9d9f71bffffffffffffffff'],
  // repeated members are sent, although JavaScript objects cannot have them
  ['{"a":1,"a":2}', 'd9d9f7a2416101416102'],
])('%s is sent as CBOR %s', (json, hex) => {
  expect(jsonToCbor(json).toString('hex')).toBe(hex.replaceAll(' ', ''));
});

test('what is no JSON is not sent as CBOR', () => {
  expect(() => jsonToCbor('{"a":')).toThrow(SyntaxError);
});

test('JSON survives the way to CBOR and back', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), (json) => {
      const bytes = jsonToCbor(json);
      expect(JSON.parse(cborToJson(bytes)?.json ?? '')).toEqual(JSON.parse(json));
      expect(cborToJson(bytes.subarray(0, -1))).toBeUndefined();
    }),
  );
});

test.each([
  ['a161614161', '{"text string a":"a"}', 'd9d9f7'],
  ['d64101', '"AQ=="', 'd9d9f7'],
  ['d70a', '{"tag 23":10}', 'd9d9f7'],
  ['01', '{"without tag":1}', ''],
])('what Kubernetes does not write is marked: %s', (hex, json, tag) => {
  expect(cborToJson(Buffer.from(tag + hex, 'hex'))?.json).toBe(json);
});
