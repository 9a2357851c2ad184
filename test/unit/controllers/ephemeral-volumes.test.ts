import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ephemeralVolumeController } from '../../../runtime/controllers/ephemeral-volume/ephemeral-volume-controller.ts';
import { SimulatedCluster } from '../../support/simulation.ts';

/* (pkg/controller/volume/ephemeral/controller_test.go) */

const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };

describe('ephemeral volumes', () => {
  let cluster: SimulatedCluster;
  beforeEach(async () => {
    cluster = await SimulatedCluster.open((context) => [ephemeralVolumeController(context)]);
  });
  afterEach(() => cluster.close());

  async function createPod(name = 'web'): Promise<string | undefined> {
    const metadata = { labels: { app: 'web' }, annotations: { 'example.com/why': 'test' } };
    const volumes = [
      { name: 'data', ephemeral: { volumeClaimTemplate: { metadata, spec } } },
      { name: 'tmp', emptyDir: {} },
    ];
    const pods = await cluster.stores.of('pods');
    await pods.create({ metadata: { name }, spec: { containers: [{ name: 'c', image: 'i' }], volumes } });
    await cluster.settle();
    return pods.get(name)?.metadata.uid;
  }
  const claims = () => cluster.list('persistentvolumeclaims');

  test('get claims that belong to their pods', async () => {
    const uid = await createPod();
    const [claim, ...others] = await claims();
    expect(others).toEqual([]);
    const owner = { apiVersion: 'v1', kind: 'Pod', name: 'web', uid, controller: true, blockOwnerDeletion: true };
    expect(claim.metadata).toMatchObject({
      name: 'web-data',
      ownerReferences: [owner],
      labels: { app: 'web' },
      annotations: { 'example.com/why': 'test' },
    });
    expect(claim.spec).toEqual({ ...spec, volumeMode: 'Filesystem' });
  });

  test('get a claim again when it is deleted', async () => {
    await createPod();
    const [before] = await claims();
    await (await cluster.stores.of('persistentvolumeclaims')).delete('web-data');
    await cluster.settle();
    const [after] = await claims();
    expect(after.metadata.uid).not.toBe(before.metadata.uid);
  });

  test('do not use the claims of others, and try again when they are gone', async () => {
    const store = await cluster.stores.of('persistentvolumeclaims');
    await store.create({ metadata: { name: 'web-data' }, spec });
    const uid = await createPod();
    const message = 'ephemeral volume data: PVC default/web-data was not created for pod default/web (pod is not owner)';
    expect(await cluster.events('Pod')).toEqual([`Warning FailedBinding: ${message}`]);
    await store.delete('web-data');
    await cluster.settle();
    expect((await claims())[0].metadata.ownerReferences?.[0].uid).toBe(uid);
  });

  test('tell why a claim cannot be created', async () => {
    cluster.refuse = ({ definition }) => definition.kind === 'PersistentVolumeClaim' && 'exceeded quota';
    await createPod();
    const message = 'ephemeral volume data: create PVC web-data: persistentvolumeclaims "web-data" is forbidden: exceeded quota';
    expect(await cluster.events('Pod')).toEqual([`Warning FailedBinding: ${message}`]);
    cluster.refuse = undefined;
    await cluster.pass(1);
    expect(await claims()).toHaveLength(1);
  });
});
