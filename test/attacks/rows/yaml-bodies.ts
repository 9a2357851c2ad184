import { configMaps, defineCustom, deployments, gadgets, servesCustom, widgets } from '../builders/targets.ts';
import { count, kibibyte, large, long, many, mebibyte, nested } from '../builders/text.ts';
import { yamlBody, yamlCreation, yamlText } from '../builders/yaml.ts';
import type { Attack, Attacks } from '../harness/attack.ts';

const largest = 8;

/** Valid and large bodies. The first has also the maximum size of a body. */
const wide: Attack[] = (
  [
    ['tags of texts', 10, (at: number) => `- !!str ${at % 10}`],
    ['comments', 5, (at: number) => `# ${at % 10}`],
    ['comments after values', 8, (at: number) => `- ${at % 10} # x`],
    ['small keys', 12, (at: number) => `  k${at}: 0`],
    ['anchors', 12, (at: number) => `- &a${at} x`],
    ['one anchor repeatedly', 7, () => '- &a x'],
    ['quoted texts', 10, () => '- "\\x41\\n"'],
    ['single quotes', 7, () => "- ''''"],
    ['block scalars', 9, () => '- |\n  a'],
    ['folded scalars', 9, () => '- >-\n  a'],
    ['flow sequences', 9, () => '- [a, b]'],
    ['flow mappings', 9, () => '- {a: b}'],
    ['explicit keys', 17, (at: number) => `  ? k${at}\n  : 0`],
    ['dates', 13, () => '- 2001-12-14'],
    ['sexagesimal numbers', 12, () => '- 190:20:30'],
    ['numbers with underscores', 10, () => '- 1_000_0'],
    ['empty lines', 3, () => '\n'],
    ['lines that end in CRLF', 5, () => '- a\r'],
    ['nulls', 4, () => '- ~'],
  ] as const
).flatMap(([name, bytes, line], at) =>
  [kibibyte * 8, kibibyte * 256, ...(at < largest ? [large] : [])].map((size) =>
    yamlCreation(
      `gadgets: ${count(Math.floor(size / 1024))} KiB of ${name}`,
      gadgets,
      () => `spec:\n${many(Math.floor(size / bytes / 1.2), line, '\n')}\n`,
      [201],
    ),
  ),
);

const repeatedKeys: Attack[] = [configMaps, gadgets, widgets].flatMap((target) =>
  ['Ignore', 'Warn', 'Strict'].flatMap((validation) =>
    [10_000, 250_000].map((keys) => {
      const head = target === widgets ? 'spec:\n  map:\n' : target === gadgets ? 'spec:\n' : 'data:\n';
      const isRefused = validation === 'Strict';
      return yamlCreation(
        `${target.name}: one key ${count(keys)} times, ${validation}`,
        target,
        () => head + many(keys, () => '    a: "b"', '\n'),
        [isRefused ? 400 : 201],
        isRefused ? 'key "a" already set in map' : undefined,
        validation,
      );
    }),
  ),
);

const deep: Attack[] = [100, 980, 10_000, 100_000].flatMap((levels) => {
  // this server accepts at least 256 levels of YAML, upstream 10,000
  const codes = levels <= 100 ? [201] : levels < 10_000 ? [201] : [400];
  return [
    yamlCreation(`gadgets: ${count(levels)} nested flow sequences`, gadgets, () => `spec: ${nested(levels, '[', ']')}`, codes),
    yamlCreation(`gadgets: ${count(levels)} nested flow mappings`, gadgets, () => `spec: ${nested(levels, '{a: ', '}', '1')}`, codes),
    yamlCreation(`gadgets: ${count(levels)} nested block sequences`, gadgets, () => `spec:\n${'- '.repeat(levels)}a`, codes),
    yamlCreation(
      `configmaps: ${count(levels)} nested lists in place of a text`,
      configMaps,
      () => `data: ${nested(levels, '[', ']')}`,
      [400],
    ),
  ];
});

/** Returns YAML in which each anchor contains several aliases of the previous one. */
function bomb(levels: number, times: number): string {
  const names = many(levels, (at) => {
    const before = at === 0 ? '"lol"' : `*a${at - 1}`;
    return `  a${at}: &a${at} [${many(times, () => before)}]`;
  });
  return `spec:\n${names.replaceAll(',  a', '\n  a')}\n`;
}

