import { describe, expect, test } from '@jest/globals';
import type { JsonSchema, ValidationRule } from '../../../../../runtime/machinery/schema/json-schema.ts';
import { errorsOf, updateErrorsOf, withX } from './definitions.ts';

const x = 'spec.validation.openAPIV3Schema.properties[x]';
const at = `${x}.x-kubernetes-validations[0]`;

const ruled = (rule: Partial<ValidationRule>, rest: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties: { a: { type: 'string', maxLength: 5 }, n: { type: 'integer' } },
  'x-kubernetes-validations': [{ rule: 'true', ...rule }],
  ...rest,
});

const shown = (rule: string): string =>
  `{"Rule":${JSON.stringify(rule)},"Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}`;

describe('a rule', () => {
  test.each<[string, Partial<ValidationRule>, string[]]>([
    ['good', { rule: 'self.n > 1', message: 'more', reason: 'FieldValueForbidden', fieldPath: '.a' }, []],
    ['blank', { rule: ' ' }, [`${at}.rule: Required value: rule is not specified`]],
    ['blank message', { message: ' ' }, [`${at}.message: Invalid value: " ": must be non-empty if specified`]],
    ['with a message of several lines', { message: 'a\nb' }, [`${at}.message: Invalid value: "a\\nb": must not contain line breaks`]],
    [
      'of several lines without a message',
      { rule: 'true\n' + '&& true' },
      [`${at}.message: Required value: message must be specified if rule contains line breaks`],
    ],
    [
      'blank messageExpression',
      { messageExpression: ' ' },
      [`${at}.messageExpression: Required value: messageExpression must be non-empty if specified`],
    ],
    [
      'another reason',
      { reason: 'Because' },
      [
        `${at}.reason: Unsupported value: "Because": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"`,
      ],
    ],
    ['with a fieldPath of an absent field', { fieldPath: '.zzz' }, [`${at}.fieldPath: Invalid value: ".zzz": must be a valid path`]],
    [
      'that does not evaluate to a bool',
      { rule: 'self.n' },
      [`${at}.rule: Invalid value: ${shown('self.n')}: cel expression must evaluate to a bool`],
    ],
    [
      'that names an unknown field',
      { rule: 'self.zzz > 1' },
      [
        `${at}.rule: Invalid value: ${shown('self.zzz > 1').replace('>', '\\u003e')}: compilation failed: ERROR: <input>:1:5: undefined field 'zzz'\n | self.zzz > 1\n | ....^`,
      ],
    ],
    [
      'optionalOldSelf without oldSelf',
      { optionalOldSelf: true },
      [`${at}.optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule`],
    ],
    ['oldSelf', { rule: 'self.n >= oldSelf.n' }, []],
  ])('%s', (_name, rule, want) => {
    expect(errorsOf(withX(ruled(rule)))).toEqual(want);
  });

  test('cannot use oldSelf where old values cannot be correlated', () => {
    const items = ruled({ rule: 'self.n >= oldSelf.n' });
    expect(errorsOf(withX({ type: 'array', maxItems: 3, items }))).toEqual([
      `${x}.items.x-kubernetes-validations[0].rule: Invalid value: "self.n >= oldSelf.n": oldSelf cannot be used on the uncorrelatable portion of the schema within ${x}`,
    ]);
    const map = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['a'] };
    const keyed = { ...items, required: ['a'] };
    expect(errorsOf(withX({ type: 'array', maxItems: 3, ...map, items: keyed }))).toEqual([]);
  });

  test('is not compiled if the schema below has other errors', () => {
    expect(errorsOf(withX(ruled({ rule: 'self.zzz' }, { nullable: true, properties: { a: { type: 'text' } } })))).toEqual([
      `${x}.properties[a].type: Unsupported value: "text": supported values: "array", "boolean", "integer", "number", "object", "string"`,
    ]);
  });
});

describe('the estimated cost of rules', () => {
  const costly: JsonSchema = {
    type: 'array',
    items: { type: 'string' },
    'x-kubernetes-validations': [{ rule: 'self.all(a, self.all(b, a == b))' }],
  };
  const tooMuch =
    /^spec\.validation\.openAPIV3Schema\.properties\[x\]\.x-kubernetes-validations\[0\]\.rule: Forbidden: estimated rule cost exceeds budget by factor of more than 100x \(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared\)$/;

  test('in the worst case', () => {
    const [first, ...others] = errorsOf(withX(costly));
    expect(first).toMatch(tooMuch);
    expect(others).toEqual([
      `${x}.x-kubernetes-validations[0].rule: Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema`,
      'spec.validation.openAPIV3Schema: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of more than 100x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)',
    ]);
  });

  test('is limited by the sizes in the schema', () => {
    expect(errorsOf(withX({ ...costly, maxItems: 10, items: { type: 'string', maxLength: 10 } }))).toEqual([]);
  });

  test('is not checked again for rules whose schema did not change', () => {
    const crd = withX(costly);
    expect(updateErrorsOf(crd, crd).some((text) => tooMuch.test(text))).toBe(false);
    expect(updateErrorsOf(crd, withX({ type: 'string' })).some((text) => tooMuch.test(text))).toBe(true);
  });
});

test('does not allow a default that violates it', () => {
  const schema: JsonSchema = {
    type: 'integer',
    default: 1,
    'x-kubernetes-validations': [{ rule: 'self > 1', message: 'too small' }],
  };
  expect(errorsOf(withX(schema))).toEqual([`${x}.default: Invalid value: 1: too small`]);
});
