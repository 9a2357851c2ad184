import { describe, expect, test } from '@jest/globals';
import { resolveFieldPath } from '../../../runtime/cel/rules/field-path.ts';
import { CelSchemaContext, validateRuleFields } from '../../../runtime/cel/rules/schema-context.ts';
import { escapeProperty, unescapeProperty } from '../../../runtime/cel/types/escaping.ts';
import type { JsonSchema, ValidationRule } from '../../../runtime/machinery/schema/json-schema.ts';
import { fieldErrorMessage } from '../../../runtime/machinery/validation/field-error.ts';
import { FieldPath } from '../../../runtime/machinery/validation/field-path.ts';

const path = FieldPath.of('schema');
const integer: JsonSchema = { type: 'integer' };
const withRules = (schema: JsonSchema, ...rules: ValidationRule[]): JsonSchema => ({
  ...schema,
  'x-kubernetes-validations': rules,
});
const rootErrors = (schema: JsonSchema, uncorrelatable?: FieldPath): string[] =>
  CelSchemaContext.root(schema).check(path, uncorrelatable).map(fieldErrorMessage);

const hint = '(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)';
const shown = (rule: string, more = ''): string =>
  `{"Rule":"${rule}","Message":"","MessageExpression":"${more}","Reason":null,"FieldPath":"","OptionalOldSelf":null}`;

test('a type that is missing is reported at each rule below it, too', () => {
  const inner = withRules({ type: 'object', properties: { a: integer } }, { rule: 'self.a > 0' });
  const untyped = withRules({ properties: { inner } }, { rule: 'has(self.inner)' });
  const outer = CelSchemaContext.root({ type: 'object', properties: { untyped } }).property(untyped, 'untyped');
  const errors = [outer.check(path), outer.property(inner, 'inner').check(path.child('inner'))];
  expect(errors.flat().map(({ field, detail }) => [field, detail])).toEqual(
    ['schema', 'schema.inner'].map((at) => [
      `${at}.x-kubernetes-validations`,
      'internal error: failed to construct type information for x-kubernetes-validations rules: ' +
        'unable to convert structural schema to CEL declarations',
    ]),
  );
});

describe('rules of a CustomResourceDefinition', () => {
  test.each<[string, ValidationRule, string[]]>([
    ['are accepted', { rule: 'self.a > 0' }, []],
    [
      'must be valid expressions',
      { rule: 'self.a +' },
      [
        `schema.x-kubernetes-validations[0].rule: Invalid value: ${shown('self.a +')}: compilation failed: ` +
          "ERROR: <input>:1:9: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', " +
          "'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | self.a +\n | ........^",
      ],
    ],
    [
      'must name defined fields',
      { rule: 'self.b == 1' },
      [
        `schema.x-kubernetes-validations[0].rule: Invalid value: ${shown('self.b == 1')}: compilation failed: ` +
          "ERROR: <input>:1:5: undefined field 'b'\n | self.b == 1\n | ....^",
      ],
    ],
    [
      'must evaluate to a bool',
      { rule: 'self.a' },
      [`schema.x-kubernetes-validations[0].rule: Invalid value: ${shown('self.a')}: cel expression must evaluate to a bool`],
    ],
    [
      'must have messages that are strings',
      { rule: 'self.a < 1', messageExpression: 'self.a' },
      [
        `schema.x-kubernetes-validations[0].messageExpression: Invalid value: ${shown('self.a \\u003c 1', 'self.a')}: ` +
          'messageExpression must evaluate to a string',
      ],
    ],
    [
      'must use oldSelf with optionalOldSelf',
      { rule: 'self.a > 0', optionalOldSelf: true },
      ['schema.x-kubernetes-validations[0].optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule'],
    ],
  ])('%s', (_name, rule, want) => {
    expect(rootErrors(withRules({ type: 'object', properties: { a: integer } }, rule))).toEqual(want);
  });

  test('cannot use oldSelf where old and new values cannot be correlated', () => {
    const schema = withRules({ type: 'object', properties: { a: integer } }, { rule: 'self == oldSelf' });
    expect(rootErrors(schema, FieldPath.of('schema', 'items'))).toEqual([
      'schema.x-kubernetes-validations[0].rule: Invalid value: "self == oldSelf": oldSelf cannot be used on the ' +
        'uncorrelatable portion of the schema within schema.items',
    ]);
  });
});

