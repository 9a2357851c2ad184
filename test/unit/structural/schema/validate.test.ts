import { describe, expect, test } from '@jest/globals';
import { withoutEventLoopBudget } from '../../../../runtime/machinery/event-loop/budget.ts';
import type { JsonSchema } from '../../../../runtime/machinery/schema/json-schema.ts';
import { type FieldError, fieldErrorMessage } from '../../../../runtime/machinery/validation/field-error.ts';
import { FieldPath } from '../../../../runtime/machinery/validation/field-path.ts';
import { compileSchema } from '../../../../runtime/structural/schema/compile.ts';
import { expectLinear } from '../../../support/growth.ts';
import type { TestObject } from '../../../support/test-object.ts';

function errorsOf(schema: JsonSchema, object: unknown): string[] {
  const errors: FieldError[] = [];
  compileSchema(schema).validate(object as never, FieldPath.root, errors);
  return errors.map(fieldErrorMessage);
}

/** Returns a schema with one field `x`. */
const withX = (x: JsonSchema): JsonSchema => ({ type: 'object', properties: { x } });

describe('errors are those of kube-apiserver', () => {
  test.each<[string, JsonSchema, unknown, string[]]>([
    ['string', { type: 'string' }, 'a', []],
    [
      'an integer in place of a string',
      { type: 'string' },
      1,
      ['x: Invalid value: "integer": x in body must be of type string: "integer"'],
    ],
    [
      'a float in place of an integer',
      { type: 'integer' },
      1.5,
      ['x: Invalid value: "number": x in body must be of type integer: "number"'],
    ],
    ['an integer in place of a number', { type: 'number' }, 1, []],
    ['a whole float is an integer', { type: 'integer' }, 5.0000000001, []],
    ['int64 beyond 2^53', { type: 'integer' }, 9007199254740993n, []],
    [
      'a whole number beyond int64 is a float',
      { type: 'integer' },
      1e20,
      ['x: Invalid value: "number": x in body must be of type integer: "number"'],
    ],
    ['boolean', { type: 'boolean' }, 'true', ['x: Invalid value: "string": x in body must be of type boolean: "string"']],
    [
      'an object in place of an array',
      { type: 'array', items: { type: 'string' } },
      {},
      ['x: Invalid value: "object": x in body must be of type array: "object"'],
    ],
    ['null', { type: 'string' }, null, ['x: Invalid value: "null": x in body must be of type string: "null"']],
    ['nullable', { type: 'string', nullable: true }, null, []],
    [
      'null is not in an enum',
      { type: 'string', nullable: true, enum: ['a'] },
      null,
      ['x: Unsupported value: null: supported values: "a"'],
    ],
    [
      'int or string: float',
      { 'x-kubernetes-int-or-string': true },
      1.5,
      ['x: Invalid value: "number": x in body must be of type integer,string: "number"'],
    ],
    ['int or string: text', { 'x-kubernetes-int-or-string': true }, '10%', []],
    ['enum', { type: 'string', enum: ['a', 'b'] }, 'c', ['x: Unsupported value: "c": supported values: "a", "b"']],
    ['enum of numbers', { type: 'integer', enum: [1, 2] }, 3, ['x: Unsupported value: 3: supported values: "1", "2"']],
    ['enum of objects', { type: 'object', enum: [{ a: 1 }] }, { a: 1 }, []],
    ['maxLength in characters', { type: 'string', maxLength: 2 }, '😀😀', []],
    ['too long', { type: 'string', maxLength: 2 }, 'abc', ['x: Too long: may not be more than 2 bytes']],
    ['too short', { type: 'string', minLength: 2 }, '😀', ['x: Invalid value: "😀": x in body should be at least 2 chars long']],
    ['pattern', { type: 'string', pattern: '^[a-z]+$' }, 'A', ['x: Invalid value: "A": x in body should match \'^[a-z]+$\'']],
    ['a pattern of RE2 only', { type: 'string', pattern: '(?i)^abc\\z' }, 'ABC', []],
    ['length before pattern', { type: 'string', pattern: '^a$', maxLength: 1 }, 'bb', ['x: Too long: may not be more than 1 byte']],
    ['maximum', { type: 'integer', maximum: 3 }, 4, ['x: Invalid value: 4: x in body should be less than or equal to 3']],
    [
      'exclusive maximum',
      { type: 'integer', maximum: 3, exclusiveMaximum: true },
      3,
      ['x: Invalid value: 3: x in body should be less than 3'],
    ],
    [
      'minimum of a float',
      { type: 'number', minimum: 0.5 },
      0.25,
      ['x: Invalid value: 0.25: x in body should be greater than or equal to 0.5'],
    ],
    ['bounds of integers have no fraction', { type: 'number', maximum: 1.5 }, 1, []],
    [
      'exact bounds of int64',
      { type: 'integer', maximum: 9007199254740993n },
      9007199254740994n,
      ['x: Invalid value: 9007199254740994: x in body should be less than or equal to 9007199254740993'],
    ],
    ['multipleOf', { type: 'integer', multipleOf: 3 }, 4, ['x: Invalid value: 4: x in body should be a multiple of 3']],
    ['multipleOf of floats', { type: 'number', multipleOf: 0.1 }, 0.3, []],
    ['maxItems', { type: 'array', maxItems: 1, items: { type: 'string' } }, ['a', 'b'], ['x: Too many: 2: must have at most 1 item']],
    [
      'minItems',
      { type: 'array', minItems: 1, items: { type: 'string' } },
      [],
      ['x: Invalid value: 0: x in body should have at least 1 items'],
    ],
    [
      'uniqueItems',
      { type: 'array', uniqueItems: true, items: { type: 'object' } },
      [{ a: 1 }, { a: 1 }],
      ['x: Invalid value: "": x in body shouldn\'t contain duplicates'],
    ],
    [
      'items',
      { type: 'array', items: { type: 'string' } },
      ['a', 1],
      ['x[1]: Invalid value: "integer": x[1] in body must be of type string: "integer"'],
    ],
    [
      'additional properties',
      { type: 'object', additionalProperties: { type: 'string' } },
      { 'a/b': 1 },
      ['x.a/b: Invalid value: "integer": x.a/b in body must be of type string: "integer"'],
    ],
    [
      'maxProperties',
      { type: 'object', maxProperties: 1, additionalProperties: { type: 'string' } },
      { a: '', b: '' },
      ['x: Too many: 2: must have at most 1 item'],
    ],
    ['minProperties', { type: 'object', minProperties: 1 }, {}, ['x: Invalid value: 0: x in body should have at least 1 properties']],
    ['required', { type: 'object', required: ['a', 'b'], properties: { a: { type: 'string' } } }, { a: '' }, ['x.b: Required value']],
    ['inherited names are absent', { type: 'object', required: ['constructor'] }, {}, ['x.constructor: Required value']],
    ['format', { type: 'string', format: 'date-time' }, 'x', ['x: Invalid value: "x": x in body must be of type date-time: "x"']],
    ['unknown formats are ignored', { type: 'string', format: 'telephone' }, 'x', []],
    ['formats of integers are not checked', { type: 'integer', format: 'int32' }, 4294967296, []],
    ['not', { type: 'string', not: { enum: ['a'] } }, 'a', ['<nil>: Invalid value: "": "x" must not validate the schema (not)']],
    [
      'anyOf: the alternative with most in common is reported',
      { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'], properties: { c: { enum: [1] } } }] },
      { c: 1 },
      ['<nil>: Invalid value: "": "x" must validate at least one schema (anyOf)', 'x.b: Required value'],
    ],
    [
      'oneOf: none',
      { type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] },
      {},
      ['<nil>: Invalid value: "": "x" must validate one and only one schema (oneOf). Found none valid', 'x.a: Required value'],
    ],
    [
      'oneOf: two',
      { type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] },
      { a: 1, b: 2 },
      ['<nil>: Invalid value: "": "x" must validate one and only one schema (oneOf). Found 2 valid alternatives'],
    ],
    [
      'allOf',
      { type: 'integer', allOf: [{ minimum: 2 }, { maximum: 5 }] },
      1,
      [
        'x: Invalid value: 1: x in body should be greater than or equal to 2',
        '<nil>: Invalid value: "": "x" must validate all the schemas (allOf)',
      ],
    ],
  ])('%s', (_name, schema, value, want) => {
    expect(errorsOf(withX(schema), { x: value })).toEqual(want);
  });

  test('every cause with its path, in the order of the schema', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          required: ['name'],
          properties: {
            size: { type: 'integer', minimum: 1 },
            list: { type: 'array', items: { type: 'object', properties: { a: { type: 'boolean' } } } },
          },
        },
      },
    };
    expect(errorsOf(schema, { spec: { list: [{ a: true }, { a: 'x' }], size: 0 } })).toEqual([
      'spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1',
      'spec.list[1].a: Invalid value: "string": spec.list[1].a in body must be of type boolean: "string"',
      'spec.name: Required value',
    ]);
  });

  test('required at the root', () => {
    expect(errorsOf({ type: 'object', required: ['spec'] }, {})).toEqual(['spec: Required value']);
  });

  test('the same error is reported once', () => {
    const twice: JsonSchema = { type: 'integer', maximum: 1, allOf: [{ maximum: 1 }] };
    expect(errorsOf(withX(twice), { x: 2 })).toEqual(
      [
        '<nil>: Invalid value: "": "x" must validate all the schemas (allOf). None validated',
        'x: Invalid value: 2: x in body should be less than or equal to 1',
      ].reverse(),
    );
  });
});

