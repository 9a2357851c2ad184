import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startServer } from '../../../runtime/index.ts';
import { HttpClient } from '../../support/http-client.ts';
import { storages } from '../../support/object-fixture.ts';
import { type Collections, DeletionFixture, ownedBy } from './deletion-fixture.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

const definition = (plural: string, kind: string) => ({
  spec: {
    group: 'x.io',
    scope: 'Namespaced',
    names: { plural, singular: plural.slice(0, -1), kind, listKind: `${kind}List` },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: open } }],
  },
});

const established = (object?: { status?: { conditions?: { type: string; status: string }[] } }): boolean =>
  object?.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True') ?? false;

describe.each(storages)('[sig-api-machinery] Garbage collector (%s)', (storage) => {
  let fixture: DeletionFixture;
  let place: Collections;
  let namespace: string;
  let widgets: string;

  const serve = async (plural: string, kind: string): Promise<void> => {
    await fixture.create(definitions, `${plural}.x.io`, definition(plural, kind));
    await fixture.until(`${definitions}/${plural}.x.io`, established);
  };
  const custom = (kind: string) => ({ apiVersion: 'x.io/v1', kind });

  beforeAll(async () => {
    fixture = await DeletionFixture.open(storage);
    ({ in: place, name: namespace } = await fixture.namespace());
    widgets = `/apis/x.io/v1/namespaces/${namespace}/widgets`;
    await serve('widgets', 'Widget');
  });
  afterAll(() => fixture.close());

  test('should support cascading deletion of custom resources', async () => {
    const owner = await fixture.create(widgets, 'owner', custom('Widget'));
    await fixture.create(widgets, 'dependent', custom('Widget'), { ownerReferences: [ownedBy(owner)] });
    await fixture.create(place.maps, 'dependent', {}, { ownerReferences: [ownedBy(owner)] });
    await fixture.delete(`${widgets}/owner`, { propagationPolicy: 'Background' });
    await fixture.gone(`${widgets}/dependent`);
    await fixture.gone(`${place.maps}/dependent`);
  });

  test('should support orphan deletion of custom resources', async () => {
    const owner = await fixture.create(widgets, 'left', custom('Widget'));
    await fixture.create(widgets, 'orphan', custom('Widget'), { ownerReferences: [ownedBy(owner)] });
    await fixture.delete(`${widgets}/left`, { propagationPolicy: 'Orphan' });
    await fixture.gone(`${widgets}/left`);
    await fixture.collected(place.maps);
    const { status, json } = await fixture.get(`${widgets}/orphan`);
    expect(status).toBe(200);
    expect(json.metadata.ownerReferences).toBeUndefined();
  });

  test('should wait for custom resources in the foreground', async () => {
    const owner = await fixture.create(place.maps, 'waits');
    const ownerReferences = [ownedBy(owner, { blockOwnerDeletion: true })];
    await fixture.create(widgets, 'blocks', custom('Widget'), { ownerReferences, finalizers: ['x.io/hold'] });
    await fixture.delete(`${place.maps}/waits`, { propagationPolicy: 'Foreground' });
    await fixture.until(`${widgets}/blocks`, (object) => object?.metadata.deletionTimestamp !== undefined);
    expect((await fixture.get(`${place.maps}/waits`)).status).toBe(200);
    await fixture.patch(`${widgets}/blocks`, { metadata: { finalizers: null } });
    await fixture.gone(`${place.maps}/waits`);
  });

  test('checks references to a kind once it is served', async () => {
    const ownerReferences = [{ apiVersion: 'x.io/v1', kind: 'Gadget', name: 'never', uid: 'u-never' }];
    await fixture.create(place.maps, 'of-gadget', {}, { ownerReferences });
    await fixture.collected(place.maps);
    expect((await fixture.get(`${place.maps}/of-gadget`)).status).toBe(200);
    await serve('gadgets', 'Gadget');
    await fixture.gone(`${place.maps}/of-gadget`);
  });

  test('deleting a namespace deletes its custom resources', async () => {
    const fresh = await fixture.namespace();
    const path = `/apis/x.io/v1/namespaces/${fresh.name}/widgets`;
    await fixture.create(path, 'a', custom('Widget'));
    await fixture.create(path, 'held', custom('Widget'), { finalizers: ['x.io/hold'] });
    await fixture.delete(`/api/v1/namespaces/${fresh.name}`);
    await fixture.gone(`${path}/a`);
    await fixture.until(`/api/v1/namespaces/${fresh.name}`, (object) => object?.status.conditions !== undefined);
    const { conditions } = (await fixture.get(`/api/v1/namespaces/${fresh.name}`)).json.status;
    expect(conditions[3].message).toBe('Some resources are remaining: widgets.x.io has 1 resource instances');
    await fixture.patch(`${path}/held`, { metadata: { finalizers: null } });
    await fixture.gone(`/api/v1/namespaces/${fresh.name}`);
  });
});

describe('custom resources of an earlier run', () => {
  test('are known to the garbage collector of the next run', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'collected-'));
    const options = { storage: 'lmdb', dataDir: folder, unsafeNoFsync: true } as const;
    const first = await startServer({ ...options, controllers: [''] });
    const client = HttpClient.for(first);
    const create = (path: string, body: object) => client.send('POST', path, JSON.stringify(body), 'application/json');
    const made = await create(definitions, { metadata: { name: 'widgets.x.io' }, ...definition('widgets', 'Widget') });
    expect(made.status).toBe(201);
    const widgets = '/apis/x.io/v1/namespaces/default/widgets';
    const owner = await create('/api/v1/namespaces/default/configmaps', { metadata: { name: 'owner' } });
    const metadata = { name: 'dependent', ownerReferences: [ownedBy(owner.json)] };
    for (let i = 0; i < 200 && (await client.get(widgets)).status === 404; i++);
    const dependent = await create(widgets, { apiVersion: 'x.io/v1', kind: 'Widget', metadata });
    expect(dependent.status).toBe(201);
    client.close();
    await first.close();
    const second = await startServer(options);
    const again = HttpClient.for(second);
    await again.send('DELETE', '/api/v1/namespaces/default/configmaps/owner');
    for (let i = 0; i < 500 && (await again.get(`${widgets}/dependent`)).status === 200; i++);
    expect((await again.get(`${widgets}/dependent`)).status).toBe(404);
    expect((await again.get(widgets)).status).toBe(200);
    again.close();
    await second.close();
    await rm(folder, { recursive: true });
  });
});
