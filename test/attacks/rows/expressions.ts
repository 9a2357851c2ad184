import { create, creation, objectText } from '../builders/json.ts';
import { crds, define, definitionMembers, type Target } from '../builders/targets.ts';
import { count, long, many, nested } from '../builders/text.ts';
import type { Attack, Attacks, Request } from '../harness/attack.ts';

const group = 'attacks.example.com';
const kind = (name: string): Target => ({
  name: `${name.toLowerCase()}s`,
  path: `/apis/${group}/v1/namespaces/default/${name.toLowerCase()}s`,
  members: { apiVersion: `${group}/v1`, kind: name },
  object: 'attacked',
});

const half = 'self.substring(self.size() / 2) + "b"';

/** Functions of long texts, each in a rule of one text. All rules hold for letters of ASCII, and these do not for others. */
const onlyForAscii = ['startsWith', 'charAt', 'upperAscii', 'findAll'];
const ofTexts: readonly (readonly [name: string, rule: string])[] = [
  ['indexOf', 'self.indexOf("b") < 1'],
  ['lastIndexOf', 'self.lastIndexOf("b") < 1'],
  ['indexOf of a long text', 'self.indexOf("aaaaaaaaaaaaaaaaaaaaaaaaab") < 1'],
  ['indexOf of half of it', `self.indexOf(${half}) < 1`],
  ['lastIndexOf of half of it', `self.lastIndexOf(${half}) < 1`],
  ['contains', '!self.contains("aaaaaaaaaaaaaaaaaaaaaaaaab")'],
  ['startsWith', 'self.startsWith("a")'],
  ['replace', 'self.replace("a", "bb").size() > 0'],
  ['split', 'self.split("").size() > 0'],
  ['substring', 'self.substring(1).size() >= 0'],
  ['charAt', 'self.charAt(0) == "a"'],
  ['lowerAscii', 'self.lowerAscii() == self'],
  ['upperAscii', 'self.upperAscii() != self'],
  ['trim', 'self.trim() == self'],
  ['matches', '!self.matches("(a+)+b")'],
  ['find', 'self.find("(a+)+b") == ""'],
  ['findAll', 'self.findAll("aa").size() > 0'],
  ['size', 'self.size() > 0'],
  ['a sum of texts', '(self + self + self + self).size() > 0'],
  ['order', 'self <= self + "a"'],
  ['bytes', 'bytes(self).size() > 0'],
  ['quote', 'strings.quote(self).size() > 0'],
  ['format', '"%s%s".format([self, self]).size() > 0'],
];
const longestText = 200_000;

const texts: Attack[] = ofTexts.flatMap(([name], at) =>
  ['a', 'é'].map((letter) =>
    creation(
      `${name} of ${count(longestText)} letters ${letter}`,
      kind(`Text${at}`),
      () => `"spec":{"text":"${letter.repeat(longestText)}"}`,
      [letter !== 'a' && onlyForAscii.includes(name) ? 422 : 201],
    ),
  ),
);

/** One kind each, because a definition's total cost is limited. */
const textKinds: readonly Request[] = ofTexts.map(([, rule], at) => {
  const text = { type: 'string', maxLength: longestText, 'x-kubernetes-validations': [{ rule }] };
  return define(`Text${at}`, { type: 'object', properties: { text } });
});

/** The last member is the code: 422 where the cost limit is exceeded. */
const ofLists: readonly (readonly [name: string, rule: string, longest: number, code: number])[] = [
  ['nested all', 'self.all(x, self.all(y, x != y || x == y))', 1_000, 422],
  ['nested map', 'self.map(x, self.map(y, x + y)).size() >= 0', 500, 422],
  ['a filter', 'self.filter(x, x % 2 == 0).size() >= 0', 100_000, 201],
  ['membership of each item', 'self.all(x, x in self)', 3_000, 422],
  ['exists_one', 'self.exists_one(x, x == 1) || true', 100_000, 201],
  ['sum', 'self.sum() >= 0', 100_000, 201],
  ['isSorted', 'self.isSorted() || true', 100_000, 201],
  ['indexOf', 'self.indexOf(-1) == -1', 100_000, 201],
  ['equality', 'self == self', 100_000, 201],
  ['a sum of lists', '(self + self + self + self).size() >= 0', 100_000, 201],
  ['sets.equivalent', 'sets.equivalent(self, self)', 1_000, 422],
  ['sets.contains', 'sets.contains(self, self)', 3_000, 422],
];
const lists: Attack[] = ofLists.map(([name, , longest, code], at) =>
  creation(`${name} of ${count(longest)} numbers`, kind(`List${at}`), () => `"spec":{"list":[${many(longest, String)}]}`, [code]),
);
const listKinds: readonly Request[] = ofLists.map(([, rule, maxItems], at) => {
  const list = { type: 'array', maxItems, items: { type: 'integer' }, 'x-kubernetes-validations': [{ rule }] };
  return define(`List${at}`, { type: 'object', properties: { list } });
});