describe('lists that are sets and maps', () => {
  const strings: JsonSchema = { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } };
  const ports: JsonSchema = {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['port', 'protocol'],
    items: { type: 'object', properties: { port: { type: 'integer' }, protocol: { type: 'string' } } },
  };
  const named: JsonSchema = {
    ...ports,
    'x-kubernetes-list-map-keys': ['name'],
    items: { type: 'object', properties: { name: { type: 'string' }, inner: strings } },
  };
  test.each<[string, JsonSchema, unknown, string[]]>([
    ['a set', strings, ['a', 'b', 'a', 'a'], ['x[2]: Duplicate value: "a"']],
    ['a map', named, [{ name: 'a' }, { name: 'a' }], ['x[1]: Duplicate value: {"name":"a"}']],
    ['without the key', named, [{}, {}], ['x[1]: Duplicate value: {}']],
    ['two keys', ports, [{ port: 1 }, { port: 1, protocol: 'TCP' }, { port: 1 }], ['x[2]: Duplicate value: {"port":1}']],
    ['inside an item', named, [{ name: 'a', inner: ['b', 'b'] }], ['x[0].inner[1]: Duplicate value: "b"']],
    [
      'no object',
      { ...named, items: { 'x-kubernetes-preserve-unknown-fields': true } },
      ['a'],
      ['x[0]: Invalid value: "a": must be an object for an array of list-type map'],
    ],
  ])('%s', (_name, schema, value, want) => {
    expect(errorsOf(withX(schema), { x: value })).toEqual(want);
  });
});

