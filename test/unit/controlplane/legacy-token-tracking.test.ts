import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { LegacyTokenTrackingController } from '../../../runtime/controlplane/legacy-token-tracking/legacy-token-tracking-controller.ts';
import { SimulatedCluster } from '../../support/simulation.ts';
import type { TestObject } from '../../support/test-object.ts';

const name = 'kube-apiserver-legacy-service-account-token-tracking';
const day = 24 * 3600_000;

describe('the day since which legacy tokens are tracked', () => {
  let cluster: SimulatedCluster;
  let controller: LegacyTokenTrackingController;

  beforeEach(async () => {
    cluster = await SimulatedCluster.open(() => []);
    await (await cluster.stores.of('namespaces')).create({ metadata: { name: 'kube-system' } });
    controller = new LegacyTokenTrackingController(cluster.context);
    await controller.start();
  });
  afterEach(async () => {
    await controller.close();
    await cluster.close();
  });

  const configMaps = () => cluster.stores.of('configmaps');
  const since = async (): Promise<string | undefined> => {
    const found = (await cluster.list('configmaps', 'kube-system')).find(({ metadata }) => metadata.name === name);
    return found?.data?.since;
  };
  const today = (): string => new Date(cluster.clock.now()).toISOString().slice(0, 10);

  test('is written at the start, and stays', async () => {
    const first = today();
    expect(await since()).toBe(first);
    cluster.clock.advance(2 * day);
    await cluster.settle();
    expect(await since()).toBe(first);
  });

  test.each([
    ['text', 'yesterday'],
    ['a time', '2026-01-01T00:00:00Z'],
    ['a day that there is not', '2026-13-01'],
    ['a day that no February has', '2026-02-30'],
    ['nothing', ''],
  ])('is written again if somebody writes %s', async (_title, wrong) => {
    cluster.clock.advance(2 * day);
    const maps = await configMaps();
    const change = (object: TestObject): void => {
      object.data = { since: wrong };
    };
    await maps.update(name, change, { namespace: 'kube-system' });
    await cluster.settle();
    expect(await since()).toBe(today());
  });

  test('is written again half an hour after it was written, if it is deleted', async () => {
    await (await configMaps()).delete(name, { namespace: 'kube-system' });
    await cluster.settle();
    expect(await since()).toBeUndefined();
    cluster.clock.advance(30 * 60_000);
    await cluster.settle();
    expect(await since()).toBe(today());
  });
});
