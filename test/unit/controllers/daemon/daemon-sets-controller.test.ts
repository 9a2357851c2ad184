import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { DaemonSetsController } from '../../../../runtime/controllers/daemon/daemon-sets-controller.ts';
import { SimulatedCluster } from '../../../support/simulation.ts';
import type { TestObject, TestValue } from '../../../support/test-object.ts';

const daemonSetOf = (spec: TestValue, podSpec: object): TestValue => ({
  metadata: { name: 'agent', annotations: { note: 'kept' } },
  spec: {
    selector: { matchLabels: { app: 'agent' } },
    template: {
      metadata: { labels: { app: 'agent' } },
      spec: { containers: [{ name: 'c', image: 'v1' }], ...podSpec },
    },
    ...spec,
  },
});

describe('the daemon set controller', () => {
  let cluster: SimulatedCluster;
  beforeEach(async () => {
    cluster = await SimulatedCluster.open((context) => [new DaemonSetsController(context)]);
  });
  afterEach(() => cluster.close());

  /** Waits until controllers are idle and deleted pods are gone. */
  const settle = async (): Promise<void> => {
    for (;;) {
      await cluster.settle();
      const leaving = (await cluster.list('pods')).filter(({ metadata }) => metadata.deletionTimestamp);
      if (leaving.length === 0) return;
      const pods = await cluster.stores.of('pods');
      for (const { metadata } of leaving) await pods.delete(metadata.name ?? '', { gracePeriodSeconds: 0 });
    }
  };
  const pass = async (seconds: number): Promise<void> => {
    await cluster.pass(seconds);
    await settle();
  };
  const addNode = async (name: string, { labels = {}, taints = [] as TestValue[] } = {}): Promise<void> => {
    await (await cluster.stores.of('nodes')).create({ metadata: { name, labels }, spec: { taints } });
    await settle();
  };
  const changeNode = async (name: string, edit: (node: TestObject) => void): Promise<void> => {
    await (await cluster.stores.of('nodes')).update(name, edit);
    await settle();
  };
  const addNodes = async (count: number): Promise<void> => {
    for (let index = 0; index < count; index++) await addNode(`n${index}`);
  };
  const create = async (spec: object = {}, podSpec: object = {}): Promise<void> => {
    await (await cluster.stores.of('apps/daemonsets')).create(daemonSetOf(spec, podSpec));
    await settle();
  };
  const change = async (edit: (spec: TestValue) => void): Promise<void> => {
    await (await cluster.stores.of('apps/daemonsets')).update('agent', ({ spec }) => edit(spec));
    await settle();
  };
  const setImage = (image: string): Promise<void> =>
    change((spec) => {
      spec.template.spec.containers[0].image = image;
    });
  const status = async () => (await cluster.list('apps/daemonsets'))[0]?.status;
  const nodeOf = ({ spec }: TestObject): string =>
    spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].values[0];
  /** Returns the images of the pods by node, except those of pods being deleted. */
  const images = async (): Promise<Record<string, string[]>> => {
    const found: Record<string, string[]> = {};
    for (const pod of await cluster.list('pods')) {
      const node = nodeOf(pod);
      found[node] = [...(found[node] ?? []), pod.spec.containers[0].image].sort();
    }
    return Object.fromEntries(Object.entries(found).sort());
  };
  /** Runs the pods of a node, or all pods. */
  const run = async (node?: string): Promise<void> => {
    for (const pod of await cluster.list('pods'))
      if (pod.status.phase === 'Pending' && (node === undefined || nodeOf(pod) === node)) await bindAndRun(pod);
    await settle();
  };
  const bindAndRun = async (pod: TestObject): Promise<void> => {
    const edit = ({ spec }: TestObject): void => {
      spec.nodeName = nodeOf(pod);
    };
    await (await cluster.stores.of('pods')).update(pod.metadata.name ?? '', edit, { part: 'all' });
    await cluster.run(pod.metadata.name ?? '');
  };
  const end = async (phase: string): Promise<void> => {
    const [pod] = await cluster.list('pods');
    const edit = ({ status }: TestObject): void => {
      status.phase = phase;
    };
    await (await cluster.stores.of('pods')).update(pod?.metadata.name ?? '', edit, { part: 'status' });
    await settle();
  };

  test('creates one pod for each node, which wants to be on it', async () => {
    await addNodes(2);
    await create();
    await addNode('n2');
    expect(await images()).toEqual({ n0: ['v1'], n1: ['v1'], n2: ['v1'] });
    expect(await status()).toEqual({
      observedGeneration: 1,
      desiredNumberScheduled: 3,
      currentNumberScheduled: 3,
      updatedNumberScheduled: 3,
      numberMisscheduled: 0,
      numberReady: 0,
      numberUnavailable: 3,
    });
    await run();
    expect(await status()).toMatchObject({ numberReady: 3, numberAvailable: 3 });
    const [pod] = await cluster.list('pods');
    const [revision] = await cluster.list('apps/controllerrevisions');
    const hash = revision?.metadata.name?.slice('agent-'.length);
    expect(pod?.metadata).toMatchObject({
      generateName: 'agent-',
      labels: { app: 'agent', 'controller-revision-hash': hash, 'pod-template-generation': '1' },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', controller: true }],
    });
    expect(revision).toMatchObject({
      metadata: { labels: { app: 'agent', 'controller-revision-hash': hash }, annotations: { note: 'kept' } },
      data: { spec: { template: { $patch: 'replace' } } },
      revision: 1,
    });
    const created = `Normal SuccessfulCreate: Created pod: ${pod?.metadata.name}`;
    expect(await cluster.events('DaemonSet')).toContain(created);
  });

  test('tolerates what daemons have to', async () => {
    await addNode('n0');
    await create({}, { hostNetwork: true });
    const [pod] = await cluster.list('pods');
    const texts = pod?.spec.tolerations.map(({ key, operator, effect }: TestValue) => `${key} ${operator} ${effect}`);
    expect(texts).toEqual([
      'node.kubernetes.io/not-ready Exists NoExecute',
      'node.kubernetes.io/unreachable Exists NoExecute',
      'node.kubernetes.io/disk-pressure Exists NoSchedule',
      'node.kubernetes.io/memory-pressure Exists NoSchedule',
      'node.kubernetes.io/pid-pressure Exists NoSchedule',
      'node.kubernetes.io/unschedulable Exists NoSchedule',
      'node.kubernetes.io/network-unavailable Exists NoSchedule',
    ]);
  });

  const taint = (effect: string) => ({ key: 'special', value: 'yes', effect });
  const affinityTo = (key: string) => ({
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'Exists' }] }],
        },
      },
    },
  });
  test.each([
    ['no conditions', true, {}, {}],
    ['another node name', false, { nodeName: 'other' }, {}],
    ['a selector that matches', true, { nodeSelector: { disk: 'ssd' } }, { labels: { disk: 'ssd' } }],
    ['a selector that does not', false, { nodeSelector: { disk: 'ssd' } }, {}],
    ['an affinity that matches', true, affinityTo('disk'), { labels: { disk: 'hdd' } }],
    ['an affinity that does not', false, affinityTo('disk'), {}],
    ['a taint NoSchedule', false, {}, { taints: [taint('NoSchedule')] }],
    ['a taint NoExecute', false, {}, { taints: [taint('NoExecute')] }],
    ['a taint PreferNoSchedule', true, {}, { taints: [taint('PreferNoSchedule')] }],
    ['a taint that is tolerated', true, { tolerations: [{ key: 'special', operator: 'Exists' }] }, { taints: [taint('NoExecute')] }],
    ['a node that is unschedulable', true, {}, { taints: [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }] }],
  ])('with %s there is a pod on the node: %s', async (_title, want, podSpec, node) => {
    await addNode('n0', node);
    await create({}, podSpec);
    expect((await cluster.list('pods')).length).toBe(want ? 1 : 0);
    expect(await status()).toMatchObject({ desiredNumberScheduled: want ? 1 : 0 });
  });

  test('keeps a pod whose node gets a taint NoSchedule, and deletes it if NoExecute', async () => {
    await addNode('n0');
    await create();
    await run();
    await changeNode('n0', ({ spec }) => {
      spec.taints = [taint('NoSchedule')];
    });
    await change((spec) => {
      spec.minReadySeconds = 1;
    });
    expect(await images()).toEqual({ n0: ['v1'] });
    expect(await status()).toMatchObject({ desiredNumberScheduled: 0, numberMisscheduled: 1 });
    await changeNode('n0', ({ spec }) => {
      spec.taints = [];
    });
    expect(await status()).toMatchObject({ desiredNumberScheduled: 1, numberMisscheduled: 0 });
    await changeNode('n0', ({ spec }) => {
      spec.taints = [taint('NoExecute')];
    });
    expect(await images()).toEqual({});
  });

  test('replaces as many pods at once as may be unavailable', async () => {
    await addNodes(4);
    await create({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 2 } } });
    await run();
    await setImage('v2');
    const updated = async () => Object.values(await images()).filter(([image]) => image === 'v2').length;
    expect(await updated()).toBe(2);
    expect(await status()).toMatchObject({ updatedNumberScheduled: 2, numberUnavailable: 2, observedGeneration: 2 });
    const [first] = Object.entries(await images()).find(([, [image]]) => image === 'v2') ?? [];
    await run(first);
    expect(await updated()).toBe(3);
    await run();
    await run();
    expect(await images()).toEqual({ n0: ['v2'], n1: ['v2'], n2: ['v2'], n3: ['v2'] });
    expect(await status()).toMatchObject({ updatedNumberScheduled: 4 });
  });

  test('replaces pods that are not available whatever the limit', async () => {
    await addNodes(3);
    await create();
    await run('n0');
    await setImage('v2');
    expect(await images()).toEqual({ n0: ['v1'], n1: ['v2'], n2: ['v2'] });
  });

  test('surges: a new pod beside the old one, which goes when the new one is available', async () => {
    await addNodes(2);
    const rollingUpdate = { maxSurge: 1, maxUnavailable: 0 };
    await create({ minReadySeconds: 5, updateStrategy: { type: 'RollingUpdate', rollingUpdate } });
    await run();
    await pass(6);
    await setImage('v2');
    const both = (await cluster.list('pods')).length;
    expect(both).toBe(3);
    await run();
    await pass(4);
    expect((await cluster.list('pods')).length).toBe(3);
    await pass(2);
    await run();
    await pass(6);
    expect(await images()).toEqual({ n0: ['v2'], n1: ['v2'] });
    expect(await status()).toMatchObject({ numberAvailable: 2, updatedNumberScheduled: 2 });
  });

  test('leaves updates to whoever deletes pods if the strategy is OnDelete', async () => {
    await addNodes(2);
    await create({ updateStrategy: { type: 'OnDelete' } });
    await run();
    await setImage('v2');
    expect(await images()).toEqual({ n0: ['v1'], n1: ['v1'] });
    const pod = (await cluster.list('pods')).find((one) => nodeOf(one) === 'n0');
    await (await cluster.stores.of('pods')).delete(pod?.metadata.name ?? '', { gracePeriodSeconds: 0 });
    await settle();
    expect(await images()).toEqual({ n0: ['v2'], n1: ['v1'] });
  });

  test('returns to an earlier revision, and forgets those above the limit', async () => {
    await addNode('n0');
    await create({ revisionHistoryLimit: 1 });
    await run();
    const numbers = async () => (await cluster.list('apps/controllerrevisions')).map(({ revision }) => revision).sort();
    const steps: [string, number[]][] = [
      ['v2', [1, 2]],
      ['v1', [2, 3]],
      ['v3', [3, 4]],
    ];
    for (const [image, want] of steps) {
      await setImage(image);
      await run();
      expect(await numbers()).toEqual(want);
    }
  });

  test('replaces a pod that failed at once, and then with growing delays', async () => {
    await addNode('n0');
    await create();
    const uid = async () => (await cluster.list('pods'))[0]?.metadata.uid;
    const first = await uid();
    await end('Failed');
    const second = await uid();
    expect(second).not.toBe(first);
    await end('Failed');
    expect(await uid()).toBe(second);
    await pass(1);
    const third = await uid();
    expect(third).not.toBe(second);
    await end('Failed');
    await pass(1);
    expect(await uid()).toBe(third);
    await pass(1);
    expect(await uid()).not.toBe(third);
    expect((await cluster.events('DaemonSet')).join()).toMatch(
      /Warning FailedDaemonPod: Found failed daemon pod default\/agent-\w+ on node n0, will try to kill it/,
    );
  });

  test('replaces a pod that succeeded', async () => {
    await addNode('n0');
    await create();
    await end('Succeeded');
    expect((await cluster.list('pods')).map(({ status }) => status.phase)).toEqual(['Pending']);
    expect((await cluster.events('DaemonSet')).join()).toContain('Normal SucceededDaemonPod: Found succeeded daemon pod');
  });

  test('deletes pods that wait for a node that is gone', async () => {
    await addNodes(2);
    await create();
    await (await cluster.stores.of('nodes')).delete('n1');
    await settle();
    expect(await images()).toEqual({ n0: ['v1'] });
    expect(await status()).toMatchObject({ desiredNumberScheduled: 1, currentNumberScheduled: 1 });
  });

  test('keeps the oldest of several pods on a node', async () => {
    await addNode('n0');
    await create();
    const [own] = await cluster.list('pods');
    await pass(2);
    const { uid: _, resourceVersion: __, ...metadata } = own?.metadata ?? {};
    await (await cluster.stores.of('pods')).create({ ...own, metadata: { ...metadata, name: 'agent-more' } });
    await settle();
    expect((await cluster.list('pods')).map(({ metadata }) => metadata.name)).toEqual([own?.metadata.name]);
  });

  test('writes nothing when there is nothing to do', async () => {
    await addNode('n0');
    await create();
    await run();
    const before = cluster.stores.stores.revision();
    await changeNode('n0', ({ metadata }) => {
      metadata.labels = { seen: 'yes' };
    });
    expect(cluster.stores.stores.revision()).toBe(before + 1);
  });
});