describe('embedded resources', () => {
  const embedded: JsonSchema = {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
  };
  test.each<[string, unknown, string[]]>([
    ['whole', { apiVersion: 'v1', kind: 'Pod', metadata: { labels: { a: 'b' } } }, []],
    ['empty', {}, ['x.apiVersion: Required value', 'x.kind: Required value']],
    [
      'an invalid apiVersion',
      { apiVersion: 'a/b/c', kind: 'Pod' },
      ['x.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c'],
    ],
    ['empty kind', { apiVersion: 'v1', kind: '' }, ['x.kind: Invalid value: "": must not be empty']],
    ['a kind that is not a string', { apiVersion: 'v1', kind: 1 }, ['x.kind: Invalid value: 1: must be a string']],
  ])('%s', (_name, value, want) => {
    expect(errorsOf(withX(embedded), { x: value })).toEqual(want);
  });
});

test('the numbers of the scale subresource', () => {
  const schema: JsonSchema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const scale = {
    specReplicasPath: '.spec.replicas',
    statusReplicasPath: '.status.replicas',
    labelSelectorPath: '.status.selector',
  };
  const check = (object: unknown): string[] => {
    const errors: FieldError[] = [];
    compileSchema(schema, { scale }).validate(object as never, FieldPath.root, errors);
    return errors.map(fieldErrorMessage);
  };
  expect(check({})).toEqual([]);
  expect(check({ spec: { replicas: -1 }, status: { replicas: 2147483648, selector: 1 } })).toEqual([
    '.spec.replicas: Invalid value: -1: should be a non-negative integer',
    '.status.replicas: Invalid value: 2147483648: should be less than or equal to 2147483647',
    '.status.selector: Invalid value: "": .status.selector accessor error: 1 is of the type int64, expected string',
  ]);
});

test('a pattern takes time linear in the text', () => {
  const schema = withX({ type: 'string', pattern: '^(a+)+$' });
  // a backtracking engine would not finish in a lifetime
  const errorsAt = (length: number) => withoutEventLoopBudget(() => errorsOf(schema, { x: `${'a'.repeat(length)}b` }));
  expect(errorsAt(2_000_000)).toHaveLength(1);
  expectLinear(500_000, (length) => () => errorsAt(length));
});

describe('rules', () => {
  const schema: JsonSchema = {
    type: 'object',
    required: ['spec'],
    properties: { spec: { type: 'integer', maximum: 3 } },
    'x-kubernetes-validations': [{ rule: 'true' }],
  };
  const seen: unknown[][] = [];
  const compiled = compileSchema(schema, { rules: { validate: (object, old) => void seen.push([object, old]) } });

  test('do not run on invalid objects', () => {
    const errors: FieldError[] = [];
    compiled.validate({ metadata: {} }, FieldPath.root, errors);
    expect(errors.map(fieldErrorMessage)).toEqual([
      'spec: Required value',
      '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
    ]);
    expect(seen.splice(0)).toEqual([]);
  });

  test('run if values are only out of bounds, with the old object', () => {
    const withSpec = (spec: number): TestObject => ({ spec, metadata: {} });
    compiled.validateUpdate(withSpec(4), withSpec(1), { errors: [], warn: () => undefined });
    compiled.validate(withSpec(4), FieldPath.root, []);
    expect(seen).toEqual([
      [
        { spec: 4, metadata: {} },
        { spec: 1, metadata: {} },
      ],
      [{ spec: 4, metadata: {} }, undefined],
    ]);
  });
});
