import { create, creation, objectText } from '../builders/json.ts';
import { configMaps, crds, defineCustom, deployments, gadgets, servesCustom, widgets } from '../builders/targets.ts';
import { count, large, long, many, mebibyte, nested } from '../builders/text.ts';
import type { Attack, Attacks } from '../harness/attack.ts';

/** Tens of thousands of unknown fields, in each mode of field validation. */
const unknownFields: Attack[] = [configMaps, deployments, widgets, crds].flatMap((target) =>
  [3_000, 20_000, 150_000].flatMap((fields) =>
    // the largest number only once for each kind of schema
    fields === 150_000 && (target === deployments || target === crds)
      ? []
      : ['Ignore', 'Warn', 'Strict'].map((validation) => ({
          name: `${target.name}: ${count(fields)} unknown fields, ${validation}`,
          send: () =>
            create(
              target,
              objectText(
                target,
                many(fields, (at) => `"x${at}":${at}`),
              ),
              `&fieldValidation=${validation}`,
            ),
          codes: [validation === 'Strict' ? 400 : 201],
          message: validation === 'Strict' ? 'strict decoding error: unknown field "' : undefined,
        })),
  ),
);

const repeatedFields: Attack[] = [configMaps, widgets].flatMap((target) =>
  ['Ignore', 'Warn', 'Strict'].map((validation) => ({
    name: `${target.name}: one field 100,000 times, ${validation}`,
    send: () => {
      const [field, value] = target === configMaps ? ['data', '{"a":"b"}'] : ['spec', '{"text":"b"}'];
      const members = many(100_000, () => `"${field}":${value}`);
      return create(target, objectText(target, members), `&fieldValidation=${validation}`);
    },
    codes: [validation === 'Strict' ? 400 : 201],
    message: validation === 'Strict' ? 'duplicate field "' : undefined,
  })),
);

/** Depth in ignored and in unrestricted fields. */
const deep: Attack[] = [configMaps, deployments, gadgets, crds].flatMap((target) =>
  [100, 980, 10_000, 100_000].flatMap((levels) =>
    [
      ['lists', '[', ']', ''],
      ['objects', '{"a":', '}', '1'],
    ].map(([what, open, close, middle]) =>
      creation(
        `${target.name}: ${count(levels)} nested ${what}`,
        target,
        () => `"${target === gadgets ? 'spec' : 'unknown'}":${nested(levels, open, close, middle)}`,
        [levels < 1_000 ? 201 : 400],
        levels < 1_000 ? undefined : 'max depth',
      ),
    ),
  ),
);

/** Large and well-formed bodies. */
const wide: Attack[] = [
  creation('configmaps: 3 MiB of small keys', configMaps, () => `"data":{${smallKeys('""')}}`, [201]),
  creation('gadgets: 3 MiB of small keys', gadgets, () => `"spec":{${smallKeys('0')}}`, [201]),
  creation('widgets: 3 MiB of small keys', widgets, () => `"spec":{"map":{${smallKeys('""')}}}`, [201]),
  creation('widgets: 3 MiB of small keys of a wrong type', widgets, () => `"spec":{"map":{${smallKeys('0')}}}`, [422]),
  creation('gadgets: 900,000 empty objects', gadgets, () => `"spec":[${many(900_000, () => '{}')}]`, [201]),
  creation('gadgets: a million and a half zeros', gadgets, () => `"spec":[${many(1_500_000, () => '0')}]`, [201]),
  creation('widgets: 400,000 numbers', widgets, () => `"spec":{"numbers":[${many(400_000, String)}]}`, [201]),
  creation('widgets: 400,000 texts in place of numbers', widgets, () => `"spec":{"numbers":[${many(400_000, () => '"a"')}]}`, [422]),
  creation('widgets: a set of 100,000', widgets, () => `"spec":{"set":[${many(100_000, (at) => `"member-${at}"`)}]}`, [201]),
  creation('widgets: a set of the same 100,000 times', widgets, () => `"spec":{"set":[${many(100_000, () => '"a"')}]}`, [422]),
  creation('widgets: a list map of 50,000', widgets, () => `"spec":{"items":[${many(50_000, (at) => `{"name":"n${at}"}`)}]}`, [201]),
  creation('widgets: a list map of one key 50,000 times', widgets, () => `"spec":{"items":[${many(50_000, () => '{"name":"n"}')}]}`, [422]),
  creation('widgets: a list map whose 50,000 items lack their key', widgets, () => `"spec":{"items":[${many(50_000, () => '{}')}]}`, [422]),
  creation('widgets: a choice of a mebibyte', widgets, () => `"spec":{"choice":"${long(mebibyte)}"}`, [422]),
  creation('configmaps: a value above the limit of all', configMaps, () => `"data":{"a":"${long(large)}"}`, [422]),
  creation('configmaps: 3 MiB of escapes', configMaps, () => `"data":{"a":"${long(large, '\\u0000')}"}`, [201]),
  creation('configmaps: 3 MiB of lone surrogates', configMaps, () => `"data":{"a":"${long(large, '\\ud800')}"}`, [422]),
  creation('deployments: 20,000 containers that are empty', deployments, () => containers('{}'), [422]),
  creation('deployments: 100,000 containers of one name', deployments, () => containers('{"name":"a"}'), [422]),
];

