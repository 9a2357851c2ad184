import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ttlController } from '../../../runtime/controllers/ttl/ttl-controller.ts';
import { SimulatedCluster } from '../../support/simulation.ts';

describe('how long nodes may keep what they read', () => {
  let cluster: SimulatedCluster;
  beforeEach(async () => {
    cluster = await SimulatedCluster.open((context) => [ttlController(context)]);
  });
  afterEach(() => cluster.close());

  const ttlOf = async (name: string): Promise<string> =>
    (await cluster.stores.of('nodes')).get(name, '')?.metadata.annotations?.['node.alpha.kubernetes.io/ttl'] ?? '';

  test('depends on how many there are', async () => {
    const nodes = await cluster.stores.of('nodes');
    for (let i = 0; i < 101; i++) await nodes.create({ metadata: { name: `n${i}` } });
    await cluster.settle();
    expect([await ttlOf('n0'), await ttlOf('n100')]).toEqual(['0', '15']);
    for (let i = 50; i < 61; i++) await nodes.delete(`n${i}`);
    await nodes.create({ metadata: { name: 'last' } });
    await cluster.settle();
    // the first range applies again below 90, not below 100
    expect(await ttlOf('last')).toBe('15');
    await nodes.delete('last');
    await nodes.delete('n49');
    await nodes.create({ metadata: { name: 'later', annotations: { 'node.alpha.kubernetes.io/ttl': 'nonsense' } } });
    await nodes.update('n0', (node) => Object.assign(node.metadata, { labels: { changed: 'yes' } }));
    await cluster.settle();
    expect([await ttlOf('n0'), await ttlOf('later')]).toEqual(['0', '0']);
  });
});
