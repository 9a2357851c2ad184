import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { storages } from '../../support/object-desk.ts';
import { WriteDesk } from '../../support/write-desk.ts';

const root = '/api/v1/namespaces/default';
const map = (name: string, rest: object = {}) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, ...rest });
const service = (name: string, spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { type: 'NodePort', ports: [{ port: 80 }], ...spec },
});

describe.each(storages)('a dry run, %s', (storage) => {
  let desk: WriteDesk;

  beforeAll(async () => {
    desk = await WriteDesk.open({ storage });
    await desk.create(`${root}/configmaps`, map('here', { data: { a: '1' } }));
  });
  afterAll(() => desk.close());

  const version = async () => (await desk.get('/api/v1/configmaps?limit=1')).json.metadata.resourceVersion;

  test('of every verb gives what would be stored, takes no revision and tells no watcher', async () => {
    const before = await version();
    const at = `${root}/configmaps`;
    const made = await desk.create(`${at}?dryRun=All`, map('new', { data: { a: '1' } }));
    expect([made.status, typeof made.json.metadata.uid, made.json.data]).toEqual([201, 'string', { a: '1' }]);
    const put = await desk.put(`${at}/here?dryRun=All`, map('here', { data: { a: '2' } }));
    expect([put.status, put.json.data]).toEqual([200, { a: '2' }]);
    const patched = await desk.patch('merge', `${at}/here?dryRun=All`, { data: { b: '2' } });
    expect([patched.status, patched.json.data]).toEqual([200, { a: '1', b: '2' }]);
    const applied = await desk.patch('apply', `${at}/applied?dryRun=All&fieldManager=f`, map('applied'));
    expect([applied.status, applied.json.metadata.managedFields]).toEqual([201, undefined]);
    expect((await desk.remove(`${at}/here?dryRun=All`)).status).toBe(200);
    expect((await desk.remove(`${at}?dryRun=All`)).status).toBe(200);
    expect(await version()).toBe(before);
    expect((await desk.get(`${at}/here`)).json.data).toEqual({ a: '1' });
    expect((await desk.get(`${at}/new`)).status).toBe(404);
    const since = await desk.get(`${at}?watch=1&resourceVersion=${before}&timeoutSeconds=1`);
    expect(since.body.toString()).toBe('');
  });

  test('is as strict as a real one', async () => {
    const at = `${root}/configmaps`;
    expect((await desk.create(`${at}?dryRun=All`, map('here'))).json.reason).toBe('AlreadyExists');
    expect((await desk.create(`${at}?dryRun=All`, map('Bad Name'))).json.reason).toBe('Invalid');
    expect((await desk.put(`${at}/none?dryRun=All&fieldManager=f`, map('none'))).status).toBe(404);
    expect((await desk.remove(`${at}/none?dryRun=All`)).status).toBe(404);
  });

  test('allocates no address and no port', async () => {
    const shown = await desk.create(`${root}/services?dryRun=All`, service('dry'));
    const { clusterIP, ports } = shown.json.spec;
    expect(shown.status).toBe(201);
    const spec = { ports: [{ port: 80, nodePort: ports[0].nodePort || 30_123 }], ...(clusterIP ? { clusterIP } : {}) };
    const real = await desk.create(`${root}/services`, service('real', spec));
    expect([real.status, real.json.message]).toEqual([201, undefined]);
    const taken = await desk.create(`${root}/services?dryRun=All`, service('other', spec));
    expect([taken.status, taken.json.reason]).toEqual([422, 'Invalid']);
  });

  test.each([
    ['create', (query: string) => desk.create(`${root}/configmaps?${query}`, map('x')), 'CreateOptions'],
    ['update', (query: string) => desk.put(`${root}/configmaps/here?${query}`, map('here')), 'UpdateOptions'],
    ['patch', (query: string) => desk.patch('merge', `${root}/configmaps/here?${query}`, {}), 'PatchOptions'],
    ['delete', (query: string) => desk.remove(`${root}/configmaps/here?${query}`), 'DeleteOptions'],
  ])('takes no other value than All: %s', async (_verb, send, kind) => {
    const { json } = await send('dryRun=Some');
    expect([json.code, json.reason]).toEqual([422, 'Invalid']);
    expect(json.message).toContain(`${kind}.meta.k8s.io "" is invalid: dryRun: `);
    expect(json.message).toContain('supported values: "All"');
  });
});
