import { describe, expect, test } from '@jest/globals';
import { validateCustomResourceDefinition } from '../../../../../runtime/extensions/crd/validation/index.ts';
import { invalid } from '../../../../../runtime/machinery/errors/status.ts';
import type { JsonSchema } from '../../../../../runtime/machinery/schema/json-schema.ts';
import type { FieldError } from '../../../../../runtime/machinery/validation/field-error.ts';
import { errorsOf, updateErrorsOf, withSchema, withX } from './definitions.ts';

const root = 'spec.validation.openAPIV3Schema';
const x = `${root}.properties[x]`;
const text: JsonSchema = { type: 'string' };

describe('a schema is structural', () => {
  test.each<[string, JsonSchema, string[]]>([
    ['no type at the root', {}, [`${root}.type: Required value: must not be empty at the root`]],
    ['another type at the root', { type: 'array', items: text }, [`${root}.type: Invalid value: "array": must be object at the root`]],
    [
      'additionalProperties at the root',
      { type: 'object', additionalProperties: text },
      [`${root}.additionalProperties: Forbidden: must not be used at the root`],
    ],
    ['nullable at the root', { type: 'object', nullable: true }, [`${root}.nullable: Forbidden: nullable cannot be true at the root`]],
    [
      'metadata, names only',
      {
        type: 'object',
        properties: { metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 5 } } } },
      },
      [],
    ],
    [
      'metadata, more',
      { type: 'object', properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } } },
      [
        `${root}.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified`,
      ],
    ],
    [
      'metadata of another type',
      { type: 'object', properties: { metadata: text } },
      [`${root}.properties[metadata].type: Invalid value: "string": must be object`],
    ],
    [
      'kind of another type',
      { type: 'object', properties: { kind: { type: 'integer' } } },
      [`${root}.properties[kind].type: Invalid value: "integer": must be string`],
    ],
    [
      'completeness',
      { type: 'object', anyOf: [{ required: ['a'], properties: { a: { minimum: 1 } } }] },
      [`${root}.properties[a]: Required value: because it is defined in ${root}.anyOf[0].properties[a]`],
    ],
    [
      'metadata inside a junctor',
      { type: 'object', properties: { metadata: { type: 'object' } }, not: { properties: { metadata: {} } } },
      [`${root}.not.properties[metadata]: Forbidden: must not be specified in a nested context`],
    ],
  ])('%s', (_name, schema, want) => {
    expect(errorsOf(withSchema(schema))).toEqual(want);
  });

  test.each<[string, JsonSchema, string[]]>([
    ['a field without type', {}, [`${x}.type: Required value: must not be empty for specified object fields`]],
    ['preserved without type', { 'x-kubernetes-preserve-unknown-fields': true }, []],
    ['an array without items', { type: 'array' }, [`${x}.items: Required value: must be specified`]],
    ['items without type', { type: 'array', items: {} }, [`${x}.items.type: Required value: must not be empty for specified array items`]],
    [
      'items as a list of schemas',
      { type: 'array', items: [text] },
      [`${x}.items: Forbidden: items must be a schema object and not an array`],
    ],
    [
      'an unknown type',
      { type: 'text' },
      [`${x}.type: Unsupported value: "text": supported values: "array", "boolean", "integer", "number", "object", "string"`],
    ],
    [
      'type null',
      { type: 'null' },
      [
        `${x}.type: Unsupported value: "null": supported values: "array", "boolean", "integer", "number", "object", "string"`,
        `${x}.type: Forbidden: type cannot be set to null, use nullable as an alternative`,
      ],
    ],
    [
      'a pattern that RE2 rejects',
      { type: 'string', pattern: '(?=a)' },
      [expect.stringMatching(/pattern: Invalid value: "\(\?=a\)": must be a valid regular expression, but isn't: /) as never],
    ],
    ['$ref', { type: 'string', $ref: '#/x' }, [`${x}.$ref: Forbidden: $ref is not supported`]],
    [
      'uniqueItems',
      { type: 'array', items: text, uniqueItems: true },
      [`${x}.uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic`],
    ],
    [
      'properties and additionalProperties',
      { type: 'object', properties: { a: text }, additionalProperties: text },
      [`${x}.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive`],
    ],
    [
      'preserve false',
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': false },
      [`${x}.x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined`],
    ],
    [
      'a type inside allOf',
      { type: 'string', allOf: [{ type: 'string' }] },
      [`${x}.allOf[0].type: Forbidden: must be empty to be structural`],
    ],
    [
      'other keywords inside anyOf',
      {
        type: 'object',
        oneOf: [
          {
            default: 1,
            title: 't',
            description: 'd',
            nullable: true,
            additionalProperties: {},
            'x-kubernetes-embedded-resource': true,
            'x-kubernetes-int-or-string': true,
            'x-kubernetes-preserve-unknown-fields': true,
            'x-kubernetes-list-type': 'set',
            'x-kubernetes-validations': [{ rule: 'true' }],
          } as JsonSchema,
        ],
      },
      [
        'additionalProperties: Forbidden: must be undefined to be structural',
        'default: Forbidden: must be undefined to be structural',
        'description: Forbidden: must be empty to be structural',
        'nullable: Forbidden: must be false to be structural',
        'title: Forbidden: must be empty to be structural',
        'x-kubernetes-embedded-resource: Forbidden: must be false to be structural',
        'x-kubernetes-int-or-string: Forbidden: must be false to be structural',
        'x-kubernetes-list-type: Forbidden: must be undefined to be structural',
        'x-kubernetes-preserve-unknown-fields: Forbidden: must be false to be structural',
        'x-kubernetes-validations: Forbidden: must be empty to be structural',
        'x-kubernetes-list-type-of-no-array',
      ].map((one) =>
        one.endsWith('of-no-array')
          ? `${x}.oneOf[0].type: Required value: must be array if x-kubernetes-list-type is specified`
          : `${x}.oneOf[0].${one}`,
      ),
    ],
  ])('%s', (_name, schema, want) => {
    expect(errorsOf(withX(schema))).toEqual(want);
  });
});