/** Numbers that no type can hold. */
const numbers: Attack[] = [gadgets, deployments].flatMap((target) =>
  (
    [
      ['1e400', 400],
      ['-1e400', 400],
      [long(400, '9'), 400],
      [long(100_000, '9'), 400],
      [long(large, '9'), 400],
      [`0.${long(large, '3')}`, target === gadgets ? 201 : 400],
      // an integer for JSON.parse, but not for Go
      [`1e-${long(100_000, '9')}`, target === gadgets ? 201 : 400],
      [`-0${long(100, '0')}`, 400],
    ] as const
  ).map(([number, code]) =>
    creation(
      `${target.name}: the number ${number.slice(0, 6)} of ${count(number.length)} characters`,
      target,
      () => (target === gadgets ? `"spec":${number}` : `"spec":{"replicas":${number}}`),
      [code].flat(),
    ),
  ),
);

/** Whole bodies that are not JSON. */
const broken: Attack[] = (
  [
    ['3 MiB of opening brackets', () => long(large, '[')],
    ['3 MiB of opening braces', () => long(large, '{')],
    ['3 MiB of keys that are never closed', () => long(large, '{"a":')],
    ['3 MiB of commas in a list', () => `[${long(large, ',')}]`],
    ['3 MiB of colons', () => `{"a"${long(large, ':')}}`],
    ['3 MiB of quotes', () => long(large, '"')],
    ['3 MiB of backslashes', () => `{"a":"${long(large, '\\')}`],
    ['3 MiB of white space', () => long(large, ' ')],
    ['3 MiB of zero bytes', () => long(large, '\0')],
    ['3 MiB of bytes that are not UTF-8', () => Buffer.alloc(large, 0xff)],
    ['a text of 3 MiB that does not end', () => `{"a":"${long(large)}`],
    ['a key of 3 MiB that does not end', () => `{"${long(large)}`],
    ['an escape that is cut short', () => '{"a":"\\u12'],
    ['an invalid escape', () => '{"a":"\\x"}'],
    ['a line break within a text', () => '{"a":"\n"}'],
    ['two objects', () => '{} {}'],
    ['a comment', () => '{/* a */}'],
    ['NaN', () => '{"a":NaN}'],
    ['Infinity', () => '{"a":-Infinity}'],
    ['a number with zeros in front', () => '{"a":007}'],
    ['a hexadecimal number', () => '{"a":0x7}'],
    ['single quotes', () => "{'a':1}"],
    ['a key that is a number', () => '{1:1}'],
    ['a comma at the end', () => '{"a":1,}'],
    ['a byte order mark', () => '\ufeff{}'],
    ['UTF-16', () => Buffer.from('{}', 'utf16le')],
    ['a list of 900,000 objects', () => `[${many(900_000, () => '{}')}]`],
    ['a text of 3 MiB', () => `"${long(large)}"`],
  ] as const
).map(([name, body]) => ({
  name: `a body that is ${name}`,
  send: () => create(configMaps, body()),
  codes: [400],
}));

export const jsonBodies: Attacks = {
  title: 'JSON bodies',
  setup: defineCustom,
  serves: servesCustom,
  rows: [
    ...unknownFields,
    ...repeatedFields,
    ...deep,
    ...wide,
    ...numbers,
    ...broken,
    {
      name: 'an object after 3 MiB of white space',
      send: () => create(configMaps, long(large, ' \n\t\r') + objectText(configMaps)),
      codes: [201],
    },
  ],
};

const smallKeys = (value: string): string => many(250_000, (at) => `"${at.toString(36)}":${value}`);

function containers(container: string): string {
  const all = many(container === '{}' ? 20_000 : 100_000, () => container);
  const labels = '{"app":"a"}';
  const template = `{"metadata":{"labels":${labels}},"spec":{"containers":[${all}]}}`;
  return `"spec":{"selector":{"matchLabels":${labels}},"template":${template}}`;
}
