import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { podGCController } from '../../../../runtime/controllers/podgc/pod-gc-controller.ts';
import type { TestResource } from '../../../support/resource-stores.ts';
import { SimulatedCluster } from '../../../support/simulation.ts';
import type { TestObject } from '../../../support/test-object.ts';

const containers = [{ name: 'main', image: 'busybox' }];

describe('the pod garbage collector', () => {
  let cluster: SimulatedCluster;
  let pods: TestResource;
  let nodes: TestResource;

  beforeEach(async () => {
    cluster = await SimulatedCluster.open((context) => [podGCController(context, 2)]);
    pods = await cluster.stores.of('pods');
    nodes = await cluster.stores.of('nodes');
  });

  afterEach(() => cluster.close());

  const create = (name: string, nodeName?: string) => pods.create({ metadata: { name, finalizers: [] }, spec: { nodeName, containers } });
  const setStatus = (name: string, status: object) =>
    pods.update(name, (pod) => Object.assign(pod, { status: { ...pod.status, ...status } }), { part: 'status' });
  const names = async () => (await cluster.list('pods')).map(({ metadata }) => metadata.name);

  it('keeps so many pods that have ended, and deletes those first that were evicted, then the oldest', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'running']) {
      await create(name);
      cluster.clock.advance(1000);
      if (name !== 'running') await setStatus(name, { phase: name === 'a' ? 'Succeeded' : 'Failed' });
    }
    await setStatus('d', { reason: 'Evicted' });
    await cluster.pass(20);
    expect(await names()).toEqual(['b', 'c', 'running']);
  });

  it('deletes the pods of a node that has been gone for 40 seconds, after they have failed', async () => {
    await nodes.create({ metadata: { name: 'n1' } });
    await create('orphan', 'n1');
    await create('kept', 'n2');
    await nodes.delete('n1');
    await pods.update('orphan', ({ metadata }) => Object.assign(metadata, { finalizers: ['example.com/keep'] }));
    await cluster.pass(20);
    await nodes.create({ metadata: { name: 'n2' } });
    await cluster.pass(30);
    expect(pods.get('orphan')?.status.phase).toBe('Pending');
    await cluster.pass(20);
    expect(pods.get('orphan')).toMatchObject({
      metadata: { deletionTimestamp: expect.any(String), deletionGracePeriodSeconds: 0 },
      status: {
        phase: 'Failed',
        observedGeneration: 1,
        conditions: [
          expect.objectContaining({
            type: 'DisruptionTarget',
            status: 'True',
            reason: 'DeletionByPodGC',
            message: 'PodGC: node no longer exists',
            observedGeneration: 1,
          }),
        ],
      },
    });
    await cluster.pass(40);
    expect(pods.get('kept')?.metadata.deletionTimestamp).toBeUndefined();
  });

  it('deletes pods that terminate on a node that is out of service and not ready', async () => {
    const taints = [{ key: 'node.kubernetes.io/out-of-service', value: 'nodeshutdown', effect: 'NoExecute' }];
    for (const [name, node] of Object.entries({ down: { taints }, up: { taints }, lost: {} })) {
      await nodes.create({ metadata: { name }, spec: node });
      const ready = { type: 'Ready', status: name === 'up' ? 'True' : 'Unknown' };
      await nodes.update(name, (one: TestObject) => Object.assign(one, { status: { conditions: [ready] } }), {
        part: 'status',
      });
      await create(`on-${name}`, name);
      await setStatus(`on-${name}`, { phase: 'Running' });
      await pods.delete(`on-${name}`);
    }
    await create('stays', 'down');
    await cluster.pass(20);
    expect(await names()).toEqual(['on-lost', 'on-up', 'stays']);
  });

  it('fails pods that terminate without a node', async () => {
    await create('unscheduled');
    await pods.update('unscheduled', ({ metadata }) => Object.assign(metadata, { finalizers: ['example.com/keep'] }));
    await pods.delete('unscheduled');
    await cluster.pass(20);
    expect(pods.get('unscheduled')?.status.phase).toBe('Failed');
  });
});
