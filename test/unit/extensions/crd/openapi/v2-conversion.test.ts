import { describe, expect, test } from '@jest/globals';
import { toStructuralOpenAPIV2 } from '../../../../../runtime/extensions/crd/openapi/v2-conversion.ts';

describe('schemas in OpenAPI 2', () => {
  test.each([
    ['lose anyOf and not', { type: 'object', anyOf: [{}], not: {} }, { type: 'object' }],
    ['lose the type of nullable values', { type: 'object', nullable: true, properties: { a: {} } }, {}],
    [
      'lose the properties of objects that preserve unknown fields',
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { a: {} }, description: 'd' },
      { 'x-kubernetes-preserve-unknown-fields': true, description: 'd' },
    ],
    ['have no arrays without items', { type: 'array' }, {}],
    [
      'do not require nullable properties',
      {
        type: 'object',
        required: ['a', 'b'],
        properties: { a: { type: 'string', nullable: true }, b: { type: 'string' } },
      },
      { type: 'object', required: ['b'], properties: { a: {}, b: { type: 'string' } } },
    ],
  ])('%s', (_name, schema, want) => {
    expect(toStructuralOpenAPIV2(schema)).toEqual(want);
  });
});
