import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ScheduledCluster, type TestPod } from '../../../support/scheduled-cluster.ts';
import type { TestObject } from '../../../support/test-object.ts';

let cluster: ScheduledCluster;
beforeEach(async () => {
  cluster = await ScheduledCluster.open();
  await cluster.create('storage.k8s.io/storageclasses', {
    metadata: { name: 'local' },
    provisioner: 'kubernetes.io/no-provisioner',
    volumeBindingMode: 'WaitForFirstConsumer',
  });
  await cluster.create('storage.k8s.io/storageclasses', {
    metadata: { name: 'made' },
    provisioner: 'example.com/made',
    volumeBindingMode: 'WaitForFirstConsumer',
    allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['b'] }] }],
  });
  await cluster.node('n1', { labels: { zone: 'a' } });
  await cluster.node('n2', { labels: { zone: 'b' } });
});
afterEach(() => cluster.close());

const onNode = (...values: string[]) => ({
  required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values }] }] },
});

async function volume(name: string, more: object = {}, metadata: object = {}): Promise<void> {
  await cluster.create('persistentvolumes', {
    metadata: { name, ...metadata },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'local',
      hostPath: { path: '/data' },
      ...more,
    },
  });
  const volumes = await cluster.simulated.stores.of('persistentvolumes');
  const setPhase = (object: TestObject): void => {
    object.status = { phase: 'Available' };
  };
  await volumes.update(name, setPhase, { part: 'status' });
}

async function claim(name: string, more: object = {}): Promise<void> {
  const resources = { requests: { storage: '1Gi' } };
  const spec = { accessModes: ['ReadWriteOnce'], resources, storageClassName: 'local', ...more };
  await cluster.create('persistentvolumeclaims', { metadata: { name }, spec });
}

/** Acts like the controller that binds volumes. */
async function bind(name: string, volumeName: string): Promise<void> {
  const claims = await cluster.simulated.stores.of('persistentvolumeclaims');
  await claims.update(name, ({ metadata, spec }) => {
    metadata.annotations = { ...metadata.annotations, 'pv.kubernetes.io/bind-completed': 'yes' };
    spec.volumeName = volumeName;
  });
  await cluster.simulated.settle();
}

const using = (...claims: string[]): TestPod => ({
  spec: { volumes: claims.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } })) },
});
const notHelpful = 'no new claims to deallocate, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.';

