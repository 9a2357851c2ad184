import { beforeAll, describe, expect, test } from '@jest/globals';
import { warningsOf } from '../../support/write-fixture.ts';
import { type Any, DefinitionFixture, definitions, instance, pathOf, version } from './definition-fixture.ts';

/** Rules below preserved, embedded and listed fields, for writes and applies. */

const fixture = DefinitionFixture.forSuite();

const rootOf = (spec: object): object => ({ openAPIV3Schema: { type: 'object', properties: { spec } } });
const withSpec = (spec: object): Promise<Any> => fixture.define({ versions: [version('v1', { schema: rootOf(spec) })] });
const create = (crd: Any, name: string, spec: unknown, query = '') =>
  fixture.send('POST', `${pathOf(crd)}${query}`, instance(crd, name, { spec }));
const apply = (crd: Any, manager: string, spec: object, force = false) =>
  fixture.send(
    'PATCH',
    `${pathOf(crd)}/applied?fieldManager=${manager}&force=${force}`,
    instance(crd, 'applied', { spec }),
    'application/apply-patch+yaml',
  );
const ownedBy = ({ json }: Any, manager: string): Any =>
  json.metadata.managedFields.find((one: Any) => one.manager === manager)?.fieldsV1['f:spec'];

const integer = { type: 'integer' };
const keep = { 'x-kubernetes-preserve-unknown-fields': true };

describe('unknown fields that are preserved', () => {
  const spec = {
    type: 'object',
    properties: {
      open: {
        type: 'object',
        ...keep,
        properties: {
          closed: { type: 'object', properties: { a: integer } },
          list: { type: 'array', items: { type: 'object', properties: { b: integer } } },
        },
      },
      map: { type: 'object', additionalProperties: { type: 'object', properties: { c: integer, any: keep } } },
      any: keep,
    },
  };

  test('are pruned again below fields with properties', async () => {
    const crd = await withSpec(spec);
    const response = await create(
      crd,
      'a',
      {
        open: { x: { y: 1 }, closed: { a: 1, z: 2 }, list: [{ b: 1, q: 2 }] },
        map: { k: { c: 1, d: 2, any: { e: [{ f: 1 }] } } },
        any: [1, 'x', { y: null }],
        gone: 1,
      },
      '?fieldValidation=Warn',
    );
    expect(response.json.spec).toEqual({
      open: { x: { y: 1 }, closed: { a: 1 }, list: [{ b: 1 }] },
      map: { k: { c: 1, any: { e: [{ f: 1 }] } } },
      any: [1, 'x', { y: null }],
    });
    expect(warningsOf(response).sort()).toEqual(
      ['spec.gone', 'spec.map.k.d', 'spec.open.closed.z', 'spec.open.list[0].q'].map((path) => `unknown field "${path}"`),
    );
  });

  test('are owned field by field, and their lists as a whole', async () => {
    const crd = await withSpec(spec);
    await apply(crd, 'one', { open: { x: { y: 1 }, list2: [{ name: 'a' }] }, any: { p: 1 } });
    const both = await apply(crd, 'two', { open: { x: { z: 2 }, list2: [{ name: 'a' }] }, any: { q: 1 } });
    expect(both.json.spec).toEqual({ open: { x: { y: 1, z: 2 }, list2: [{ name: 'a' }] }, any: { p: 1, q: 1 } });
    expect(ownedBy(both, 'two')).toEqual({
      'f:any': { 'f:q': {} },
      'f:open': { 'f:list2': {}, 'f:x': { '.': {}, 'f:z': {} } },
    });
    const { json } = await apply(crd, 'two', { open: { list2: [{ name: 'b' }] }, any: { p: 2 } });
    expect(json.details.causes.map(({ field }: Any) => field)).toEqual(['.spec.any.p', '.spec.open.list2']);
  });
});

