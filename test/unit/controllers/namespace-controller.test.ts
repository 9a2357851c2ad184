import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { NamespaceController } from '../../../runtime/controllers/namespace/namespace-controller.ts';
import { silentLogger } from '../../../runtime/machinery/logger.ts';
import { openTestStores, type TestStores } from '../../support/resource-stores.ts';

let stores: TestStores;
let deletion: NamespaceController;
beforeEach(async () => {
  stores = await openTestStores();
  deletion = new NamespaceController({ stores: stores.stores, logger: silentLogger });
});
afterEach(async () => {
  await deletion.close();
  await stores.close();
});

const until = async (holds: () => boolean): Promise<void> => {
  for (let turn = 0; turn < 10_000 && !holds(); turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(holds()).toBe(true);
};

describe('terminating namespaces', () => {
  test('are deleted as soon as their content is deleted', async () => {
    const namespaces = await stores.of('namespaces');
    const maps = await stores.of('configmaps');
    await deletion.start();
    const made = await namespaces.create({ metadata: { name: 'x' } });
    expect(made).toMatchObject({
      metadata: { labels: { 'kubernetes.io/metadata.name': 'x' } },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    });
    await maps.create({ metadata: { name: 'free', namespace: 'x' } });
    await maps.create({ metadata: { name: 'held', namespace: 'x', finalizers: ['x.io/hold'] } });
    await namespaces.delete('x');
    expect(namespaces.get('x')?.status.phase).toBe('Terminating');
    expect(namespaces.get('x')?.metadata.deletionGracePeriodSeconds).toBeUndefined();
    await until(() => maps.get('free', 'x') === undefined && namespaces.get('x')?.status.conditions !== undefined);
    expect(namespaces.get('x')?.status.conditions).toMatchObject([
      { type: 'NamespaceDeletionDiscoveryFailure', status: 'False', reason: 'ResourcesDiscovered' },
      { type: 'NamespaceDeletionGroupVersionParsingFailure', status: 'False', reason: 'ParsedGroupVersions' },
      { type: 'NamespaceDeletionContentFailure', status: 'False', reason: 'ContentDeleted' },
      {
        type: 'NamespaceContentRemaining',
        status: 'True',
        reason: 'SomeResourcesRemain',
        message: 'Some resources are remaining: configmaps. has 1 resource instances',
      },
      {
        type: 'NamespaceFinalizersRemaining',
        status: 'True',
        reason: 'SomeFinalizersRemain',
        message: 'Some content in the namespace has finalizers remaining: x.io/hold in 1 resource instances',
      },
    ]);
    await maps.update('held', (object) => delete object.metadata.finalizers, { namespace: 'x' });
    await until(() => namespaces.get('x') === undefined);
  });

  test('of an earlier run are deleted', async () => {
    const namespaces = await stores.of('namespaces');
    await namespaces.create({ metadata: { name: 'x' } });
    await namespaces.delete('x');
    await deletion.start();
    await until(() => namespaces.get('x') === undefined);
  });

  test('report pods that outlive their grace period as a failure', async () => {
    const namespaces = await stores.of('namespaces');
    const pods = await stores.of('pods');
    await namespaces.create({ metadata: { name: 'x' } });
    await pods.create({
      metadata: { name: 'p', namespace: 'x' },
      spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] },
    });
    await deletion.start();
    await namespaces.delete('x');
    const condition = (type: string) => namespaces.get('x')?.status.conditions?.find((one: { type: string }) => one.type === type);
    await until(() => condition('NamespaceContentRemaining')?.status === 'True');
    expect(condition('NamespaceDeletionContentFailure').status).toBe('False');
    expect(condition('NamespaceContentRemaining').message).toBe('Some resources are remaining: pods. has 1 resource instances');
    stores.clock.advance(31_000);
    await until(() => condition('NamespaceDeletionContentFailure').status === 'True');
    expect(condition('NamespaceDeletionContentFailure')).toMatchObject({
      reason: 'ContentDeletionFailed',
      message:
        'Failed to delete all resource types, 1 remaining: unexpected items still remain in namespace: x for gvr: /v1, Resource=pods',
    });
  });
});
