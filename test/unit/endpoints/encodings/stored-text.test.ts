import { describe, expect, test } from '@jest/globals';
import { codecPod } from '../../../../generated/v1.35/core/v1/codec.ts';
import { decodeJson } from '../../../../runtime/codec/json.ts';
import { encodeMessage } from '../../../../runtime/endpoints/encodings/protobuf.ts';
import { metadataSpan, objectToEncode } from '../../../../runtime/endpoints/encodings/stored-text.ts';
import { RawJson } from '../../../../runtime/machinery/json/raw-json.ts';
import type { KubeObject } from '../../../../runtime/machinery/object.ts';
import type { ResourceDefinition, TypeDefinition } from '../../../../runtime/machinery/resource.ts';
import type { StoredObject } from '../../../../runtime/storage/object-store/contract.ts';

const definition = { version: 'v1', storageVersion: 'v1' } as unknown as ResourceDefinition;
const type = { kind: 'Pod', protobuf: codecPod } as unknown as TypeDefinition;

const stored = (json: string): StoredObject =>
  ({ json: Buffer.from(json), decode: () => decodeJson(Buffer.from(json)) }) as unknown as StoredObject;
const fieldsOf = (object: KubeObject): unknown[] => (object.metadata.managedFields ?? []).map((entry) => entry.fieldsV1);
const entry = (fields: string, more = ''): string => `{"manager":"m","operation":"Update","fieldsV1":${fields}${more}}`;
const podOf = (metadata: string, rest = '"spec":{"containers":[]}'): string =>
  `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a",${metadata}},${rest}}`;

const lean = {
  'of one manager': podOf(`"managedFields":[${entry('{"f:spec":{"f:replicas":{}}}')}]`),
  'of two, with braces and quotes in keys': podOf(
    `"managedFields":[${entry('{"f:x":{"k:{\\"name\\":\\"}{\\"}":{".":{}}}}', ',"subresource":"status"')},${entry('{}')}]`,
  ),
  'of one manager with fields and one without': podOf(`"managedFields":[{"manager":"n","operation":"Update"},${entry('{"f:y":{}}')}]`),
};
const exact = {
  'whose text is different in protobuf': podOf(`"managedFields":[${entry('{"f:\\u003ca":{}}')}]`),
  'of a template, not of the object': podOf(
    '"labels":{"a":"b"}',
    `"spec":{"containers":[],"template":{"metadata":{"managedFields":[${entry('{"f:z":{}}')}]}}}`,
  ),
  'beside an integer beyond the precision of a double': podOf(
    `"managedFields":[${entry('{"f:y":{}}')}]`,
    '"spec":{"activeDeadlineSeconds":9007199254740993}',
  ),
};

describe('managed fields', () => {
  for (const [what, json] of Object.entries(lean)) {
    test(`${what} are not decoded, and are encoded the same`, () => {
      const object = objectToEncode(definition, stored(json));
      const fields = fieldsOf(object).filter((one) => one !== undefined);
      expect(fields.length).toBeGreaterThan(0);
      expect(fields.every((one) => one instanceof RawJson)).toBe(true);
      const whole = decodeJson(Buffer.from(json));
      expect(encodeMessage(type, object)).toEqual(encodeMessage(type, whole));
      expect(JSON.parse(JSON.stringify(object))).toEqual(whole);
    });
  }
  for (const [what, json] of Object.entries(exact)) {
    test(`${what} are decoded`, () => {
      expect(objectToEncode(definition, stored(json))).toEqual(decodeJson(Buffer.from(json)));
    });
  }
});

describe('an object', () => {
  const texts = {
    'a lone surrogate': '{"metadata":{"annotations":{"a":"\\ud800"}}}',
    'bytes that are not UTF-8': Buffer.from('7b226d65746164617461223a7b2261223a22ff227d7d', 'hex').toString('latin1'),
    'an exponent': '{"metadata":{},"spec":{"a":1e3}}',
    'a number within a text': '{"metadata":{"annotations":{"a":"x:123456789012345678"}}}',
    'text beyond ASCII': '{"metadata":{"annotations":{"ä":"€"}}}',
  };
  for (const [what, json] of Object.entries(texts)) {
    test(`is encoded from its stored bytes: ${what}`, () => {
      expect(objectToEncode(definition, stored(json))).toEqual(decodeJson(Buffer.from(json)));
    });
  }
});

test('metadata is found in the bytes, also with braces in strings', () => {
  const json = Buffer.from(podOf('"labels":{"a":"}\\""}'));
  const { start, end } = metadataSpan(json) as { start: number; end: number };
  expect(json.toString('utf8', start, end)).toBe('{"name":"a","labels":{"a":"}\\""}}');
  expect(metadataSpan(Buffer.from('[]'))).toBeUndefined();
});
