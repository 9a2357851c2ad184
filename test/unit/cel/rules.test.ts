import { describe, expect, test } from '@jest/globals';
import { newRuleValidator, type RuleInput, type RuleResult, validateRules } from '../../../runtime/cel/rules/validate.ts';
import type { Json } from '../../../runtime/machinery/object.ts';
import type { JsonSchema, ValidationRule } from '../../../runtime/machinery/schema/json-schema.ts';
import { fieldErrorMessage } from '../../../runtime/machinery/validation/field-error.ts';
import { FieldPath } from '../../../runtime/machinery/validation/field-path.ts';
import { withoutBudget } from '../../support/event-loop-budget.ts';
import { ruleCases } from './tables/rule-cases.ts';
import { ruleCosts } from './tables/rule-costs.ts';

withoutBudget();

const budget = 10_000_000;

function run(schema: JsonSchema, input: RuleInput, isRoot = false): RuleResult {
  const tree = newRuleValidator(schema, isRoot);
  if (!tree) throw new Error('no rules');
  return validateRules(tree, { path: FieldPath.of('root'), ...input });
}

const withRules = (schema: JsonSchema, ...rules: ValidationRule[]): JsonSchema => ({
  ...schema,
  'x-kubernetes-validations': [...(schema['x-kubernetes-validations'] ?? []), ...rules],
});

const messages = ({ errors }: RuleResult): string[] => errors.map(fieldErrorMessage);

describe('the runtime cost of rules', () => {
  for (const { name, schema, object, costs } of ruleCosts) {
    test(name, () => {
      for (const [rule, cost] of Object.entries(costs)) {
        const outcome = run(withRules(schema, { rule }), { self: object }, true);
        expect([rule, messages(outcome), budget - outcome.remainingBudget]).toEqual([rule, [], cost]);
      }
    });
  }
});

describe('rules succeed or fail as upstream', () => {
  for (const { name, schema, object, old, isRoot, budget: own = budget, cost, hold, fail = {} } of ruleCases) {
    test(name, () => {
      const input: RuleInput = {
        self: object,
        budget: own,
        ratchet: false,
        ...(old === undefined ? {} : { oldSelf: old }),
      };
      for (const rule of hold) {
        const outcome = run(withRules(schema, { rule }), input, isRoot === true);
        expect([rule, messages(outcome)]).toEqual([rule, []]);
        if (cost !== undefined) expect([rule, own - outcome.remainingBudget]).toEqual([rule, cost]);
      }
      for (const [rule, why] of Object.entries(fail)) {
        const texts = messages(run(withRules(schema, { rule }), input, true));
        expect([rule, texts.length > 0]).toEqual([rule, true]);
        for (const text of texts) expect(text).toContain(why);
      }
    });
  }
});

const integer: JsonSchema = { type: 'integer' };
const count = (...rules: ValidationRule[]): JsonSchema => ({
  type: 'object',
  properties: { count: withRules(integer, ...rules) },
});