describe('a pod with claims', () => {
  test('waits for them to be there', async () => {
    expect(await cluster.place('p', using('c'))).toBe('0/2 nodes are available: persistentvolumeclaim "c" not found. not found');
    await volume('v', { nodeAffinity: onNode('n2') });
    await claim('c', { volumeName: 'v' });
    await cluster.simulated.settle();
    expect(await cluster.outcome('p')).toBe('0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims. not found');
    await bind('c', 'v');
    expect(await cluster.outcome('p')).toBe('n2');
  });

  test('goes where its volumes are, or nowhere', async () => {
    await volume('v1', { nodeAffinity: onNode('n1') });
    await volume('v2', { nodeAffinity: onNode('n2') });
    for (const number of [1, 2]) {
      await claim(`c${number}`, { volumeName: `v${number}` });
      await bind(`c${number}`, `v${number}`);
    }
    expect(await cluster.place('p', using('c1'))).toBe('n1');
    expect(await cluster.place('q', using('c1', 'c2'))).toBe(
      `0/2 nodes are available: 2 node(s) didn't match PersistentVolume's node affinity. ${notHelpful}`,
    );
  });

  test('has them bound to the smallest volumes of its node, and waits for that', async () => {
    await volume('large', { capacity: { storage: '9Gi' }, nodeAffinity: onNode('n2') });
    await volume('small', { capacity: { storage: '2Gi' }, nodeAffinity: onNode('n2') });
    await volume('tiny', { capacity: { storage: '1Mi' }, nodeAffinity: onNode('n1') });
    await claim('c');
    const waiting = await cluster.pod('p', using('c'));
    expect([waiting.spec.nodeName, waiting.status.nominatedNodeName]).toEqual([undefined, 'n2']);
    const volumes = await cluster.simulated.stores.of('persistentvolumes');
    expect(volumes.get('small')).toMatchObject({
      metadata: { annotations: { 'pv.kubernetes.io/bound-by-controller': 'yes' } },
      spec: { claimRef: { kind: 'PersistentVolumeClaim', namespace: 'default', name: 'c' } },
    });
    await claim('d');
    await cluster.pod('q', using('d'));
    expect(volumes.get('large')?.spec.claimRef.name).toBe('d');
    await bind('c', 'small');
    await bind('d', 'large');
    expect([await cluster.outcome('p'), await cluster.outcome('q')]).toEqual(['n2', 'n2']);
    await claim('e');
    expect(await cluster.place('r', using('e'))).toBe(
      `0/2 nodes are available: 2 node(s) didn't find available persistent volumes to bind. ${notHelpful}`,
    );
  });

  test('has volumes made where their class allows it', async () => {
    await claim('c', { storageClassName: 'made' });
    await cluster.pod('p', using('c'));
    const claims = await cluster.simulated.stores.of('persistentvolumeclaims');
    expect(claims.get('c')?.metadata.annotations).toEqual({ 'volume.kubernetes.io/selected-node': 'n2' });
    await claims.update('c', ({ metadata }) => {
      metadata.annotations = {};
    });
    await cluster.simulated.settle();
    expect(await cluster.outcome('p')).toBe('running PreBind plugin "VolumeBinding": binding volumes: provisioning failed for PVC "c"');
    await cluster.simulated.pass(2);
    expect(claims.get('c')?.metadata.annotations).toEqual({ 'volume.kubernetes.io/selected-node': 'n2' });
    await volume('v', { storageClassName: 'made' });
    await bind('c', 'v');
    expect(await cluster.outcome('p')).toBe('n2');
  });

  test('goes to a zone of its volumes', async () => {
    const zone = 'topology.kubernetes.io/zone';
    await cluster.node('n3', { labels: { [zone]: 'x' } });
    await cluster.node('n4', { labels: { [zone]: 'y' } });
    await volume('v', {}, { labels: { [zone]: 'y' } });
    await claim('c', { volumeName: 'v' });
    await bind('c', 'v');
    const nodeSelector = { 'kubernetes.io/hostname': 'n3' };
    const outcome = await cluster.place('p', { spec: { ...using('c').spec, nodeSelector } });
    expect(outcome).toContain('1 node(s) had no available volume zone');
  });

  test('waits while another pod has a claim that only one can use', async () => {
    await volume('v', { accessModes: ['ReadWriteOncePod'] });
    await claim('c', { volumeName: 'v', accessModes: ['ReadWriteOncePod'] });
    await bind('c', 'v');
    await cluster.pod('p', using('c'));
    expect(await cluster.place('q', using('c'))).toBe(
      '0/2 nodes are available: 2 node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod. no new claims to deallocate, preemption: 0/2 nodes are available: 2 No preemption victims found for incoming pod.',
    );
    await cluster.simulated.stores.of('pods').then((pods) => pods.delete('p', { gracePeriodSeconds: 0 }));
    await cluster.simulated.settle();
    expect(await cluster.outcome('q')).toMatch(/^n[12]$/);
  });

  test('goes where the driver can have more volumes', async () => {
    for (const [name, count] of [
      ['n1', 1],
      ['n2', 0],
    ] as const) {
      const drivers = [{ name: 'csi.example.com', nodeID: name, topologyKeys: [], allocatable: { count } }];
      await cluster.create('storage.k8s.io/csinodes', { metadata: { name }, spec: { drivers } });
    }
    for (const number of [1, 2]) {
      const csi = { driver: 'csi.example.com', volumeHandle: `h${number}` };
      await volume(`v${number}`, { hostPath: undefined, csi });
      await claim(`c${number}`, { volumeName: `v${number}` });
      await bind(`c${number}`, `v${number}`);
    }
    expect(await cluster.place('p', using('c1'))).toBe('n1');
    expect(await cluster.place('q', using('c2'))).toContain('2 node(s) exceed max volume count');
    expect(await cluster.place('r', using('c1'))).toBe('n1');
  });
});
