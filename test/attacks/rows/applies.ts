import { objectText } from '../builders/json.ts';
import { patch } from '../builders/patches.ts';
import { configMaps, defineCustom, deployments, dry, gadgets, servesCustom, widgets } from '../builders/targets.ts';
import { count, long, many, nested } from '../builders/text.ts';
import { yamlText } from '../builders/yaml.ts';
import type { Attack, Attacks } from '../harness/attack.ts';

const targets = [configMaps, gadgets, widgets];
const apply = (target: (typeof targets)[number], name: string, members: () => string, codes: readonly number[], message?: string): Attack =>
  patch('apply', target, name, () => objectText(target, members()), codes, message);

const lists: Attack[] = [
  ...[1_000, 10_000, 40_000].flatMap((items) => [
    apply(
      widgets,
      `a list map of ${count(items)}`,
      () => `"spec":{"items":[${many(items, (at) => `{"name":"n${at}","value":"v"}`)}]}`,
      [201],
    ),
    apply(widgets, `a set of ${count(items)}`, () => `"spec":{"set":[${many(items, (at) => `"m${at}"`)}]}`, [201]),
    apply(widgets, `a map of ${count(items)}`, () => `"spec":{"map":{${many(items, (at) => `"k${at}":"v"`)}}}`, [201]),
    apply(gadgets, `${count(items)} members`, () => `"spec":{${many(items, (at) => `"k${at}":"v"`)}}`, [201]),
    apply(configMaps, `${count(items)} keys of data`, () => `"data":{${many(items, (at) => `"k${at}":"v"`)}}`, [201]),
  ]),
  apply(widgets, 'one key of a list map 10,000 times', () => `"spec":{"items":[${many(10_000, () => '{"name":"n"}')}]}`, [500]),
  apply(widgets, 'one member of a set 10,000 times', () => `"spec":{"set":[${many(10_000, () => '"m"')}]}`, [500]),
  apply(widgets, '10,000 items without their key', () => `"spec":{"items":[${many(10_000, () => '{}')}]}`, [500]),
  apply(widgets, '100,000 unknown fields', () => `"spec":{${many(100_000, (at) => `"x${at}":1`)}}`, [500]),
  apply(gadgets, 'a prototype', () => '"spec":{"__proto__":{"polluted":"x"},"constructor":{"prototype":1}}', [201]),
  patch(
    'apply',
    deployments,
    '5,000 containers',
    () => {
      const containers = many(5_000, (at) => `{"name":"c${at}","image":"i"}`);
      const labels = '{"app":"a"}';
      return `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"attacked"},"spec":{"selector":{"matchLabels":${labels}},"template":{"metadata":{"labels":${labels}},"spec":{"containers":[${containers}]}}}}`;
    },
    [201],
  ),
];

const deep: Attack[] = [50, 200, 980, 10_000, 100_000].map((levels) =>
  apply(
    gadgets,
    `${count(levels)} levels`,
    () => `"spec":${nested(levels, '{"a":', '}', '1')}`,
    levels < 100 ? [201] : levels < 10_000 ? [201] : [400],
  ),
);

const yaml: Attack[] = (
  [
    ['tabs', () => '\t\t\t', [400]],
    ['a bomb', () => bomb(), [400]],
    ['one key 100,000 times', () => `data:\n${many(100_000, () => '  a: "b"', '\n')}`, [201]],
    ['100,000 comments', () => many(100_000, () => '# a', '\n'), [201]],
    ['nothing', () => '', [201]],
  ] as const
).map(([name, more, codes]) => patch('apply', configMaps, name, () => yamlText(configMaps) + more(), codes));

/** Entries written by the client itself. */
const forged: Attack[] = (
  [
    ['an entry', '[{"manager":"x","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{}}]'],
    ['no JSON', '[{"manager":"x","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:":5}}]'],
    ['an unknown operation', '[{"manager":"x","operation":"Explode"}]'],
    ['an unknown version', `[${entry('{"f:data":{}}').replace('"v1"', '"v9"')}]`],
    ['a version __proto__', `[${entry('{"f:data":{}}').replace('"v1"', '"__proto__"')}]`],
    ['a member __proto__', `[${entry('{"f:__proto__":{"f:polluted":{}}}')}]`],
    ['a key that is not JSON', `[${entry('{"k:{\\"a":{}}')}]`],
    ['an index of 1,000 digits', `[${entry(`{"i:${long(1_000, '9')}":{}}`)}]`],
    ['an invalid value', `[${entry('{"v:":{}}')}]`],
    ['an unknown prefix', `[${entry('{"x:a":{}}')}]`],
    ['980 levels', `[${entry(nested(900, '{"f:a":', '}', '{}'))}]`],
    ['an invalid time', '[{"manager":"x","operation":"Update","time":"yesterday"}]', 400, 500],
    ['a manager of 100,000 letters', `[{"manager":"${long(100_000)}","operation":"Update","apiVersion":"v1"}]`],
  ] as const
).flatMap(([name, entries, created = 201, applied = 400]) => [
  {
    name: `configmaps: managed fields with ${name} in a new object`,
    send: () => ({
      method: 'POST',
      path: dry(configMaps.path),
      headers: { 'content-type': 'application/json' },
      body: objectText(configMaps, '', `"managedFields":${entries}`),
    }),
    codes: [created],
  },
  patch('apply', configMaps, `managed fields with ${name}`, () => objectText(configMaps, '', `"managedFields":${entries}`), [applied]),
]);

const manyManagers: Attack[] = [1_000, 10_000].map((entries) => ({
  name: `configmaps: ${count(entries)} entries of managed fields in a new object`,
  send: () => ({
    method: 'POST',
    path: dry(configMaps.path),
    headers: { 'content-type': 'application/json' },
    body: objectText(
      configMaps,
      '"data":{"a":"b"}',
      `"managedFields":[${many(entries, (at) => entry('{"f:data":{"f:a":{}}}').replace('"x"', `"m${at}"`))}]`,
    ),
  }),
  codes: [201],
}));

export const applies: Attacks = {
  title: 'apply and managed fields',
  setup: defineCustom,
  serves: servesCustom,
  rows: [
    ...lists,
    ...deep,
    ...yaml,
    ...forged,
    ...manyManagers,
    {
      name: 'configmaps: 200,000 fields in one entry of managed fields',
      send: () => ({
        method: 'POST',
        path: dry(configMaps.path),
        headers: { 'content-type': 'application/json' },
        body: objectText(configMaps, '', `"managedFields":[${entry(`{"f:data":{${many(150_000, (at) => `"f:k${at}":{}`)}}}`)}]`),
      }),
      codes: [201],
    },
    {
      name: 'an apply without a manager',
      send: () => ({
        method: 'PATCH',
        path: dry(`${configMaps.path}/attacked`),
        headers: { 'content-type': 'application/apply-patch+yaml' },
        body: objectText(configMaps),
      }),
      codes: [422],
    },
  ],
};

function entry(fields: string): string {
  return `{"manager":"x","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":${fields}}`;
}

function bomb(): string {
  const lines = ['data:', '  a0: &a0 ["x"]'];
  for (let at = 1; at < 12; at++) lines.push(`  a${at}: &a${at} [${many(10, () => `*a${at - 1}`)}]`);
  return lines.join('\n');
}