describe('errors of rules', () => {
  test.each<[string, ValidationRule, Json, string[]]>([
    ['a scalar is shown in the error', { rule: 'self > 5' }, { count: 1 }, ['root.count: Invalid value: 1: failed rule: self > 5']],
    ['message', { rule: 'self > 5', message: ' too few ' }, { count: 1 }, ['root.count: Invalid value: 1: too few']],
    [
      'messageExpression',
      { rule: 'self > 5', message: 'few', messageExpression: '"only " + string(self)' },
      { count: 1 },
      ['root.count: Invalid value: 1: only 1'],
    ],
    [
      'a messageExpression that fails is replaced by the message',
      { rule: 'self > 5', message: 'few', messageExpression: '"a" + string(1 / (self - 1))' },
      { count: 1 },
      ['root.count: Invalid value: 1: few'],
    ],
    [
      'a messageExpression of several lines is replaced by the rule',
      { rule: 'self > 5', messageExpression: '"a\\nb"' },
      { count: 1 },
      ['root.count: Invalid value: 1: failed rule: self > 5'],
    ],
    [
      'an empty messageExpression is replaced by the message',
      { rule: 'self > 5', message: 'few', messageExpression: '" "' },
      { count: 1 },
      ['root.count: Invalid value: 1: few'],
    ],
    [
      'reason: forbidden',
      { rule: 'self > 5', reason: 'FieldValueForbidden' },
      { count: 1 },
      ['root.count: Forbidden: failed rule: self > 5'],
    ],
    [
      'reason: required',
      { rule: 'self > 5', reason: 'FieldValueRequired' },
      { count: 1 },
      ['root.count: Required value: failed rule: self > 5'],
    ],
    ['reason: duplicate', { rule: 'self > 5', reason: 'FieldValueDuplicate' }, { count: 1 }, ['root.count: Duplicate value: 1']],
    [
      'a runtime error',
      { rule: '1 / self > 0' },
      { count: 0 },
      ['root.count: Invalid value: "integer": division by zero evaluating rule: 1 / self > 0'],
    ],
    ['no value, so no error', { rule: 'false' }, {}, []],
  ])('%s', (_name, rule, self, want) => {
    expect(messages(run(count(rule), { self }))).toEqual(want);
  });

  test('do not show objects, and fieldPath names the field', () => {
    const schema = withRules(
      { type: 'object', properties: { spec: { type: 'object', properties: { 'a.b': integer } } } },
      { rule: 'self.spec.a__dot__b > 5', fieldPath: ".spec['a.b']" },
      { rule: 'has(self.metadata)' },
    );
    const rules = { ...schema, properties: { ...schema.properties, metadata: { type: 'object' } } };
    expect(messages(run(rules, { self: { spec: { 'a.b': 1 } } }))).toEqual([
      'root.spec.a.b: Invalid value: failed rule: self.spec.a__dot__b > 5',
      'root: Invalid value: failed rule: has(self.metadata)',
    ]);
  });

  test('one call may cost a million', () => {
    const schema = withRules({ type: 'array', items: integer }, { rule: 'self.all(x, self.all(y, x == y))' }, { rule: 'false' });
    const outcome = run(schema, { self: Array.from({ length: 1000 }, () => 1) });
    expect(messages(outcome)).toEqual([
      'root: Invalid value: "array": \'operation cancelled: actual cost limit exceeded\': no further validation rules will be run ' +
        'due to call cost exceeds limit for rule: self.all(x, self.all(y, x == y))',
    ]);
    expect(outcome.remainingBudget).toBeLessThan(0);
  });

  test('one object may cost the whole budget', () => {
    const schema: JsonSchema = { type: 'array', items: withRules(integer, { rule: 'self > 0' }) };
    const outcome = run(schema, { self: [1, 2, 3, 4], budget: 5 });
    expect(messages(outcome)).toEqual([
      'root[2]: Invalid value: "integer": validation failed due to running out of cost budget, no further validation rules will be run',
    ]);
  });
});

describe('transition rules', () => {
  const grows: ValidationRule = { rule: 'self >= oldSelf' };

  test.each<[string, JsonSchema, Json, Json | undefined, string[]]>([
    ['do not run on creation', count(grows), { count: 1 }, undefined, []],
    ['do not run for new values', count(grows), { count: 1 }, {}, []],
    ['run on update', count(grows), { count: 1 }, { count: 2 }, ['root.count']],
    [
      'correlate elements of map lists by key',
      {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
        items: { type: 'object', properties: { name: { type: 'string' }, size: withRules(integer, grows) } },
      },
      [
        { name: 'b', size: 1 },
        { name: 'a', size: 1 },
        { name: 'c', size: 1 },
      ],
      [
        { name: 'a', size: 1 },
        { name: 'b', size: 2 },
      ],
      ['root[0].size'],
    ],
    [
      'do not correlate elements of other lists',
      { type: 'array', 'x-kubernetes-list-type': 'atomic', items: withRules(integer, grows) },
      [1],
      [2],
      [],
    ],
    [
      'correlate values of maps by key',
      { type: 'object', additionalProperties: withRules(integer, grows) },
      { a: 1, b: 1 },
      { a: 2 },
      ['root[a]'],
    ],
    [
      'optionalOldSelf runs on creation too',
      count({ rule: 'oldSelf.hasValue() || self == 1', optionalOldSelf: true }),
      { count: 2 },
      undefined,
      ['root.count'],
    ],
    [
      'optionalOldSelf sees the old value',
      count({ rule: 'oldSelf.orValue(0) < self', optionalOldSelf: true }),
      { count: 2 },
      { count: 2 },
      ['root.count'],
    ],
  ])('%s', (_name, schema, self, oldSelf, want) => {
    const outcome = run(schema, oldSelf === undefined ? { self } : { self, oldSelf });
    expect(outcome.errors.map(({ field }) => field)).toEqual(want);
  });
});

