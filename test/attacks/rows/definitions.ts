import { create, objectText } from '../builders/json.ts';
import { crds, definitionMembers } from '../builders/targets.ts';
import { large, long, many, mebibyte } from '../builders/text.ts';
import type { Attack, Attacks } from '../harness/attack.ts';

const definition = (
  name: string,
  made: () => { readonly spec?: object; readonly version?: object },
  codes: readonly number[],
  isKept = false,
): Attack => ({
  name,
  send: () => {
    const { spec = {}, version = {} } = made();
    const body = objectText({ ...crds, members: definitionMembers('Thing', spec, version) });
    // a stored definition also reaches its controllers
    return isKept ? { ...create(crds, body), path: crds.path } : create(crds, body);
  },
  codes,
});
const schema = (name: string, made: () => object, codes: readonly number[]): Attack =>
  definition(name, () => ({ version: { schema: { openAPIV3Schema: made() } } }), codes);

const properties = (times: number, of: object): object => Object.fromEntries(Array.from({ length: times }, (_, at) => [`p${at}`, of]));
const string = { type: 'string' };
const root = (spec: object): object => ({ type: 'object', properties: { spec } });
const texts = (times: number, start: string): string[] => Array.from({ length: times }, (_, at) => `${start}${at}`);

function nestedObjects(levels: number): object {
  let inner: object = string;
  for (let at = 0; at < levels; at++) inner = { type: 'object', properties: { a: inner } };
  return inner;
}
function nestedLists(levels: number): object {
  let inner: object = string;
  for (let at = 0; at < levels; at++) inner = { type: 'array', items: inner };
  return inner;
}

function nestedNots(levels: number): object {
  let inner: object = { type: 5 };
  for (let at = 0; at < levels; at++) inner = { default: 1, example: 2, not: inner };
  return inner;
}

const schemas: Attack[] = [
  schema('a type that is a number, below 700 schemas', () => nestedNots(700), [400]),
  schema('1,000 properties', () => root({ type: 'object', properties: properties(1_000, string) }), [201]),
  schema('50,000 properties', () => root({ type: 'object', properties: properties(50_000, string) }), [201]),
  schema('50,000 properties without a type', () => root({ type: 'object', properties: properties(50_000, {}) }), [422]),
  schema('50,000 properties of unknown types', () => root({ type: 'object', properties: properties(50_000, { type: 'x' }) }), [422]),
  schema('50,000 required properties that are not defined', () => root({ type: 'object', required: texts(50_000, 'r') }), [201]),
  schema('a property __proto__', () => root({ type: 'object', properties: JSON.parse('{"__proto__":{"type":"string"}}') }), [201]),
  schema('a property constructor', () => root({ type: 'object', properties: { constructor: string, toString: string } }), [201]),
  ...[100, 400].map((levels) => schema(`objects ${levels} levels deep`, () => root(nestedObjects(levels)), [201])),
  ...[100, 400].map((levels) => schema(`lists ${levels} levels deep`, () => root(nestedLists(levels)), [201])),
  schema('a reference', () => root({ $ref: '#/definitions/x' }), [422]),
  schema('1,000 branches', () => root({ ...string, anyOf: Array.from({ length: 1_000 }, (_, at) => ({ maxLength: at })) }), [201]),
  schema('50,000 branches', () => root({ ...string, allOf: Array.from({ length: 50_000 }, () => ({ minLength: 1 })) }), [201]),
  schema(
    'anyOf within allOf',
    () =>
      root({
        ...string,
        allOf: Array.from({ length: 100 }, () => ({ anyOf: Array.from({ length: 100 }, () => ({ minLength: 1 })) })),
      }),
    [201],
  ),
  schema('an enum of 100,000 values', () => root({ ...string, enum: texts(100_000, 'choice-') }), [201]),
  schema('an enum of one value 100,000 times', () => root({ ...string, enum: new Array(100_000).fill('x') }), [201]),
  schema('an enum value of a mebibyte', () => root({ ...string, enum: [long(mebibyte)] }), [201]),
  schema('a default of a mebibyte', () => root({ ...string, default: long(mebibyte) }), [201]),
  schema(
    'a default of 100,000 members',
    () =>
      root({
        type: 'object',
        additionalProperties: string,
        default: Object.fromEntries(texts(100_000, 'k').map((key) => [key, 'v'])),
      }),
    [201],
  ),
  schema('a default of a wrong type', () => root({ type: 'object', default: long(mebibyte) }), [422]),
  schema('10,000 defaults', () => root({ type: 'object', properties: properties(10_000, { ...string, default: 'x' }) }), [201]),
  schema(
    'a default that is a prototype',
    () =>
      root({
        type: 'object',
        'x-kubernetes-preserve-unknown-fields': true,
        default: JSON.parse('{"__proto__":{"polluted":"x"}}'),
      }),
    [201],
  ),
  schema('an example of 2 MiB', () => root({ ...string, example: long(2 * mebibyte) }), [201]),
  schema('a description of 2 MiB', () => root({ ...string, description: long(2 * mebibyte) }), [201]),
  schema(
    '10,000 keys of a list map',
    () =>
      root({
        type: 'array',
        items: { type: 'object', properties: properties(10_000, string) },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': texts(10_000, 'p'),
      }),
    [422],
  ),
  schema(
    '10,000 undefined keys of a list map',
    () =>
      root({
        type: 'array',
        items: { type: 'object' },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': texts(10_000, 'p'),
      }),
    [422],
  ),
  schema('a huge maxLength and a negative minLength', () => root({ ...string, maxLength: 9e15, minLength: -5 }), [201]),
  schema('a root of no type', () => ({}), [422]),
];