describe('the estimated cost of rules', () => {
  const list = (more: JsonSchema = {}): JsonSchema => ({ type: 'array', items: { type: 'string' }, ...more });

  test.each<[string, JsonSchema, string[]]>([
    ['may reach the limit', withRules(list({ maxItems: 100 }), { rule: "self.all(x, x == 'a')" }), []],
    [
      'may not exceed the limit',
      withRules(list(), { rule: 'self.all(x, self.all(y, x == y))' }),
      [`schema.x-kubernetes-validations[0].rule: Forbidden: estimated rule cost exceeds budget by factor of more than 100x ${hint}`],
    ],
  ])('%s', (_name, schema, want) => {
    expect(rootErrors(schema)).toEqual(want);
  });

  test('is multiplied by the sizes of the schemas above', () => {
    const item = withRules({ type: 'string', maxLength: 100 }, { rule: "self.contains('abcdefghijkl')" });
    const bounded: JsonSchema = { type: 'array', maxItems: 10, items: item };
    const unbounded: JsonSchema = { type: 'array', items: item };
    const costOf = (schema: JsonSchema): string[] => CelSchemaContext.root(schema).items(item).check(path).map(fieldErrorMessage);
    expect(costOf(bounded)).toEqual([]);
    expect(costOf(unbounded)).toEqual([
      expect.stringMatching(
        /^schema\.x-kubernetes-validations\[0\]\.rule: Forbidden: estimated rule cost exceeds budget by factor of [0-9.]+x/,
      ),
    ]);
  });

  test('is limited in sum', () => {
    const names = Array.from({ length: 13 }, (_, i) => `p${i}`);
    const property = withRules(list({ maxItems: 150_000 }), {
      rule: `self.all(x, x.startsWith('${'a'.repeat(500)}'))`,
    });
    const root = CelSchemaContext.root({
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, property])),
    });
    for (const name of names) expect(root.property(property, name).check(path.child(name))).toEqual([]);
    const messages = root.totalErrors(path).map(fieldErrorMessage);
    expect(messages).toHaveLength(5);
    expect(messages[0]).toBe(
      'schema.p0.x-kubernetes-validations[0].rule: Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema',
    );
    expect(messages[4]).toMatch(
      /^schema: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of 1\.[0-9]{6}x/,
    );
  });
});

describe('the fields of a rule', () => {
  test.each<[string, ValidationRule, string[]]>([
    ['are accepted', { rule: 'true', fieldPath: '.a' }, []],
    ['no rule', { rule: ' ' }, ['rule: Required value: rule is not specified']],
    ['an empty message', { rule: 'true', message: ' ' }, ['message: Invalid value: " ": must be non-empty if specified']],
    ['a message of two lines', { rule: 'true', message: 'a\nb' }, ['message: Invalid value: "a\\nb": must not contain line breaks']],
    [
      'a rule of two lines needs a message',
      { rule: 'true\n&& true' },
      ['message: Required value: message must be specified if rule contains line breaks'],
    ],
    [
      'an unknown reason',
      { rule: 'true', reason: 'No' },
      [
        'reason: Unsupported value: "No": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"',
      ],
    ],
    ['a fieldPath of an absent field', { rule: 'true', fieldPath: '.b' }, ['fieldPath: Invalid value: ".b": must be a valid path']],
  ])('%s', (_name, rule, want) => {
    const schema = withRules({ type: 'object', properties: { a: integer } }, rule);
    const prefix = 'schema.x-kubernetes-validations[0].';
    expect(validateRuleFields(schema, path).map(fieldErrorMessage)).toEqual(want.map((text) => prefix + text));
  });
});

describe('field paths', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      'a.b': integer,
      "a'b": integer,
      map: { type: 'object', additionalProperties: { type: 'object', properties: { c: integer } } },
    },
  };

  test.each<[string, string | { error: string }]>([
    ["['a.b']", 'a.b'],
    ["['a\\'b']", "a'b"],
    ['.map.key.c', 'map[key].c'],
    ["['map']['key'].c", 'map[key].c'],
    ['map', { error: 'expected [ or . but got: map' }],
    ['.', { error: 'unexpected end of JSON path' }],
    ['[map]', { error: 'expected single quoted string but got map' }],
    ["['map'", { error: 'unexpected end of JSON path' }],
    ['.map.key.d', { error: 'does not refer to a valid field' }],
  ])('%s', (text, want) => {
    const { path: found, error } = resolveFieldPath(text, schema);
    expect(error === undefined ? found : { error }).toEqual(want);
  });

  test('without array indexes', () => {
    expect(resolveFieldPath("['a.b']", schema, { allowArrayNotation: false }).error).toBe('array notation is not allowed');
  });
});

describe('names of properties', () => {
  test.each<[string, string | undefined]>([
    ['plain', 'plain'],
    ['namespace', '__namespace__'],
    ['a-b', 'a__dash__b'],
    ['a.b/c', 'a__dot__b__slash__c'],
    ['a__b', 'a__underscores__b'],
    ['_', '_'],
    ['1a', undefined],
    ['a b', undefined],
    ['é', undefined],
  ])('%s', (name, escaped) => {
    expect(escapeProperty(name)).toBe(escaped);
    if (escaped !== undefined) expect(unescapeProperty(escaped)).toBe(name);
  });
});