describe('ratcheting', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: { a: withRules(integer, { rule: 'self > 5' }), b: withRules(integer, { rule: 'self > oldSelf' }) },
  };

  test.each<[string, Json, Json, boolean | undefined, string[], string[]]>([
    ['an unchanged value causes a warning', { a: 1 }, { a: 1 }, undefined, [], ['root.a: Invalid value: 1: failed rule: self > 5']],
    ['a changed value causes an error', { a: 2 }, { a: 1 }, undefined, ['root.a'], []],
    ['rules with oldSelf do not ratchet', { b: 1 }, { b: 1 }, undefined, ['root.b'], []],
    ['ratcheting can be disabled', { a: 1 }, { a: 1 }, false, ['root.a'], []],
  ])('%s', (_name, self, oldSelf, ratchet, errors, warnings) => {
    const outcome = run(schema, ratchet === undefined ? { self, oldSelf } : { self, oldSelf, ratchet });
    expect(outcome.errors.map(({ field }) => field)).toEqual(errors);
    expect(outcome.warnings).toEqual(warnings);
  });

  test('an unchanged element of a map list causes a warning, at any index', () => {
    const list: JsonSchema = {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: withRules({ type: 'object', properties: { name: { type: 'string' }, size: integer } }, { rule: 'self.size > 5' }),
    };
    const outcome = run(list, {
      self: [
        { name: 'new', size: 1 },
        { name: 'old', size: 1 },
      ],
      oldSelf: [{ name: 'old', size: 1 }],
    });
    expect(outcome.errors.map(({ field }) => field)).toEqual(['root[0]']);
    expect(outcome.warnings).toHaveLength(1);
  });
});

describe('rules are evaluated', () => {
  test('in allOf, with the same self', () => {
    const schema: JsonSchema = { ...integer, allOf: [{ 'x-kubernetes-validations': [{ rule: 'self > 5' }] }] };
    expect(messages(run(schema, { self: 1 }))).toEqual(['root: Invalid value: 1: failed rule: self > 5']);
  });

  test('under names that expressions must escape', () => {
    const schema: JsonSchema = { type: 'object', properties: { '0a': withRules(integer, { rule: 'self > 5' }) } };
    expect(messages(run(schema, { self: { '0a': 1 } }))).toEqual(['root.0a: Invalid value: 1: failed rule: self > 5']);
  });

  test('at the root, where metadata has only a name', () => {
    const schema = withRules({ type: 'object' }, { rule: "self.metadata.name == 'a' && self.kind == 'K'" });
    expect(messages(run(schema, { self: { kind: 'K', metadata: { name: 'a' } } }, true))).toEqual([]);
    const labels = withRules({ type: 'object' }, { rule: 'has(self.metadata.labels)' });
    expect(messages(run(labels, { self: { metadata: {} } }, true)).join()).toContain("undefined field 'labels'");
  });

  test('only if there are any', () => {
    expect(newRuleValidator({ type: 'object', properties: { a: integer } }, true)).toBeUndefined();
  });

  test('with inherited names as ordinary keys', () => {
    const schema = withRules(
      { type: 'object', properties: { constructor: integer } as unknown as Record<string, JsonSchema> },
      { rule: '!has(self.constructor)' },
    );
    expect(messages(run(schema, { self: {} }))).toEqual([]);
  });
});
