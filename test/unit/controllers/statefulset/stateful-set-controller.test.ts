import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { statefulSetController } from '../../../../runtime/controllers/statefulset/stateful-set-controller.ts';
import { SimulatedCluster } from '../../../support/simulation.ts';
import type { TestObject, TestValue } from '../../../support/test-object.ts';

const template = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'c', image: 'v1' }] },
};
const claimTemplate = {
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};
const setOf = (spec: object): TestValue => ({
  metadata: { name: 'web' },
  spec: {
    serviceName: 'db',
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    template,
    volumeClaimTemplates: [claimTemplate],
    ...spec,
  },
});

describe('the stateful set controller', () => {
  let cluster: SimulatedCluster;
  beforeEach(async () => {
    cluster = await SimulatedCluster.open((context) => [statefulSetController(context)]);
  });
  afterEach(() => cluster.close());

  const create = async (spec: object = {}): Promise<void> => {
    await (await cluster.stores.of('apps/statefulsets')).create(setOf(spec));
    await cluster.settle();
  };
  const change = async (edit: (spec: TestValue) => void): Promise<void> => {
    await (await cluster.stores.of('apps/statefulsets')).update('web', ({ spec }) => edit(spec));
    await cluster.settle();
  };
  const setImage = (image: string): Promise<void> =>
    change((spec) => {
      spec.template.spec.containers[0].image = image;
    });
  const set = async (): Promise<TestObject> => (await cluster.list('apps/statefulsets'))[0] as TestObject;
  const pods = async (): Promise<TestObject[]> => {
    const all = await cluster.list('pods');
    return all.sort((a, b) => (a.metadata.name ?? '').localeCompare(b.metadata.name ?? ''));
  };
  const podNames = async (): Promise<string[]> => (await pods()).map(({ metadata }) => metadata.name ?? '');
  const images = async (): Promise<string[]> => (await pods()).map(({ spec }) => spec.containers[0].image);
  /** Runs all pods until no more are created. */
  const runAll = async (): Promise<void> => {
    for (let round = 0; round < 12; round++) {
      const waiting = (await pods()).filter(({ status }) => status.phase === 'Pending');
      if (waiting.length === 0) return;
      for (const { metadata } of waiting) await cluster.run(metadata.name ?? '');
      await cluster.settle();
    }
  };
  const end = async (name: string, phase: string): Promise<void> => {
    const edit = ({ status }: TestObject): void => {
      status.phase = phase;
    };
    await (await cluster.stores.of('pods')).update(name, edit, { part: 'status' });
    await cluster.settle();
  };
  const deletePod = async (name: string): Promise<void> => {
    await (await cluster.stores.of('pods')).delete(name, { gracePeriodSeconds: 0 });
    await cluster.settle();
  };

  test('creates pods in the order of their ordinals, each when its predecessors are ready', async () => {
    await create();
    expect(await podNames()).toEqual(['web-0']);
    await cluster.run('web-0');
    await cluster.settle();
    expect(await podNames()).toEqual(['web-0', 'web-1']);
    await runAll();
    expect(await podNames()).toEqual(['web-0', 'web-1', 'web-2']);
    const { status } = await set();
    expect(status).toMatchObject({
      observedGeneration: 1,
      replicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      currentReplicas: 3,
      updatedReplicas: 3,
      collisionCount: 0,
    });
    expect(status.currentRevision).toBe(status.updateRevision);
    expect((await cluster.events('StatefulSet')).slice(0, 2)).toEqual([
      'Normal SuccessfulCreate: Create Claim data-web-0 Pod web-0 in StatefulSet web success',
      'Normal SuccessfulCreate: Create Pod web-0 in StatefulSet web successful',
    ]);
  });

  test('gives pods and claims their identities', async () => {
    await create({ replicas: 1, ordinals: { start: 5 } });
    const [pod] = await pods();
    const [revision] = await cluster.list('apps/controllerrevisions');
    expect(pod?.metadata).toMatchObject({
      name: 'web-5',
      labels: {
        app: 'web',
        'apps.kubernetes.io/pod-index': '5',
        'statefulset.kubernetes.io/pod-name': 'web-5',
        'controller-revision-hash': revision?.metadata.name,
      },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web', controller: true }],
    });
    expect(pod?.metadata.generateName).toBe('web-');
    expect(pod?.spec).toMatchObject({
      hostname: 'web-5',
      subdomain: 'db',
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data-web-5' } }],
    });
    const [claim] = await cluster.list('persistentvolumeclaims');
    expect(claim?.metadata).toMatchObject({ name: 'data-web-5', labels: { app: 'web' } });
    expect(revision).toMatchObject({
      metadata: { labels: { app: 'web', 'controller.kubernetes.io/hash': revision?.metadata.name?.slice(4) } },
      data: { spec: { template: { $patch: 'replace', spec: { containers: [{ image: 'v1' }] } } } },
      revision: 1,
    });
  });

  test('creates and deletes all pods at once if the policy is Parallel', async () => {
    await create({ podManagementPolicy: 'Parallel', replicas: 4 });
    expect(await podNames()).toEqual(['web-0', 'web-1', 'web-2', 'web-3']);
    await change((spec) => {
      spec.replicas = 1;
    });
    expect(await podNames()).toEqual(['web-0']);
  });

  test('scales down from the highest ordinal, one pod after the other, when the rest is ready', async () => {
    await create();
    await runAll();
    await (await cluster.stores.of('pods')).update('web-2', ({ metadata }) => {
      metadata.finalizers = ['example.com/held'];
    });
    await cluster.run('web-0', false);
    await change((spec) => {
      spec.replicas = 1;
    });
    expect(await podNames()).toEqual(['web-0', 'web-1', 'web-2']);
    await cluster.run('web-0');
    await cluster.settle();
    expect((await pods()).map(({ metadata }) => Boolean(metadata.deletionTimestamp))).toEqual([false, false, true]);
    await (await cluster.stores.of('pods')).update('web-2', ({ metadata }) => {
      metadata.finalizers = [];
    });
    await cluster.settle();
    expect(await podNames()).toEqual(['web-0']);
    expect((await cluster.events('StatefulSet')).slice(-2)).toEqual([
      'Normal SuccessfulDelete: Delete Pod web-2 in StatefulSet web successful',
      'Normal SuccessfulDelete: Delete Pod web-1 in StatefulSet web successful',
    ]);
    expect((await cluster.list('persistentvolumeclaims')).length).toBe(3);
  });

  test('updates pods from the highest ordinal down to the partition', async () => {
    await create({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } } });
    await runAll();
    const before = (await set()).status.currentRevision;
    await setImage('v2');
    expect(await images()).toEqual(['v1', 'v1', 'v2']);
    await runAll();
    expect(await images()).toEqual(['v1', 'v2', 'v2']);
    expect((await set()).status).toMatchObject({ currentRevision: before, currentReplicas: 1, updatedReplicas: 2 });
    await deletePod('web-0');
    expect(await images()).toEqual(['v1', 'v2', 'v2']);
    await runAll();
    await change((spec) => {
      spec.updateStrategy.rollingUpdate.partition = 0;
    });
    await runAll();
    expect(await images()).toEqual(['v2', 'v2', 'v2']);
    const { status } = await set();
    expect(status.currentRevision).toBe(status.updateRevision);
    expect(status).toMatchObject({ currentReplicas: 3, updatedReplicas: 3 });
  });

  test('does not go on with an update while a pod is not available', async () => {
    await create({ minReadySeconds: 10 });
    for (let ordinal = 0; ordinal < 3; ordinal++) {
      await cluster.run(`web-${ordinal}`);
      await cluster.settle();
      expect((await set()).status.availableReplicas).toBe(ordinal);
      await cluster.pass(10);
    }
    expect((await set()).status).toMatchObject({ readyReplicas: 3, availableReplicas: 3 });
    await setImage('v2');
    await cluster.run('web-2');
    await cluster.pass(9);
    expect(await images()).toEqual(['v1', 'v1', 'v2']);
    await cluster.pass(1);
    expect(await images()).toEqual(['v1', 'v2', 'v2']);
  });

  test('leaves updates to whoever deletes pods if the strategy is OnDelete', async () => {
    await create({ replicas: 2, updateStrategy: { type: 'OnDelete' } });
    await runAll();
    await setImage('v2');
    expect(await images()).toEqual(['v1', 'v1']);
    await deletePod('web-0');
    await runAll();
    expect(await images()).toEqual(['v2', 'v1']);
    expect((await set()).status).toMatchObject({ currentReplicas: 1, updatedReplicas: 1 });
  });

  test('returns to an earlier revision under its name, and forgets those above the limit', async () => {
    await create({ replicas: 1, revisionHistoryLimit: 1 });
    await runAll();
    const [first] = await cluster.list('apps/controllerrevisions');
    for (const image of ['v2', 'v1', 'v3', 'v4']) {
      await setImage(image);
      await runAll();
      const { status } = await set();
      const numbered = (await cluster.list('apps/controllerrevisions')).map(({ revision }) => revision).sort();
      if (image === 'v1') {
        expect(status.updateRevision).toBe(first?.metadata.name);
        expect(numbered).toEqual([2, 3]);
      }
      if (image === 'v4') expect(numbered).toEqual([4, 5]);
    }
  });

  test('counts collisions of names of revisions', async () => {
    const revisions = await cluster.stores.of('apps/controllerrevisions');
    await create({ replicas: 1 });
    const [own] = await cluster.list('apps/controllerrevisions');
    await (await cluster.stores.of('apps/statefulsets')).delete('web');
    await revisions.delete(own?.metadata.name ?? '');
    const { uid: _, ...owner } = own?.metadata.ownerReferences?.[0] ?? { uid: '', apiVersion: '', kind: '', name: '' };
    const ownerReferences = [{ ...owner, uid: 'another' }];
    await revisions.create({ metadata: { name: own?.metadata.name, ownerReferences }, data: { x: 1 }, revision: 1 });
    await create({ replicas: 1 });
    expect((await set()).status).toMatchObject({ collisionCount: 1 });
    expect((await set()).status.updateRevision).not.toBe(own?.metadata.name);
  });

  test.each(['Failed', 'Succeeded'])('replaces a pod that has %s', async (phase) => {
    await create({ replicas: 2 });
    await runAll();
    const before = (await pods()).map(({ metadata }) => metadata.uid);
    await end('web-1', phase);
    const after = (await pods()).map(({ metadata }) => metadata.uid);
    expect([after.length, after[0] === before[0], after[1] === before[1]]).toEqual([2, true, false]);
  });

  test('adopts pods whose name and labels are right, and releases those whose labels no longer are', async () => {
    const store = await cluster.stores.of('pods');
    for (const name of ['web-0', 'other-0']) await store.create({ ...template, metadata: { ...template.metadata, name } });
    await create({ replicas: 1, volumeClaimTemplates: [] });
    const owners = async () => (await pods()).map(({ metadata }) => [metadata.name, metadata.ownerReferences?.[0]?.name]);
    expect(await owners()).toEqual([
      ['other-0', undefined],
      ['web-0', 'web'],
    ]);
    await store.update('web-0', ({ metadata }) => {
      metadata.labels = { app: 'mine' };
    });
    await cluster.settle();
    expect(await owners()).toEqual([
      ['other-0', undefined],
      ['web-0', undefined],
    ]);
  });

  test('drops maxUnavailable while its gate is off', async () => {
    await create({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0, maxUnavailable: 2 } } });
    expect((await set()).spec.updateStrategy.rollingUpdate).toEqual({ partition: 0 });
  });

  describe('with the gate MaxUnavailableStatefulSet', () => {
    const features = { MaxUnavailableStatefulSet: true };
    beforeEach(async () => {
      await cluster.close();
      cluster = await SimulatedCluster.open((context) => [statefulSetController({ ...context, features })], {
        features,
      });
    });

    test('updates one pod at once by default', async () => {
      await create({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: {} } });
      expect((await set()).spec.updateStrategy.rollingUpdate).toEqual({ partition: 0, maxUnavailable: 1 });
      await runAll();
      await setImage('v2');
      expect(await images()).toEqual(['v1', 'v1', 'v2']);
    });

    test.each([
      [2, 'Parallel', ['v1', 'v1', 'v2', 'v2']],
      ['75%', 'Parallel', ['v1', 'v2', 'v2', 'v2']],
      ['10%', 'Parallel', ['v1', 'v1', 'v1', 'v2']],
      [2, 'OrderedReady', ['v1', 'v1', 'v2']],
    ])('updates %s pods at once with the policy %s', async (maxUnavailable, podManagementPolicy, want) => {
      const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition: 0, maxUnavailable } };
      await create({ replicas: 4, podManagementPolicy, updateStrategy });
      await runAll();
      await setImage('v2');
      expect(await images()).toEqual(want);
      await runAll();
      expect(await images()).toEqual(['v2', 'v2', 'v2', 'v2']);
    });
  });

  describe.each([
    ['Retain', 'Retain', [undefined, undefined]],
    ['Delete', 'Retain', ['StatefulSet', 'StatefulSet']],
    ['Retain', 'Delete', [undefined, 'Pod']],
    ['Delete', 'Delete', ['StatefulSet', 'Pod']],
  ])('if claims are to %s with the set and %s with the scale', (whenDeleted, whenScaled, want) => {
    test(`their owners are ${JSON.stringify(want)} when one pod is too many`, async () => {
      await create({ replicas: 2, persistentVolumeClaimRetentionPolicy: { whenDeleted, whenScaled } });
      await runAll();
      await (await cluster.stores.of('pods')).update('web-1', ({ metadata }) => {
        metadata.finalizers = ['example.com/held'];
      });
      await change((spec) => {
        spec.replicas = 1;
      });
      const claims = await cluster.list('persistentvolumeclaims');
      claims.sort((a, b) => (a.metadata.name ?? '').localeCompare(b.metadata.name ?? ''));
      expect(claims.map(({ metadata }) => metadata.ownerReferences?.[0]?.kind)).toEqual(want);
    });
  });

  test('writes nothing when there is nothing to do', async () => {
    await create({ replicas: 1 });
    await runAll();
    await cluster.settle();
    const before = cluster.stores.stores.revision();
    await (await cluster.stores.of('pods')).update('web-0', ({ metadata }) => {
      metadata.labels = { ...metadata.labels, seen: 'yes' };
    });
    await cluster.settle();
    expect(cluster.stores.stores.revision()).toBe(before + 1);
  });
});