describe('int or string', () => {
  const either = [{ type: 'integer' }, { type: 'string' }];
  test.each<[string, JsonSchema, string[]]>([
    ['bare', { 'x-kubernetes-int-or-string': true }, []],
    ['with anyOf', { 'x-kubernetes-int-or-string': true, anyOf: either }, []],
    ['with anyOf in allOf', { 'x-kubernetes-int-or-string': true, allOf: [{ anyOf: either }, { pattern: '^a' }] }, []],
    [
      'anyOf in another order',
      { 'x-kubernetes-int-or-string': true, anyOf: [...either].reverse() },
      [`${x}.anyOf[0].type: Forbidden: must be empty to be structural`, `${x}.anyOf[1].type: Forbidden: must be empty to be structural`],
    ],
    [
      'preserved',
      { 'x-kubernetes-int-or-string': true, 'x-kubernetes-preserve-unknown-fields': true },
      [`${x}.x-kubernetes-preserve-unknown-fields: Invalid value: true: must be false if x-kubernetes-int-or-string is true`],
    ],
  ])('%s', (_name, schema, want) => {
    expect(errorsOf(withX(schema))).toEqual(want);
  });
});

describe('embedded resources', () => {
  const embedded: JsonSchema = { type: 'object', 'x-kubernetes-embedded-resource': true };
  test.each<[string, JsonSchema, string[]]>([
    ['preserved', { ...embedded, 'x-kubernetes-preserve-unknown-fields': true }, []],
    [
      'without properties',
      embedded,
      [
        `${x}.properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields`,
      ],
    ],
    [
      'no type',
      { 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
      [`${x}.type: Required value: must be object if x-kubernetes-embedded-resource is true`],
    ],
    [
      'inside metadata',
      { ...embedded, properties: { metadata: { ...embedded, 'x-kubernetes-preserve-unknown-fields': true } } },
      [`${x}.properties[metadata].x-kubernetes-embedded-resource: Forbidden: must not be used inside of resource meta`],
    ],
  ])('%s', (_name, schema, want) => {
    expect(errorsOf(withX(schema))).toEqual(want);
  });
});

describe('lists and maps', () => {
  const listType = 'x-kubernetes-list-type';
  const keys = 'x-kubernetes-list-map-keys';
  const item: JsonSchema = {
    type: 'object',
    required: ['name'],
    properties: { name: text, list: { type: 'array', items: text } },
  };
  const map: JsonSchema = { type: 'array', [listType]: 'map', [keys]: ['name'], items: item };
  test.each<[string, JsonSchema, string[]]>([
    ['a map', map, []],
    ['a set', { type: 'array', [listType]: 'set', items: text }, []],
    [
      'unknown',
      { type: 'array', [listType]: 'bag', items: text },
      [`${x}.${listType}: Unsupported value: "bag": supported values: "atomic", "set", "map"`],
    ],
    [
      'a list type without an array',
      { type: 'object', [listType]: 'atomic' },
      [`${x}.type: Invalid value: "object": must be array if ${listType} is specified`],
    ],
    [
      'keys without map',
      { type: 'array', [keys]: ['name'], items: item },
      [`${x}.${listType}: Required value: must be map if ${keys} is non-empty`],
    ],
    ['a map without keys', { ...map, [keys]: [] }, [`${x}.${keys}: Required value: must not be empty if ${listType} is map`]],
    [
      'a map of strings',
      { ...map, items: text },
      [`${x}.items.type: Invalid value: "string": must be object if parent array's ${listType} is map`],
    ],
    [
      'a key that is not a field',
      { ...map, [keys]: ['other'] },
      [`${x}.${keys}: Invalid value: ["other"]: entries must all be names of item properties`],
    ],
    [
      'a duplicate key',
      { ...map, [keys]: ['name', 'name'] },
      [`${x}.${keys}: Invalid value: ["name","name"]: must not contain duplicate entries`],
    ],
    [
      'a key that is a list',
      { ...map, [keys]: ['list'], items: { ...item, required: ['list'] } },
      [`${x}.items.properties[list].type: Invalid value: "object": must be a scalar type if parent array's ${listType} is map`],
    ],
    [
      'a key that may be absent',
      { ...map, items: { ...item, required: [] } },
      [
        `${x}.items.properties[name].default: Required value: this property is in ${keys}, so it must have a default or be a required property`,
      ],
    ],
    [
      'items that may be null',
      { ...map, items: { ...item, nullable: true } },
      [`${x}.items.nullable: Forbidden: cannot be nullable when ${listType} is map`],
    ],
    [
      'a set of objects',
      { type: 'array', [listType]: 'set', items: { type: 'object' } },
      [`${x}.items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with ${listType}=set`],
    ],
    ['a set of atomic objects', { type: 'array', [listType]: 'set', items: { type: 'object', 'x-kubernetes-map-type': 'atomic' } }, []],
    [
      'a map type without an object',
      { type: 'string', 'x-kubernetes-map-type': 'atomic' },
      [`${x}.type: Invalid value: "string": must be object if x-kubernetes-map-type is specified`],
    ],
    [
      'an unknown map type',
      { type: 'object', 'x-kubernetes-map-type': 'loose' },
      [`${x}.x-kubernetes-map-type: Unsupported value: "loose": supported values: "atomic", "granular"`],
    ],
  ])('%s', (_name, schema, want) => {
    expect(errorsOf(withX(schema))).toEqual(want);
  });

  test('a set of objects that was stored earlier is accepted', () => {
    const crd = withX({ type: 'array', [listType]: 'set', items: { type: 'object' } });
    expect(updateErrorsOf(crd, crd)).toEqual([]);
  });
});

describe('defaults', () => {
  const meta: JsonSchema = {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    properties: {
      metadata: { type: 'object', properties: { labels: { type: 'object', additionalProperties: text } } },
    },
  };
  const withLabels = (value: unknown): JsonSchema => ({
    ...meta,
    properties: {
      metadata: {
        type: 'object',
        properties: { labels: { type: 'object', additionalProperties: text, default: value as never } },
      },
    },
  });
  test.each<[string, JsonSchema, string[]]>([
    ['good', { type: 'object', default: { a: 'b' }, properties: { a: text } }, []],
    [
      'of another type',
      { type: 'string', default: 1 },
      [`${x}.default: Invalid value: "integer":  in body must be of type string: "integer"`],
    ],
    [
      'with an unknown field',
      { type: 'object', default: { z: 1, y: { b: 1, a: [] } } },
      [`${x}.default: Invalid value: {"y":{"a":[],"b":1},"z":1}: must not have unknown fields`],
    ],
    [
      'bad inside',
      { type: 'object', default: { a: 'long' }, properties: { a: { type: 'string', maxLength: 1 } } },
      [`${x}.default.a: Too long: may not be more than 1 byte`],
    ],
    [
      'in additionalProperties of metadata',
      {
        ...meta,
        properties: {
          metadata: {
            type: 'object',
            properties: { labels: { type: 'object', additionalProperties: { type: 'string', default: 'a' } } },
          },
        },
      },
      [
        `${x}.properties[metadata].properties[labels].additionalProperties.default: Forbidden: must not be set inside additionalProperties applying to object metadata`,
      ],
    ],
    ['of labels', withLabels({ a: 'b' }), []],
    [
      'of bad labels',
      withLabels({ a: '$' }),
      [
        expect.stringContaining(
          `${x}.properties[metadata].properties[labels].default: Invalid value: {"a":"$"}: must result in valid metadata: metadata.labels: Invalid value: "$": a valid label must be`,
        ) as never,
      ],
    ],
    [
      'of an embedded resource',
      {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
        default: { kind: 'A' },
      },
      [`${x}.default.apiVersion: Required value`],
    ],
    [
      'of an embedded resource whose kind is no string',
      {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
        default: { apiVersion: 'v1', kind: 5 },
      },
      [`${x}.default.kind: Invalid value: 5: must be a string`],
    ],
  ])('%s', (_name, schema, want) => {
    expect(errorsOf(withX(schema))).toEqual(want);
  });

  test('lose what the metadata of embedded resources does not have, in every version', () => {
    const embedded = (): JsonSchema => ({
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
      default: { apiVersion: 'v1', kind: 'A', metadata: { name: 'a', creationTimestamp: null, unknown: 1 } } as never,
    });
    const crd = withX(embedded());
    crd.spec.versions.push({ ...withX(embedded()).spec.versions[0], name: 'v2', storage: false });
    expect(errorsOf(crd)).toEqual([]);
    for (const { schema } of crd.spec.versions) {
      expect(schema.openAPIV3Schema.properties.x.default.metadata).toEqual({ name: 'a' });
    }
  });

  test('are shown in messages as they are stored', () => {
    const schema: JsonSchema = {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
      default: { apiVersion: 'v1', kind: 'A', metadata: { name: 'a', unknown: 1 } } as never,
    };
    const crd = withSchema({ type: 'object', nullable: true, properties: { x: schema } }, { subresources: { status: {} } });
    const errors: FieldError[] = [];
    validateCustomResourceDefinition(crd as never, errors);
    const { message } = invalid({ group: '', kind: 'A' }, 'a', errors);
    expect(message).toContain('"Nullable":true');
    expect(message).not.toContain('unknown');
  });

  test('of metadata at the root are rejected', () => {
    const schema: JsonSchema = { type: 'object', properties: { metadata: { type: 'object', default: { name: 'x' } } } };
    expect(errorsOf(withSchema(schema))).toEqual([
      `${root}.properties[metadata].default: Forbidden: must not be set in top-level metadata`,
    ]);
  });
});

test('schemas that differ by version are reported with their version', () => {
  const crd = withX({});
  crd.spec.versions = [crd.spec.versions[0], { name: 'v2', schema: { openAPIV3Schema: { type: 'object' } } }];
  expect(errorsOf(crd)).toEqual([
    'spec.versions[0].schema.openAPIV3Schema.properties[x].type: Required value: must not be empty for specified object fields',
  ]);
});
