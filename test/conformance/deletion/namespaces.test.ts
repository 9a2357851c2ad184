import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startServer } from '../../../runtime/index.ts';
import { HttpClient } from '../../support/http-client.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { storages } from '../../support/object-fixture.ts';
import { type Body, collectionsIn, DeletionFixture, pod } from './deletion-fixture.ts';

const namespaces = '/api/v1/namespaces';
const service = { spec: { ports: [{ port: 80 }] } };

describe.each(storages)('namespaces (%s)', (storage) => {
  let fixture: DeletionFixture;

  beforeAll(async () => {
    fixture = await DeletionFixture.open(storage);
  });
  afterAll(() => fixture.close());

  const put = (path: string, object: object) => fixture.fixture.client.send('PUT', path, JSON.stringify(object), 'application/json');

  describe('[sig-api-machinery] Namespaces', () => {
    test('should apply a finalizer to a Namespace', async () => {
      const { name } = await fixture.namespace();
      const path = `${namespaces}/${name}`;
      const { json } = await fixture.get(path);
      json.spec.finalizers.push('e2e.example.com/fakeFinalizer');
      const added = await put(`${path}/finalize`, json);
      expect(added.json.spec.finalizers).toEqual(['kubernetes', 'e2e.example.com/fakeFinalizer']);
      const taken = { ...added.json, spec: { finalizers: ['kubernetes'] } };
      expect((await put(`${path}/finalize`, taken)).json.spec.finalizers).toEqual(['kubernetes']);
    });

    test('should apply an update to a Namespace', async () => {
      const { name } = await fixture.namespace();
      const { json } = await fixture.get(`${namespaces}/${name}`);
      json.metadata.labels[name] = 'updated';
      const updated = await put(`${namespaces}/${name}`, json);
      expect(updated.status).toBe(200);
      expect(updated.json.metadata.labels).toEqual({ 'kubernetes.io/metadata.name': name, [name]: 'updated' });
    });

    test('should apply changes to a namespace status', async () => {
      const { name } = await fixture.namespace();
      const path = `${namespaces}/${name}/status`;
      const condition = { type: 'StatusPatch', status: 'True', reason: 'E2E', message: 'Patched by an e2e test' };
      const patched = await fixture.patch(path, {
        metadata: { annotations: { 'e2e-patched-ns-status': name } },
        status: { conditions: [condition] },
      });
      expect(patched.json.metadata.annotations).toEqual({ 'e2e-patched-ns-status': name });
      expect(patched.json.status.conditions).toMatchObject([condition]);
      const second = { type: 'StatusUpdate', status: 'True', reason: 'E2E', message: 'Updated by an e2e test' };
      patched.json.status.conditions.push(second);
      expect((await put(path, patched.json)).json.status.conditions).toMatchObject([condition, second]);
      expect((await fixture.get(path)).json.status.phase).toBe('Active');
    });

    test('should ensure that all pods are removed when a namespace is deleted', async () => {
      const { name, in: place } = await fixture.namespace();
      await fixture.create(place.pods, 'running', pod({ nodeName: 'node-1' }));
      await fixture.delete(`${namespaces}/${name}`);
      await fixture.until(`${place.pods}/running`, (object) => object?.metadata.deletionGracePeriodSeconds === 30);
      expect((await fixture.get(`${namespaces}/${name}`)).json.status.phase).toBe('Terminating');
      // the node reports this after the containers have ended
      await fixture.delete(`${place.pods}/running`, { gracePeriodSeconds: 0 });
      await fixture.gone(`${namespaces}/${name}`);
      await fixture.create(namespaces, name);
      expect((await fixture.get(place.pods)).json.items).toEqual([]);
    });

    test('should ensure that all services are removed when a namespace is deleted', async () => {
      const { name, in: place } = await fixture.namespace();
      await fixture.create(place.services, 'web', service);
      await fixture.delete(`${namespaces}/${name}`);
      await fixture.gone(`${namespaces}/${name}`);
      await fixture.create(namespaces, name);
      expect((await fixture.get(place.services)).json.items).toEqual([]);
    });

    test('should patch a Namespace', async () => {
      const { name } = await fixture.namespace();
      const patched = await fixture.patch(`${namespaces}/${name}`, {
        metadata: { labels: { testLabel: 'testValue' } },
      });
      expect(patched.json.metadata.labels.testLabel).toBe('testValue');
    });
  });

  test('[sig-api-machinery] OrderedNamespaceDeletion namespace deletion should delete pod first', async () => {
    const { name, in: place } = await fixture.namespace();
    await fixture.create(place.pods, 'held', pod(), { finalizers: ['e2e.example.com/finalizer'] });
    await fixture.create(place.maps, 'config');
    await fixture.delete(`${namespaces}/${name}`);
    await fixture.until(`${namespaces}/${name}`, (object) =>
      object?.status.conditions?.some(({ type, status }: Body) => type === 'NamespaceContentRemaining' && status === 'True'),
    );
    expect((await fixture.get(`${place.pods}/held`)).json.metadata.deletionTimestamp).toBeDefined();
    expect((await fixture.get(`${place.maps}/config`)).json.metadata.deletionTimestamp).toBeUndefined();
    await fixture.patch(`${place.pods}/held`, { metadata: { finalizers: null } });
    await fixture.gone(`${namespaces}/${name}`);
    expect((await fixture.get(`${place.maps}/config`)).status).toBe(404);
  });

  test('an empty namespace is deleted at once', async () => {
    const still = await DeletionFixture.open(storage, { clock: new ManualClock() });
    try {
      const { name } = await still.namespace();
      await still.delete(`${namespaces}/${name}`);
      await still.gone(`${namespaces}/${name}`);
    } finally {
      await still.close();
    }
  });

  test('a deleted namespace is Terminating, then gets conditions, then is deleted', async () => {
    const { name } = await fixture.namespace();
    const watch = await fixture.fixture.watch(namespaces, { fieldSelector: `metadata.name=${name}` });
    const response = await fixture.delete(`${namespaces}/${name}`);
    expect(response.status).toBe(200);
    expect(response.json).toMatchObject({ kind: 'Namespace', status: { phase: 'Terminating' } });
    expect(response.json.metadata.deletionTimestamp).toBeDefined();
    expect(response.json.metadata.deletionGracePeriodSeconds).toBeUndefined();
    const events = await watch.take(4);
    watch.close();
    expect(events.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'MODIFIED', 'DELETED']);
    expect(events[2].object.status.conditions.map(({ type, status, reason, message }: Body) => [type, status, reason, message])).toEqual([
      ['NamespaceDeletionDiscoveryFailure', 'False', 'ResourcesDiscovered', 'All resources successfully discovered'],
      ['NamespaceDeletionGroupVersionParsingFailure', 'False', 'ParsedGroupVersions', 'All legacy kube types successfully parsed'],
      ['NamespaceDeletionContentFailure', 'False', 'ContentDeleted', 'All content successfully deleted, may be waiting on finalization'],
      ['NamespaceContentRemaining', 'False', 'ContentRemoved', 'All content successfully removed'],
      ['NamespaceFinalizersRemaining', 'False', 'ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
    ]);
  });

  test('conditions list the remaining content by resource and by finalizer', async () => {
    const { name, in: place } = await fixture.namespace();
    await fixture.create(place.maps, 'a', {}, { finalizers: ['x.io/one', 'x.io/two'] });
    await fixture.create(
      place.deployments,
      'b',
      {
        spec: {
          selector: { matchLabels: { a: 'b' } },
          template: { metadata: { labels: { a: 'b' } }, ...pod() },
        },
      },
      { finalizers: ['x.io/one'] },
    );
    await fixture.delete(`${namespaces}/${name}`);
    await fixture.until(`${namespaces}/${name}`, (object) => object?.status.conditions !== undefined);
    const { conditions } = (await fixture.get(`${namespaces}/${name}`)).json.status;
    const message = (type: string) => conditions.find((one: Body) => one.type === type)?.message;
    expect(message('NamespaceContentRemaining')).toBe(
      'Some resources are remaining: configmaps. has 1 resource instances, deployments.apps has 1 resource instances',
    );
    expect(message('NamespaceFinalizersRemaining')).toBe(
      'Some content in the namespace has finalizers remaining: x.io/one in 2 resource instances, x.io/two in 1 resource instances',
    );
    await fixture.patch(`${place.deployments}/b`, { metadata: { finalizers: null } });
    await fixture.patch(`${place.maps}/a`, { metadata: { finalizers: null } });
    await fixture.gone(`${namespaces}/${name}`);
  });

  test('custom spec.finalizers retain a namespace until /finalize removes them', async () => {
    const { name } = await fixture.namespace();
    const path = `${namespaces}/${name}`;
    const { json } = await fixture.get(path);
    await put(`${path}/finalize`, { ...json, spec: { finalizers: ['kubernetes', 'x.io/mine'] } });
    await fixture.delete(path);
    await fixture.until(path, (object) => object?.spec.finalizers.join() === 'x.io/mine');
    const again = await fixture.delete(path);
    expect(again.json).toMatchObject({ kind: 'Namespace', status: { phase: 'Terminating' } });
    const { json: held } = await fixture.get(path);
    await put(`${path}/finalize`, { ...held, spec: {} });
    await fixture.gone(path);
  });

  test('creating in an absent namespace is 404, in a terminating one 403 with its cause', async () => {
    const absent = await fixture.fixture.client.send('POST', collectionsIn('absent').maps, '{"metadata":{"name":"a"}}', 'application/json');
    expect(absent.json).toMatchObject({ code: 404, message: 'namespaces "absent" not found' });
    const { name, in: place } = await fixture.namespace();
    await fixture.create(place.maps, 'held', {}, { finalizers: ['x.io/hold'] });
    await fixture.delete(`${namespaces}/${name}`);
    const late = await fixture.fixture.client.send('POST', place.maps, '{"metadata":{"name":"late"}}', 'application/json');
    expect(late.json).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message: `configmaps "late" is forbidden: unable to create new content in namespace ${name} because it is being terminated`,
      details: {
        name: 'late',
        kind: 'configmaps',
        causes: [
          {
            reason: 'NamespaceTerminating',
            message: `namespace ${name} is being terminated`,
            field: 'metadata.namespace',
          },
        ],
      },
    });
    await fixture.patch(`${place.maps}/held`, { metadata: { finalizers: null } });
    await fixture.gone(`${namespaces}/${name}`);
  });

  test('objects created during its deletion are deleted, too', async () => {
    for (let round = 0; round < 5; round++) {
      const { name, in: place } = await fixture.namespace();
      const create = (i: number) => fixture.fixture.client.send('POST', place.maps, `{"metadata":{"name":"m${i}"}}`, 'application/json');
      const before = Array.from({ length: 10 }, (_, i) => create(i));
      const deleted = fixture.delete(`${namespaces}/${name}`);
      const responses = await Promise.all([...before, ...Array.from({ length: 20 }, (_, i) => create(10 + i))]);
      for (const { status } of responses) expect([201, 403, 404]).toContain(status);
      await deleted;
      await fixture.gone(`${namespaces}/${name}`);
      expect((await fixture.get(place.maps)).json.items).toEqual([]);
    }
  });

  test('preconditions of its deletion fail with messages for namespaces', async () => {
    const { name } = await fixture.namespace();
    const { uid } = (await fixture.get(`${namespaces}/${name}`)).json.metadata;
    const rejected = await fixture.delete(`${namespaces}/${name}`, { preconditions: { uid: 'other' } });
    expect(rejected.json).toMatchObject({
      code: 409,
      message: `Operation cannot be fulfilled on namespaces "${name}": Precondition failed: UID in precondition: other, UID in object meta: ${uid}`,
    });
  });

  test.each(['default', 'kube-node-lease', 'kube-public', 'kube-system'])('%s exists', async (name) => {
    expect((await fixture.get(`${namespaces}/${name}`)).json.status).toEqual({ phase: 'Active' });
  });
});