describe('embedded resources', () => {
  let crd: Any;
  beforeAll(async () => {
    const embedded = { type: 'object', 'x-kubernetes-embedded-resource': true };
    const inner = { type: 'object', properties: { a: { ...integer, default: 3 } } };
    crd = await withSpec({
      type: 'object',
      properties: {
        one: { ...embedded, ...keep },
        many: { type: 'array', items: { ...embedded, properties: { spec: inner } } },
      },
    });
  });

  test('keep apiVersion, kind, metadata and what the schema knows', async () => {
    const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x', labels: { a: 'b' } } };
    const bogus = { ...object, metadata: { ...object.metadata, bogus: 1 } };
    const spec = { one: { ...bogus, spec: { any: 1 } }, many: [{ ...bogus, spec: { z: 1 }, other: 2 }] };
    const response = await create(crd, 'kept', spec, '?fieldValidation=Warn');
    expect(response.json.spec).toEqual({
      one: { ...object, spec: { any: 1 } },
      many: [{ ...object, spec: { a: 3 } }],
    });
    expect(warningsOf(response)).toEqual(expect.arrayContaining(['unknown field "spec.one.metadata.bogus"']));
  });

  test.each([
    ['without apiVersion and kind', { metadata: {} }, ['spec.one.apiVersion: Required value', 'spec.one.kind: Required value']],
    [
      'with an invalid apiVersion',
      { apiVersion: 'a/b/c', kind: 'A' },
      ['spec.one.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c'],
    ],
    [
      'with an invalid kind',
      { apiVersion: 'v1', kind: 'x_y' },
      ['spec.one.kind: Invalid value: "x_y": may have mixed case, but should otherwise match'],
    ],
    [
      'with an invalid name',
      { apiVersion: 'v1', kind: 'A', metadata: { name: 'a/b' } },
      ['spec.one.metadata.name: Invalid value: "a/b": may not contain \'/\''],
    ],
    [
      'with invalid owners',
      { apiVersion: 'v1', kind: 'A', metadata: { ownerReferences: [{}] } },
      ['apiVersion', 'kind', 'name', 'uid'].map((field) => `spec.one.metadata.ownerReferences.${field}: Invalid value: ""`),
    ],
  ])('%s are rejected', async (_what, one, causes) => {
    const { status, json } = await create(crd, 'refused', { one });
    expect(status).toBe(422);
    expect(json.details.causes).toHaveLength(causes.length);
    for (const cause of causes) expect(json.message).toContain(cause);
  });
});