const names = (more: object): object => ({
  plural: 'things',
  singular: 'thing',
  kind: 'Thing',
  listKind: 'ThingList',
  ...more,
});
const versions = (times: number): object[] =>
  Array.from({ length: times }, (_, at) => ({
    name: `v${at + 1}`,
    served: true,
    storage: at === 0,
    schema: { openAPIV3Schema: { type: 'object' } },
  }));

const specs: Attack[] = [
  definition('10,000 short names', () => ({ spec: { names: names({ shortNames: texts(10_000, 's') }) } }), [201]),
  definition('10,000 invalid short names', () => ({ spec: { names: names({ shortNames: texts(10_000, '_') }) } }), [422]),
  definition('10,000 categories', () => ({ spec: { names: names({ categories: texts(10_000, 'c') }) } }), [201]),
  definition(
    'names of a mebibyte',
    () => ({ spec: { names: names({ kind: long(mebibyte, 'A'), listKind: long(mebibyte, 'B') }) } }),
    [422],
  ),
  definition('a plural __proto__', () => ({ spec: { names: names({ plural: '__proto__' }) } }), [422]),
  definition('a group of a mebibyte', () => ({ spec: { group: long(mebibyte, 'a.') } }), [422]),
  definition('1,000 versions', () => ({ spec: { versions: versions(1_000) } }), [201]),
  definition('20,000 versions', () => ({ spec: { versions: versions(20_000) } }), [201]),
  definition(
    '20,000 versions of one name',
    () => ({ spec: { versions: versions(20_000).map((version) => ({ ...version, name: 'v1' })) } }),
    [422],
  ),
  definition('no versions', () => ({ spec: { versions: [] } }), [422]),
  definition('a version __proto__', () => ({ version: { name: '__proto__' } }), [422]),
  definition('10,000 columns', () => ({ version: { additionalPrinterColumns: columns(10_000, '.spec.a') } }), [201]),
  definition('10,000 columns without a path', () => ({ version: { additionalPrinterColumns: columns(10_000, '') } }), [422]),
  definition(
    'a column with a path of a mebibyte',
    () => ({ version: { additionalPrinterColumns: columns(1, long(mebibyte, '.a')) } }),
    [201],
  ),
  definition(
    'a column with a path of brackets',
    () => ({ version: { additionalPrinterColumns: columns(1, `.a${long(500_000, '[')}`) } }),
    [201],
  ),
  definition(
    'a column with a path that has a filter',
    () => ({ version: { additionalPrinterColumns: columns(1, '.a[?(@.b=="c")].d') } }),
    [201],
  ),
  definition('a column with a path of dots', () => ({ version: { additionalPrinterColumns: columns(1, long(500_000, '.')) } }), [201]),
  definition(
    '10,000 selectable fields',
    () => ({ version: { selectableFields: texts(10_000, '.spec.a').map((jsonPath) => ({ jsonPath })) } }),
    [422],
  ),
  definition(
    'a scale with paths of a mebibyte',
    () => ({
      version: { subresources: { scale: { specReplicasPath: long(mebibyte, '.a'), statusReplicasPath: '.status.a' } } },
    }),
    [422],
  ),
  definition('a conversion without a webhook', () => ({ spec: { conversion: { strategy: 'Webhook' } } }), [422]),
  definition(
    'a conversion with a CA of 2 MiB',
    () => ({
      spec: {
        conversion: {
          strategy: 'Webhook',
          webhook: {
            conversionReviewVersions: ['v1'],
            clientConfig: { url: 'https://127.0.0.1:1/x', caBundle: long(2 * mebibyte) },
          },
        },
      },
    }),
    [201],
  ),
  definition(
    'a conversion of 10,000 review versions',
    () => ({
      spec: {
        conversion: {
          strategy: 'Webhook',
          webhook: { conversionReviewVersions: texts(10_000, 'v'), clientConfig: { url: 'https://127.0.0.1:1/x' } },
        },
      },
    }),
    [201],
  ),
  definition('50,000 unknown fields', () => ({ spec: Object.fromEntries(texts(50_000, 'x').map((key) => [key, 1])) }), [201]),
  definition('an unknown scope of a mebibyte', () => ({ spec: { scope: long(mebibyte) } }), [422]),
];

const columns = (times: number, jsonPath: string): object[] =>
  Array.from({ length: times }, (_, at) => ({ name: `c${at}`, type: 'string', jsonPath }));

export const definitions: Attacks = {
  title: 'definitions of custom resources',
  rows: [
    ...schemas,
    ...specs,
    {
      name: '20,000 forged conditions',
      send: () =>
        create(crds, objectText(crds, `"status":{"conditions":[${many(20_000, () => '{"type":"Established","status":"True"}')}]}`)),
      codes: [201],
    },
    {
      name: 'a metadata.name of 3 MiB',
      send: () => create(crds, objectText({ ...crds, object: long(large) })),
      codes: [422],
    },
    definition(
      'a schema of a mebibyte that is kept',
      () => ({
        version: { schema: { openAPIV3Schema: root({ type: 'object', properties: properties(30_000, string) }) } },
      }),
      [201],
      true,
    ),
    {
      name: 'a patch of its names',
      send: () => ({
        method: 'PATCH',
        path: `${crds.path}/${crds.object}`,
        headers: { 'content-type': 'application/merge-patch+json' },
        body: `{"spec":{"names":{"shortNames":[${many(5_000, (at) => `"s${at}"`)}]}}}`,
      }),
      codes: [200],
    },
    {
      name: 'its OpenAPI document',
      send: () => ({ method: 'GET', path: '/openapi/v3/apis/attacks.example.com/v1' }),
      codes: [200],
    },
    { name: 'its deletion', send: () => ({ method: 'DELETE', path: `${crds.path}/${crds.object}` }), codes: [200] },
  ],
};
