import { create, objectText } from '../builders/json.ts';
import { configMaps, crds, defineCustom, deployments, gadgets, servesCustom, type Target } from '../builders/targets.ts';
import { count, large, long, many, mebibyte } from '../builders/text.ts';
import type { Attack, Attacks } from '../harness/attack.ts';

const targets = [configMaps, deployments, gadgets];

/** Rows with metadata besides the name, for each target. */
const each = (name: string, metadata: () => string, codes: readonly number[], against = targets): Attack[] =>
  against.map((target) => ({
    name: `${target.name}: ${name}`,
    send: () => create(target, objectText(target, '', metadata())),
    codes,
  }));

const owner = (at: number, more = ''): string => `{"apiVersion":"v1","kind":"Pod","name":"owner-${at}","uid":"u${at}"${more}}`;

const owners: Attack[] = [
  ...[1_000, 4_000, 10_000].flatMap((times) =>
    each(`${count(times)} owners`, () => `"ownerReferences":[${many(times, (at) => owner(at))}]`, [201]),
  ),
  ...each('one owner 10,000 times', () => `"ownerReferences":[${many(10_000, () => owner(1))}]`, [201], [configMaps]),
  ...each(
    '10,000 controllers as owners',
    () => `"ownerReferences":[${many(10_000, (at) => owner(at, ',"controller":true'))}]`,
    [422],
    [configMaps, gadgets],
  ),
  ...each('50,000 empty owners', () => `"ownerReferences":[${many(50_000, () => '{}')}]`, [422], [configMaps, gadgets]),
  ...each('an owner of a mebibyte', () => `"ownerReferences":[${owner(1).replace('Pod', long(mebibyte))}]`, [201], [configMaps]),
];

const labels: Attack[] = [
  ...each('100,000 labels', () => `"labels":{${many(100_000, (at) => `"k${at}":"v"`)}}`, [201]),
  ...each('150,000 invalid label keys', () => `"labels":{${many(150_000, (at) => `"-k${at}":"v"`)}}`, [422]),
  ...each('250,000 invalid labels', () => `"labels":{${many(250_000, (at) => `"${at}-":""`)}}`, [422], [configMaps]),
  ...each('100,000 invalid label values', () => `"labels":{${many(100_000, (at) => `"k${at}":"-"`)}}`, [422], [configMaps]),
  ...each('a label of 2 MiB', () => `"labels":{"a":"${long(2 * mebibyte)}"}`, [422]),
  ...each('a label whose key has 2 MiB', () => `"labels":{"${long(2 * mebibyte)}":"a"}`, [422], [configMaps, gadgets]),
  ...each('a label whose key has a prefix of 2 MiB', () => `"labels":{"${long(2 * mebibyte, 'a.')}/a":"a"}`, [422], [configMaps]),
  ...each('a label of a mebibyte of slashes', () => `"labels":{"${long(mebibyte, '/')}":"a"}`, [422], [configMaps]),
  ...each('a label that is a number', () => '"labels":{"a":5}', [400]),
  ...['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'valueOf'].flatMap((name) =>
    each(`a label ${name}`, () => `"labels":{"${name}":"x"}`, [name === '__proto__' ? 422 : 201], [configMaps, gadgets]),
  ),
  ...['__proto__', 'constructor'].flatMap((name) =>
    each(`an annotation ${name}`, () => `"annotations":{"${name}":"x"}`, [name === '__proto__' ? 422 : 201], [configMaps, gadgets]),
  ),
  ...each('annotations of 255 KiB', () => `"annotations":{"a":"${long(255 * 1024)}"}`, [201]),
  ...each('annotations of 257 KiB', () => `"annotations":{"a":"${long(257 * 1024)}"}`, [422]),
  ...each('annotations of 3 MiB', () => `"annotations":{"a":"${long(large)}"}`, [422]),
  ...each('150,000 annotations', () => `"annotations":{${many(150_000, (at) => `"k${at}":""`)}}`, [422]),
  ...each('150,000 invalid annotation keys', () => `"annotations":{${many(150_000, (at) => `"-${at}":""`)}}`, [422], [configMaps]),
];