/** Many rules at their cost limit, and an object on which they run. */
const rules = { rule: 'self.all(x, self.all(y, x != y || x == y))' };
/** Numbers of rules, each with the longest list within their estimated cost. */
const ofBudgets = [
  [20, 500],
  [200, 200],
] as const;
const budgetKinds: readonly Request[] = ofBudgets.map(([times, maxItems]) =>
  define(`Budget${times}`, {
    type: 'object',
    properties: {
      list: {
        type: 'array',
        maxItems,
        items: { type: 'integer' },
        'x-kubernetes-validations': Array.from({ length: times }, () => rules),
      },
    },
  }),
);
const budgets: Attack[] = ofBudgets.map(([times, longest]) =>
  creation(`${times} rules at their limit`, kind(`Budget${times}`), () => `"spec":{"list":[${many(longest, String)}]}`, [422]),
);

/** A definition with its own rules. */
const definition = (name: string, made: () => readonly string[], codes: readonly number[], message?: string): Attack => ({
  name: `a definition with ${name}`,
  send: () => {
    const validations = made().map((rule) => ({ rule }));
    const spec = {
      type: 'object',
      properties: { a: { type: 'string', maxLength: 10 } },
      'x-kubernetes-validations': validations,
    };
    const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
    return create(crds, objectText({ ...crds, members: definitionMembers('Thing', {}, { schema }) }));
  },
  codes,
  message,
});
const one = (name: string, rule: () => string, codes: readonly number[], message?: string): Attack =>
  definition(name, () => [rule()], codes, message);

const macro = (levels: number): string => {
  const open = many(levels, (at) => `[1, 2].all(x${at}, `, '');
  return `${open}true${')'.repeat(levels)}`;
};

const definitions: Attack[] = [
  one('100,000 terms of an or', () => many(100_000, () => 'true', '||'), [422]),
  one('100,000 terms of a sum', () => `${many(100_000, () => '1', '+')} > 0`, [422]),
  one('50,000 terms of a sum of texts', () => `${many(50_000, () => '"a"', '+')} != ""`, [422]),
  one('100 parentheses', () => nested(100, '(', ')', 'true'), [201]),
  one('1,000 parentheses', () => nested(1_000, '(', ')', 'true'), [422]),
  one('500,000 parentheses', () => nested(500_000, '(', ')', 'true'), [422]),
  one('500,000 parentheses that stay open', () => long(500_000, '('), [422]),
  one('500,000 brackets', () => long(500_000, '['), [422]),
  one('500,000 braces', () => long(500_000, '{'), [422]),
  one('500,000 exclamation marks', () => `${long(500_000, '!')}true`, [422]),
  one('500,000 minus signs', () => `${long(500_000, '-')}1 < 0`, [422]),
  one('10,000 questions', () => `${long(100_000, 'true?true:')}true`, [422]),
  one('100,000 selections', () => `self${long(200_000, '.a')}`, [422]),
  one('100,000 indices', () => `self${long(300_000, '[0]')}`, [422]),
  one('20 nested macros', () => macro(20), [422]),
  one('200 nested macros', () => macro(200), [422]),
  one('2,000 nested macros', () => macro(2_000), [422]),
  one('a list of 100,000', () => `[${many(100_000, String)}].size() > 0`, [422]),
  one('a map of 50,000', () => `{${many(50_000, (at) => `${at}:${at}`)}}.size() > 0`, [422]),
  one('a text of a mebibyte', () => `"${long(1_000_000)}" != ""`, [422]),
  one('a text that does not end', () => `"${long(1_000_000)}`, [422]),
  one('a text of invalid escapes', () => `"${long(200_000, '\\q')}" != ""`, [422]),
  one('a number of 100,000 digits', () => `${long(100_000, '9')} > 0`, [422]),
  one('a mebibyte of white space', () => `${long(1_000_000, ' \n')}true`, [422]),
  one('characters outside of the language', () => long(500_000, '\u{1f600}'), [422]),
  one('zero bytes', () => long(100_000, '\0'), [422]),
  one('an invalid pattern', () => '"a".matches("(")', [422]),
  one('a pattern that repeats repeats', () => '"a".matches("(x{1000}){1000}")', [422]),
  one('a pattern of 100,000', () => `"a".matches("${long(100_000, 'a*')}")`, [422]),
  one('a name of __proto__', () => 'self.__proto__ == null', [422]),
  one('a name of constructor', () => 'self.constructor.name != ""', [422]),
  one('a call of constructor', () => 'constructor("return process")()', [422]),
  one('no rule', () => '', [422]),
  definition('1,000 rules', () => Array.from({ length: 1_000 }, () => 'self.a != "x"'), [201]),
  definition('500 rules of a kibibyte', () => Array.from({ length: 500 }, (_, at) => many(60, () => `self.a != "x${at}"`, ' || ')), [201]),
  definition('10,000 invalid rules', () => Array.from({ length: 10_000 }, () => '('), [422]),
];

export const expressions: Attacks = {
  title: 'expressions',
  setup: [...textKinds, ...listKinds, ...budgetKinds],
  serves: [
    ...ofTexts.map((_, at) => kind(`Text${at}`).path),
    ...ofLists.map((_, at) => kind(`List${at}`).path),
    ...ofBudgets.map(([times]) => kind(`Budget${times}`).path),
  ],
  rows: [...texts, ...lists, ...budgets, ...definitions],
};