const aliases: Attack[] = [
  yamlCreation('gadgets: a billion laughs', gadgets, () => bomb(10, 10), [400], 'document contains excessive aliasing'),
  yamlCreation('gadgets: laughs doubled 40 times', gadgets, () => bomb(40, 2), [400], 'document contains excessive aliasing'),
  yamlCreation('gadgets: laughs multiplied by a thousand', gadgets, () => bomb(4, 1_000), [400], 'excessive aliasing'),
  yamlCreation(
    'configmaps: a mebibyte under a hundred names',
    configMaps,
    () => `data:\n  a: &a ${long(mebibyte)}\n${many(100, (at) => `  b${at}: *a`, '\n')}\n`,
    [400],
  ),
  yamlCreation('gadgets: 100,000 aliases of a text', gadgets, () => `spec:\n- &a x\n${many(100_000, () => '- *a', '\n')}`, [201]),
  yamlCreation(
    'gadgets: 100,000 aliases of as many anchors',
    gadgets,
    () => `spec:\n${many(100_000, (at) => `- &a${at} x\n- *a${at}`, '\n')}`,
    [201],
  ),
  yamlCreation('gadgets: an alias without an anchor', gadgets, () => 'spec: *nothing', [400], "unknown anchor 'nothing'"),
  yamlCreation('gadgets: an alias of its own list', gadgets, () => 'spec: &a [*a]', [400]),
  yamlCreation(
    'gadgets: 20,000 merge keys',
    gadgets,
    () => `spec:\n  a: &a {b: c}\n  d:\n${many(20_000, () => '    - <<: *a', '\n')}`,
    [201],
  ),
  yamlCreation(
    'gadgets: a chain of 90 merge keys',
    gadgets,
    () => `spec:\n  a0: &a0 {b: c}\n${many(90, (at) => `  a${at + 1}: &a${at + 1} {<<: *a${at}, k${at}: 0}`, '\n')}`,
    [201],
  ),
  yamlCreation(
    'gadgets: a merge key with 20,000 aliases',
    gadgets,
    () => `spec:\n  a: &a {b: c}\n  d:\n    <<: [${many(20_000, () => '*a')}]`,
    [201],
  ),
  yamlCreation('gadgets: a merge of a text', gadgets, () => 'spec:\n  <<: text', [400]),
];

/** A whole body that is endless or not YAML. */
const whole: Attack[] = (
  [
    ['colons', () => long(large, ':'), [400]],
    ['colons and spaces', () => long(large, ': '), [400]],
    ['tabs', () => long(large, '\t'), [400]],
    ['tabs and newlines', () => long(large, '\t\n'), [400]],
    ['newlines', () => long(large, '\n'), [422]],
    ['spaces', () => long(large, ' '), [422]],
    ['dashes', () => long(large, '-'), [400]],
    ['dashes and spaces', () => long(large, '- '), [400]],
    ['question marks and spaces', () => long(large, '? '), [400]],
    ['opening brackets', () => long(large, '['), [400]],
    ['opening braces', () => long(large, '{'), [400]],
    ['braces and question marks', () => long(large, '{? '), [400]],
    ['commas in a list', () => `[${long(large, ',')}]`, [400]],
    ['ampersands', () => long(large, '&'), [400]],
    ['asterisks', () => long(large, '*'), [400]],
    ['exclamation marks', () => long(large, '!'), [400]],
    ['percent signs', () => long(large, '%'), [400]],
    ['double quotes', () => long(large, '"'), [400]],
    ['single quotes', () => long(large, "'"), [400]],
    ['pipes', () => long(large, '|\n'), [400]],
    ['document starts', () => long(large, '---\n'), [422]],
    ['document ends', () => long(large, '...\n'), [400]],
    ['tag directives', () => `${many(100_000, (at) => `%TAG !t${at}! tag:x`, '\n')}\n---\na: b\n`, [422]],
    ['version directives', () => `${many(100_000, () => '%YAML 1.1', '\n')}\n---\na: b\n`, [400]],
    ['a plain scalar', () => long(large), [400]],
    ['a plain scalar over many lines', () => long(large, 'a\n '), [400]],
    ['a quoted scalar over many lines', () => `"${long(large, 'a\n ')}"`, [400]],
    ['a quoted scalar of empty lines', () => `"${long(large, '\n')}"`, [400]],
    ['a key that is too long', () => `${long(large)}: b`, [400]],
    ['quoted keys that are too long', () => many(2_000, () => `"${long(1_400)}": b`, '\n'), [400]],
    ['items in flow that may be keys', () => `[${many(400_000, () => '"a" b')}]`, [400]],
    ['an integer', () => long(large, '9'), [400]],
    ['a block scalar', () => `|\n${long(large, ' a\n')}`, [400]],
    ['indentation that grows and falls', () => many(1_600, (at) => `${' '.repeat(at)}a:`, '\n'), [400]],
    ['zero bytes', () => long(large, '\0'), [400]],
    ['control characters', () => long(large, '\x01'), [400]],
    ['bytes that are not UTF-8', () => Buffer.alloc(large, 0xff), [400]],
    ['UTF-16 that is cut short', () => Buffer.from('\ufeffa: b\n', 'utf16le').subarray(0, 5), [400]],
    ['line separators', () => long(large / 3, '\u2028'), [422]],
    ['next lines', () => long(large / 2, '\x85'), [422]],
  ] as const
).map(([name, body, codes]) => yamlBody(`a body of ${name}`, configMaps, body, [...codes]));

