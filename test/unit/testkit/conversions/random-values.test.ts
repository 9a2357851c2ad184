import { describe, expect, test } from '@jest/globals';
import { celRules } from '../../../../runtime/cel/rules/schema-rules.ts';
import type { JsonSchema } from '../../../../runtime/machinery/schema/json-schema.ts';
import { Field } from '../../../../runtime/machinery/validation/field.ts';
import type { FieldError } from '../../../../runtime/machinery/validation/field-error.ts';
import { FieldPath } from '../../../../runtime/machinery/validation/field-path.ts';
import { compileSchema } from '../../../../runtime/structural/schema/compile.ts';
import { textOfPattern } from '../../../../runtime/testkit/conversions/random-text.ts';
import { RandomValues } from '../../../../runtime/testkit/conversions/random-values.ts';
import { Random } from '../../../support/random.ts';

const seed = 7;

describe('textOfPattern', () => {
  test.each([
    '^a+b*c?$',
    '^[0-9]+x[0-9]+$',
    '^(Idle|Working)$',
    '^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$',
    '^\\d{3}-\\w+\\s$',
    '^[^/]+\\.[A-Z_]{2}$',
    '^(?:v[1-9][0-9]*)(alpha|beta)?$',
    'abc',
    '^$',
    '^\\\\\\n$',
  ])('finds texts that %s matches', (pattern) => {
    const random = new Random(seed);
    const chance = () => random.next();
    for (let run = 0; run < 50; run++) expect(textOfPattern(pattern, chance)).toMatch(new RegExp(pattern, 'u'));
  });

  test.each(['^(?=a)a$', '^(a)\\1$', '^\\p{L}$', '^[$', '^(', 'a**'])('gives up on %s', (pattern) => {
    const random = new Random(seed);
    expect(textOfPattern(pattern, () => random.next())).toBeUndefined();
  });
});

describe('random values are valid', () => {
  test.each<[string, JsonSchema]>([
    ['ranges', { type: 'integer', minimum: 3, maximum: 5 }],
    ['excluded limits', { type: 'integer', minimum: 3, exclusiveMinimum: true, maximum: 6, exclusiveMaximum: true }],
    ['multiples', { type: 'integer', multipleOf: 6, minimum: 7 }],
    ['fractions', { type: 'number', minimum: 0.25, maximum: 0.5 }],
    ['lengths', { type: 'string', minLength: 12, maxLength: 13 }],
    ['patterns', { type: 'string', pattern: '^[a-f]{8}$' }],
    ['formats', { type: 'string', format: 'date-time' }],
    ['enums', { type: 'string', enum: ['a', 'b'] }],
    ['nulls', { type: 'string', nullable: true }],
    ['numbers of items', { type: 'array', minItems: 2, maxItems: 2, items: { type: 'boolean' } }],
    ['maps', { type: 'object', additionalProperties: { type: 'integer' }, minProperties: 1, maxProperties: 2 }],
    ['required members', { type: 'object', required: ['a'], properties: { a: { type: 'string' }, b: { type: 'integer' } } }],
    ['sets', { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'boolean' } }],
    [
      'keyed lists',
      {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
        items: { type: 'object', required: ['name'], properties: { name: { type: 'string', enum: ['a', 'b'] } } },
      },
    ],
    ['integers or strings', { 'x-kubernetes-int-or-string': true }],
    ['anything', { 'x-kubernetes-preserve-unknown-fields': true }],
    [
      'alternatives',
      {
        type: 'object',
        properties: { a: { type: 'string' }, b: { type: 'string' } },
        oneOf: [{ required: ['a'], not: { required: ['b'] } }, { required: ['b'] }],
      },
    ],
  ])('for %s', (_what, schema) => {
    const whole: JsonSchema = { type: 'object', required: ['value'], properties: { value: schema } };
    const compiled = compileSchema(whole, { rules: celRules(whole) });
    const random = new Random(seed);
    const values = new RandomValues(() => random.next());
    const found = new Set<string>();
    let valid = 0;
    for (let run = 0; run < 100; run++) {
      const content = values.content(whole, { required: true, optional: 0.3 });
      const errors: FieldError[] = [];
      compiled.validate({ metadata: {}, ...content } as never, Field.at(FieldPath.root, errors), errors);
      if (errors.length === 0) valid += 1;
      found.add(JSON.stringify(content));
    }
    expect(valid).toBeGreaterThan(50);
    if (schema.minItems === undefined && schema.minLength === undefined) expect(found.size).toBeGreaterThan(1);
  });
});
