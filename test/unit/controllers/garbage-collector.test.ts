import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { GarbageCollector } from '../../../runtime/controllers/garbage-collector/garbage-collector.ts';
import { gcMetadataOf } from '../../../runtime/controllers/garbage-collector/object-reference.ts';
import { silentLogger } from '../../../runtime/machinery/logger.ts';
import { openTestStores, type TestResource, type TestStores } from '../../support/resource-stores.ts';

let stores: TestStores;
let maps: TestResource;
let collector: GarbageCollector;
beforeEach(async () => {
  stores = await openTestStores();
  maps = await stores.of('configmaps');
  collector = new GarbageCollector({ stores: stores.stores, logger: silentLogger });
});
afterEach(async () => {
  await collector.close();
  await stores.close();
});

const turn = () => new Promise((resolve) => setImmediate(resolve));
const until = async (holds: () => boolean): Promise<void> => {
  for (let i = 0; i < 10_000 && !holds(); i++) await turn();
  expect(holds()).toBe(true);
};
const settle = async (): Promise<void> => {
  for (let i = 0; i < 50; i++) await turn();
};
const referenceTo = (name: string, uid: string, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name,
  uid,
  ...more,
});
const make = (name: string, ...owners: object[]) =>
  maps.create({ metadata: { name, ...(owners.length === 0 ? {} : { ownerReferences: owners as never }) } });

describe('the garbage collector', () => {
  test('does nothing before all collections are synced, then collects what an earlier run left', async () => {
    const owner = await make('owner');
    const uid = owner.metadata.uid as string;
    await make('dependent', referenceTo('owner', uid));
    await make('kept', referenceTo('owner', uid), referenceTo('kept-owner', 'u-other'));
    const other = await make('other');
    await make('of-other', referenceTo('other', other.metadata.uid as string));
    await maps.delete('owner');
    await settle();
    expect(maps.get('dependent')).toBeDefined();
    await collector.start();
    await until(() => maps.get('dependent') === undefined && maps.get('kept') === undefined);
    expect(maps.get('of-other')).toBeDefined();
  });

  test('tracks only objects with owners or dependents', async () => {
    for (let i = 0; i < 300; i++) await make(`plain-${i}`);
    const owner = await make('owner');
    const reference = referenceTo('owner', owner.metadata.uid as string);
    for (let i = 0; i < 3; i++) await make(`dependent-${i}`, reference);
    await collector.start();
    expect(collector.size).toBe(3);
    await make('later', reference);
    expect(collector.size).toBe(4);
    await maps.update('later', (object) => delete object.metadata.ownerReferences);
    await maps.delete('dependent-0');
    expect(collector.size).toBe(2);
  });

  test('continues deletions in the foreground and orphaning of an earlier run', async () => {
    const foreground = await make('foreground');
    await make('goes', referenceTo('foreground', foreground.metadata.uid as string, { blockOwnerDeletion: true }));
    const orphan = await make('orphan');
    await make('stays', referenceTo('orphan', orphan.metadata.uid as string));
    await maps.delete('foreground', { propagationPolicy: 'Foreground' });
    await maps.delete('orphan', { propagationPolicy: 'Orphan' });
    await collector.start();
    await until(() => maps.get('foreground') === undefined && maps.get('orphan') === undefined);
    expect(maps.get('goes')).toBeUndefined();
    expect(maps.get('stays')?.metadata.ownerReferences).toBeUndefined();
  });

  test('reports an owner in another namespace once', async () => {
    await (await stores.of('namespaces')).create({ metadata: { name: 'far' } });
    const owner = await maps.create({ metadata: { name: 'owner', namespace: 'far' } });
    const events = await stores.of('events');
    await collector.start();
    const wide = await stores.of('rbac.authorization.k8s.io/clusterroles');
    await wide.create({
      metadata: { name: 'w', ownerReferences: [referenceTo('owner', owner.metadata.uid as string)] },
    });
    const reported = () => [...events.store.collection.latest().scan({ namespace: 'default' })].map((one) => one.decode());
    await until(() => reported().length > 0);
    await wide.update('w', (object) => {
      object.metadata.labels = { a: 'b' };
    });
    await settle();
    expect(reported()).toMatchObject([
      {
        reason: 'OwnerRefInvalidNamespace',
        involvedObject: { kind: 'ClusterRole', apiVersion: 'rbac.authorization.k8s.io/v1', name: 'w' },
      },
    ]);
    expect(wide.get('w')).toBeDefined();
  });

  test('never deletes dependents of unknown kinds', async () => {
    await collector.start();
    await make('strange', { apiVersion: 'x.io/v1', kind: 'Strange', name: 's', uid: 'u' });
    for (let i = 0; i < 10; i++) {
      await settle();
      stores.clock.advance(60_000);
    }
    expect(maps.get('strange')).toBeDefined();
  });

  test('deletes nothing after it is closed', async () => {
    await collector.start();
    const owner = await make('owner');
    for (let i = 0; i < 100; i++) await make(`d${i}`, referenceTo('owner', owner.metadata.uid as string));
    await maps.delete('owner');
    await collector.close();
    const left = maps.store.collection.latest().count('default');
    await settle();
    expect(maps.store.collection.latest().count('default')).toBe(left);
  });
});

describe('ownership', () => {
  test.each([
    ['nothing', { metadata: { name: 'm' } }, [], false],
    [
      'text that looks like owners',
      {
        metadata: { name: 'm', annotations: { a: '"ownerReferences":[{"uid":"u"}]' } },
        data: { b: '"deletionTimestamp":"' },
      },
      [],
      false,
    ],
    ['an owner', { metadata: { name: 'm', ownerReferences: [referenceTo('o', 'u')] } }, ['u'], false],
  ])('of %s', async (_what, object, owners, deleting) => {
    await maps.create(object);
    const stored = maps.store.get('default', 'm');
    const metadata = gcMetadataOf(stored);
    expect(metadata.owners.map(({ uid }) => uid)).toEqual(owners);
    expect(metadata.beingDeleted).toBe(deleting);
    expect(stored.metadata()).toEqual(stored.decode().metadata);
  });

  test('of an object being deleted', async () => {
    await maps.create({ metadata: { name: 'm', finalizers: ['x.io/hold'] } });
    await maps.delete('m', { propagationPolicy: 'Foreground' });
    expect(gcMetadataOf(maps.store.get('default', 'm'))).toMatchObject({
      beingDeleted: true,
      deletingDependents: true,
      orphaningDependents: false,
      finalizers: ['x.io/hold', 'foregroundDeletion'],
    });
  });
});