const lists: Attack[] = [
  ...each('100,000 finalizers', () => `"finalizers":[${many(100_000, (at) => `"a.b/f${at}"`)}]`, [201]),
  ...each('one finalizer 100,000 times', () => `"finalizers":[${many(100_000, () => '"a.b/c"')}]`, [201], [configMaps]),
  ...each('100,000 invalid finalizers', () => `"finalizers":[${many(100_000, () => '"-"')}]`, [422]),
  ...each('a finalizer of 2 MiB', () => `"finalizers":["${long(2 * mebibyte)}"]`, [422], [configMaps, gadgets]),
  ...each('a finalizer __proto__', () => '"finalizers":["__proto__"]', [422], [configMaps, gadgets]),
];

/** Invalid names under several naming rules. */
const services: Target = {
  name: 'services',
  path: '/api/v1/namespaces/default/services',
  members: { apiVersion: 'v1', kind: 'Service', spec: { ports: [{ port: 80 }] } },
  object: 'attacked',
};
const names: Attack[] = [
  ['..', '..'],
  ['.', '.'],
  ['a slash', 'a/b'],
  ['a path to a parent', '../../secrets/x'],
  ['a percent sign', 'a%2fb'],
  ['a zero byte', 'a\\u0000b'],
  ['a line break', 'a\\nb'],
  ['a space', ' '],
  ['capitals', 'ABC'],
  ['letters beyond ASCII', 'naïve'],
  ['an emoji', '\u{1f600}'],
  ['text from right to left', '\u202eabc'],
  ['a lone surrogate', '\\ud800'],
  ['254 letters', long(254)],
  ['2 MiB of letters', long(2 * mebibyte)],
  ['2 MiB of dots', long(2 * mebibyte, '.')],
  ['2 MiB of dashes', long(2 * mebibyte, '-')],
  ['2 MiB of labels', long(2 * mebibyte, 'a.')],
  ['__proto__', '__proto__'],
].flatMap(([what, name]) =>
  [configMaps, services, gadgets, crds]
    .filter((_, at) => name.length < 1_000 || at < 2)
    .map((target) => ({
      name: `${target.name}: a name of ${what}`,
      send: () => create(target, objectText({ ...target, object: name })),
      codes: [422],
    })),
);

const others: Attack[] = [
  ...each('a generateName of a mebibyte', () => `"generateName":"${long(mebibyte)}"`, [422], [configMaps, gadgets]),
  ...each('a uid of a mebibyte', () => `"uid":"${long(mebibyte)}"`, [201], [configMaps]),
  ...each(
    'a revision of 100,000 digits',
    () => `"resourceVersion":"${long(100_000, '9')}"`,
    // values that are not 64-bit numbers are ignored, as upstream
    [201],
    [configMaps],
  ),
  ...each('an invalid time', () => '"creationTimestamp":"yesterday"', [400]),
  ...each('a time of a mebibyte', () => `"creationTimestamp":"${long(mebibyte, '0')}"`, [400]),
  ...each('a generation of 400 digits', () => `"generation":${long(400, '9')}`, [400]),
  ...each('another namespace', () => '"namespace":"../x"', [400]),
  ...each('a namespace of a mebibyte', () => `"namespace":"${long(mebibyte)}"`, [400]),
  ...each('a deletionTimestamp in the past', () => '"deletionTimestamp":"1970-01-01T00:00:00Z","deletionGracePeriodSeconds":-1', [201]),
  ...each('a prototype', () => '"__proto__":{"labels":{"polluted":"x"}}', [201]),
];

export const metadata: Attacks = {
  title: 'metadata',
  setup: defineCustom,
  serves: servesCustom,
  rows: [...owners, ...labels, ...lists, ...names, ...others],
};
