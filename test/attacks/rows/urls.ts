import { configMaps, dry } from '../builders/targets.ts';
import { count, kibibyte, long, many, mebibyte } from '../builders/text.ts';
import type { Attack, Attacks, Request } from '../harness/attack.ts';

const { path } = configMaps;
const get = (name: string, url: string | (() => string), codes: readonly number[], message?: string): Attack => ({
  name,
  send: (): Request => ({ method: 'GET', path: typeof url === 'string' ? url : url() }),
  codes,
  message,
});

const segments: Attack[] = (
  [
    ['a parent', `${path}/..`, [400]],
    ['a parent in escapes', `${path}/%2e%2e`, [400]],
    ['a dot', `${path}/.`, [400]],
    ['a sibling of its parent', `${path}/../secrets`, [404]],
    ['a path to /etc/passwd', `/${many(20, () => '..', '/')}/etc/passwd`, [404]],
    ['a path to /etc/passwd in escapes', `/${many(20, () => '%2e%2e', '%2f')}/etc/passwd`, [404]],
    ['a path to the keys', `/apis/../../certs/sa.key`, [404]],
    ['a slash in escapes', `${path}/a%2Fb`, [404]],
    ['a percent sign in escapes', `${path}/a%25b`, [400]],
    ['a zero byte', `${path}/a%00b`, [404]],
    ['a line break', `${path}/a%0d%0ab`, [404]],
    ['bytes that are not UTF-8', `${path}/%ff%fe`, [404]],
    ['an overlong slash', `${path}/%c0%af`, [404]],
    ['a surrogate', `${path}/%ed%a0%80`, [404]],
    ['an escape that is cut short', `${path}/%2`, [400]],
    ['an invalid escape', `${path}/%zz`, [400]],
    ['a percent sign alone', '/%', [400]],
    ['a backslash', `${path}/..\\..\\x`, [404]],
    ['__proto__', `${path}/__proto__`, [404]],
    ['a resource named __proto__', '/api/v1/namespaces/default/__proto__', [404]],
    ['a resource named constructor', '/api/v1/constructor', [404]],
    ['a group named __proto__', '/apis/__proto__/v1/x', [404]],
    ['a version named toString', '/api/toString/pods', [404]],
    ['a subresource named __proto__', `${path}/x/__proto__`, [404]],
    ['a fragment', `${path}#x`, [404]],
    ['two slashes in front', `/${path}`, [404]],
    ['empty segments', '/api//v1///configmaps', [404]],
    ['a namespace that is a parent', '/api/v1/namespaces/../configmaps', [500]],
  ] as const
).map(([name, url, codes]) => get(`in a path: ${name}`, url, codes));

const large: Attack[] = [
  get('a name of 8 KiB', `${path}/${long(8 * kibibyte)}`, [404]),
  get('a name of 500 KiB', () => `${path}/${long(500 * kibibyte)}`, [404]),
  get('a name of two mebibytes', () => `${path}/${long(2 * mebibyte)}`, [431]),
  get('a name of 100,000 escapes', () => `${path}/${long(300_000, '%41')}`, [404]),
  get('a name of 100,000 escapes that are not UTF-8', () => `${path}/${long(300_000, '%ff')}`, [404]),
  get('900,000 slashes', () => long(900_000, '/'), [404]),
  get('300,000 segments', () => `/api/v1${long(600_000, '/a')}`, [404]),
  get('300,000 parents', () => `${path}${long(900_000, '/..')}`, [404]),
  get('300,000 segments within a group', () => `/apis/a/b${long(600_000, '/a')}`, [404]),
  get('100,000 parameters', () => `${path}?${many(100_000, (at) => `p${at}=x`, '&')}`, [200]),
  get('100,000 times one parameter', () => `${path}?${many(100_000, () => 'limit=1', '&')}`, [200]),
  get('900,000 ampersands', () => `${path}?${long(900_000, '&')}`, [200]),
  get('900,000 semicolons', () => `${path}?${long(900_000, ';')}`, [200]),
  get('900,000 equals signs', () => `${path}?a${long(900_000, '=')}`, [200]),
  get('900,000 plus signs', () => `${path}?labelSelector=${long(900_000, '+')}`, [200]),
  get('300,000 escapes in a parameter', () => `${path}?a=${long(900_000, '%41')}`, [200]),
  get('300,000 invalid escapes', () => `${path}?a=${long(900_000, '%zz')}`, [200]),
  get('a parameter named __proto__', `${path}?__proto__=x&constructor=y&hasOwnProperty=z`, [200]),
];

