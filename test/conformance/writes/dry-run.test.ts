import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { storages } from '../../support/object-fixture.ts';
import { WriteFixture } from '../../support/write-fixture.ts';

const root = '/api/v1/namespaces/default';
const map = (name: string, rest: object = {}) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, ...rest });
const service = (name: string, spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { type: 'NodePort', ports: [{ port: 80 }], ...spec },
});

describe.each(storages)('a dry run, %s', (storage) => {
  let fixture: WriteFixture;

  beforeAll(async () => {
    fixture = await WriteFixture.open({ storage });
    await fixture.create(`${root}/configmaps`, map('here', { data: { a: '1' } }));
  });
  afterAll(() => fixture.close());

  const version = async () => (await fixture.get('/api/v1/configmaps?limit=1')).json.metadata.resourceVersion;

  test('of every verb returns what would be stored, uses no revision and sends no event', async () => {
    const before = await version();
    const at = `${root}/configmaps`;
    const made = await fixture.create(`${at}?dryRun=All`, map('new', { data: { a: '1' } }));
    expect([made.status, typeof made.json.metadata.uid, made.json.data]).toEqual([201, 'string', { a: '1' }]);
    const put = await fixture.put(`${at}/here?dryRun=All`, map('here', { data: { a: '2' } }));
    expect([put.status, put.json.data]).toEqual([200, { a: '2' }]);
    const patched = await fixture.patch('merge', `${at}/here?dryRun=All`, { data: { b: '2' } });
    expect([patched.status, patched.json.data]).toEqual([200, { a: '1', b: '2' }]);
    const applied = await fixture.patch('apply', `${at}/applied?dryRun=All&fieldManager=f`, map('applied'));
    expect([applied.status, applied.json.metadata.managedFields]).toEqual([201, undefined]);
    expect((await fixture.remove(`${at}/here?dryRun=All`)).status).toBe(200);
    expect((await fixture.remove(`${at}?dryRun=All`)).status).toBe(200);
    expect(await version()).toBe(before);
    expect((await fixture.get(`${at}/here`)).json.data).toEqual({ a: '1' });
    expect((await fixture.get(`${at}/new`)).status).toBe(404);
    const since = await fixture.get(`${at}?watch=1&resourceVersion=${before}&timeoutSeconds=1`);
    expect(since.body.toString()).toBe('');
  });

  test('is as strict as a real write', async () => {
    const at = `${root}/configmaps`;
    expect((await fixture.create(`${at}?dryRun=All`, map('here'))).json.reason).toBe('AlreadyExists');
    expect((await fixture.create(`${at}?dryRun=All`, map('Bad Name'))).json.reason).toBe('Invalid');
    expect((await fixture.put(`${at}/none?dryRun=All&fieldManager=f`, map('none'))).status).toBe(404);
    expect((await fixture.remove(`${at}/none?dryRun=All`)).status).toBe(404);
  });

  test('allocates no address and no port', async () => {
    const shown = await fixture.create(`${root}/services?dryRun=All`, service('dry'));
    // an address that nothing can have, as upstream
    expect([shown.status, shown.json.spec.clusterIP]).toEqual([201, '10.96.0.0']);
    const spec = { ports: [{ port: 80, nodePort: 30_123 }], clusterIP: '10.96.1.7' };
    expect((await fixture.create(`${root}/services?dryRun=All`, service('dry', spec))).status).toBe(201);
    const real = await fixture.create(`${root}/services`, service('real', spec));
    expect([real.status, real.json.message]).toEqual([201, undefined]);
    const taken = await fixture.create(`${root}/services?dryRun=All`, service('other', spec));
    expect([taken.status, taken.json.reason]).toEqual([422, 'Invalid']);
  });

  test.each([
    ['create', (query: string) => fixture.create(`${root}/configmaps?${query}`, map('x')), 'CreateOptions'],
    ['update', (query: string) => fixture.put(`${root}/configmaps/here?${query}`, map('here')), 'UpdateOptions'],
    ['patch', (query: string) => fixture.patch('merge', `${root}/configmaps/here?${query}`, {}), 'PatchOptions'],
    ['delete', (query: string) => fixture.remove(`${root}/configmaps/here?${query}`), 'DeleteOptions'],
  ])('accepts only the value All: %s', async (_verb, send, kind) => {
    const { json } = await send('dryRun=Some');
    expect([json.code, json.reason]).toEqual([422, 'Invalid']);
    expect(json.message).toContain(`${kind}.meta.k8s.io "" is invalid: dryRun: `);
    expect(json.message).toContain('supported values: "All"');
  });
});