/** Values that Go cannot convert to JSON, or converts to another value. */
const values: Attack[] = (
  [
    ['infinity', '.inf', [400]],
    ['not a number', '.nan', [400]],
    ['an integer of a megabyte', () => long(1_000_000, '9'), [201]],
    ['an integer of 3 MiB', () => long(large, '9'), [201]],
    ['a fraction of a megabyte', () => `0.${long(1_000_000, '9')}`, [201]],
    ['a binary integer of a megabyte', () => `0b${long(1_000_000, '1')}`, [201]],
    ['a sexagesimal of a megabyte', () => long(1_000_000, '1:'), [400]],
    ['underscores', () => `1${long(1_000_000, '_')}`, [201]],
    ['invalid base64', '!!binary "*"', [400]],
    ['a megabyte of base64', () => `!!binary ${long(1_000_000)}`, [201]],
    ['a text tagged as an integer', '!!int a', [400]],
    ['a tag of a megabyte', () => `!${long(1_000_000)} a`, [201]],
    ['an anchor of a megabyte', () => `&${long(1_000_000)} a`, [201]],
    ['an invalid escape', '"\\q"', [400]],
    ['a surrogate', '"\\ud800"', [400]],
    ['a code point beyond Unicode', '"\\UFFFFFFFF"', [400]],
    ['a key that is null', '{~: a}', [400]],
    ['a key that is a list', '{[a]: b}', [400]],
    ['a key that is an object', '{{a: b}: c}', [400]],
    ['a prototype', '{__proto__: {polluted: yes}, constructor: {prototype: {polluted: yes}}}', [201]],
  ] as const
).map(([name, value, codes]) =>
  yamlCreation(`gadgets: ${name}`, gadgets, () => `spec: ${typeof value === 'string' ? value : value()}\n`, [...codes]),
);

export const yamlBodies: Attacks = {
  title: 'YAML bodies',
  setup: defineCustom,
  serves: servesCustom,
  rows: [
    ...wide,
    ...repeatedKeys,
    ...deep,
    ...aliases,
    ...whole,
    ...values,
    yamlBody('UTF-16 with its mark', configMaps, () => Buffer.from(`\ufeff${yamlText(configMaps)}`, 'utf16le'), [201]),
    yamlBody('700,000 documents after the first', configMaps, () => yamlText(configMaps) + long(large, '---\n'), [201]),
    yamlBody('nonsense in a second document', configMaps, () => `${yamlText(configMaps)}---\n]]]\n`, [201]),
    yamlCreation('deployments: 3 MiB of unknown keys', deployments, () => many(250_000, (at) => `k${at}: 0`, '\n'), [201]),
  ],
};
