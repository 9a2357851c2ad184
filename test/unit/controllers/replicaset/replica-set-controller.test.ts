import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { replicaSetController } from '../../../../runtime/controllers/replicaset/replica-set-controller.ts';
import { replicationManager } from '../../../../runtime/controllers/replication/replication-controller.ts';
import { SimulatedCluster } from '../../../support/simulation.ts';
import type { TestObject } from '../../../support/test-object.ts';

let cluster: SimulatedCluster;
beforeEach(async () => {
  cluster = await SimulatedCluster.open((context) => [replicaSetController(context), replicationManager(context)]);
});
afterEach(() => cluster.close());

const labels = { app: 'web' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };

// the two kinds with the same handling of replicas
const kinds = [
  { kind: 'ReplicaSet', resource: 'apps/replicasets', apiVersion: 'apps/v1', selector: { matchLabels: labels } },
  { kind: 'ReplicationController', resource: 'replicationcontrollers', apiVersion: 'v1', selector: labels },
] as const;

const pods = () => cluster.list('pods');
const names = (objects: readonly TestObject[]) => objects.map(({ metadata }) => metadata.name as string);

describe.each(kinds)('a $kind', ({ kind, resource, apiVersion, selector }) => {
  /** Creates an object, and waits until nothing changes without kubelets. */
  async function make(replicas: number, more: object = {}): Promise<TestObject> {
    const spec = { replicas, selector, template, ...more };
    const made = await (await cluster.stores.of(resource)).create({ metadata: { name: 'web' }, spec });
    await cluster.settle();
    return made;
  }
  const change = async (name: string, edit: (object: TestObject) => void) => {
    await (await cluster.stores.of(resource)).update(name, edit);
    await cluster.settle();
  };
  const status = async () => (await cluster.stores.of(resource)).get('web')?.status;
  const terminating = kind === 'ReplicaSet' ? { terminatingReplicas: 0 } : {};

  test('has its pods, which it owns, and tells how many are ready', async () => {
    const { metadata } = await make(3);
    const made = await pods();
    expect(made).toHaveLength(3);
    for (const pod of made) {
      expect(pod.metadata).toMatchObject({ generateName: 'web-', labels });
      expect(pod.metadata.ownerReferences).toEqual([
        { apiVersion, kind, name: 'web', uid: metadata.uid, controller: true, blockOwnerDeletion: true },
      ]);
    }
    const counted = { replicas: 3, fullyLabeledReplicas: 3, observedGeneration: 1, ...terminating };
    expect(await status()).toEqual(counted);
    await cluster.run(names(made)[0] as string);
    await cluster.settle();
    expect(await status()).toEqual({ ...counted, readyReplicas: 1, availableReplicas: 1 });
    expect((await cluster.events(kind)).sort()).toEqual(
      names(made)
        .map((name) => `Normal SuccessfulCreate: Created pod: ${name}`)
        .sort(),
    );
  });

  test('has as many pods as are asked for, of which those that are not ready go first', async () => {
    await make(3);
    const [first, second] = names(await pods()) as [string, string];
    await cluster.run(first);
    await cluster.run(second, false);
    await change('web', ({ spec }) => {
      spec.replicas = 5;
    });
    expect(await pods()).toHaveLength(5);
    await change('web', ({ spec }) => {
      spec.replicas = 1;
    });
    expect(names(await pods())).toEqual([first]);
    expect(await status()).toMatchObject({ replicas: 1, readyReplicas: 1, observedGeneration: 3 });
  });

  test('has at most 500 more pods before its status tells of them', async () => {
    const { store } = await cluster.stores.of(resource);
    const told: number[] = [];
    const stop = store.collection.watch({
      after: store.collection.latest().revision,
      onEvent: ({ object }) => told.push((object.decode() as TestObject).status.replicas),
    });
    await make(501);
    stop();
    expect([...new Set(told)]).toEqual([0, 500, 501]);
  });

  test('replaces pods that are deleted or have ended', async () => {
    await make(2);
    const [first, second] = names(await pods()) as [string, string];
    const store = await cluster.stores.of('pods');
    await store.delete(first, { gracePeriodSeconds: 0 });
    const fail = (pod: TestObject) => {
      pod.status.phase = 'Failed';
    };
    await store.update(second, fail, { part: 'status' });
    await cluster.settle();
    expect(await pods()).toHaveLength(3);
    expect(names(await pods())).toContain(second);
    expect(await status()).toMatchObject({ replicas: 2 });
  });

  test('adopts matching orphans, and releases pods that match no longer', async () => {
    const store = await cluster.stores.of('pods');
    await store.create({ ...template, metadata: { name: 'orphan', labels } });
    const { metadata } = await make(2);
    expect(await pods()).toHaveLength(2);
    expect(store.get('orphan')?.metadata.ownerReferences).toMatchObject([{ kind, uid: metadata.uid }]);
    await store.update('orphan', (pod) => {
      pod.metadata.labels = { app: 'other' };
    });
    await cluster.settle();
    expect(store.get('orphan')?.metadata.ownerReferences).toBeUndefined();
    expect(await pods()).toHaveLength(3);
    await store.update('orphan', (pod) => {
      pod.metadata.labels = labels;
    });
    await cluster.settle();
    // three match, one more than desired
    expect(await pods()).toHaveLength(2);
  });

  test('counts pods as available when they have been ready long enough', async () => {
    await make(2, { minReadySeconds: 10 });
    const [first, second] = names(await pods()) as [string, string];
    await cluster.run(first);
    await cluster.pass(5);
    await cluster.run(second);
    await cluster.pass(4);
    expect(await status()).toMatchObject({ readyReplicas: 2 });
    expect((await status()).availableReplicas).toBeUndefined();
    await cluster.pass(1);
    expect(await status()).toMatchObject({ availableReplicas: 1 });
    await cluster.pass(5);
    expect(await status()).toMatchObject({ availableReplicas: 2 });
  });

  test('has a condition while its pods cannot be created', async () => {
    await make(0);
    cluster.refuse = ({ definition }) => definition.kind === 'Pod' && 'no room';
    await change('web', ({ spec }) => {
      spec.replicas = 2;
    });
    const message = /^pods "web-[a-z0-9]{5}" is forbidden: no room$/;
    expect((await status()).conditions).toMatchObject([
      { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: expect.stringMatching(message) },
    ]);
    const failure = /^Warning FailedCreate: Error creating: pods "web-[a-z0-9]{5}" is forbidden: no room$/;
    expect((await cluster.events(kind)).at(0)).toMatch(failure);
    cluster.refuse = undefined;
    await cluster.pass(1);
    expect(await pods()).toHaveLength(2);
    expect((await status()).conditions).toBeUndefined();
  });

  test('leaves its pods alone while it is deleted', async () => {
    await make(1);
    await change('web', ({ metadata }) => {
      metadata.finalizers = ['example.com/keep'];
    });
    await (await cluster.stores.of(resource)).delete('web', { propagationPolicy: 'Background' });
    await (await cluster.stores.of('pods')).delete(names(await pods())[0] as string, { gracePeriodSeconds: 0 });
    await cluster.settle();
    expect(await pods()).toEqual([]);
    expect(await status()).toMatchObject({ replicas: 0 });
  });
});
