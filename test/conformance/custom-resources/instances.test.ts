import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { decodeCbor, encodeCbor } from '../../../runtime/codec/cbor.ts';
import { type Any, DefinitionFixture, instance, pathOf, storages, version } from './definition-fixture.ts';

const as = (kind: string, type = 'application/json') => `${type};as=${kind};v=v1;g=meta.k8s.io`;
const cbor = 'application/cbor';

const integer = { type: 'integer', format: 'int64' };
const crontab = version('v1', {
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: {
            schedule: { type: 'string' },
            replicas: integer,
            big: integer,
            ready: { type: 'boolean' },
            image: { type: 'string', default: 'nginx' },
            items: {
              type: 'array',
              'x-kubernetes-list-type': 'map',
              'x-kubernetes-list-map-keys': ['name'],
              items: {
                type: 'object',
                required: ['name'],
                properties: { name: { type: 'string' }, value: { type: 'string' } },
              },
            },
          },
        },
        status: {
          type: 'object',
          properties: {
            replicas: integer,
            selector: { type: 'string' },
            started: { type: 'string', format: 'date-time' },
          },
        },
      },
    },
  },
  subresources: {
    status: {},
    scale: {
      specReplicasPath: '.spec.replicas',
      statusReplicasPath: '.status.replicas',
      labelSelectorPath: '.status.selector',
    },
  },
  additionalPrinterColumns: [
    { name: 'Schedule', type: 'string', jsonPath: '.spec.schedule', description: 'When it runs' },
    { name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas', priority: 1 },
    { name: 'Ready', type: 'boolean', jsonPath: '.spec.ready' },
    { name: 'First', type: 'string', jsonPath: '.spec.items[?(@.name=="first")].value' },
    { name: 'Items', type: 'string', jsonPath: '.spec.items' },
    { name: 'Started', type: 'date', jsonPath: '.status.started' },
  ],
  selectableFields: [{ jsonPath: '.spec.schedule' }, { jsonPath: '.spec.replicas' }, { jsonPath: '.spec.ready' }],
});

