export type Schema = Readonly<Record<string, unknown>>;

/** The effect of a keyword on `value`, a member of an object. */
export interface Honoured {
  readonly keyword: string;
  readonly schema: Schema;
  /** Other schemas of the document, for references. */
  readonly components?: Readonly<Record<string, Schema>>;
  /** The schema in forms that differ; null for a form that cannot express it. */
  readonly in?: Readonly<Record<string, Schema | null>>;
  /** Values that are returned as sent. `undefined` is an absent value. */
  readonly accepts: readonly unknown[];
  readonly refuses: readonly unknown[];
  /** The result of each accepted value, if it changes. */
  readonly becomes?: unknown;
}

const noCrd = { CRD: null };
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const anyAlternative = { anyOf: [{ type: 'string' }, { type: 'boolean' }] };

export const honoured: readonly Honoured[] = [
  { keyword: 'type string', schema: { type: 'string' }, accepts: ['', 'a'], refuses: [1, true, {}, ['a']] },
  {
    keyword: 'type integer',
    schema: { type: 'integer' },
    accepts: [0, -7, 9007199254740991],
    refuses: [1.5, '1', true],
  },
  { keyword: 'type number', schema: { type: 'number' }, accepts: [0, 1.5], refuses: ['1'] },
  { keyword: 'type boolean', schema: { type: 'boolean' }, accepts: [true, false], refuses: ['true', 0] },
  {
    keyword: 'type object',
    schema: { type: 'object', properties: { a: { type: 'string' } } },
    accepts: [{}, { a: 'b' }],
    refuses: ['a', [], { a: 1 }],
  },
  {
    keyword: 'type array, items',
    schema: { type: 'array', items: { type: 'integer' } },
    accepts: [[], [1, 2]],
    refuses: [{}, ['a'], 1],
  },
  {
    keyword: 'type list with null',
    schema: { type: 'string', nullable: true },
    in: { 'OpenAPI 3.1': { type: ['string', 'null'] } },
    accepts: [null, 'a'],
    refuses: [1],
  },
  {
    keyword: 'nullable object',
    schema: { type: 'object', nullable: true, properties: { a: { type: 'string', nullable: true } } },
    in: {
      'OpenAPI 3.1': { anyOf: [{ type: 'object', properties: { a: { type: ['null', 'string'] } } }, { type: 'null' }] },
      'Swagger 2.0': {
        type: 'object',
        'x-nullable': true,
        properties: { a: { type: 'string', 'x-nullable': true } },
      },
    },
    accepts: [null, { a: null }, { a: 'b' }],
    refuses: ['a', { a: 1 }],
  },
  {
    keyword: 'nullable items',
    schema: { type: 'array', items: { type: 'string', nullable: true } },
    accepts: [[null, 'a']],
    refuses: [[1]],
  },
  {
    keyword: 'no nulls in lists',
    schema: { type: 'array', items: { type: 'string' } },
    accepts: [['a']],
    refuses: [[null]],
  },
  {
    keyword: 'type integer or string',
    schema: { 'x-kubernetes-int-or-string': true },
    in: { 'OpenAPI 3.1': { type: ['integer', 'string'] } },
    accepts: [1, '50%'],
    refuses: [true, 1.5, {}],
  },
  {
    keyword: 'no type',
    schema: { 'x-kubernetes-preserve-unknown-fields': true },
    in: { 'OpenAPI 3.0': {}, 'OpenAPI 3.1': {} },
    accepts: [1, 'a', { a: [{ b: null }] }],
    refuses: [],
  },
  { keyword: 'enum', schema: { type: 'string', enum: ['a', 'b'] }, accepts: ['a'], refuses: ['c', '', 1] },
  { keyword: 'enum of integers', schema: { type: 'integer', enum: [1, 3] }, accepts: [1, 3], refuses: [2, '1'] },
  { keyword: 'enum of numbers', schema: { type: 'number', enum: [0.5, 2] }, accepts: [0.5, 2], refuses: [1] },
  { keyword: 'enum of booleans', schema: { type: 'boolean', enum: [true] }, accepts: [true], refuses: [false] },
  {
    keyword: 'enum with null',
    schema: { type: 'string', nullable: true, enum: ['a', null] },
    in: { ...noCrd, 'OpenAPI 3.1': { type: ['string', 'null'], enum: ['a', null] } },
    accepts: ['a', null],
    refuses: ['b'],
  },
  {
    keyword: 'enum of items',
    schema: { type: 'array', items: { type: 'string', enum: ['a'] } },
    accepts: [['a']],
    refuses: [['b']],
  },
  { keyword: 'const', schema: { const: 'a' }, in: noCrd, accepts: ['a'], refuses: ['b', 1] },
  {
    keyword: 'const object',
    schema: { type: 'object', const: { a: 1 } },
    in: noCrd,
    accepts: [{ a: 1 }],
    refuses: [{ a: 2 }, {}],
  },
  { keyword: 'minimum', schema: { type: 'integer', minimum: 2 }, accepts: [2], refuses: [1] },
  { keyword: 'maximum', schema: { type: 'number', maximum: 2.5 }, accepts: [2.5, -1], refuses: [2.6] },
  {
    keyword: 'exclusiveMinimum',
    schema: { type: 'number', minimum: 2, exclusiveMinimum: true },
    in: { 'OpenAPI 3.1': { type: 'number', minimum: 1, exclusiveMinimum: 2 } },
    accepts: [2.1],
    refuses: [2],
  },
  {
    keyword: 'exclusiveMaximum',
    schema: { type: 'number', maximum: 2, exclusiveMaximum: true },
    in: { 'OpenAPI 3.1': { type: 'number', exclusiveMaximum: 2 } },
    accepts: [1.9],
    refuses: [2],
  },
  { keyword: 'multipleOf', schema: { type: 'integer', multipleOf: 3 }, accepts: [0, 9], refuses: [10] },
  { keyword: 'minLength', schema: { type: 'string', minLength: 2 }, accepts: ['ab', '😀é'], refuses: ['a', '', '😀'] },
  { keyword: 'maxLength', schema: { type: 'string', maxLength: 2 }, accepts: ['ab', '😀é'], refuses: ['abc'] },
  { keyword: 'pattern', schema: { type: 'string', pattern: '^a+$' }, accepts: ['aa'], refuses: ['b', ''] },
  {
    keyword: 'minItems',
    schema: { type: 'array', minItems: 1, items: { type: 'string' } },
    accepts: [['a']],
    refuses: [[]],
  },
  {
    keyword: 'maxItems',
    schema: { type: 'array', maxItems: 1, items: { type: 'string' } },
    accepts: [['a']],
    refuses: [['a', 'b']],
  },
  {
    keyword: 'uniqueItems',
    schema: { type: 'array', uniqueItems: true, items: { type: 'integer' } },
    in: noCrd,
    accepts: [[1, 2]],
    refuses: [[1, 1]],
  },
  {
    keyword: 'minProperties',
    schema: { type: 'object', minProperties: 1, additionalProperties: { type: 'string' } },
    accepts: [{ a: 'b' }],
    refuses: [{}],
  },
  {
    keyword: 'maxProperties',
    schema: { type: 'object', maxProperties: 1, additionalProperties: { type: 'string' } },
    accepts: [{ a: 'b' }],
    refuses: [{ a: 'b', c: 'd' }],
  },
  {
    keyword: 'required',
    schema: {
      type: 'object',
      required: ['a', 'list', 'map', 'flag'],
      properties: {
        a: { type: 'string' },
        list: { type: 'array', items: { type: 'string' } },
        map: { type: 'object', additionalProperties: { type: 'string' } },
        flag: { type: 'boolean' },
      },
    },
    accepts: [{ a: '', list: [], map: {}, flag: false }],
    refuses: [{}, { a: '', list: [], map: {} }, { a: '', map: {}, flag: true }, { list: [], map: {}, flag: true }],
  },
  {
    keyword: 'properties with hostile names',
    schema: {
      type: 'object',
      properties: Object.fromEntries(
        ['a-b', '$ref', 'constructor', 'toString', 'class', '', '1', 'a.b', "it's", 'properties', 'description', 'x-a'].map((name) => [
          name,
          { type: 'string' },
        ]),
      ),
    },
    in: noCrd,
    accepts: [
      {
        'a-b': 'a',
        $ref: 'b',
        constructor: 'c',
        toString: 'd',
        class: 'e',
        '': 'f',
        '1': 'g',
        'a.b': 'h',
        "it's": 'i',
        properties: 'j',
        description: 'k',
        'x-a': 'l',
      },
    ],
    refuses: [{ constructor: 1 }, { $ref: {} }],
  },
  {
    keyword: 'unknown properties are pruned',
    schema: { type: 'object', properties: { a: { type: 'object', properties: { b: { type: 'string' } } } } },
    accepts: [{ a: { b: 'c', d: 1 }, e: {} }],
    becomes: { a: { b: 'c' } },
    refuses: [],
  },
  {
    keyword: 'additionalProperties',
    schema: { type: 'object', additionalProperties: { type: 'integer' } },
    accepts: [{ a: 1, constructor: 2 }],
    refuses: [{ a: 'b' }],
  },
  {
    keyword: 'additionalProperties true',
    schema: { type: 'object', additionalProperties: true },
    in: noCrd,
    accepts: [{ a: { b: [1, { c: null }] } }],
    refuses: ['a'],
  },
  {
    keyword: 'additionalProperties true beside properties',
    schema: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: true },
    in: noCrd,
    accepts: [{ a: 'b', c: { d: 1 } }],
    refuses: [{ a: 1, c: 2 }],
  },
  {
    keyword: 'additionalProperties beside properties',
    schema: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'integer' } },
    in: noCrd,
    accepts: [{ a: 'b', c: 1 }],
    refuses: [{ a: 1 }, { a: 'b', c: 'd' }],
  },
  {
    keyword: 'additionalProperties false',
    schema: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false },
    in: noCrd,
    accepts: [{ a: 'b' }, {}],
    refuses: [{ a: 'b', c: 1 }],
  },
  {
    keyword: 'allOf',
    schema: { type: 'integer', allOf: [{ minimum: 2 }, { maximum: 4 }, { multipleOf: 2 }, { not: { enum: [4] } }] },
    accepts: [2],
    refuses: [3, 4, 6],
  },
  {
    keyword: 'allOf of objects',
    schema: {
      allOf: [ref('Base'), { type: 'object', required: ['b'], properties: { b: { type: 'integer', minimum: 1 } } }],
    },
    components: { Base: { type: 'object', required: ['a'], properties: { a: { type: 'string' } } } },
    accepts: [{ a: 'x', b: 1 }],
    refuses: [{ a: 'x' }, { b: 1 }, { a: 'x', b: 0 }],
  },
  {
    keyword: 'anyOf',
    schema: {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    accepts: [{ a: 'x' }, { b: 'x' }, { a: 'x', b: 'y' }],
    refuses: [{}],
  },
  { keyword: 'anyOf of types', schema: anyAlternative, in: noCrd, accepts: ['a', true], refuses: [1, {}] },
  {
    keyword: 'oneOf',
    schema: {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    accepts: [{ a: 'x' }, { b: 'x' }],
    refuses: [{}, { a: 'x', b: 'y' }],
  },
  {
    keyword: 'oneOf of objects, discriminator',
    schema: { oneOf: [ref('Cat'), ref('Dog')], discriminator: { propertyName: 'kind' } },
    components: {
      Cat: {
        type: 'object',
        required: ['kind'],
        properties: { kind: { type: 'string', enum: ['cat'] }, lives: { type: 'integer' } },
      },
      Dog: {
        type: 'object',
        required: ['kind'],
        properties: { kind: { type: 'string', enum: ['dog'] }, tricks: { type: 'array', items: { type: 'string' } } },
      },
    },
    accepts: [
      { kind: 'cat', lives: 7 },
      { kind: 'dog', tricks: ['sit'] },
    ],
    refuses: [{}, { kind: 'cow' }, { kind: 'cat', lives: 'many' }],
  },
  { keyword: 'not', schema: { type: 'string', not: { enum: ['a'] } }, accepts: ['b'], refuses: ['a'] },
  {
    keyword: '$ref to an object',
    schema: ref('Point'),
    components: { Point: { type: 'object', required: ['x'], properties: { x: { type: 'integer' } } } },
    accepts: [{ x: 1 }],
    refuses: [{}, { x: 'a' }, 'a'],
  },
  {
    keyword: '$ref to an enum',
    schema: ref('Color'),
    components: { Color: { type: 'string', enum: ['red', 'green'] } },
    accepts: ['red'],
    refuses: ['blue', {}],
  },
  {
    keyword: '$ref to a reference',
    schema: { type: 'array', items: ref('Alias') },
    components: { Alias: ref('Count'), Count: { type: 'integer', minimum: 1 } },
    accepts: [[1]],
    refuses: [[0], ['a']],
  },
  {
    keyword: '$ref beside a default',
    schema: { allOf: [ref('Mode')], default: 'slow' },
    in: { 'OpenAPI 3.1': { ...ref('Mode'), default: 'slow' } },
    components: { Mode: { type: 'string', enum: ['slow', 'fast'] } },
    accepts: [undefined],
    becomes: 'slow',
    refuses: ['other'],
  },
  {
    keyword: '$ref to an object beside a default',
    schema: { allOf: [ref('Size')], default: { w: 1 } },
    components: {
      Size: { type: 'object', properties: { w: { type: 'integer' }, h: { type: 'integer', default: 3 } } },
    },
    accepts: [undefined],
    becomes: { w: 1, h: 3 },
    refuses: [{ w: 'a' }],
  },
  {
    keyword: 'default of a string',
    schema: { type: 'string', default: 'a' },
    accepts: [undefined],
    becomes: 'a',
    refuses: [1],
  },
  {
    keyword: 'default of an empty string',
    schema: { type: 'string', default: '' },
    accepts: [undefined],
    becomes: '',
    refuses: [],
  },
  {
    keyword: 'default of a number',
    schema: { type: 'integer', default: 0 },
    accepts: [undefined],
    becomes: 0,
    refuses: [],
  },
  {
    keyword: 'default of a boolean',
    schema: { type: 'boolean', default: false },
    accepts: [undefined],
    becomes: false,
    refuses: [],
  },
  {
    keyword: 'default of a list',
    schema: { type: 'array', items: { type: 'integer' }, default: [1] },
    accepts: [undefined],
    becomes: [1],
    refuses: [],
  },
  {
    keyword: 'default of an object',
    schema: { type: 'object', properties: { a: { type: 'string', default: 'x' } }, default: {} },
    accepts: [undefined, {}],
    becomes: { a: 'x' },
    refuses: [],
  },
  {
    keyword: 'format date-time',
    schema: { type: 'string', format: 'date-time' },
    accepts: ['2026-01-02T03:04:05.123Z'],
    refuses: ['yesterday'],
  },
  {
    keyword: 'format date',
    schema: { type: 'string', format: 'date' },
    accepts: ['2026-01-02'],
    refuses: ['2026-13-02'],
  },
  { keyword: 'format byte', schema: { type: 'string', format: 'byte' }, accepts: ['YQ=='], refuses: ['%'] },
  {
    keyword: 'format uuid',
    schema: { type: 'string', format: 'uuid' },
    accepts: ['123e4567-e89b-12d3-a456-426614174000'],
    refuses: ['a'],
  },
  { keyword: 'format ipv4', schema: { type: 'string', format: 'ipv4' }, accepts: ['10.0.0.1'], refuses: ['10.0.0'] },
  {
    keyword: 'format int32',
    schema: { type: 'integer', format: 'int32' },
    in: noCrd,
    accepts: [2147483647],
    refuses: [2147483648],
  },
  { keyword: 'format int64', schema: { type: 'integer', format: 'int64' }, accepts: [2147483648], refuses: [0.5] },
  { keyword: 'format double', schema: { type: 'number', format: 'double' }, accepts: [1.25], refuses: ['a'] },
  {
    keyword: 'x-kubernetes-preserve-unknown-fields',
    schema: { type: 'object', properties: { a: { type: 'string' } }, 'x-kubernetes-preserve-unknown-fields': true },
    accepts: [{ a: 'b', c: { d: [1] } }],
    refuses: [{ a: 1 }],
  },
  {
    keyword: 'x-kubernetes-embedded-resource',
    schema: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    accepts: [{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { b: 1 } }],
    refuses: [{}, { apiVersion: 'v1', kind: '' }],
  },
  {
    keyword: 'x-kubernetes-list-type set',
    schema: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
    accepts: [['a', 'b']],
    refuses: [['a', 'a']],
  },
  {
    keyword: 'x-kubernetes-list-map-keys',
    schema: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
    },
    accepts: [[{ name: 'a' }, { name: 'b' }]],
    refuses: [[{ name: 'a' }, { name: 'a' }], [{}]],
  },
  {
    keyword: 'x-kubernetes-map-type',
    schema: { type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: { type: 'string' } },
    accepts: [{ a: 'b' }],
    refuses: [{ a: 1 }],
  },
  {
    keyword: 'x-kubernetes-patch-strategy',
    schema: {
      type: 'array',
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'name',
      items: { type: 'object', properties: { name: { type: 'string' } } },
    },
    in: noCrd,
    accepts: [[{ name: 'a' }]],
    refuses: [['a']],
  },
  {
    keyword: 'x-kubernetes-validations',
    schema: {
      type: 'object',
      properties: { min: { type: 'integer' }, max: { type: 'integer' } },
      'x-kubernetes-validations': [{ rule: 'self.min <= self.max', message: 'min exceeds max' }],
    },
    accepts: [{ min: 1, max: 2 }],
    refuses: [{ min: 2, max: 1 }],
  },
  {
    keyword: 'prose',
    schema: {
      type: 'string',
      title: 'T',
      description: 'D',
      example: 'a',
      externalDocs: { url: 'https://example.com' },
    },
    in: {
      'OpenAPI 3.0': {
        type: 'string',
        title: 'T',
        description: 'D',
        example: 1,
        deprecated: true,
        readOnly: true,
        xml: { name: 'a' },
        'x-internal': true,
      },
      'OpenAPI 3.1': { type: 'string', writeOnly: true, $comment: 'c', examples: ['a'] },
    },
    accepts: ['a'],
    refuses: [1],
  },
];

