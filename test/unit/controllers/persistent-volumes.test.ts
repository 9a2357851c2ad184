import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { persistentVolumeController } from '../../../runtime/controllers/persistentvolume/persistent-volume-controller.ts';
import { volumeProvisioner } from '../../../runtime/simulation/volumes/provisioner.ts';
import { SimulatedCluster } from '../../support/simulation.ts';
import type { TestObject } from '../../support/test-object.ts';

const classes = 'storage.k8s.io/storageclasses';

describe('claims and volumes', () => {
  let cluster: SimulatedCluster;

  beforeEach(async () => {
    cluster = await SimulatedCluster.open((context) => [persistentVolumeController(context)]);
  });

  afterEach(() => cluster.close());

  async function createVolume(name: string, spec: object = {}, labels: Record<string, string> = {}): Promise<void> {
    await (await cluster.stores.of('persistentvolumes')).create({
      metadata: { name, labels },
      spec: {
        capacity: { storage: '5Gi' },
        accessModes: ['ReadWriteOnce'],
        hostPath: { path: '/x' },
        persistentVolumeReclaimPolicy: 'Retain',
        ...spec,
      },
    });
    await cluster.settle();
  }

  async function createClaim(name: string, spec: object = {}): Promise<void> {
    await (await cluster.stores.of('persistentvolumeclaims')).create({
      metadata: { name },
      spec: {
        accessModes: ['ReadWriteOnce'],
        storageClassName: '',
        resources: { requests: { storage: '3Gi' } },
        ...spec,
      },
    });
    await cluster.settle();
  }

  const claims = async () =>
    (await cluster.list('persistentvolumeclaims')).map(({ metadata, spec, status }) =>
      [metadata.name, status.phase, spec.volumeName ?? '-', status.capacity?.storage ?? '-'].join(' '),
    );
  const volumes = async () =>
    (await cluster.list('persistentvolumes', '')).map(({ metadata, spec, status }) =>
      [metadata.name, status.phase, spec.claimRef?.name ?? '-'].join(' '),
    );
  const events = () => cluster.events('PersistentVolumeClaim');

  test.each([
    [
      'the smallest that is large enough',
      [
        ['large', { capacity: { storage: '9Gi' } }],
        ['small', {}],
        ['tiny', { capacity: { storage: '1Gi' } }],
      ],
      {},
      'small',
    ],
    [
      'one of its class',
      [
        ['other', {}],
        ['fast', { storageClassName: 'fast' }],
      ],
      { storageClassName: 'fast' },
      'fast',
    ],
    [
      'the one with the fewest modes that has its own',
      [
        ['many', { accessModes: ['ReadWriteOnce', 'ReadOnlyMany'], capacity: { storage: '3Gi' } }],
        ['one', {}],
      ],
      {},
      'one',
    ],
    [
      'one of its mode of volumes',
      [
        ['files', {}],
        ['block', { volumeMode: 'Block' }],
      ],
      { volumeMode: 'Block' },
      'block',
    ],
    [
      'the one that it names',
      [
        ['a', {}],
        ['b', {}],
      ],
      { volumeName: 'b' },
      'b',
    ],
    [
      'the one that is meant for it',
      [
        ['a', {}],
        ['meant', { claimRef: { namespace: 'default', name: 'c' }, capacity: { storage: '9Gi' } }],
      ],
      {},
      'meant',
    ],
  ] as [string, [string, object][], object, string][])('a claim gets %s', async (_name, given, spec, want) => {
    for (const [name, volume] of given) await createVolume(name, volume);
    await createClaim('c', spec);
    const { capacity } = (await cluster.list('persistentvolumes', '')).find(({ metadata }) => metadata.name === want)?.spec ?? {};
    expect(await claims()).toEqual([`c Bound ${want} ${capacity.storage}`]);
    expect(await volumes()).toContain(`${want} Bound c`);
    expect((await volumes()).filter((one) => one.includes('Available'))).toHaveLength(given.length - 1);
  });

  test('a claim gets one with the labels that it selects', async () => {
    await createVolume('a');
    await createVolume('b', {}, { tier: 'gold' });
    await createClaim('c', { selector: { matchLabels: { tier: 'gold' } } });
    expect(await claims()).toEqual(['c Bound b 5Gi']);
  });

  test('both say that the controller has bound them', async () => {
    await createVolume('v');
    await createClaim('c');
    const [claim] = await cluster.list('persistentvolumeclaims');
    const [volume] = await cluster.list('persistentvolumes', '');
    const bound = { 'pv.kubernetes.io/bound-by-controller': 'yes' };
    expect(claim.metadata.annotations).toEqual({ ...bound, 'pv.kubernetes.io/bind-completed': 'yes' });
    expect(volume.metadata.annotations).toEqual(bound);
    expect(volume.spec.claimRef).toMatchObject({ kind: 'PersistentVolumeClaim', uid: claim.metadata.uid });
    expect(claim.status.accessModes).toEqual(['ReadWriteOnce']);
  });

  test('a claim waits until there is a volume', async () => {
    await createClaim('c');
    expect(await claims()).toEqual(['c Pending - -']);
    expect(await events()).toEqual(['Normal FailedBinding: no persistent volumes available for this claim and no storage class is set']);
    await createVolume('v');
    expect(await claims()).toEqual(['c Bound v 5Gi']);
  });

  test.each([
    ['too small', { capacity: { storage: '1Gi' } }, 'requested PV is too small'],
    ['of another class', { storageClassName: 'x' }, 'storageClassName does not match'],
    ['of another mode', { volumeMode: 'Block' }, 'incompatible volumeMode'],
    ['with other access modes', { accessModes: ['ReadOnlyMany'] }, 'incompatible accessMode'],
  ])('a claim does not get the volume that it names if that is %s', async (_name, spec, why) => {
    await createVolume('v', spec);
    await createClaim('c', { volumeName: 'v' });
    expect(await claims()).toEqual(['c Pending v -']);
    expect(await events()).toEqual([`Warning VolumeMismatch: Cannot bind to requested volume "v": ${why}`]);
  });

  test('a claim does not get the volume of another', async () => {
    await createVolume('v');
    await createClaim('a', { volumeName: 'v' });
    await createClaim('b', { volumeName: 'v' });
    expect(await claims()).toEqual(['a Bound v 5Gi', 'b Pending v -']);
    expect(await events()).toEqual(['Warning FailedBinding: volume "v" already bound to a different claim.']);
  });

  test('a volume is kept when its claim has gone, and a claim without its volume is lost', async () => {
    await createVolume('v');
    await createVolume('w');
    await createClaim('c', { volumeName: 'v' });
    await createClaim('d', { volumeName: 'w' });
    await (await cluster.stores.of('persistentvolumeclaims')).delete('c');
    await cluster.settle();
    expect(await volumes()).toEqual(['v Released c', 'w Bound d']);
    await (await cluster.stores.of('persistentvolumes')).delete('w');
    await cluster.settle();
    expect(await claims()).toEqual(['d Lost w -']);
    expect(await events()).toContain('Warning ClaimLost: Bound claim has lost its PersistentVolume. Data on the volume is lost!');
  });

  test('a volume that is to be deleted and has no provisioner fails', async () => {
    await createVolume('v', { persistentVolumeReclaimPolicy: 'Delete' });
    await createClaim('c');
    await (await cluster.stores.of('persistentvolumeclaims')).delete('c');
    await cluster.settle();
    expect(await volumes()).toEqual(['v Failed c']);
  });

  test('a claim whose class waits for a pod says so', async () => {
    const storageClass = {
      metadata: { name: 'late' },
      provisioner: 'example.com/p',
      volumeBindingMode: 'WaitForFirstConsumer',
    };
    await (await cluster.stores.of(classes)).create(storageClass);
    await createVolume('v', { storageClassName: 'late' });
    await createClaim('c', { storageClassName: 'late' });
    const claimName = { claimName: 'c' };
    const volume = { name: 'data', persistentVolumeClaim: claimName };
    const spec = { containers: [{ name: 'c', image: 'i' }], volumes: [volume] };
    await (await cluster.stores.of('pods')).create({ metadata: { name: 'p' }, spec });
    await cluster.settle();
    expect(await claims()).toEqual(['c Pending - -']);
    expect(await events()).toEqual([
      'Normal WaitForFirstConsumer: waiting for first consumer to be created before binding',
      'Normal WaitForPodScheduled: waiting for pod p to be scheduled',
    ]);
  });

  test('a claim whose class does not exist, or has a provisioner elsewhere, waits', async () => {
    await createClaim('c', { storageClassName: 'none' });
    expect(await events()).toEqual(['Warning ProvisioningFailed: storageclass.storage.k8s.io "none" not found']);
    await (await cluster.stores.of(classes)).create({ metadata: { name: 'none' }, provisioner: 'example.com/p' });
    await cluster.settle();
    const [claim] = await cluster.list('persistentvolumeclaims');
    expect(claim.metadata.annotations).toEqual({
      'volume.beta.kubernetes.io/storage-provisioner': 'example.com/p',
      'volume.kubernetes.io/storage-provisioner': 'example.com/p',
    });
    expect((await events())[1]).toMatch(/^Normal ExternalProvisioning: Waiting for a volume to be created either by/);
  });

  test('gives a claim without a class the newest default class, whichever annotation makes it one', async () => {
    const stored = await cluster.stores.of(classes);
    const annotations = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'];
    for (const [index, annotation] of annotations.entries()) {
      const metadata = { name: `c${index}`, annotations: { [annotation]: 'true' } };
      await stored.create({ metadata, provisioner: 'example.com/p' });
      cluster.clock.advance(1000);
    }
    await createClaim('c', { storageClassName: undefined });
    expect((await cluster.list('persistentvolumeclaims'))[0].spec.storageClassName).toBe('c1');
  });
});

