import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { NodeLifecycleController } from '../../../../runtime/controllers/nodelifecycle/node-lifecycle-controller.ts';
import { SimulatedCluster } from '../../../support/simulation.ts';

const timeOf = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z/, 'Z');

describe('the life of nodes', () => {
  let cluster: SimulatedCluster;
  /** The nodes with renewed leases. */
  let alive: Set<string>;

  beforeEach(async () => {
    cluster = await SimulatedCluster.open((context) => [new NodeLifecycleController(context)]);
    alive = new Set();
  });
  afterEach(() => cluster.close());

  const conditions = (types: Record<string, string>): object[] => {
    const lastHeartbeatTime = timeOf(cluster.clock.now());
    const times = { lastHeartbeatTime, lastTransitionTime: lastHeartbeatTime };
    return Object.entries(types).map(([type, status]) => ({ type, status, reason: 'Said', message: 'said', ...times }));
  };

  async function renewLease(name: string): Promise<void> {
    const leases = await cluster.stores.of('coordination.k8s.io/leases');
    const spec = { holderIdentity: name, renewTime: new Date(cluster.clock.now()).toISOString().replace('Z', '000Z') };
    const namespace = 'kube-node-lease';
    const key = { name, namespace };
    if ((await cluster.list('coordination.k8s.io/leases', namespace)).some(({ metadata }) => metadata.name === name)) {
      await leases.update(name, (lease) => Object.assign(lease, { spec }), { namespace });
    } else await leases.create({ metadata: key, spec });
  }

  async function createNode(name: string, given: { labels?: Record<string, string>; spec?: object; ready?: string } = {}): Promise<void> {
    const { labels, spec, ready = 'True' } = given;
    const status = { conditions: conditions({ Ready: ready, MemoryPressure: 'False' }) };
    await (await cluster.stores.of('nodes')).create({ metadata: { name, labels }, spec, status });
    alive.add(name);
    await renewLease(name);
    await cluster.settle();
  }

  async function createPod(name: string, nodeName: string): Promise<void> {
    await (await cluster.stores.of('pods')).create({
      metadata: { name },
      spec: { nodeName, containers: [{ name: 'c', image: 'i' }] },
    });
    await cluster.run(name);
    await cluster.settle();
  }

  async function pass(seconds: number): Promise<void> {
    for (let left = seconds; left > 0; left -= 5) {
      await cluster.pass(Math.min(5, left));
      for (const name of alive) await renewLease(name);
    }
    await cluster.settle();
  }

  const node = async (name: string) => {
    const found = (await cluster.list('nodes', '')).find(({ metadata }) => metadata.name === name);
    if (found === undefined) throw new Error(`there is no node ${name}`);
    return found;
  };
  const taints = async (name: string): Promise<string[]> =>
    ((await node(name)).spec?.taints ?? []).map((taint: { key: string; effect: string }) => `${taint.key}:${taint.effect}`);
  const ready = async (name: string) => (await node(name)).status.conditions.find(({ type }: { type: string }) => type === 'Ready');

  test.each([
    ['that is not ready', { Ready: 'False' }, ['node.kubernetes.io/not-ready:NoSchedule']],
    ['of which nothing is known', { Ready: 'Unknown' }, ['node.kubernetes.io/unreachable:NoSchedule']],
    [
      'under pressure',
      { Ready: 'True', MemoryPressure: 'True', DiskPressure: 'True', PIDPressure: 'True' },
      [
        'node.kubernetes.io/memory-pressure:NoSchedule',
        'node.kubernetes.io/disk-pressure:NoSchedule',
        'node.kubernetes.io/pid-pressure:NoSchedule',
      ],
    ],
    ['without a network', { Ready: 'True', NetworkUnavailable: 'True' }, ['node.kubernetes.io/network-unavailable:NoSchedule']],
    ['that is well', { Ready: 'True', MemoryPressure: 'Unknown' }, []],
  ])('a node %s has taints at once', async (_what, types, want) => {
    await createNode('a');
    await (await cluster.stores.of('nodes')).update('a', ({ status }) => Object.assign(status, { conditions: conditions(types) }), {
      part: 'status',
    });
    await cluster.settle();
    expect(await taints('a')).toEqual(want);
  });

  test('a cordoned node has a taint, and others keep theirs', async () => {
    const own = { key: 'own', effect: 'NoSchedule' };
    await createNode('a', { spec: { unschedulable: true, taints: [own] } });
    expect(await taints('a')).toEqual(['node.kubernetes.io/unschedulable:NoSchedule', 'own:NoSchedule']);
    await (await cluster.stores.of('nodes')).update('a', ({ spec }) => Object.assign(spec, { unschedulable: false }));
    await cluster.settle();
    expect(await taints('a')).toEqual(['own:NoSchedule']);
  });

  test('older labels follow the ones that took their place', async () => {
    await createNode('a', { labels: { 'kubernetes.io/os': 'linux', 'beta.kubernetes.io/os': 'other' } });
    expect((await node('a')).metadata.labels).toEqual({
      'kubernetes.io/os': 'linux',
      'beta.kubernetes.io/os': 'linux',
    });
  });

  test('a node that is silent for 50 seconds is unreachable, and its pods are not ready', async () => {
    await createNode('a');
    await createNode('b');
    await createPod('p', 'a');
    await createPod('q', 'b');
    await pass(60);
    expect(await ready('a')).toMatchObject({ status: 'True' });
    alive.delete('a');
    await pass(50);
    expect(await ready('a')).toMatchObject({ status: 'True' });
    await pass(10);
    expect(await ready('a')).toMatchObject({
      status: 'Unknown',
      reason: 'NodeStatusUnknown',
      message: 'Kubelet stopped posting node status.',
    });
    expect((await node('a')).status.conditions.map(({ type, status }: Record<string, string>) => [type, status])).toEqual([
      ['Ready', 'Unknown'],
      ['MemoryPressure', 'Unknown'],
      ['DiskPressure', 'Unknown'],
      ['PIDPressure', 'Unknown'],
    ]);
    expect((await taints('a')).sort()).toEqual(['node.kubernetes.io/unreachable:NoExecute', 'node.kubernetes.io/unreachable:NoSchedule']);
    const isReady = async (name: string) =>
      (await cluster.list('pods')).find(({ metadata }) => metadata.name === name)?.status.conditions[0].status;
    expect([await isReady('p'), await isReady('q')]).toEqual(['False', 'True']);
    expect(await cluster.events('Pod')).toEqual(['Warning NodeNotReady: Node is not ready']);
    expect(await cluster.events('Node')).toEqual([
      'Normal RegisteredNode: Node a event: Registered Node a in Controller',
      'Normal RegisteredNode: Node b event: Registered Node b in Controller',
      'Normal NodeNotReady: Node a status is now: NodeNotReady',
    ]);
    await createPod('late', 'a');
    await (await cluster.stores.of('nodes')).update(
      'a',
      ({ status }) => Object.assign(status, { conditions: conditions({ Ready: 'True' }) }),
      {
        part: 'status',
      },
    );
    alive.add('a');
    await pass(5);
    expect(await taints('a')).toEqual([]);
  });

  test('a node that never says anything is unknown after a minute', async () => {
    await createNode('well');
    await (await cluster.stores.of('nodes')).create({ metadata: { name: 'mute' } });
    await pass(55);
    expect((await node('mute')).status.conditions).toBeUndefined();
    await pass(15);
    expect(await ready('mute')).toMatchObject({
      status: 'Unknown',
      reason: 'NodeStatusNeverUpdated',
      message: 'Kubelet never posted node status.',
    });
  });

  test('nodes lose their pods one after the other, not all at once', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await createNode(name);
    alive = new Set(['c', 'd', 'e']);
    const unreachable = async (): Promise<number> =>
      (await Promise.all(['a', 'b'].map(taints))).flat().filter((taint) => taint.endsWith('unreachable:NoExecute')).length;
    await pass(60);
    expect(await unreachable()).toBe(1);
    await pass(15);
    expect(await unreachable()).toBe(2);
  });

  test('no node loses its pods if none is ready', async () => {
    for (const name of ['a', 'b']) await createNode(name);
    alive.clear();
    await pass(90);
    expect(await taints('a')).toEqual(['node.kubernetes.io/unreachable:NoSchedule']);
  });

  test('a node that is deleted is told of', async () => {
    await createNode('a');
    await pass(5);
    await (await cluster.stores.of('nodes')).delete('a');
    await pass(5);
    expect(await cluster.events('Node')).toContain('Normal RemovingNode: Node a event: Removing Node a from Controller');
  });
});
