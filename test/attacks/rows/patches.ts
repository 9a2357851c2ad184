import { objectText } from '../builders/json.ts';
import { patch } from '../builders/patches.ts';
import { configMaps, defineCustom, deployments, gadgets, servesCustom, widgets } from '../builders/targets.ts';
import { count, large, long, many, mebibyte, nested } from '../builders/text.ts';
import type { Attack, Attacks, Request } from '../harness/attack.ts';

const operations = (times: number, one: (at: number) => string): string => `[${many(times, one)}]`;
const add = (path: string, value: string): string => `{"op":"add","path":"${path}","value":${value}}`;
const targets = [configMaps, gadgets];
const room = (target: (typeof targets)[number]): string => (target === gadgets ? 'spec' : 'data');

const json: Attack[] = [
  ...targets.flatMap((target) => [
    patch('json', target, '10,000 operations', () => operations(10_000, (at) => add(`/${room(target)}/k${at}`, '"v"')), [200]),
    patch('json', target, '10,000 operations on one member', () => operations(10_000, () => add(`/${room(target)}/k`, '"v"')), [200]),
    patch('json', target, '10,001 operations', () => operations(10_001, () => add(`/${room(target)}/k`, '"v"')), [413]),
    patch('json', target, '100,000 operations', () => operations(50_000, () => add('/a', '1')), [413]),
  ]),
  patch(
    'json',
    gadgets,
    '9,999 items at the front of a list',
    () => operations(10_000, (at) => (at === 0 ? add('/spec/list', '[]') : add('/spec/list/0', '1'))),
    [200],
  ),
  patch(
    'json',
    gadgets,
    '9,999 items at the front of a list of 100,000',
    () => operations(5_000, (at) => (at === 0 ? add('/spec/list', `[${many(100_000, String)}]`) : add('/spec/list/0', '1'))),
    [200],
  ),
  patch(
    'json',
    gadgets,
    'removals from the front of a list',
    () => operations(9_000, (at) => (at === 0 ? add('/spec/list', `[${many(50_000, String)}]`) : '{"op":"remove","path":"/spec/list/0"}')),
    [200],
  ),
  patch(
    'json',
    gadgets,
    'a list that doubles, by copies',
    () => operations(100, (at) => (at === 0 ? add('/spec/a', `"${long(1_000)}"`) : copyOf(at))),
    [422],
  ),
  patch(
    'json',
    gadgets,
    'copies of a mebibyte',
    () => operations(50, (at) => (at === 0 ? add('/spec/a', `"${long(mebibyte)}"`) : copy('/spec/a', `/spec/b${at}`))),
    [422],
  ),
  patch(
    'json',
    gadgets,
    '9,999 moves',
    () => operations(9_999, (at) => (at === 0 ? add('/spec/m0', '{}') : move(`/spec/m${at - 1}`, `/spec/m${at}`))),
    [200],
  ),
  patch('json', gadgets, 'a move into itself', () => `[${move('/spec', '/spec/a')}]`, [422]),
  patch('json', gadgets, 'a copy into itself', () => `[${copy('/spec', '/spec/a')}]`, [200]),
  patch('json', gadgets, '9,999 copies of an object into itself', () => operations(9_999, () => copy('/spec', '/spec/a')), [422]),
  patch('json', gadgets, 'a test of 2 MiB that fails', () => `[${test(`"${long(2 * mebibyte)}"`)}]`, [422]),
  patch(
    'json',
    gadgets,
    '1,000 tests of 100 KiB',
    () => `[${add('/spec/a', `"${long(100_000)}"`)},${many(20, () => test(`"${long(100_000)}"`, '/spec/a'))}]`,
    [200],
  ),
  patch(
    'json',
    gadgets,
    'a test of 200,000 members in another order',
    () => {
      const object = (step: (at: number) => number): string => `{${many(60_000, (at) => `"k${step(at)}":0`)}}`;
      return `[${add(
        '/spec/a',
        object((at) => at),
      )},${test(
        object((at) => 59_999 - at),
        '/spec/a',
      )}]`;
    },
    [200],
  ),
  ...[100, 980, 10_000, 100_000].map((levels) =>
    patch(
      'json',
      gadgets,
      `a value of ${count(levels)} levels`,
      () => `[${add('/spec/a', nested(levels, '[', ']'))}]`,
      levels < 980 ? [200] : levels < 1_000 ? [200] : [400],
    ),
  ),
  patch('json', gadgets, 'a path of a mebibyte', () => `[${add(`/spec/${long(mebibyte)}`, '1')}]`, [200]),
  patch('json', gadgets, 'a path of 500,000 segments', () => `[${add(long(1_000_000, '/a'), '1')}]`, [422]),
  patch('json', gadgets, 'a path of a mebibyte of escapes', () => `[${add(`/spec/${long(mebibyte, '~1')}`, '1')}]`, [200]),
  patch('json', gadgets, 'an index of 100,000 digits', () => `[${add(`/metadata/finalizers/${long(100_000, '9')}`, '"a"')}]`, [422]),
  patch('json', gadgets, 'an index of a billion', () => `[${add('/spec/l', '[]')},${add('/spec/l/1000000000', '1')}]`, [422]),
  patch('json', gadgets, 'a negative index', () => `[${add('/spec/l', '[]')},${add('/spec/l/-5', '1')}]`, [422]),
  patch('json', gadgets, 'an operation of a mebibyte', () => `[{"op":"${long(mebibyte)}","path":"/a"}]`, [422]),
  patch('json', gadgets, 'operations without operation', () => operations(10_000, () => '{}'), [422]),
  patch('json', gadgets, '10,000 unknown fields', () => operations(10_000, (at) => `{"op":"test","x${at}":1}`), [422]),
  patch('json', gadgets, 'numbers in place of operations', () => operations(9_000, () => '0'), [400]),
  patch('json', configMaps, 'a number in place of the document', () => '[{"op":"replace","path":"","value":5}]', [422]),
  ...['/__proto__/polluted', '/constructor/prototype/polluted', '/metadata/__proto__/polluted'].map((path) =>
    patch('json', configMaps, `a member at ${path}`, () => `[${add(path, '"x"')}]`, [422]),
  ),
  patch('json', configMaps, 'data of __proto__', () => `[${add('/data/__proto__', '"x"')}]`, [200]),
];