describe('the provisioner of a simulated cluster', () => {
  let cluster: SimulatedCluster;

  beforeEach(async () => {
    cluster = await SimulatedCluster.open((context) => [persistentVolumeController(context), volumeProvisioner(context)]);
  });

  afterEach(() => cluster.close());

  test('makes a volume for a claim of the default class, enlarges it, and deletes it with the claim', async () => {
    const claims = await cluster.stores.of('persistentvolumeclaims');
    await claims.create({
      metadata: { name: 'c' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    });
    await cluster.pass(1);
    const shown = ({ spec, status }: TestObject) => [spec.storageClassName, status.phase, status.capacity?.storage];
    const [claim] = await cluster.list('persistentvolumeclaims');
    expect(shown(claim)).toEqual(['standard', 'Bound', '1Gi']);
    await claims.update('c', ({ spec }) => {
      spec.resources.requests.storage = '2Gi';
    });
    await cluster.pass(1);
    const [volume] = await cluster.list('persistentvolumes', '');
    expect(shown((await cluster.list('persistentvolumeclaims'))[0])).toEqual(['standard', 'Bound', '2Gi']);
    expect([volume.metadata.name, volume.spec.capacity.storage]).toEqual([`pvc-${claim.metadata.uid}`, '2Gi']);
    expect((await cluster.events('PersistentVolumeClaim')).map((event) => event.split(':')[0])).toEqual([
      'Normal Provisioning',
      'Normal ExternalProvisioning',
      'Normal ProvisioningSucceeded',
      'Normal Resizing',
      'Normal VolumeResizeSuccessful',
    ]);
    await claims.delete('c');
    await cluster.pass(1);
    expect(await cluster.list('persistentvolumes', '')).toEqual([]);
  });
});
