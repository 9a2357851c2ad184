import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { patchTypes, WriteFixture, warningsOf } from '../support/write-fixture.ts';
import { definitions as crds, DefinitionFixture, version } from './custom-resources/definition-fixture.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

const configMap = (name: string, data: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});

const manyKeys = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key-${index}`, 'value']));

const service = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { type: 'NodePort', ports: [{ port: 80 }] },
});

const schema = (properties: object) => ({
  openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } },
});

describe('worker threads that run large writes', () => {
  let fixture: WriteFixture;

  beforeAll(async () => {
    fixture = await WriteFixture.open();
  });
  afterAll(() => fixture.close());

  test('respond as the event loop does', async () => {
    const small = await fixture.create(configMaps, configMap('small', manyKeys(10)));
    const large = await fixture.create(configMaps, configMap('large', manyKeys(5000)));
    const known = ['content-type', 'cache-control', 'x-kubernetes-pf-flowschema-uid'] as const;
    expect(known.map((name) => large.headers[name])).toEqual(known.map((name) => small.headers[name]));
    expect(large.headers['audit-id']).toBeDefined();
    const { data, metadata } = large.json;
    expect([large.status, Object.keys(data).length]).toEqual([201, 5000]);
    expect(Object.keys(metadata)).toEqual(Object.keys(small.json.metadata));
    expect((await fixture.get(`${configMaps}/large`)).json).toEqual(large.json);
  });

  test('see earlier writes, and their writes are seen', async () => {
    const path = `${configMaps}/turns`;
    await fixture.create(configMaps, configMap('turns', manyKeys(5000)));
    for (const value of ['one', 'two', 'three']) {
      const patched = await fixture.patch('merge', path, { data: { turn: value } });
      expect([patched.status, patched.json.data.turn]).toEqual([200, value]);
      expect((await fixture.get(path)).json).toEqual(patched.json);
    }
    expect((await fixture.remove(path)).json).toMatchObject({ status: 'Success', details: { name: 'turns' } });
    expect((await fixture.get(path)).status).toBe(404);
  });

  test('reject in the same words, with warnings', async () => {
    const unknown = { ...configMap('warned', manyKeys(5000)), spec: {} };
    expect(warningsOf(await fixture.create(configMaps, unknown))).toEqual(['unknown field "spec"']);
    const twice = await fixture.create(configMaps, unknown);
    expect([twice.status, twice.json.message]).toEqual([409, 'configmaps "warned" already exists']);
    const strict = await fixture.create(`${configMaps}?fieldValidation=Strict`, unknown);
    expect([strict.status, strict.json.message]).toEqual([
      400,
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "spec"',
    ]);
    const broken = await fixture.http.send('POST', configMaps, `{"data":${'['.repeat(70_000)}`, 'application/json');
    expect([broken.status, broken.json.kind]).toEqual([400, 'Status']);
  });

  test('of one object at the same time are all stored', async () => {
    const path = `${configMaps}/shared`;
    await fixture.create(configMaps, configMap('shared', manyKeys(5000)));
    const keys = Array.from({ length: 6 }, (_, index) => `writer-${index}`);
    const patched = await Promise.all(keys.map((key) => fixture.patch('merge', path, { data: { [key]: 'here' } })));
    expect(patched.map(({ status }) => status)).toEqual(keys.map(() => 200));
    expect(Object.keys((await fixture.get(path)).json.data)).toEqual(expect.arrayContaining(keys));
    const { resourceVersion } = patched[0].json.metadata;
    const outdated = await fixture.put(path, {
      ...configMap('shared', manyKeys(5000)),
      metadata: { name: 'shared', resourceVersion: `${resourceVersion - 1}` },
    });
    expect([outdated.status, outdated.json.reason]).toEqual([409, 'Conflict']);
  });

  test('with the same name at the same time are stored once', async () => {
    const made = await Promise.all(Array.from({ length: 4 }, () => fixture.create(configMaps, configMap('once', manyKeys(5000)))));
    expect(made.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    const refused = made.find(({ status }) => status === 409);
    expect(refused?.json.message).toBe('configmaps "once" already exists');
  });

  test.each([
    ['protobuf', 'application/vnd.kubernetes.protobuf'],
    ['YAML', 'application/yaml'],
    ['a table', 'application/json;as=Table;v=v1;g=meta.k8s.io'],
    ['metadata', 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io'],
  ])('respond in %s as a read does', async (form, accept) => {
    const name = `as-${form.replace(' ', '-').toLowerCase()}`;
    const made = await fixture.create(configMaps, configMap(name, manyKeys(5000)), { accept });
    const read = await fixture.http.send('GET', `${configMaps}/${name}`, undefined, undefined, { headers: { accept } });
    expect([made.status, made.headers['content-type']]).toEqual([201, read.headers['content-type']]);
    // a table has the object's age in seconds, and Kubernetes' descriptions of columns only in built code, which threads run
    const comparable = (body: Buffer): string =>
      body
        .toString('latin1')
        .replace(/"\d+s"/, '"0s"')
        .replace(/"description":"[^"]*"/g, '');
    expect(comparable(made.body) === comparable(read.body)).toBe(true);
  });

  test('are stopped at the deadline of their request and replaced', async () => {
    const late = await fixture.create(`${configMaps}?timeout=1ms`, configMap('late', manyKeys(10_000)));
    expect([late.status, late.json.reason]).toEqual([504, 'Timeout']);
    expect((await fixture.create(configMaps, configMap('next', manyKeys(5000)))).status).toBe(201);
  });
});

describe('a small body of many objects', () => {
  const pods = '/api/v1/namespaces/default/pods';
  const containers = Array.from({ length: 5000 }, () => ({}));
  const pod = (spec: object) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'many' }, spec });
  type Send = (to: WriteFixture) => ReturnType<WriteFixture['create']>;

  test.each<[name: string, send: Send, code: number]>([
    ['a create', (to) => to.create(pods, pod({ containers })), 422],
    ['an update', (to) => to.put(`${pods}/one`, { ...pod({ containers }), metadata: { name: 'one' } }), 422],
    ['a merge patch', (to) => to.patch('merge', `${pods}/one`, { spec: { containers } }), 422],
  ])('gets the same response with worker threads and without: %s', async (_name, send, code) => {
    const fixtures = await Promise.all([WriteFixture.open(), WriteFixture.open({ workerThreshold: Number.POSITIVE_INFINITY })]);
    try {
      const responses = [];
      for (const fixture of fixtures) {
        await fixture.create(pods, { ...pod({ containers: [{ name: 'c', image: 'i' }] }), metadata: { name: 'one' } });
        const { status, json } = await send(fixture);
        responses.push({ status, json });
      }
      expect(responses[0].status).toBe(code);
      expect(responses[0]).toEqual(responses[1]);
    } finally {
      await Promise.all(fixtures.map((fixture) => fixture.close()));
    }
  });
});

describe('worker threads that run every write', () => {
  let fixture: WriteFixture;

  beforeAll(async () => {
    fixture = await WriteFixture.open({ workerThreshold: 0 });
  });
  afterAll(() => fixture.close());

  test('respond to reviews with the server’s authorizer and issue tokens with its key', async () => {
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } };
    await fixture.create('/api/v1/namespaces/default/serviceaccounts', account);
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
    const issued = await fixture.create('/api/v1/namespaces/default/serviceaccounts/robot/token', request);
    expect(issued.status).toBe(201);
    const review = (token: string) => ({
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenReview',
      spec: { token },
    });
    const reviews = '/apis/authentication.k8s.io/v1/tokenreviews';
    const known = await fixture.create(reviews, review(issued.json.status.token));
    expect(known.json.status).toMatchObject({
      authenticated: true,
      user: { username: 'system:serviceaccount:default:robot' },
    });
    const forged = await fixture.create(reviews, review(`${issued.json.status.token}x`));
    expect(forged.json.status.authenticated).not.toBe(true);
    const access = { resourceAttributes: { verb: 'get', resource: 'pods' } };
    const asked = await fixture.create('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: access,
    });
    expect(asked.json.status).toMatchObject({ allowed: true });
  });

  test('never allocate an address or a port twice', async () => {
    const path = '/api/v1/namespaces/default/services';
    const made = await Promise.all(Array.from({ length: 12 }, (_, index) => fixture.create(path, service(`s${index}`))));
    expect(made.map(({ status }) => status)).toEqual(made.map(() => 201));
    expect(new Set(made.map(({ json }) => json.spec.clusterIP)).size).toBe(made.length);
    expect(new Set(made.map(({ json }) => json.spec.ports[0].nodePort)).size).toBe(made.length);
  });

  test('serve custom resources by the current definition', async () => {
    const definitions = await DefinitionFixture.open('memory', { workerThreshold: 0 });
    try {
      const sized = version('v1', { schema: schema({ size: { type: 'integer', default: 1 } }) });
      const { metadata, spec } = await definitions.define({ versions: [sized] });
      const path = `/apis/${spec.group}/v1/namespaces/default/foos`;
      const foo = (name: string, given: object) => ({
        apiVersion: `${spec.group}/v1`,
        kind: 'Foo',
        metadata: { name },
        spec: given,
      });
      expect((await definitions.ok('POST', path, foo('first', {}))).spec).toEqual({ size: 1 });
      const changed = version('v1', {
        schema: schema({ size: { type: 'integer', default: 2 }, color: { type: 'string' } }),
      });
      await definitions.ok('PATCH', `${crds}/${metadata.name}`, { spec: { versions: [changed] } }, patchTypes.merge);
      const second = await definitions.ok('POST', path, foo('second', { color: 'red' }));
      expect(second.spec).toEqual({ size: 2, color: 'red' });
      const rejected = await definitions.send('POST', path, foo('third', { size: 'large' }));
      expect([rejected.status, rejected.json.details.causes[0].field]).toEqual([422, 'spec.size']);
    } finally {
      await definitions.close();
    }
  });
});