/** Parameters of lists and their values. */
const parameters: Attack[] = (
  [
    ['limit', ['-1'], [200]],
    ['limit', ['abc', '1e400', '9223372036854775808', '0x10', '1.5', '', '٣'], [400]],
    ['limit', [long(100_000, '9')], [400]],
    ['timeoutSeconds', ['abc', '1e400', long(100_000, '9')], [400]],
    ['timeoutSeconds', ['-1', '9223372036854775807'], [200]],
    ['resourceVersion', ['abc', '-1', '1.5', '1e400', '18446744073709551616', long(100_000, '9')], [400]],
    ['resourceVersion', ['00', `${long(100_000, '0')}0`], [200]],
    ['resourceVersionMatch', ['Exact', 'NotOlderThan', 'Nonsense', long(100_000)], [422]],
    ['sendInitialEvents', ['true', 'maybe', long(100_000)], [422]],
    ['allowWatchBookmarks', ['maybe', long(100_000)], [200]],
    ['continue', ['forged', '%00', long(500_000), long(500_000, '%ff')], [400]],
    ['fieldSelector', ['a', 'metadata.name=a=b', '==a', long(500_000), `metadata.name${long(500_000, '=')}`], [400]],
    ['fieldSelector', ['=', '==', '!='], [200]],
    ['labelSelector', ['a in', '(((', 'a in (b', '!', ',', '=', 'a>b', long(500_000, '(')], [400]],
    ['pretty', ['maybe', long(500_000)], [200]],
    ['timeout', ['abc', long(100_000, '9'), '9e99h'], [400]],
    ['timeout', ['1000000h'], [200]],
    // the deadline passes before the request begins
    ['timeout', ['-1s'], [200]],
  ] as const
).flatMap(([name, values, codes]) =>
  values.map((value) =>
    get(
      `${name}=${value.slice(0, 20)}${value.length > 20 ? ` (${count(value.length)} characters)` : ''}`,
      `${path}?${name}=${value}`,
      codes,
    ),
  ),
);

const token = (value: unknown): string => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const start = { v: 'meta.k8s.io/v1', rv: 1, start: 'a\0' };
const continues: Attack[] = (
  [
    ['another version', () => token({ ...start, v: 'meta.k8s.io/v2' })],
    ['a parent', () => token({ ...start, start: '../../secrets/default/\0' })],
    // a position in this list, which has nothing behind it
    ['another folder', () => token({ ...start, start: '/registry/secrets\0' }), 200],
    ['no start', () => token({ ...start, start: '' })],
    ['a start that is a number', () => token({ ...start, start: 5 })],
    ['a revision that is a text', () => token({ ...start, rv: '1' })],
    ['a revision with a fraction', () => token({ ...start, rv: 1.5 })],
    ['no revision', () => token({ ...start, rv: 0 })],
    ['null', () => token('null')],
    ['a list', () => token('[]')],
    ['100,000 nested lists', () => token(long(100_000, '['))],
    ['a start of 300 KiB of parents', () => token({ ...start, start: long(300 * kibibyte, '../') })],
    ['a prototype', () => token('{"__proto__":{"v":"meta.k8s.io/v1","rv":1,"start":"a"}}')],
    ['a million bytes that are not UTF-8', () => Buffer.alloc(700_000, 0xff).toString('base64url')],
  ] as const
).map(([name, value, code = 400]) => get(`a continue token with ${name}`, () => `${path}?limit=1&continue=${value()}`, [code]));

const deletions = (
  [
    ['gracePeriodSeconds', '1e400', [400]],
    ['gracePeriodSeconds', long(100_000, '9'), [400]],
    ['propagationPolicy', 'Nonsense', [422]],
    ['propagationPolicy', long(100_000), [422]],
    ['orphanDependents', 'maybe', [404]],
    ['dryRun', 'Some', [422]],
  ] as const
).map(
  ([name, value, codes]): Attack => ({
    name: `a delete with ${name}=${value.slice(0, 20)}`,
    send: () => ({ method: 'DELETE', path: `${path}/absent?${name}=${value}` }),
    codes,
  }),
);

const object = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"attacked"}}';
const writes = (
  [
    ['dryRun=Some', [422]],
    [`dryRun=${long(100_000)}`, [422]],
    [many(10_000, () => 'dryRun=All', '&'), [201]],
    ['dryRun=All&fieldValidation=Maybe', [422]],
    [`dryRun=All&fieldManager=${long(129)}`, [422]],
    [`dryRun=All&fieldManager=${long(500_000)}`, [422]],
    ['dryRun=All&fieldManager=%00%01', [422]],
    ['dryRun=All&fieldManager=__proto__', [201]],
    ['dryRun=All&fieldManager=%ff%fe', [201]],
  ] as const
).map(
  ([query, codes]): Attack => ({
    name: `a create with ${query.slice(0, 40)}${query.length > 40 ? ` (${count(query.length)} characters)` : ''}`,
    send: () => ({
      method: 'POST',
      path: `${path}?${query}`,
      headers: { 'content-type': 'application/json' },
      body: object,
    }),
    codes,
  }),
);

/** Watches, for which the response headers suffice. */
const watches = (
  [
    ['timeoutSeconds=abc', [400]],
    ['timeoutSeconds=1', [200]],
    ['timeoutSeconds=9223372036854775807', [200]],
    ['timeoutSeconds=-1', [200]],
    [`resourceVersion=${long(100_000, '9')}`, [500]],
    ['resourceVersion=-1', [500]],
    ['sendInitialEvents=true', [422]],
    ['sendInitialEvents=true&resourceVersionMatch=Exact', [422]],
    ['continue=forged', [422]],
  ] as const
).map(
  ([query, codes]): Attack => ({
    name: `a watch with ${query.slice(0, 60)}`,
    send: () => ({ method: 'GET', path: `${path}?watch=1&${query}` }),
    codes,
    streams: true,
  }),
);

export const urls: Attacks = {
  title: 'paths and queries',
  rows: [
    ...segments,
    ...large,
    ...parameters,
    ...continues,
    ...deletions,
    ...writes,
    ...watches,
    {
      name: 'a create in a namespace of a mebibyte',
      send: () => ({
        method: 'POST',
        path: dry(`/api/v1/namespaces/${long(900_000)}/configmaps`),
        headers: { 'content-type': 'application/json' },
        body: object,
      }),
      codes: [404],
    },
  ],
};
