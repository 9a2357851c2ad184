import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { storages } from '../../support/object-fixture.ts';
import { type Body, type Collections, DeletionFixture, ownedBy, pod, replicaSet, replicationController } from './deletion-fixture.ts';

describe.each(storages)('[sig-api-machinery] Garbage collector (%s)', (storage) => {
  let fixture: DeletionFixture;
  let place: Collections;
  let namespace: string;

  beforeAll(async () => {
    fixture = await DeletionFixture.open(storage);
    ({ in: place, name: namespace } = await fixture.namespace());
  });
  afterAll(() => fixture.close());

  const controllerWithPods = async (name: string, pods: number, reference: object = {}): Promise<Body> => {
    const owner = await fixture.create(place.controllers, name, replicationController(name));
    for (let i = 0; i < pods; i++) {
      const ownerReferences = [ownedBy(owner, { controller: true, blockOwnerDeletion: true, ...reference })];
      await fixture.create(place.pods, `${name}-${i}`, pod(), { ownerReferences });
    }
    return owner;
  };
  const deploymentWithSet = async (name: string): Promise<void> => {
    const { spec } = replicaSet(name);
    const owner = await fixture.create(place.deployments, name, { spec });
    await fixture.create(place.sets, `${name}-1`, replicaSet(name), {
      ownerReferences: [ownedBy(owner, { controller: true })],
    });
  };

  test('should delete RS created by deployment when not orphaning', async () => {
    await deploymentWithSet('background');
    const response = await fixture.delete(`${place.deployments}/background`, { propagationPolicy: 'Background' });
    expect(response.json).toMatchObject({ kind: 'Status', status: 'Success' });
    await fixture.gone(`${place.sets}/background-1`);
  });

  test('should delete pods created by rc when not orphaning', async () => {
    await controllerWithPods('cascade', 5);
    expect((await fixture.delete(`${place.controllers}/cascade`, { orphanDependents: false })).status).toBe(200);
    for (let i = 0; i < 5; i++) await fixture.gone(`${place.pods}/cascade-${i}`);
  });

  test('should keep the rc around until all its pods are deleted if the deleteOptions says so', async () => {
    const owner = await fixture.create(place.controllers, 'kept', replicationController('kept'));
    const reference = ownedBy(owner, { controller: true, blockOwnerDeletion: true });
    await fixture.create(place.pods, 'kept-free', pod(), { ownerReferences: [reference] });
    await fixture.create(place.pods, 'kept-held', pod(), { ownerReferences: [reference], finalizers: ['x.io/hold'] });
    const response = await fixture.delete(`${place.controllers}/kept`, { propagationPolicy: 'Foreground' });
    expect(response.json.metadata).toMatchObject({
      finalizers: ['foregroundDeletion'],
      deletionGracePeriodSeconds: 0,
      generation: 2,
    });
    await fixture.gone(`${place.pods}/kept-free`);
    await fixture.until(`${place.pods}/kept-held`, (object) => object?.metadata.deletionTimestamp !== undefined);
    expect((await fixture.get(`${place.controllers}/kept`)).status).toBe(200);
    await fixture.patch(`${place.pods}/kept-held`, { metadata: { finalizers: null } });
    await fixture.gone(`${place.controllers}/kept`);
    expect((await fixture.get(`${place.pods}/kept-held`)).status).toBe(404);
  });

  test('should not be blocked by dependency circle', async () => {
    const made: Body[] = [];
    for (const name of ['circle-1', 'circle-2', 'circle-3']) made.push(await fixture.create(place.pods, name, pod()));
    const ring = [
      [0, 2],
      [1, 0],
      [2, 1],
    ];
    for (const [dependent, owner] of ring) {
      const ownerReferences = [ownedBy(made[owner], { controller: true, blockOwnerDeletion: true })];
      await fixture.patch(`${place.pods}/${made[dependent].metadata.name}`, { metadata: { ownerReferences } });
    }
    await fixture.delete(`${place.pods}/circle-1`, { propagationPolicy: 'Foreground' });
    for (const name of ['circle-1', 'circle-2', 'circle-3']) await fixture.gone(`${place.pods}/${name}`);
  });

  test("should not delete dependents that have both valid owner and owner that's waiting for dependents to be deleted", async () => {
    const doomed = await fixture.create(place.controllers, 'going', replicationController('going'));
    const valid = await fixture.create(place.controllers, 'staying', replicationController('staying'));
    const blocking = ownedBy(doomed, { controller: true, blockOwnerDeletion: true });
    for (let i = 0; i < 4; i++) {
      const ownerReferences = i % 2 === 0 ? [blocking, ownedBy(valid)] : [blocking];
      await fixture.create(place.pods, `shared-${i}`, pod(), { ownerReferences });
    }
    await fixture.delete(`${place.controllers}/going`, { propagationPolicy: 'Foreground' });
    await fixture.gone(`${place.controllers}/going`);
    for (const i of [1, 3]) expect((await fixture.get(`${place.pods}/shared-${i}`)).status).toBe(404);
    for (const i of [0, 2]) {
      const { metadata } = (await fixture.get(`${place.pods}/shared-${i}`)).json;
      expect(metadata.deletionTimestamp).toBeUndefined();
      expect(metadata.ownerReferences).toEqual([ownedBy(valid)]);
    }
  });

  test('should orphan RS created by deployment when deleteOptions.PropagationPolicy is Orphan', async () => {
    await deploymentWithSet('orphaning');
    const response = await fixture.delete(`${place.deployments}/orphaning`, { propagationPolicy: 'Orphan' });
    expect(response.json.metadata.finalizers).toEqual(['orphan']);
    await fixture.gone(`${place.deployments}/orphaning`);
    await fixture.collected(place.maps);
    const { status, json } = await fixture.get(`${place.sets}/orphaning-1`);
    expect(status).toBe(200);
    expect(json.metadata.ownerReferences).toBeUndefined();
  });

  test('should orphan pods created by rc if delete options say so', async () => {
    await controllerWithPods('left', 30);
    await fixture.delete(`${place.controllers}/left`, { propagationPolicy: 'Orphan' });
    await fixture.gone(`${place.controllers}/left`);
    await fixture.collected(place.maps);
    const { items } = (await fixture.get(`${place.pods}`)).json;
    const left = items.filter(({ metadata }: Body) => metadata.name.startsWith('left-'));
    expect(left).toHaveLength(30);
    for (const { metadata } of left) expect(metadata.ownerReferences).toBeUndefined();
  });

  test.each([
    ['replication controllers and jobs', 'orphan', ['controllers', 'jobs']],
    ['all others', undefined, ['sets', 'maps']],
  ] as const)('should orphan pods created by rc if deleteOptions.OrphanDependents is nil: %s', async (_what, finalizer, kinds) => {
    const bodies = {
      controllers: replicationController('silent'),
      jobs: { spec: { template: { spec: { restartPolicy: 'Never', ...pod().spec } } } },
      sets: replicaSet('silent'),
      maps: {},
    };
    for (const kind of kinds) {
      await fixture.create(place[kind], 'silent', bodies[kind], { finalizers: ['x.io/hold'] });
      const { metadata } = (await fixture.delete(`${place[kind]}/silent`)).json;
      expect(metadata.finalizers).toEqual(finalizer ? ['x.io/hold', finalizer] : ['x.io/hold']);
      await fixture.patch(`${place[kind]}/silent`, { metadata: { finalizers: null } });
      await fixture.gone(`${place[kind]}/silent`);
    }
  });

  test.each([
    ['that never existed', { name: 'never', uid: 'b2c0aa5c-0000-4000-8000-000000000000' }],
    ['that has another uid', { name: 'namesake', uid: 'b2c0aa5c-0000-4000-8000-000000000001' }],
  ])('a dependent of an owner %s is deleted', async (_what, owner) => {
    if (owner.name === 'namesake') await fixture.create(place.maps, 'namesake');
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', ...owner }];
    await fixture.create(place.pods, `of-${owner.name}`, pod(), { ownerReferences });
    await fixture.gone(`${place.pods}/of-${owner.name}`);
  });

  test('a dependent of an owner of an unknown kind stays', async () => {
    const ownerReferences = [{ apiVersion: 'none.example.com/v1', kind: 'Nothing', name: 'x', uid: 'u-nothing' }];
    await fixture.create(place.maps, 'of-unknown', {}, { ownerReferences });
    await fixture.collected(place.maps);
    expect((await fixture.get(`${place.maps}/of-unknown`)).status).toBe(200);
  });

  test('events stay, whatever their owners', async () => {
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'never', uid: 'u-never' }];
    await fixture.create(place.events, 'owned', { involvedObject: { namespace } }, { ownerReferences });
    await fixture.collected(place.maps);
    expect((await fixture.get(`${place.events}/owned`)).status).toBe(200);
  });

  test('an owner in another namespace counts as absent: an event reports it, and the dependent is deleted', async () => {
    const other = await fixture.namespace();
    const owner = await fixture.create(other.in.maps, 'far');
    const made = await fixture.create(place.maps, 'misled', {}, { ownerReferences: [ownedBy(owner)] });
    await fixture.gone(`${place.maps}/misled`);
    const fieldSelector = 'involvedObject.name=misled';
    const watch = await fixture.fixture.watch(place.events, { fieldSelector });
    const event = (await watch.next())?.object;
    watch.close();
    expect(event).toMatchObject({
      type: 'Warning',
      reason: 'OwnerRefInvalidNamespace',
      message: `ownerRef [v1/ConfigMap, namespace: ${namespace}, name: far, uid: ${owner.metadata.uid}] does not exist in namespace "${namespace}"`,
      involvedObject: { apiVersion: 'v1', kind: 'ConfigMap', name: 'misled', namespace, uid: made.metadata.uid },
      source: { component: 'garbage-collector-controller' },
    });
    expect((await fixture.get(`${other.in.maps}/far`)).status).toBe(200);
  });

  test('a cluster-scoped object stays if its owner is in a namespace', async () => {
    const owner = await fixture.create(place.maps, 'small');
    const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
    await fixture.create(roles, `wide-${storage}`, { rules: [] }, { ownerReferences: [ownedBy(owner)] });
    await fixture.delete(`${place.maps}/small`);
    await fixture.collected(place.maps);
    expect((await fixture.get(`${roles}/wide-${storage}`)).status).toBe(200);
  });

  test('a cluster-scoped owner is deleted with dependents in all namespaces', async () => {
    const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
    const owner = await fixture.create(roles, `owner-${storage}`, { rules: [] });
    const other = await fixture.namespace();
    for (const { maps } of [place, other.in]) {
      await fixture.create(maps, 'of-cluster', {}, { ownerReferences: [ownedBy(owner)] });
    }
    await fixture.delete(`${roles}/owner-${storage}`);
    for (const { maps } of [place, other.in]) await fixture.gone(`${maps}/of-cluster`);
  });

  test('references to absent owners are removed from dependents that have another owner', async () => {
    const going = await fixture.create(place.maps, 'first-owner');
    const staying = await fixture.create(place.maps, 'second-owner');
    await fixture.create(place.maps, 'of-two', {}, { ownerReferences: [ownedBy(going), ownedBy(staying)] });
    await fixture.delete(`${place.maps}/first-owner`);
    await fixture.until(`${place.maps}/of-two`, (object) => object?.metadata.ownerReferences?.length === 1);
    const { metadata } = (await fixture.get(`${place.maps}/of-two`)).json;
    expect(metadata.ownerReferences).toEqual([ownedBy(staying)]);
    await fixture.delete(`${place.maps}/second-owner`);
    await fixture.gone(`${place.maps}/of-two`);
  });

  test('a dependent’s own finalizers apply to its dependents when its owner is deleted', async () => {
    const owner = await fixture.create(place.maps, 'grand');
    const middle = await fixture.create(place.maps, 'middle', {}, { ownerReferences: [ownedBy(owner)], finalizers: ['orphan'] });
    await fixture.create(place.maps, 'leaf', {}, { ownerReferences: [ownedBy(middle)] });
    await fixture.delete(`${place.maps}/grand`);
    await fixture.gone(`${place.maps}/middle`);
    await fixture.collected(place.maps);
    expect((await fixture.get(`${place.maps}/leaf`)).json.metadata.ownerReferences).toBeUndefined();
  });

  test('foreground: a dependent that does not block is deleted, and its owner does not wait for it', async () => {
    await controllerWithPods('hasty', 1, { blockOwnerDeletion: false });
    await fixture.patch(`${place.pods}/hasty-0`, { metadata: { finalizers: ['x.io/hold'] } });
    await fixture.delete(`${place.controllers}/hasty`, { propagationPolicy: 'Foreground' });
    await fixture.gone(`${place.controllers}/hasty`);
    await fixture.until(`${place.pods}/hasty-0`, (object) => object?.metadata.deletionTimestamp !== undefined);
  });

  test('foreground: an owner is deleted once its dependent no longer blocks it', async () => {
    const owner = await controllerWithPods('patient', 1);
    await fixture.patch(`${place.pods}/patient-0`, { metadata: { finalizers: ['x.io/hold'] } });
    await fixture.delete(`${place.controllers}/patient`, { propagationPolicy: 'Foreground' });
    await fixture.until(`${place.pods}/patient-0`, (object) => object?.metadata.deletionTimestamp !== undefined);
    expect((await fixture.get(`${place.controllers}/patient`)).status).toBe(200);
    await fixture.patch(`${place.pods}/patient-0`, { metadata: { ownerReferences: [ownedBy(owner)] } });
    await fixture.gone(`${place.controllers}/patient`);
  });

  test('hundreds of dependents are deleted with their owner', async () => {
    const owner = await fixture.create(place.maps, 'many');
    const names = Array.from({ length: 300 }, (_, i) => `many-${i}`);
    const metadata = { labels: { of: 'many' }, ownerReferences: [ownedBy(owner)] };
    await Promise.all(names.map((name) => fixture.create(place.maps, name, {}, metadata)));
    const watch = await fixture.fixture.watch(place.maps, { labelSelector: 'of=many' });
    await fixture.delete(`${place.maps}/many`);
    const events = await watch.take(2 * names.length);
    watch.close();
    expect(events.filter(({ type }) => type === 'DELETED')).toHaveLength(names.length);
  });
});
