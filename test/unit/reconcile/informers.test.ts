import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createLogger } from '../../../runtime/machinery/logger.ts';
import type { KubeObject } from '../../../runtime/machinery/object.ts';
import { byController, byNode, orphansOf } from '../../../runtime/reconcile/informers/index-by.ts';
import { SharedInformers } from '../../../runtime/reconcile/informers/shared-informers.ts';
import { openTestStores, type TestStores } from '../../support/resource-stores.ts';

const pods = { group: '', version: 'v1', resource: 'pods' };
const pod = (name: string, node?: string, owner?: string) => ({
  metadata: {
    name,
    ...(owner && { ownerReferences: [{ apiVersion: 'v1', kind: 'Owner', name: owner, uid: owner, controller: true }] }),
  },
  spec: { containers: [{ name: 'c', image: 'i' }], ...(node && { nodeName: node }) },
});
const namesOf = (objects: Iterable<KubeObject>) => [...objects].map(({ metadata }) => metadata.name).sort();

describe('a shared informer', () => {
  let testStores: TestStores;
  let informers: SharedInformers;

  beforeEach(async () => {
    testStores = await openTestStores();
    informers = new SharedInformers(testStores.stores, await createLogger('silent'));
  });

  afterEach(async () => {
    informers.close();
    await testStores.close();
  });

  test('is the same one for all who ask for a resource', async () => {
    expect(await informers.of(pods)).toBe(await informers.of(pods));
  });

  test('knows a write when it resolves, and finds objects by their keys', async () => {
    const store = await testStores.of('pods');
    await store.create(pod('a', 'n1'));
    const informer = await informers.of(pods);
    const [nodes, owners] = [informer.index(byNode), informer.index(byController)];
    await store.create(pod('b', 'n1', 'u1'));
    expect(informer.get('default', 'b')?.metadata.name).toBe('b');
    expect(namesOf(informer.list())).toEqual(['a', 'b']);
    expect(namesOf(informer.list('elsewhere'))).toEqual([]);
    expect([namesOf(nodes.of('n1')), nodes.count('n1'), namesOf(nodes.of('n2'))]).toEqual([['a', 'b'], 2, []]);
    expect([namesOf(owners.of('u1')), namesOf(owners.of(orphansOf('default')))]).toEqual([['b'], ['a']]);
    await store.delete('a', { gracePeriodSeconds: 0 });
    expect([namesOf(informer.list()), namesOf(nodes.of('n1')), [...owners.keys()]]).toEqual([['b'], ['b'], ['u1']]);
  });

  test('knows all objects when it is loaded, though they change while others have their turns', async () => {
    const store = await testStores.of('configmaps');
    const names = Array.from({ length: 20 }, (_, index) => `c${10 + index}`);
    for (const name of names) await store.create({ metadata: { name } });
    let now = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now++);
    const opening = informers.of({ ...pods, resource: 'configmaps' });
    let hasOpened = false;
    opening.then(() => {
      hasOpened = true;
    });
    await setImmediate();
    await store.delete('c29');
    await store.update('c28', ({ metadata }) => {
      metadata.labels = { step: '1' };
    });
    await store.create({ metadata: { name: 'c30' } });
    expect(hasOpened).toBe(false);
    const informer = await opening;
    clock.mockRestore();
    expect(namesOf(informer.list())).toEqual([...names.slice(0, -1), 'c30']);
    expect(informer.get('default', 'c28')?.metadata.labels).toEqual({ step: '1' });
  });

  test('tells of what exists, of changes with the state before, and of deletions, until it is closed', async () => {
    const store = await testStores.of('configmaps');
    await store.create({ metadata: { name: 'a' } });
    const informer = await informers.of({ ...pods, resource: 'configmaps' });
    const told: string[] = [];
    const label = ({ metadata }: KubeObject) => `${metadata.name}=${metadata.labels?.step ?? ''}`;
    informer.addEventHandler({
      onAdd: (object) => told.push(`add ${label(object)}`),
      onUpdate: (before, after) => told.push(`update ${label(before)} ${label(after)}`),
      onDelete: (last) => told.push(`delete ${label(last)}`),
    });
    await store.update('a', ({ metadata }) => {
      metadata.labels = { step: '1' };
    });
    await store.delete('a');
    informers.close();
    await store.create({ metadata: { name: 'b' } });
    expect(told).toEqual(['add a=', 'update a= a=1', 'delete a=1']);
  });

  test('tells of many objects while others have their turns, and of what changes meanwhile once', async () => {
    const store = await testStores.of('configmaps');
    const names = Array.from({ length: 800 }, (_, index) => `c${100 + index}`);
    await Promise.all(names.map((name) => store.create({ metadata: { name } })));
    const informer = await informers.of({ ...pods, resource: 'configmaps' });
    let now = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => {
      now += 10;
      return now;
    });
    const told: string[] = [];
    const label = ({ metadata }: KubeObject) => `${metadata.name}${metadata.labels ? '!' : ''}`;
    const stops: (() => void)[] = [];
    const telling = informer.addEventHandlerInSlices(
      {
        onAdd: (object) => told.push(`+${label(object)}`),
        onUpdate: (before, after) => told.push(`${label(before)}>${label(after)}`),
        onDelete: (last) => told.push(`-${label(last)}`),
      },
      stops,
    );
    expect(told).toEqual(names.slice(0, 127).map((name) => `+${name}`));
    const step = ({ metadata }: KubeObject): void => {
      metadata.labels = { step: 'new' };
    };
    const changes = Promise.all([
      store.update('c100', step),
      store.update('c899', step),
      store.delete('c101'),
      store.delete('c898'),
      store.create({ metadata: { name: 'c900' } }),
    ]);
    await Promise.all([telling, changes]);
    clock.mockRestore();
    expect(told.filter((one) => /c(100|899|101|898|900)/.test(one)).sort()).toEqual(
      ['+c100', '+c101', '+c899!', '+c900', '-c101', 'c100>c100!'].sort(),
    );
    expect(told).toHaveLength(names.length + 2);
    for (const stop of stops) stop();
    await store.delete('c100');
    expect(told).toHaveLength(names.length + 2);
  });

  test('has no objects of a resource that is not served', async () => {
    const informer = await informers.of({ group: 'nobody.example', version: 'v1', resource: 'things' });
    expect([...informer.list()]).toEqual([]);
  });
});