describe.each(storages)('objects of a definition in %s storage', (storage) => {
  let fixture: DefinitionFixture;
  let crd: Any;
  let path: string;

  beforeAll(async () => {
    fixture = await DefinitionFixture.open(storage, { featureGates: ['CBORServingAndStorage=true'] });
    crd = await fixture.define({ kind: 'CronTab', versions: [crontab] });
    path = pathOf(crd);
  });
  afterAll(() => fixture.close());

  const create = (name: string, spec: object = {}): Promise<Any> =>
    fixture.ok('POST', path, instance(crd, name, { spec: { schedule: '* *', ...spec } }));

  test('are read as they were written: pruned, defaulted, with every digit', async () => {
    const text = JSON.stringify(instance(crd, 'exact', { spec: { schedule: 'x', big: 0, bogus: 1 }, status: { replicas: 9 } }));
    const response = await fixture.send('POST', path, text.replace('"big":0', '"big":9007199254740993'));
    expect(response.body.toString()).toContain('"big":9007199254740993');
    const got = await fixture.get(`${path}/exact`);
    expect(got.body.toString()).toContain('"big":9007199254740993');
    expect(got.json.spec).toMatchObject({ schedule: 'x', image: 'nginx' });
    expect(got.json.spec.bogus).toBeUndefined();
    expect(got.json.status).toBeUndefined();
    expect(got.json.metadata.generation).toBe(1);
  });

  test('are rejected with every cause', async () => {
    const response = await fixture.send('POST', path, instance(crd, 'Bad_Name', { spec: { replicas: 'many', ready: 1 } }));
    expect(response.status).toBe(422);
    expect(response.json.details).toMatchObject({ kind: 'CronTab', group: crd.spec.group });
    expect(response.json.details.causes.map(({ field }: Any) => field).sort()).toEqual([
      '.spec.replicas',
      'metadata.name',
      'spec.ready',
      'spec.replicas',
    ]);
  });

  test('have no protobuf and no strategic merge patch', async () => {
    await create('plain');
    const asked = await fixture.get(`${path}/plain`, {}, 'application/vnd.kubernetes.protobuf');
    expect(asked.status).toBe(406);
    const patched = await fixture.send('PATCH', `${path}/plain`, {}, 'application/strategic-merge-patch+json');
    expect(patched.json).toMatchObject({
      code: 415,
      message: expect.stringContaining('application/json-patch+json, application/merge-patch+json'),
    });
    const partial = await fixture.get(path, {}, as('PartialObjectMetadataList', 'application/vnd.kubernetes.protobuf'));
    expect(partial.status).toBe(200);
  });

  test('are read and written as YAML and CBOR', async () => {
    const object = instance(crd, 'cbor', { spec: { schedule: 'c', replicas: 3 } });
    const made = await fixture.fixture.client.send('POST', path, encodeCbor(object), cbor, {
      headers: { accept: cbor },
    });
    expect(made.status).toBe(201);
    expect(decodeCbor(made.body)).toMatchObject({ spec: { schedule: 'c', replicas: 3, image: 'nginx' } });
    const yaml = await fixture.get(`${path}/cbor`, {}, 'application/yaml');
    expect(parse(yaml.body.toString())).toMatchObject({ kind: 'CronTab', spec: { schedule: 'c' } });
    const list = await fixture.get(path, {}, cbor);
    expect(decodeCbor(list.body)).toMatchObject({ kind: 'CronTabList' });
  });

  test('are shown in Tables with the columns of their definition', async () => {
    await create('table', {
      schedule: '5 * *',
      replicas: 2,
      ready: true,
      items: [
        { name: 'first', value: 'one' },
        { name: 'second', value: 'two' },
      ],
    });
    const { json } = await fixture.get(`${path}/table`, {}, as('Table'));
    expect(json.columnDefinitions.map(({ name, type, priority }: Any) => `${name} ${type} ${priority}`)).toEqual([
      'Name string 0',
      'Schedule string 0',
      'Replicas integer 1',
      'Ready boolean 0',
      'First string 0',
      'Items string 0',
      'Started date 0',
    ]);
    expect(json.columnDefinitions[1].description).toBe('When it runs');
    expect(json.columnDefinitions[2].description).toBe('Custom resource definition column (in JSONPath format): .spec.replicas');
    expect(json.rows[0].cells).toEqual([
      'table',
      '5 * *',
      2,
      true,
      'one',
      '[{"name":"first","value":"one"},{"name":"second","value":"two"}]',
      null,
    ]);
  });

  test('have an Age column if their definition has no columns', async () => {
    const plain = await fixture.define();
    await fixture.ok('POST', pathOf(plain), instance(plain, 'a'));
    const { json } = await fixture.get(pathOf(plain), {}, as('Table'));
    expect(json.columnDefinitions.map(({ name }: Any) => name)).toEqual(['Name', 'Age']);
    expect(json.rows[0].cells[1]).toMatch(/^\d+s$/);
  });

  test('are served as PartialObjectMetadata, in responses and watches', async () => {
    await create('meta');
    const one = await fixture.get(`${path}/meta`, {}, as('PartialObjectMetadata'));
    expect(one.json).toMatchObject({ kind: 'PartialObjectMetadata', metadata: { name: 'meta' } });
    expect(one.json.spec).toBeUndefined();
    const watch = await fixture.fixture.watch(path, { fieldSelector: 'metadata.name=meta' }, { accept: as('PartialObjectMetadata') });
    expect((await watch.take(1))[0].object.kind).toBe('PartialObjectMetadata');
    watch.close();
  });

  test.each([
    ['a Table', as('Table'), 'application/json'],
    ['CBOR', cbor, `${cbor}-seq`],
  ])('are watched as %s', async (_name, accept, contentType) => {
    await create(`watched-${contentType.length}`);
    const query = { watch: '1', timeoutSeconds: 1, fieldSelector: `metadata.name=watched-${contentType.length}` };
    const response = await fixture.get(path, query, accept);
    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toContain(contentType);
    const first = contentType === 'application/json' ? response.json : decodeCbor(response.body);
    expect(first).toMatchObject({
      type: 'ADDED',
      object: { kind: contentType === 'application/json' ? 'Table' : 'CronTab' },
    });
  });

  test('have a status that only its subresource writes, without a change of the generation', async () => {
    await create('status');
    const status = { replicas: 1 };
    const main = await fixture.merge(`${path}/status`, { status, spec: { replicas: 4 } });
    expect(main).toMatchObject({ metadata: { generation: 2 }, spec: { replicas: 4 } });
    expect(main.status).toBeUndefined();
    const sub = await fixture.merge(`${path}/status/status`, {
      status,
      spec: { replicas: 5 },
      metadata: { labels: { a: 'b' } },
    });
    expect(sub).toMatchObject({ metadata: { generation: 2 }, spec: { replicas: 4 }, status });
    expect(sub.metadata.labels).toBeUndefined();
  });

  test('have a scale', async () => {
    await create('scaled', { replicas: 2 });
    await fixture.merge(`${path}/scaled/status`, { status: { replicas: 1, selector: 'app=x' } });
    expect(await fixture.ok('GET', `${path}/scaled/scale`)).toMatchObject({
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      spec: { replicas: 2 },
      status: { replicas: 1, selector: 'app=x' },
    });
    const patched = await fixture.merge(`${path}/scaled/scale`, { spec: { replicas: 7 } });
    expect(patched.spec.replicas).toBe(7);
    expect(await fixture.ok('GET', `${path}/scaled`)).toMatchObject({
      metadata: { generation: 2 },
      spec: { replicas: 7 },
    });
  });

  test('are selected by the selectable fields of their definition', async () => {
    await create('sel1', { schedule: 'sel', replicas: 3, ready: true });
    await create('sel2', { schedule: 'sel', replicas: 4 });
    const names = async (fieldSelector: string): Promise<string[]> =>
      (await fixture.get(path, { fieldSelector })).json.items.map(({ metadata }: Any) => metadata.name);
    expect(await names('spec.schedule=sel')).toEqual(['sel1', 'sel2']);
    expect(await names('spec.schedule=sel,spec.replicas=4')).toEqual(['sel2']);
    expect(await names('spec.schedule=sel,spec.ready=true')).toEqual(['sel1']);
    expect(await names('spec.schedule=sel,spec.ready=')).toEqual(['sel2']);
    expect((await fixture.get(path, { fieldSelector: 'spec.image=nginx' })).json.message).toBe('field label not supported: spec.image');
  });

  test('are patched by JSON patch and merge patch, and a PUT without a resourceVersion is rejected', async () => {
    await create('patched', { replicas: 1 });
    const operations = [{ op: 'replace', path: '/spec/replicas', value: 2 }];
    const patched = await fixture.ok('PATCH', `${path}/patched`, operations, 'application/json-patch+json');
    expect(patched.spec.replicas).toBe(2);
    const { resourceVersion: _, ...metadata } = patched.metadata;
    const put = await fixture.send('PUT', `${path}/patched`, { ...patched, metadata });
    expect(put.status).toBe(422);
    expect(put.json.message).toContain('metadata.resourceVersion: Invalid value: 0: must be specified for an update');
    expect((await fixture.send('PUT', `${path}/absent`, instance(crd, 'absent'))).status).toBe(404);
  });

  test('are applied with owned fields, and list items by their keys', async () => {
    const apply = (manager: string, spec: object, force = false) =>
      fixture.send(
        'PATCH',
        `${path}/applied?fieldManager=${manager}&force=${force}`,
        instance(crd, 'applied', { spec }),
        'application/apply-patch+yaml',
      );
    expect((await apply('one', { replicas: 1, items: [{ name: 'a', value: '1' }] })).status).toBe(201);
    expect((await apply('two', { items: [{ name: 'b', value: '2' }] })).json.spec.items).toEqual([
      { name: 'a', value: '1' },
      { name: 'b', value: '2' },
    ]);
    const conflict = await apply('two', { replicas: 2 });
    expect(conflict.json).toMatchObject({ code: 409, details: { causes: [{ field: '.spec.replicas' }] } });
    expect((await apply('two', { replicas: 2 }, true)).json.spec).toMatchObject({
      replicas: 2,
      items: [{ name: 'a', value: '1' }],
    });
    const { metadata } = (await apply('one', { items: [{ name: 'a', value: '1' }] })).json;
    const again = (await apply('one', { items: [{ name: 'a', value: '1' }] })).json;
    expect(again.metadata.resourceVersion).toBe(metadata.resourceVersion);
  });

  test('are not written by a dry run', async () => {
    const made = await fixture.ok('POST', `${path}?dryRun=All`, instance(crd, 'dry', { spec: { schedule: 'd' } }));
    expect(made.spec.image).toBe('nginx');
    expect((await fixture.get(`${path}/dry`)).status).toBe(404);
  });

  test('are deleted as a collection', async () => {
    await create('gone1', { schedule: 'gone' });
    await create('gone2', { schedule: 'gone' });
    await fixture.ok('DELETE', `${path}?fieldSelector=spec.schedule%3Dgone`);
    expect((await fixture.get(path, { fieldSelector: 'spec.schedule=gone' })).json.items).toEqual([]);
  });

  test('are listed in consistent pages', async () => {
    for (let n = 0; n < 5; n++) await create(`page${n}`, { schedule: 'page' });
    const first = (await fixture.get(path, { limit: 2 })).json;
    expect(first.items).toHaveLength(2);
    const second = (await fixture.get(path, { limit: 2, continue: first.metadata.continue })).json;
    expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
    expect(second.items[0].metadata.name).not.toBe(first.items[0].metadata.name);
  });

  test('cause warnings for finalizers without a domain', async () => {
    const object = instance(crd, 'finalized', { spec: {} });
    object.metadata.finalizers = ['mine'];
    const { headers } = await fixture.send('POST', path, object);
    expect(headers.warning).toContain('metadata.finalizers: \\"mine\\": prefer a domain-qualified finalizer name');
    await fixture.merge(`${path}/finalized`, { metadata: { finalizers: [] } });
  });

  test('of cluster scope have no namespace', async () => {
    const cluster = await fixture.define({ scope: 'Cluster' });
    const made = await fixture.ok('POST', pathOf(cluster), instance(cluster, 'a'));
    expect(made.metadata.namespace).toBeUndefined();
    const { group } = cluster.spec;
    expect((await fixture.get(`/apis/${group}/v1/namespaces/default/foos`)).status).toBe(404);
  });

  test('own other objects, which are deleted with them', async () => {
    const owner = await create('owner');
    const { uid } = owner.metadata;
    const ownerReferences = [{ apiVersion: owner.apiVersion, kind: 'CronTab', name: 'owner', uid, blockOwnerDeletion: true }];
    const child = instance(crd, 'child', { spec: {} });
    child.metadata.ownerReferences = ownerReferences;
    await fixture.ok('POST', path, child);
    const maps = '/api/v1/namespaces/default/configmaps';
    await fixture.ok('POST', maps, { metadata: { name: 'owned', ownerReferences } });
    const watches = await Promise.all([
      fixture.fixture.watch(path, { fieldSelector: 'metadata.name=child' }),
      fixture.fixture.watch(maps, { fieldSelector: 'metadata.name=owned' }),
    ]);
    await Promise.all(watches.map((watch) => watch.take(1)));
    await fixture.ok('DELETE', `${path}/owner?propagationPolicy=Background`);
    for (const watch of watches) {
      expect((await watch.next())?.type).toBe('DELETED');
      watch.close();
    }
  });

  test('are deleted with their namespace', async () => {
    const place = await fixture.fixture.fresh(`/apis/${crd.spec.group}/v1`, 'crontabs');
    await fixture.ok('POST', place, instance(crd, 'a', { spec: {} }));
    const namespace = place.split('/')[5];
    const watch = await fixture.fixture.watch(place);
    await watch.take(1);
    await fixture.ok('DELETE', `/api/v1/namespaces/${namespace}`);
    expect((await watch.next())?.type).toBe('DELETED');
    watch.close();
  });
});
