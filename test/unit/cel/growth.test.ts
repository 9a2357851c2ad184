import { expect, test } from '@jest/globals';
import { compileExpression, createEnvironment, jsonValue } from '../../../runtime/cel/expression.ts';
import { schemaDeclType } from '../../../runtime/cel/types/decl-type.ts';
import type { Json } from '../../../runtime/machinery/object.ts';
import type { JsonSchema } from '../../../runtime/machinery/schema/json-schema.ts';
import { withoutBudget } from '../../support/event-loop-budget.ts';
import { expectLinear, workOn } from '../../support/growth.ts';

withoutBudget();

const text: JsonSchema = { type: 'string' };
const listOf = (items: JsonSchema, listType = 'atomic'): JsonSchema => ({
  type: 'array',
  items,
  'x-kubernetes-list-type': listType,
});
const schema = {
  type: 'object',
  properties: {
    a: text,
    almost: text,
    half: text,
    wide: text,
    csv: text,
    digits: text,
    spaces: text,
    dots: text,
    url: text,
    bytes: { type: 'string', format: 'byte' },
    list: listOf({ type: 'integer' }),
    texts: listOf(text),
    nested: listOf(listOf({ type: 'integer' })),
    set: listOf(text, 'set'),
    map: { type: 'object', additionalProperties: text },
    few: listOf({ type: 'integer' }),
  },
} satisfies JsonSchema;

function objectOf(size: number, items = size): Json {
  const all = Array.from({ length: items }, (_, i) => i);
  return {
    a: 'a'.repeat(size),
    almost: `${'a'.repeat(size - 1)}b`,
    half: `b${'a'.repeat(size / 2)}`,
    wide: '😀'.repeat(size / 2),
    csv: 'a,'.repeat(size / 2),
    digits: '1'.repeat(size),
    spaces: `x${' '.repeat(size)}x`,
    dots: '1.'.repeat(size / 2),
    url: `/a?${'k=v&'.repeat(size / 4)}`,
    bytes: Buffer.alloc(size).toString('base64'),
    list: all,
    texts: all.map((i) => `t${i}`),
    nested: all.map((i) => [i]),
    set: all.map((i) => `t${i}`),
    map: Object.fromEntries(all.map((i) => [`k${i}`, 'v'])),
    few: all.slice(0, 20),
  };
}

const environment = createEnvironment({ variables: { self: schemaDeclType(schema, false) as never } });

const texts = [
  'self.a.indexOf(self.half)',
  'self.a.lastIndexOf(self.half)',
  'self.almost.lastIndexOf(self.half, 5)',
  'self.a.contains(self.half)',
  'self.a.replace("a", "bb")',
  'self.a.replace("a", "bb", 1000000)',
  'self.a.replace("", "-")',
  'self.csv.split(",", 1000000)',
  'self.few.all(i, self.wide.charAt(i) == "😀")',
  'self.few.all(i, self.wide.substring(i, i + 1) == "😀")',
  'self.few.all(i, size(self.wide) > i)',
  'self.wide.indexOf("x")',
  'self.spaces.trim()',
  'strings.quote(self.a)',
  'self.texts.join(",")',
  '"%s".format([self.texts])',
  '"%.9999999f".format([1e300])',
  'self.a < self.almost',
  'self.few.all(i, self.a.matches("(a+)+$"))',
  'self.csv.findAll("a")',
  'self.csv.find("b")',
];
const conversions = [
  'int(self.digits) > 0 || true',
  'uint(self.digits) > 0u || true',
  'double(self.digits) > 0.0 || true',
  'duration(self.digits) > duration("1s") || true',
  'duration(self.digits + "h") > duration("1s") || true',
  'timestamp(self.digits) > timestamp(self.digits) || true',
  'isQuantity(self.digits)',
  'isIP(self.dots)',
  'isCIDR(self.dots)',
  'isSemver("1.2." + self.digits)',
  'isSemver("1.2.3-" + self.digits)',
  'isURL(self.a)',
  'url(self.url).getQuery().size()',
  'self.bytes + self.bytes',
  'self.few.all(i, size(self.bytes) > i)',
  'format.dns1123Subdomain().validate(self.dots)',
  'format.byte().validate(self.a)',
];
const aggregates = [
  'self.list.map(x, x + 1)',
  'self.list.transformList(i, v, i + v)',
  'self.map.transformMap(k, v, v)',
  'self.few.all(i, (self.list + self.list).size() > i)',
  'self.few.all(i, (self.set + self.set).size() > i)',
  'self.few.all(i, self.map.size() > i)',
  'self.few.all(i, self.map.exists(k, true))',
  'self.few.all(i, self.map == self.map)',
  'self.few.all(i, self.set == self.set)',
  'self.nested.flatten()',
  'self.list.slice(1, 2)',
  'self.list.isSorted()',
  'self.texts.indexOf("x")',
  'self.texts.min()',
  '!(-1 in self.list)',
];

test.each([...texts, ...conversions, ...aggregates])('%s takes time linear in its input', (expression) => {
  const { program, issues, failure } = compileExpression(expression, environment);
  if (!program) throw new Error(issues ?? failure);
  // each evaluation has a copy, because the object caches values
  expectLinear(
    2_000,
    workOn(objectOf, (object) => program.evaluate({ self: jsonValue(structuredClone(object), schema) })),
  );
});

test.each([
  ['a text', '"%s".format([["x", "y"]]).replace("", self.a).replace("", self.a).replace("", self.a)', 'too long'],
  ['a format', '"%s%s%s%s%s%s%s%s".format([self.a, self.a, self.a, self.a, self.a, self.a, self.a, self.a])', 'too long'],
  ['a join', 'self.few.map(x, self.a).join(self.a)', 'too long'],
  ['a list', 'self.few.map(x, self.few.map(y, self.list)).flatten(2)', 'too large'],
])('%s without a cost limit is bounded', (_what, expression, why) => {
  const compiled = compileExpression(expression, environment);
  const object = objectOf(3_000_000, 20_000);
  const value = compiled.program?.evaluate({ self: jsonValue(object, schema) }).value;
  expect(value).toMatchObject({ tag: 'error', message: expect.stringContaining(why) });
});

test('expensive comparisons do not run: sets of a hundred thousand', () => {
  const compiled = compileExpression('sets.equivalent(self.list, self.list)', environment);
  const self = jsonValue(objectOf(10, 100_000), schema);
  const outcome = compiled.program?.evaluate({ self }, 1_000_000);
  expect(outcome?.value).toMatchObject({ message: 'operation cancelled: actual cost limit exceeded' });
});

test.each([
  ['names in a chain', (n: number) => Array(n).fill('self.a == "x"').join(' || ')],
  ['free types', (n: number) => Array(n).fill('[] == []').join(' || ')],
  ['optional elements', (n: number) => `1 in [${Array(n).fill('?optional.of(1)').join(',')}]`],
  ['elements without a type', (n: number) => `[] in [${Array(n).fill('[]').join(',')}]`],
  ['entries', (n: number) => `1 in {${Array.from({ length: n }, (_, i) => `${i}: 1`).join(',')}}`],
])('compiling takes time linear in the expression: %s', (_what, make) => {
  expectLinear(
    800,
    workOn(make, (expression) => compileExpression(expression, environment)),
  );
});

test('macros that repeat their receiver do not grow without bound', () => {
  let expression = 'optional.of(1)';
  for (let i = 0; i < 60; i++) expression += '.optMap(x, x)';
  expect(compileExpression(expression, environment).issues).toContain('expression node count exceeds limit');
});
