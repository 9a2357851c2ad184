import { create, creation, objectText } from '../builders/json.ts';
import { crds, define, definitionMembers, type Target } from '../builders/targets.ts';
import { count, kibibyte, long, many, mebibyte, nested } from '../builders/text.ts';
import type { Attack, Attacks } from '../harness/attack.ts';

/** Patterns that are slow with backtracking, each with a text that makes it backtrack, in pieces. */
const slow: readonly (readonly [pattern: string, of: string, end: string])[] = [
  ['(a+)+$', 'a', '!'],
  ['^(a|a)*$', 'a', '!'],
  ['^(a*)*b$', 'a', 'c'],
  ['a*a*a*a*a*b', 'a', 'c'],
  ['(.*a){12}$', 'a', '!'],
  ['.*.*.*x', 'a', 'y'],
  ['a*b', 'a', 'c'],
  ['\\s+$', ' ', 'x'],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a', '!'],
  ['(x+x+)+y', 'x', 'z'],
  ['^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@)$', 'a', '!'],
  ['(a?){100}b', 'a', 'c'],
  ['^(\\d+)*;(\\d+)*;$', '1', '!'],
  ['(?:a|ab|abc|b|bc)+$', 'abc', '!'],
  ['\\b(\\w+\\s*)+$', 'a ', '!'],
  ['[^/]*/[^/]*/[^/]*$', 'a', '\n'],
];
/** The number of patterns that are also matched against a mebibyte. */
const slowest = 2;

const target: Target = {
  name: 'slowtexts',
  object: 'attacked',
  path: '/apis/attacks.example.com/v1/namespaces/default/slowtexts',
  members: { apiVersion: 'attacks.example.com/v1', kind: 'Slowtext' },
};

const texts: Attack[] = slow.flatMap(([pattern, of, end], at) =>
  [kibibyte, 64 * kibibyte, ...(at < slowest ? [mebibyte] : [])].map((size) =>
    creation(
      `${pattern} against ${count(size)} bytes`,
      target,
      () => `"spec":{"p${at}":${JSON.stringify(long(size, of) + end)}}`,
      // most do not match; the last ones match in the middle
      [422],
    ),
  ),
);

const formats = [
  'date-time',
  'date',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'cidr',
  'uri',
  'uuid',
  'byte',
  'mac',
  'isbn',
  'creditcard',
  'rgbcolor',
];
const formatted: Attack[] = formats
  .flatMap((format) =>
    (
      [
        ['a', long(500_000)],
        ['a.', long(500_000, 'a.')],
        ['1', long(500_000, '1')],
        ['-', long(500_000, '-')],
        ['::', long(500_000, '::')],
        ['a@', long(500_000, 'a@')],
      ] as const
    ).map(([of, text]) =>
      creation(
        `format ${format} against 500,000 bytes of ${of}`,
        target,
        () => `"spec":{"f${format.replace('-', '')}":"${text}"}`,
        // digits and letters are base64
        [format === 'byte' && (of === 'a' || of === '1') ? 201 : 422],
      ),
    ),
  )
  .filter((_, at) => at % 2 === 0);

/** A definition with a pattern. */
const pattern = (name: string, text: () => string, codes: readonly number[], message?: string): Attack => ({
  name: `a definition with ${name}`,
  send: () => {
    const properties = { spec: { type: 'string', pattern: text() } };
    const schema = { openAPIV3Schema: { type: 'object', properties } };
    return create(crds, objectText({ ...crds, members: definitionMembers('Thing', {}, { schema }) }));
  },
  codes,
  message,
});

const definitions: Attack[] = [
  pattern('1,000 alternations', () => many(1_000, (at) => `word${at}`, '|'), [201]),
  pattern('20,000 alternations', () => many(20_000, (at) => `word${at}`, '|'), [422]),
  pattern('a pattern of a mebibyte', () => long(mebibyte), [422]),
  pattern('a mebibyte of dots and stars', () => long(mebibyte, '.*'), [422]),
  pattern('a mebibyte of classes', () => long(mebibyte, '[a-z]'), [422]),
  pattern('20,000 classes of letters', () => long(60_000, '\\pL'), [422]),
  pattern('a class of 100,000 ranges', () => `[${long(300_000, 'a-z')}]`, [201]),
  pattern('repeats of repeats', () => '(x{1000}){1000}', [422]),
  pattern('repeats of repeats of repeats', () => '((x{100}){100}){100}', [422]),
  pattern('a repeat above 1,000', () => 'x{1001}', [422]),
  pattern('a repeat whose limits are swapped', () => 'x{5,2}', [422]),
  pattern('a thousand repeats', () => long(9_000, '(x{1000})'), [422]),
  pattern('900 nested groups', () => nested(900, '(', ')', 'a'), [201]),
  pattern('2,000 nested groups', () => nested(2_000, '(', ')', 'a'), [422]),
  pattern('500,000 nested groups', () => nested(500_000, '(', ')', 'a'), [422]),
  pattern('groups that are never closed', () => long(mebibyte, '('), [422]),
  pattern('stars of stars', () => `a${long(100_000, '*')}`, [422]),
  pattern('a lookahead', () => '(?=a)b', [422]),
  pattern('a backreference', () => '(a)\\1', [422]),
  pattern('two groups of one name', () => '(?P<a>x)(?P<a>y)', [422]),
  pattern('a backslash at the end', () => 'a\\', [422]),
  pattern('an unknown class', () => '[[:nonsense:]]', [422]),
];

const properties = Object.fromEntries([
  ...slow.map(([text], at) => [`p${at}`, { type: 'string', pattern: text }]),
  ...formats.map((format) => [`f${format.replace('-', '')}`, { type: 'string', format }]),
]);

export const patterns: Attacks = {
  title: 'patterns and formats',
  setup: [define('Slowtext', { type: 'object', properties })],
  serves: [target.path],
  rows: [...texts, ...formatted, ...definitions],
};