test('namespaces that are terminating when a server stops are deleted by the next one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'deletion-'));
  const options = { storage: 'lmdb', dataDir: folder, unsafeNoFsync: true } as const;
  const first = await startServer({
    ...options,
    controllers: ['-namespace-controller', '-garbage-collector-controller'],
  });
  const client = HttpClient.for(first);
  const create = (path: string, body: object) => client.send('POST', path, JSON.stringify(body), 'application/json');
  await create(namespaces, { metadata: { name: 'x' } });
  await create('/api/v1/namespaces/x/configmaps', { metadata: { name: 'a' } });
  const owner = await create('/api/v1/namespaces/default/secrets', { metadata: { name: 'owner' } });
  const ownerReferences = [{ apiVersion: 'v1', kind: 'Secret', name: 'owner', uid: owner.json.metadata.uid }];
  await create('/apis/coordination.k8s.io/v1/namespaces/default/leases', {
    metadata: { name: 'of-owner', ownerReferences },
  });
  await client.send('DELETE', `${namespaces}/x`);
  await client.send('DELETE', '/api/v1/namespaces/default/secrets/owner');
  expect((await client.get(`${namespaces}/x`)).json.status.phase).toBe('Terminating');
  client.close();
  await first.close();
  const second = await startServer(options);
  const again = HttpClient.for(second);
  const status = async (path: string): Promise<number> => (await again.get(path)).status;
  for (let i = 0; i < 500 && (await status(`${namespaces}/x`)) !== 404; i++);
  expect(await status(`${namespaces}/x`)).toBe(404);
  const lease = '/apis/coordination.k8s.io/v1/namespaces/default/leases/of-owner';
  for (let i = 0; i < 500 && (await status(lease)) !== 404; i++);
  expect(await status(lease)).toBe(404);
  again.close();
  await second.close();
  await rm(folder, { recursive: true });
});
