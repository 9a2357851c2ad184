import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Heap } from '../../../../runtime/simulation/scheduler/queue/heap.ts';
import { backoffDuration, QueuedPodInfo } from '../../../../runtime/simulation/scheduler/queue/queued-pod-info.ts';
import { Random } from '../../../support/random.ts';
import { ScheduledCluster, type TestPod } from '../../../support/scheduled-cluster.ts';
import type { TestObject } from '../../../support/test-object.ts';

let cluster: ScheduledCluster;
beforeEach(async () => {
  cluster = await ScheduledCluster.open();
});
afterEach(() => cluster.close());

const withPriority = (priority: number, cpu: string, more: TestPod = {}, spec: object = {}): TestPod => ({
  ...more,
  cpu,
  spec: { priority, ...spec },
});

async function preempted(): Promise<string[]> {
  const events = await cluster.simulated.list('events.k8s.io/events');
  return events.filter(({ reason }) => reason === 'Preempted').map(({ regarding }) => regarding.name);
}

async function finishDeletions(): Promise<void> {
  const pods = await cluster.simulated.stores.of('pods');
  for (const { metadata } of await cluster.simulated.list('pods')) {
    if (metadata.deletionTimestamp) await pods.delete(metadata.name ?? '', { gracePeriodSeconds: 0 });
  }
  await cluster.simulated.settle();
}

describe('a pod that is more important than others', () => {
  test('takes the place of the least important, which is told why', async () => {
    await cluster.node('n1', { cpu: '2' });
    await cluster.pod('low', withPriority(1, '1'));
    await cluster.pod('middle', withPriority(5, '1'));
    const high = await cluster.pod('high', withPriority(10, '1'));
    expect(high.status.nominatedNodeName).toBe('n1');
    expect(high.status.conditions[0].message).toBe('0/1 nodes are available: 1 Insufficient cpu.');
    const low = await cluster.get('low');
    expect(low.metadata.deletionTimestamp).toBeDefined();
    expect(low.status.conditions).toContainEqual(
      expect.objectContaining({
        type: 'DisruptionTarget',
        status: 'True',
        reason: 'PreemptionByScheduler',
        message: 'default-scheduler: preempting to accommodate a higher priority pod',
      }),
    );
    const [event] = (await cluster.simulated.list('events.k8s.io/events')).filter(({ reason }) => reason === 'Preempted');
    expect(event.note).toBe(`Preempted by pod ${high.metadata.uid} on node n1`);
    await finishDeletions();
    const bound = await cluster.get('high');
    expect([bound.spec.nodeName, bound.status.nominatedNodeName]).toEqual(['n1', undefined]);
  });

  test('has its room kept from those who come later', async () => {
    await cluster.node('n1', { cpu: '2' });
    await cluster.pod('low', withPriority(1, '2'));
    await cluster.pod('high', withPriority(10, '1500m'));
    const later = await cluster.place('later', withPriority(2, '1'));
    await finishDeletions();
    expect([later, await cluster.outcome('high'), await cluster.outcome('later')]).toEqual([
      expect.stringContaining('0/1 nodes are available'),
      'n1',
      expect.stringContaining('1 Insufficient cpu'),
    ]);
  });

  test('preempts nobody if its policy says so', async () => {
    await cluster.node('n1', { cpu: '1' });
    await cluster.pod('low', withPriority(1, '1'));
    const outcome = await cluster.place('high', withPriority(10, '1', {}, { preemptionPolicy: 'Never' }));
    expect(outcome).toBe(
      '0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: not eligible due to preemptionPolicy=Never.',
    );
    expect(await preempted()).toEqual([]);
  });

  test('waits for those that are leaving before it preempts others', async () => {
    await cluster.node('n1', { cpu: '2' });
    for (const name of ['a', 'b']) await cluster.pod(name, withPriority(1, '1'));
    await cluster.pod('high', withPriority(10, '1'));
    const pods = await cluster.simulated.stores.of('pods');
    await pods.update('high', (pod) => {
      pod.metadata.labels = { some: 'thing' };
    });
    await cluster.simulated.settle();
    expect(await cluster.outcome('high')).toContain('not eligible due to a terminating pod on the nominated node.');
    expect(await preempted()).toHaveLength(1);
  });

  test.each<[string, Record<string, TestPod>, string]>([
    ['the priority is lowest', { n1: withPriority(3, '1'), n2: withPriority(1, '1') }, 'on-n2'],
    ['no budget is violated', { n1: withPriority(1, '1', { labels: { app: 'kept' } }), n2: withPriority(3, '1') }, 'on-n2'],
  ])('chooses the node where %s', async (_, pods, expected) => {
    await cluster.create('policy/poddisruptionbudgets', {
      metadata: { name: 'budget' },
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'kept' } } },
    });
    for (const [node, pod] of Object.entries(pods)) {
      await cluster.node(node, { cpu: '1' });
      const spec = { ...pod.spec, nodeSelector: { 'kubernetes.io/hostname': node } };
      await cluster.pod(`on-${node}`, { ...pod, spec });
    }
    await cluster.pod('high', withPriority(10, '1'));
    expect(await preempted()).toEqual([expected]);
  });
});