const integers = { type: 'integer' };
const list = { type: 'array', items: { type: 'string' } };
const noSuch = (keyword: string, why: string, schema: Schema = {}, value: unknown = {}) => ({
  keyword: `/${keyword}`,
  schema: { ...schema, [keyword]: value },
  why: `${keyword} is not supported: ${why}`,
});
const writeRule = 'write anyOf, or a rule in x-kubernetes-validations';
const oneSchema = 'all items of a list have one schema: items';
const names = 'schemas are found by their names in the document';

/** Keywords that do not apply to these values. */
function withoutEffect(values: string, schema: Schema, keywords: Schema) {
  return Object.entries(keywords).map(([keyword, value]) => ({
    keyword: `/${keyword}`,
    schema: { ...schema, [keyword]: value },
    why: `has no effect on ${values}`,
  }));
}

/** Refused keywords, with their place and the reason. */
export const refused: readonly { readonly keyword: string; readonly schema: Schema; readonly why: string }[] = [
  noSuch('minLenght', 'there is no such keyword', { type: 'string' }, 1),
  noSuch('x-kubernetes-nothing', 'there is no such keyword'),
  noSuch('patternProperties', 'write additionalProperties, and check the names in x-kubernetes-validations'),
  noSuch('propertyNames', 'check the names in x-kubernetes-validations'),
  noSuch('unevaluatedProperties', 'write additionalProperties: false'),
  noSuch('dependentRequired', writeRule),
  noSuch('dependentSchemas', writeRule),
  noSuch('dependencies', writeRule),
  noSuch('prefixItems', oneSchema, list, []),
  noSuch('additionalItems', oneSchema, list, false),
  noSuch('unevaluatedItems', oneSchema, list),
  noSuch('contains', 'write a rule in x-kubernetes-validations', list),
  noSuch('minContains', 'write a rule in x-kubernetes-validations', list, 1),
  noSuch('maxContains', 'write a rule in x-kubernetes-validations', list, 1),
  noSuch('if', writeRule),
  noSuch('then', writeRule),
  noSuch('else', writeRule),
  noSuch('contentEncoding', 'bytes are strings with format: byte', { type: 'string' }, 'base64'),
  noSuch('contentMediaType', 'nothing looks into strings', { type: 'string' }, 'text/html'),
  noSuch('contentSchema', 'nothing looks into strings', { type: 'string' }),
  ...['id', '$id', '$anchor', '$dynamicAnchor'].map((name) => noSuch(name, names, {}, 'a')),
  noSuch('$dynamicRef', 'write $ref', {}, '#a'),
  noSuch('$recursiveRef', 'write $ref', {}, '#a'),
  noSuch('$defs', 'put the schemas beside the others of the document'),
  noSuch('definitions', 'put the schemas beside the others of the document'),
  noSuch('$schema', 'the document says which version of OpenAPI it has', {}, 'a'),
  noSuch('$vocabulary', 'there is one vocabulary'),
  noSuch('x-kubernetes-unions', 'unions are written as oneOf, or as rules in x-kubernetes-validations', {}, []),
  noSuch('x-kubernetes-selectable-fields', 'selectable fields are in an overlay: resources.<plural>.selectableFields', {}, []),
  {
    keyword: '/discriminator',
    schema: { type: 'object', discriminator: 'kind' },
    why: 'is a string, as in Swagger 2.0, where it means subtypes: write oneOf',
  },
  {
    keyword: '/type',
    schema: { type: 'text' },
    why: 'must be one of array, boolean, integer, null, number, object, string, which may stand with null, or integer with string',
  },
  {
    keyword: '/type',
    schema: { type: ['string', 'boolean'] },
    why: 'must be one of array, boolean, integer, null, number, object, string, which may stand with null, or integer with string',
  },
  { keyword: '/format', schema: { type: 'string', format: 'phone' }, why: 'there is no format phone' },
  {
    keyword: '/format',
    schema: { type: 'string', format: 'int32' },
    why: 'the format int32 is one of integers and numbers',
  },
  { keyword: '/minimum', schema: { ...integers, minimum: '1' }, why: 'must be a number' },
  { keyword: '/minLength', schema: { type: 'string', minLength: -1 }, why: 'must be a number of 0 or more' },
  {
    keyword: '/exclusiveMinimum',
    schema: { ...integers, exclusiveMinimum: true },
    why: 'is true, but there is no minimum',
  },
  { keyword: '/required', schema: { type: 'object', required: true }, why: 'must be a list of names' },
  {
    keyword: '/enum',
    schema: { type: 'string', enum: ['a', null] },
    why: 'null is among the values, but is not allowed',
  },
  {
    keyword: '/default',
    schema: { type: 'string', nullable: true, default: null },
    why: 'null stands for an absent value',
  },
  { keyword: '/$ref', schema: { $ref: 'other.yaml#/A' }, why: 'must name a schema of the document' },
  {
    keyword: '/x-kubernetes-list-type',
    schema: { ...list, 'x-kubernetes-list-type': 'bag' },
    why: 'must be atomic, set or map',
  },
  {
    keyword: '/x-kubernetes-list-type',
    schema: { type: 'string', 'x-kubernetes-list-type': 'set' },
    why: 'is of lists',
  },
  {
    keyword: '/x-kubernetes-list-type',
    schema: { ...list, 'x-kubernetes-list-type': 'map' },
    why: 'is map, but x-kubernetes-list-map-keys has no keys',
  },
  { keyword: '', schema: { type: 'array' }, why: 'is a list without items' },
  {
    keyword: '/properties/a',
    schema: { type: 'object', properties: { a: false } },
    why: 'no value is valid here; leave it out',
  },
  ...withoutEffect(
    'strings',
    { type: 'string' },
    {
      minimum: 1,
      maximum: 1,
      exclusiveMaximum: 1,
      multipleOf: 2,
      items: {},
      minItems: 1,
      maxItems: 1,
      uniqueItems: true,
      properties: {},
      additionalProperties: {},
      required: ['a'],
      minProperties: 1,
      maxProperties: 1,
      'x-kubernetes-preserve-unknown-fields': true,
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-map-type': 'atomic',
    },
  ),
  ...withoutEffect('integers', integers, { minLength: 1, maxLength: 1, pattern: 'a' }),
  ...withoutEffect('booleans', { type: 'boolean' }, { minimum: 1, minLength: 1 }),
  ...withoutEffect('objects', { type: 'object' }, { minLength: 1, items: {}, minimum: 0 }),
  ...withoutEffect('arrays', list, { properties: {}, maxLength: 3 }),
  {
    keyword: '/x-kubernetes-patch-strategy',
    schema: { ...list, 'x-kubernetes-patch-strategy': 'mrege' },
    why: 'must be merge, replace, retainKeys, or two of them with a comma',
  },
  {
    keyword: '/x-kubernetes-patch-strategy',
    schema: { type: 'string', 'x-kubernetes-patch-strategy': 'merge' },
    why: 'is of lists and objects',
  },
  {
    keyword: '/x-kubernetes-patch-merge-key',
    schema: { ...list, 'x-kubernetes-patch-merge-key': 'name' },
    why: 'is of lists whose patch strategy is merge',
  },
  {
    keyword: '/x-kubernetes-patch-merge-key',
    schema: {
      type: 'array',
      items: { type: 'object', properties: { name: { type: 'string' } } },
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'nmae',
    },
    why: 'the items have no nmae',
  },
  {
    keyword: '/x-kubernetes-validations/0/mesage',
    schema: { type: 'object', 'x-kubernetes-validations': [{ rule: 'true', mesage: 'no' }] },
    why: 'is unknown: there are rule, message, messageExpression, reason, fieldPath, optionalOldSelf',
  },
  {
    keyword: '/x-kubernetes-validations/0',
    schema: { type: 'object', 'x-kubernetes-validations': [{ message: 'no' }] },
    why: 'lacks rule',
  },
  {
    keyword: '/x-kubernetes-validations/0/rule',
    schema: { type: 'object', 'x-kubernetes-validations': [{ rule: true }] },
    why: 'is not a string',
  },
  {
    keyword: '/x-kubeloom-resource',
    schema: { type: 'object', 'x-kubeloom-resource': { plural: 'as' } },
    why: 'is of kinds, which have x-kubernetes-group-version-kind',
  },
];
