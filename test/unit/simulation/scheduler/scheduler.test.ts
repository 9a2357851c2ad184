import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ScheduledCluster } from '../../../support/scheduled-cluster.ts';

let cluster: ScheduledCluster;
beforeEach(async () => {
  cluster = await ScheduledCluster.open();
});
afterEach(() => cluster.close());

describe('a pod', () => {
  test('is bound to a node that suits it, with an event', async () => {
    await cluster.node('n1');
    const { spec, status } = await cluster.pod('p');
    expect(spec.nodeName).toBe('n1');
    expect(status.conditions).toEqual([expect.objectContaining({ type: 'PodScheduled', status: 'True' })]);
    const [event] = await cluster.simulated.list('events.k8s.io/events');
    expect(event).toMatchObject({
      type: 'Normal',
      reason: 'Scheduled',
      action: 'Binding',
      reportingController: 'default-scheduler',
      note: 'Successfully assigned default/p to n1',
      regarding: { kind: 'Pod', namespace: 'default', name: 'p' },
    });
  });

  test('says why no node suits it, and is bound when one does', async () => {
    expect(await cluster.place('p', { cpu: '3' })).toBe('no nodes available to schedule pods');
    await cluster.node('n1', { cpu: '1' });
    await cluster.node('n2', { spec: { unschedulable: true } });
    await cluster.simulated.settle();
    expect(await cluster.outcome('p')).toBe(
      '0/2 nodes are available: 1 Insufficient cpu, 1 node(s) were unschedulable. no new claims to deallocate, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.',
    );
  });
});
