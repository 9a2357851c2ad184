import { describe, expect, test } from '@jest/globals';
import { formatTypeScript } from '../../../../../codegen/print/format/format.ts';

const long = (name: string): string => name.repeat(14);
const [a, b, c] = ['alpha', 'bravo', 'gamma'].map(long);

interface Row {
  readonly what: string;
  readonly given: string;
  readonly want: string;
}

const rows: readonly Row[] = [
  { what: 'strings are in single quotes', given: `f("it", 'b', "it's");`, want: `f('it', 'b', "it's");` },
  {
    what: 'names are in quotes where they need them',
    given: `const x = { "a": 1, "b-c": 2, "日本": 3 };`,
    want: `const x = { a: 1, 'b-c': 2, 日本: 3 };`,
  },
  { what: 'numbers are short', given: 'const x = [1e+21, -1, 0XA];', want: 'const x = [1e21, -1, 0xa];' },
  { what: 'statements end', given: 'const x = 1\nlet y', want: 'const x = 1;\nlet y;' },
  {
    what: 'an empty line stays, and only one',
    given: 'f();\n\n\n\ng();\nh();',
    want: 'f();\n\ng();\nh();',
  },
  {
    what: 'arguments that are too long have a line each',
    given: `f(${a}, ${b}, 'x');`,
    want: `f(\n  ${a},\n  ${b},\n  'x',\n);`,
  },
  {
    what: 'a function that is the last argument begins in the line of the call',
    given: `f(${a}, (x) => { g(${b}); });`,
    want: `f(${a}, (x) => {\n  g(${b});\n});`,
  },
  {
    what: 'what a function returns goes to the next line',
    given: `f(${a}, (x) => g(${b}));`,
    want: `f(${a}, (x) =>\n  g(${b}),\n);`,
  },
  {
    what: 'a list with long members has a line each',
    given: 'const x = [{ a: 1, b: 2 }, { a: 3, b: 4 }];',
    want: 'const x = [\n  { a: 1, b: 2 },\n  { a: 3, b: 4 },\n];',
  },
  {
    what: 'an object that begins with a line keeps its lines',
    given: 'const x = {\n a: 1, b: 2 };',
    want: 'const x = {\n  a: 1,\n  b: 2,\n};',
  },
  {
    what: 'a text that is too long goes to the next line',
    given: `const x = { one: 1, two: '${a}${b}' };`,
    want: `const x = {\n  one: 1,\n  two:\n    '${a}${b}',\n};`,
  },
  {
    what: 'a condition that is too long has a line for each operand',
    given: `if (${a} && ${b}) return;`,
    want: `if (\n  ${a} &&\n  ${b}\n)\n  return;`,
  },
  {
    what: 'a statement of a condition goes to the next line',
    given: `if (${a}) f(${b});`,
    want: `if (${a})\n  f(${b});`,
  },
  {
    what: 'a choice that is too long has a line for each answer',
    given: `x = ${a} ? ${b} : ${c};`,
    want: `x = ${a}\n  ? ${b}\n  : ${c};`,
  },
  {
    what: 'a union that is too long has a line for each type',
    given: `type X = '${a}' | '${b}';`,
    want: `type X =\n  | '${a}'\n  | '${b}';`,
  },
  {
    what: 'a union in a list is in parentheses',
    given: `interface X { a?: ('${a}' | '${b}')[]; b: string | null }`,
    want: `interface X {\n  a?: (\n    | '${a}'\n    | '${b}'\n  )[];\n  b: string | null;\n}`,
  },
  {
    what: 'comments stay where they are',
    given: '// one\n\n/**\n   * two\n   */\nfunction f() {\n// three\nreturn 1 }',
    want: '// one\n\n/**\n * two\n */\nfunction f() {\n  // three\n  return 1;\n}',
  },
  {
    what: 'comments at the end of a block stay',
    given: 'function f() {\ng();\n// one\n\n/* two */\n}\nfunction h() {\n// three\n}\n// four\n',
    want: 'function f() {\n  g();\n  // one\n\n  /* two */\n}\nfunction h() {\n  // three\n}\n// four',
  },
  {
    what: 'comments at the end of types and values stay',
    given: 'interface X { a: string;\n// one\n}\nclass Y {\n// two\n}\nconst x = { a: 1, // three\n// four\n};\nconst y = {\n// five\n};',
    want: 'interface X {\n  a: string;\n  // one\n}\nclass Y {\n  // two\n}\nconst x = {\n  a: 1, // three\n  // four\n};\nconst y = {\n  // five\n};',
  },
  {
    what: 'comments behind statements stay in their lines',
    given: 'f(); // one\n\ng(); /* two */ // three\nif (x) { // four\nh(); // five\n}',
    want: 'f(); // one\n\ng(); /* two */ // three\nif (x) {\n  // four\n  h(); // five\n}',
  },
  {
    what: 'comments in cases stay',
    given: 'switch (x) {\ncase 1: // one\nf(); // two\n// three\ncase 2:\ng(); // four\n// five\n}',
    want: 'switch (x) {\n  case 1:\n    // one\n    f(); // two\n  // three\n  case 2:\n    g(); // four\n  // five\n}',
  },
  {
    what: 'what has no layout of its own stays as it is',
    given: 'label: for (let i = 0; i < 1; i++) continue label;',
    want: 'label: for (let i = 0; i < 1; i++) continue label;',
  },
];

describe('the house format', () => {
  test.each(rows)('$what', ({ given, want }) => {
    const formatted = formatTypeScript(given);
    expect(formatted).toBe(`${want}\n`);
    expect(formatTypeScript(formatted)).toBe(formatted);
  });
});

test.each([
  { given: 'const x = 1;\nno-such-thing(;\n', want: /^line 2: .*: no-such-thing\(;$/ },
  { given: 'return };', want: /^line 1: / },
])('$given is not TypeScript', ({ given, want }) => {
  expect(() => formatTypeScript(given)).toThrow(want);
});

test('a comment is never lost in silence', () => {
  expect(() => formatTypeScript('f(\n  // why\n  1 +\n    // here\n    2,\n  // end\n);')).toThrow(/lacks a comment.*end/);
});
