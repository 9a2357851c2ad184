import { describe, expect, test } from '@jest/globals';
import type { JsonSchema } from '../../../../runtime/machinery/schema/json-schema.ts';
import { type FieldError, fieldErrorMessage } from '../../../../runtime/machinery/validation/field-error.ts';
import { compileSchema } from '../../../../runtime/structural/schema/compile.ts';
import type { TestObject } from '../../../support/test-object.ts';

const refuse = (text: string): void => {
  throw new Error(text);
};

const withSpec = (spec: unknown): TestObject => ({ spec, metadata: {} });

const schema: JsonSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['must'],
      properties: {
        must: { type: 'string' },
        small: { type: 'integer', maximum: 3 },
        labels: { type: 'object', additionalProperties: { type: 'string', maxLength: 2 } },
        atomic: { type: 'array', items: { type: 'string', maxLength: 2 } },
        map: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: {
            type: 'object',
            properties: { name: { type: 'string' }, value: { type: 'integer', maximum: 3 } },
          },
        },
        set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
        all: {
          type: 'object',
          properties: { a: { type: 'integer' }, b: { type: 'integer' } },
          allOf: [{ properties: { a: { maximum: 3 } } }],
        },
        open: { type: 'object', required: ['must'], 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
    status: { type: 'object', properties: { count: { type: 'integer', maximum: 3 } } },
  },
};
const compiled = compileSchema(schema);

describe('unchanged values do not block an update', () => {
  test.each<[string, object, object, string[]]>([
    ['the same bad value', { must: '', small: 9 }, { must: '', small: 9 }, []],
    ['another bad value', { must: '', small: 9 }, { must: '', small: 8 }, ['spec.small']],
    ['a bad value beside a change', { must: '', small: 9 }, { must: 'new', small: 9 }, []],
    ['an absent field is an error of the whole object', { small: 1 }, { small: 2 }, ['spec.must']],
    ['an absent field of the same object', { small: 1 }, { small: 1 }, []],
    ['members of a map', { must: '', labels: { a: 'long' } }, { must: '', labels: { a: 'long', b: 'long' } }, ['spec.labels.b']],
    ['items of an atomic list', { must: '', atomic: ['long'] }, { must: '', atomic: ['long', 'x'] }, ['spec.atomic[0]']],
    ['an unchanged atomic list', { must: '', atomic: ['long'] }, { must: 'new', atomic: ['long'] }, []],
    [
      'items of a map list, by their keys',
      { must: '', map: [{ name: 'a', value: 9 }] },
      {
        must: '',
        map: [
          { name: 'b', value: 9 },
          { name: 'a', value: 9 },
        ],
      },
      ['spec.map[0].value'],
    ],
    ['repeated items beside earlier ones', { must: '', set: ['a', 'a'] }, { must: '', set: ['a', 'a', 'b', 'b'] }, []],
    ['new repeated items', { must: '', set: ['a'] }, { must: '', set: ['a', 'a'] }, ['spec.set[1]']],
    [
      'values inside allOf are not ratcheted',
      { must: '', all: { a: 9, b: 1 } },
      { must: '', all: { a: 9, b: 2 } },
      ['spec.all.a', '<nil>'],
    ],
    ['the value of an allOf is ratcheted', { must: '', all: { a: 9, b: 1 } }, { must: 'new', all: { a: 9, b: 1 } }, []],
  ])('%s', (_name, old, object, want) => {
    const errors: FieldError[] = [];
    compiled.validateUpdate(withSpec(object), withSpec(old), { errors, warn: refuse });
    expect(errors.map((error) => fieldErrorMessage(error).split(':')[0])).toEqual(want);
  });
});

test.each([
  ['is unchanged if the schema knows its members', {}, []],
  ['counts as changed if the schema does not know them, as upstream', { other: 1 }, ['spec.open.must: Required value']],
])('an object that both states share %s', (_name, open, want) => {
  const errors: FieldError[] = [];
  const old = withSpec({ must: '', open });
  compiled.validateUpdate({ ...old, metadata: {} } as TestObject, old, { errors, warn: refuse });
  expect(errors.map(fieldErrorMessage)).toEqual(want);
});

test('a write of the status validates the status only', () => {
  const errors: FieldError[] = [];
  const findings = { errors, warn: refuse };
  const old = { spec: { small: 9 }, status: { count: 9 }, metadata: {} };
  compiled.validateStatusUpdate({ ...old, status: { count: 9 } } as TestObject, old, findings);
  expect(errors).toEqual([]);
  compiled.validateStatusUpdate({ ...old, status: { count: 8 } } as TestObject, old, findings);
  expect(errors.map(fieldErrorMessage)).toEqual(['status.count: Invalid value: 8: count in body should be less than or equal to 3']);
});
