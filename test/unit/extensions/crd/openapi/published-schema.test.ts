import { describe, expect, test } from '@jest/globals';
import { v2Dialect, v3Dialect } from '../../../../../runtime/extensions/crd/openapi/dialect.ts';
import { publishSchema } from '../../../../../runtime/extensions/crd/openapi/published-schema.ts';
import type { JsonSchema } from '../../../../../runtime/machinery/schema/json-schema.ts';

const intOrString = [{ type: 'integer' }, { type: 'string' }];

describe('a published schema', () => {
  test.each<[string, JsonSchema, object]>([
    [
      'has no members that say nothing',
      { type: 'object', description: '', nullable: false, required: [], properties: {}, enum: [], default: null },
      { type: 'object' },
    ],
    ['keeps zeros', { minLength: 0, minimum: 0, default: 0 }, { minLength: 0, minimum: 0, default: 0 }],
    ['has limits as float64', { maximum: 2n ** 63n - 1n, maxLength: 5n }, { maximum: 2 ** 63, maxLength: 5n }],
    ['has no examples', { type: 'string', example: 'x', externalDocs: { url: 'y' } }, { type: 'string' }],
    [
      'has additionalProperties, but not inside junctors',
      { additionalProperties: true, not: { additionalProperties: { type: 'string' }, required: ['a'] } },
      { additionalProperties: true, not: { required: ['a'] } },
    ],
    ['has the anyOf of int-or-string', { 'x-kubernetes-int-or-string': true }, { 'x-kubernetes-int-or-string': true, anyOf: intOrString }],
    [
      'has the anyOf of int-or-string in allOf if it has another',
      { 'x-kubernetes-int-or-string': true, anyOf: [{ minimum: 1 }], allOf: [{ maximum: 9 }] },
      {
        'x-kubernetes-int-or-string': true,
        anyOf: [{ minimum: 1 }],
        allOf: [{ anyOf: intOrString }, { maximum: 9 }],
      },
    ],
    [
      'has the anyOf of int-or-string once',
      { 'x-kubernetes-int-or-string': true, anyOf: [{ pattern: 'a' }], allOf: [{ anyOf: intOrString }] },
      { 'x-kubernetes-int-or-string': true, anyOf: [{ pattern: 'a' }], allOf: [{ anyOf: intOrString }] },
    ],
  ])('%s', (_name, schema, want) => {
    expect(publishSchema(schema, v3Dialect)).toEqual(want);
  });

  test('has no defaults in version 2', () => {
    const schema = { type: 'array', default: [], items: { type: 'integer', default: 1 } };
    expect(publishSchema(schema, v2Dialect)).toEqual({ type: 'array', items: { type: 'integer' } });
  });
});