describe('lists', () => {
  let crd: Any;
  beforeAll(async () => {
    const item = {
      type: 'object',
      required: ['port'],
      properties: { port: integer, protocol: { type: 'string', default: 'TCP' }, name: { type: 'string' } },
    };
    const keys = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['port', 'protocol'] };
    const set = (type: string) => ({ type: 'array', 'x-kubernetes-list-type': 'set', items: { type } });
    crd = await withSpec({
      type: 'object',
      properties: {
        set: set('string'),
        numbers: set('number'),
        map: { type: 'array', ...keys, items: item },
        plain: { type: 'array', items: item },
        whole: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { a: integer, b: integer } },
      },
    });
  });

  test.each([
    ['a set', { set: ['a', 'b', 'a', 'a'] }, 'spec.set[2]: Duplicate value: "a"'],
    ['a set of numbers', { numbers: [1, 2, 1.0] }, 'spec.numbers[2]: Duplicate value: 1'],
    [
      'a map, by keys with defaults',
      { map: [{ port: 1 }, { port: 1, protocol: 'TCP' }] },
      'spec.map[1]: Duplicate value: {"port":1,"protocol":"TCP"}',
    ],
  ])('%s may not contain duplicates', async (_what, spec, why) => {
    const { json } = await create(crd, 'twice', spec);
    expect(json.details.causes).toHaveLength(1);
    expect(json.message).toContain(why);
  });

  test('other lists may contain duplicates', async () => {
    expect((await create(crd, 'plain', { plain: [{ port: 1 }, { port: 1 }] })).status).toBe(201);
  });

  test('whose keys have defaults are applied item by item', async () => {
    const one = await apply(crd, 'one', { map: [{ port: 80, name: 'a' }], set: ['x'] });
    expect(one.json.spec).toEqual({ map: [{ port: 80, protocol: 'TCP', name: 'a' }], set: ['x'] });
    expect(ownedBy(one, 'one')['f:map']).toEqual({
      'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:name': {}, 'f:port': {} },
    });
    const { json } = await apply(crd, 'two', { map: [{ port: 80, protocol: 'TCP', name: 'b' }] });
    expect(json.message).toBe('Apply failed with 1 conflict: conflict with "one": .spec.map[port=80,protocol="TCP"].name');
    const two = await apply(crd, 'two', { map: [{ port: 80, protocol: 'UDP' }], set: ['y', 'x'] });
    expect(two.json.spec).toEqual({
      map: [
        { port: 80, protocol: 'TCP', name: 'a' },
        { port: 80, protocol: 'UDP' },
      ],
      set: expect.arrayContaining(['x', 'y']),
    });
    const left = await apply(crd, 'one', {});
    expect(left.json.spec).toEqual({ map: [{ port: 80, protocol: 'UDP' }], set: expect.arrayContaining(['x', 'y']) });
  });

  test('that are applied may not contain duplicates', async () => {
    const { status, json } = await apply(crd, 'three', { map: [{ port: 1 }, { port: 1 }] });
    expect([status, json.message]).toEqual([500, expect.stringContaining('duplicate entries for key [port=1,protocol="TCP"]')]);
  });

  test('an atomic map is owned as a whole', async () => {
    const one = await apply(crd, 'whole', { whole: { a: 1 } }, true);
    expect(ownedBy(one, 'whole')).toEqual({ 'f:whole': {} });
    expect((await apply(crd, 'other', { whole: { b: 2 } })).json.details.causes[0].field).toBe('.spec.whole');
    expect((await apply(crd, 'other', { whole: { b: 2 } }, true)).json.spec.whole).toEqual({ b: 2 });
  });
});

test('defaults appear in lists, watches and Tables of objects stored before them, and are persisted by the next write', async () => {
  const nested = (properties: object) => ({ type: 'object', properties });
  const text = { type: 'string' };
  const crd = await withSpec(nested({ a: { ...integer, default: 1 }, o: nested({ b: { ...integer, default: 5 } }), t: text }));
  const change = (spec: object, more: object = {}) =>
    fixture.merge(`${definitions}/${crd.metadata.name}`, {
      spec: { versions: [version('v1', { schema: rootOf(spec), ...more })] },
    });
  await create(crd, 'old', { o: {} });
  const additionalPrinterColumns = [{ name: 'T', type: 'string', jsonPath: '.spec.t' }];
  const selectableFields = [{ jsonPath: '.spec.t' }];
  const filled = nested({
    a: { ...integer, default: 2 },
    o: nested({ b: integer, z: { ...integer, default: 6 } }),
    t: { ...text, default: 'new' },
  });
  await change(filled, { additionalPrinterColumns, selectableFields });
  const want = { a: 1, o: { b: 5, z: 6 }, t: 'new' };
  expect((await fixture.ok('GET', `${pathOf(crd)}/old`)).spec).toEqual(want);
  const watch = await fixture.fixture.watch(pathOf(crd), { fieldSelector: 'spec.t=new' });
  expect((await watch.take(1))[0]?.object.spec).toEqual(want);
  watch.close();
  const table = await fixture.get(pathOf(crd), {}, 'application/json;as=Table;v=v1;g=meta.k8s.io');
  expect(table.json.rows[0].cells).toEqual(['old', 'new']);
  await change(nested({ a: integer, o: nested({ b: integer, z: integer }), t: text }));
  expect((await fixture.ok('GET', `${pathOf(crd)}/old`)).spec).toEqual({ a: 1, o: { b: 5 } });
});
