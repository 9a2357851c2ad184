import { describe, expect, test } from '@jest/globals';
import { objectMetaMerge as generated } from '../../../../generated/v1.35/meta/v1/merge.ts';
import type { Json } from '../../../../runtime/machinery/object.ts';
import type { JsonSchema } from '../../../../runtime/machinery/schema/json-schema.ts';
import type { MergeSchema } from '../../../../runtime/machinery/schema/merge-schema.ts';
import { toFieldsV1 } from '../../../../runtime/patch/fieldpath/fields-v1.ts';
import { toFieldSet } from '../../../../runtime/patch/typed/to-field-set.ts';
import { validateTyped } from '../../../../runtime/patch/typed/validate.ts';
import { mergeSchemaOf } from '../../../../runtime/structural/schema/merge-schema.ts';
import { objectMetaMerge } from '../../../../runtime/structural/schema/object-meta-merge.ts';

/** Calls all thunks of a merge schema. */
function plain(schema: MergeSchema): unknown {
  return JSON.parse(JSON.stringify(schema, (_key, value) => (typeof value === 'function' ? value() : value)));
}

const text: JsonSchema = { type: 'string' };
const object = (properties: Record<string, JsonSchema>, rest: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...rest,
});
const owned = (schema: JsonSchema, value: Json) => toFieldsV1(toFieldSet(value, mergeSchemaOf(schema, false)));

describe('the merge schema of a custom resource', () => {
  test('has the metadata of built-in kinds', () => {
    expect(plain(objectMetaMerge)).toEqual(plain(generated));
    const root = mergeSchemaOf(object({ spec: object({}) }));
    expect(Object.keys((root as { fields: object }).fields)).toEqual(['spec', 'apiVersion', 'kind', 'metadata']);
  });

  test.each<[string, JsonSchema, Json, Json]>([
    ['fields', object({ a: text }), { a: 'x' }, { 'f:a': {} }],
    ['a map', { type: 'object', additionalProperties: text }, { a: 'x' }, { 'f:a': {} }],
    [
      'an atomic map',
      object({ m: { type: 'object', additionalProperties: text, 'x-kubernetes-map-type': 'atomic' } }),
      { m: { a: 'x' } },
      { 'f:m': {} },
    ],
    ['an atomic object', object({ o: object({ a: text }, { 'x-kubernetes-map-type': 'atomic' }) }), { o: { a: 'x' } }, { 'f:o': {} }],
    ['a list', object({ l: { type: 'array', items: text } }), { l: ['x'] }, { 'f:l': {} }],
    ['a set', object({ l: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' } }), { l: ['x'] }, { 'f:l': { 'v:"x"': {} } }],
    [
      'a list by keys, with their defaults',
      object({
        l: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name', 'zone'],
          items: object({ name: text, zone: { type: 'string', default: 'a' }, size: { type: 'integer' } }),
        },
      }),
      { l: [{ name: 'n', size: 1 }] },
      { 'f:l': { 'k:{"name":"n","zone":"a"}': { '.': {}, 'f:name': {}, 'f:size': {} } } },
    ],
    ['objects without properties', object({ o: { type: 'object' } }), { o: { a: { b: 1 } } }, { 'f:o': { 'f:a': { '.': {}, 'f:b': {} } } }],
    [
      'unknown fields that are preserved, at any depth',
      object({ o: object({ in: object({ a: text }) }, { 'x-kubernetes-preserve-unknown-fields': true }) }),
      { o: { x: [1], in: { a: 'a', y: { z: 1 } } } },
      { 'f:o': { 'f:x': {}, 'f:in': { 'f:a': {}, 'f:y': { '.': {}, 'f:z': {} } } } },
    ],
    ['values of any type', object({ v: { 'x-kubernetes-preserve-unknown-fields': true } }), { v: { a: 1 } }, { 'f:v': { 'f:a': {} } }],
    ['numbers or text', object({ v: { 'x-kubernetes-int-or-string': true } }), { v: '10%' }, { 'f:v': {} }],
    [
      'embedded resources',
      object({
        r: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
      }),
      { r: { kind: 'K', metadata: { finalizers: ['a/b'] }, spec: { x: 1 } } },
      {
        'f:r': { 'f:kind': {}, 'f:metadata': { 'f:finalizers': { 'v:"a/b"': {} } }, 'f:spec': { '.': {}, 'f:x': {} } },
      },
    ],
  ])('%s', (_what, schema, value, want) => {
    expect(JSON.parse(JSON.stringify(owned(schema, value)))).toEqual(want);
  });

  test.each<[string, JsonSchema, Json, string]>([
    ['an unknown field', object({ a: text }), { b: 1 }, '.b: field not declared in schema'],
    ['a number in place of text', object({ a: text }), { a: 1 }, '.a: expected string, got &value.valueUnstructured{Value:1}'],
    ['text in place of a number', object({ a: { type: 'integer' } }), { a: 'x' }, '.a: expected numeric (int or float), got string'],
    ['text in place of a boolean', object({ a: { type: 'boolean' } }), { a: 'x' }, '.a: expected boolean, got &{x}'],
    [
      'an object in place of a time',
      object({ a: { type: 'string', format: 'date-time' } }),
      { a: {} },
      '.a: expected any scalar, got &{map[]}',
    ],
    ['no others', object({ a: text }, { additionalProperties: false }), { b: 'x' }, '.b: field not declared in schema'],
  ])('rejects %s', (_what, schema, value, message) => {
    expect(() => validateTyped(value, mergeSchemaOf(schema, false))).toThrow(message);
  });

  test('accepts null for nullable fields', () => {
    expect(() => validateTyped({ a: null }, mergeSchemaOf(object({ a: { ...text, nullable: true } }), false))).not.toThrow();
  });

  test('without a schema accepts anything', () => {
    expect(mergeSchemaOf(undefined)).toEqual({ kind: 'untyped' });
  });

  test('accepts field names that JavaScript objects inherit', () => {
    const properties = JSON.parse('{"__proto__":{"type":"string"},"constructor":{"type":"string"}}');
    const value = JSON.parse('{"__proto__":"a","constructor":"b"}');
    expect(() => validateTyped(value, mergeSchemaOf(object(properties), false))).not.toThrow();
    expect(JSON.stringify(owned(object(properties), value))).toBe('{"f:__proto__":{},"f:constructor":{}}');
  });
});