describe('pods that wait', () => {
  test('are tried by priority', async () => {
    for (const [name, priority] of [
      ['low', 1],
      ['high', 9],
      ['middle', 5],
    ] as const) {
      await cluster.createPod(name, withPriority(priority, '1'));
    }
    await cluster.simulated.settle();
    await cluster.node('n1', { cpu: '2' });
    await cluster.simulated.settle();
    const outcomes = await Promise.all(['high', 'middle', 'low'].map((name) => cluster.outcome(name)));
    expect(outcomes).toEqual(['n1', 'n1', expect.stringContaining('1 Insufficient cpu')]);
  });

  test('are not tried while they have scheduling gates', async () => {
    await cluster.node('n1');
    const gated = await cluster.pod('p', { spec: { schedulingGates: [{ name: 'example.com/quota' }] } });
    expect(gated.status.conditions).toEqual([expect.objectContaining({ reason: 'SchedulingGated' })]);
    const pods = await cluster.simulated.stores.of('pods');
    await pods.update('p', (pod: TestObject) => {
      pod.spec.schedulingGates = undefined;
    });
    await cluster.simulated.settle();
    expect(await cluster.outcome('p')).toBe('n1');
  });

  test('are left to their own scheduler', async () => {
    await cluster.node('n1');
    expect(await cluster.place('p', { spec: { schedulerName: 'other' } })).toBe('pending');
  });

  test('are tried again after five minutes, whatever happens', async () => {
    await cluster.node('n1', { cpu: '1' });
    await cluster.pod('p', { cpu: '2' });
    const before = await tries();
    cluster.simulated.clock.advance(331_000);
    await cluster.simulated.settle();
    expect(await tries()).toBe(before + 1);
  });
});

async function tries(): Promise<number> {
  const events = await cluster.simulated.list('events.k8s.io/events');
  const counts = events.filter(({ reason }) => reason === 'FailedScheduling').map(({ series }) => series?.count ?? 1);
  return counts.reduce((sum, count) => sum + count, 0);
}

describe('a queue', () => {
  test('has its items in order, whichever of them are taken out', () => {
    const random = new Random(7);
    const heap = new Heap<{ key: number }>((a, b) => a.key < b.key);
    const items = Array.from({ length: 200 }, () => ({ key: random.between(0, 99) }));
    for (const item of items) heap.add(item);
    const kept = items.filter((item) => !(random.chance(0.4) && heap.delete(item)));
    const popped: number[] = [];
    for (let item = heap.pop(); item !== undefined; item = heap.pop()) popped.push(item.key);
    expect(popped).toEqual(kept.map(({ key }) => key).sort((a, b) => a - b));
  });

  test.each([
    [1, 0, 1_000],
    [2, 0, 2_000],
    [4, 0, 8_000],
    [9, 0, 10_000],
    [9, 1, 1_000],
  ])('makes a pod wait after %i failures and %i errors', (unschedulableCount, consecutiveErrors, expected) => {
    const queued = new QueuedPodInfo({ apiVersion: 'v1', kind: 'Pod', metadata: {} }, 0);
    Object.assign(queued, { unschedulableCount, consecutiveErrors });
    expect(backoffDuration(queued)).toBe(expected);
  });
});