const merge: Attack[] = [
  ...targets.map((target) =>
    patch('merge', target, '200,000 keys', () => `{"${room(target)}":{${many(200_000, (at) => `"k${at}":"v"`)}}}`, [200]),
  ),
  ...targets.map((target) =>
    patch('merge', target, '200,000 nulls', () => `{"${room(target)}":{${many(200_000, (at) => `"k${at}":null`)}}}`, [200]),
  ),
  ...[100, 980, 10_000, 100_000].map((levels) =>
    patch(
      'merge',
      gadgets,
      `${count(levels)} levels`,
      () => `{"spec":${nested(levels, '{"a":', '}', '1')}}`,
      levels < 980 ? [200] : levels < 1_000 ? [200] : [400],
    ),
  ),
  patch('merge', configMaps, 'a prototype', () => '{"__proto__":{"polluted":"x"},"constructor":{"prototype":{"polluted":"x"}}}', [200]),
  patch('merge', configMaps, 'a prototype in metadata', () => '{"metadata":{"labels":{"__proto__":"x"}}}', [422]),
  patch('merge', configMaps, 'a list', () => '[]', [400]),
  patch('merge', configMaps, '3 MiB of brackets', () => long(large, '['), [400]),
  patch('merge', configMaps, '100,000 unknown fields', () => `{${many(100_000, (at) => `"x${at}":1`)}}`, [200]),
  patch('merge', widgets, 'a list of 50,000 under a key', () => `{"spec":{"items":[${many(50_000, (at) => `{"name":"n${at}"}`)}]}}`, [200]),
];

const pod = (members: string): string => `{"spec":{"template":{"spec":{${members}}}}}`;
const strategic: Attack[] = [
  patch(
    'strategic',
    deployments,
    '10,000 containers',
    () => pod(`"containers":[${many(10_000, (at) => `{"name":"c${at}","image":"i"}`)}]`),
    [200],
  ),
  patch(
    'strategic',
    deployments,
    'the same container 10,000 times',
    () => pod(`"containers":[${many(10_000, () => '{"name":"main","image":"i"}')}]`),
    [200],
  ),
  patch(
    'strategic',
    deployments,
    '10,000 deletions',
    () => pod(`"containers":[${many(10_000, (at) => `{"$patch":"delete","name":"c${at}"}`)}]`),
    [200],
  ),
  patch(
    'strategic',
    deployments,
    '20,000 variables of an environment',
    () => pod(`"containers":[{"name":"main","env":[${many(20_000, (at) => `{"name":"V${at}","value":"x"}`)}]}]`),
    [200],
  ),
  patch(
    'strategic',
    deployments,
    'a $setElementOrder of 20,000 items',
    () => pod(`"$setElementOrder/containers":[${many(20_000, (at) => `{"name":"c${at}"}`)}],"containers":[]`),
    [200],
  ),
  patch('strategic', deployments, '20,000 keys to retain', () => pod(`"$retainKeys":[${many(20_000, (at) => `"k${at}"`)}]`), [422]),
  patch(
    'strategic',
    configMaps,
    '20,000 finalizers to delete',
    () => `{"metadata":{"$deleteFromPrimitiveList/finalizers":[${many(20_000, (at) => `"a.b/${at}"`)}]}}`,
    [200],
  ),
  patch('strategic', configMaps, 'an unknown directive', () => '{"data":{"$patch":"explode"}}', [500]),
  patch('strategic', configMaps, 'a prototype', () => '{"__proto__":{"polluted":"x"},"data":{"__proto__":"x"}}', [200]),
  ...[980, 10_000].map((levels) =>
    patch(
      'strategic',
      configMaps,
      `${count(levels)} levels`,
      () => `{"unknown":${nested(levels, '{"a":', '}', '1')}}`,
      levels < 1_000 ? [200] : [400],
    ),
  ),
  patch('strategic', gadgets, 'what custom resources do not take', () => '{}', [415]),
];

const existing: readonly Request[] = [configMaps, deployments, gadgets, widgets].map((target) => ({
  method: 'POST',
  path: target.path,
  headers: { 'content-type': 'application/json' },
  body: objectText(target, target === deployments ? '' : target === configMaps ? '"data":{"a":"b"}' : '"spec":{}'),
}));

export const patches: Attacks = {
  title: 'patches',
  setup: [...defineCustom],
  serves: servesCustom,
  objects: existing,
  rows: [...json, ...merge, ...strategic],
};

const copy = (from: string, path: string): string => `{"op":"copy","from":"${from}","path":"${path}"}`;
const move = (from: string, path: string): string => `{"op":"move","from":"${from}","path":"${path}"}`;
const test = (value: string, path = '/spec'): string => `{"op":"test","path":"${path}","value":${value}}`;
/** Copies all of spec into a member of it, which doubles it each time. */
const copyOf = (at: number): string => copy('/spec', `/spec/c${at}`);
