import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { QuotaWorld } from '../../simulation/quota-world.ts';

describe('the resource quota controller', () => {
  let world: QuotaWorld;
  beforeAll(async () => {
    world = await QuotaWorld.open();
  });
  afterAll(() => world.close());

  const pod = (name: string) => ({
    metadata: { name },
    spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] },
  });
  const quota = (namespace: string, hard: object) => world.create('resourcequotas', namespace, { metadata: { name: 'q' }, spec: { hard } });

  /** Returns the quota's usage when all controllers are idle. */
  async function used(namespace: string) {
    for (let turn = 0; turn < 50; turn++) await setImmediate();
    return (await world.of('resourcequotas')).get('q', namespace)?.status.used;
  }

  test('counts a pod whose node is lost until its grace period is over', async () => {
    await quota('grace', { pods: '1', 'count/pods': '2' });
    await world.create('pods', 'grace', pod('p'));
    const { store, definition } = await world.of('pods');
    const user = { name: 'u', uid: '', groups: [], extra: {} };
    const writer = { user, dryRun: false, warn: () => undefined };
    await store.delete(definition, { namespace: 'grace', name: 'p', gracePeriodSeconds: 30 }, writer);
    world.clock.advance(59_000);
    expect(await used('grace')).toEqual({ pods: '1', 'count/pods': '1' });
    // the deletion timestamp is the end of the grace period, which is added a second time, as upstream
    world.clock.advance(2_000);
    expect(await used('grace')).toEqual({ pods: '0', 'count/pods': '1' });
  });

  test('corrects a status that somebody else has written, within five minutes', async () => {
    await quota('tampered', { configmaps: '3' });
    expect(await used('tampered')).toEqual({ configmaps: '0' });
    await world.update('resourcequotas', { namespace: 'tampered', name: 'q', part: 'status' }, ({ status }) => {
      status.used.configmaps = '2';
    });
    expect(await used('tampered')).toEqual({ configmaps: '2' });
    world.clock.advance(5 * 60_000);
    expect(await used('tampered')).toEqual({ configmaps: '0' });
  });

  test('counts anew when it starts: neither what was reserved nor what was stored meanwhile is lost', async () => {
    await quota('restarted', { configmaps: '9', pods: '9' });
    await world.create('pods', 'restarted', pod('p'));
    await world.withoutController(async () => {
      await world.create('configmaps', 'restarted', { metadata: { name: 'a' } });
      await world.delete('pods', 'restarted', 'p');
      // as if the process had died between the reservation and the object's write
      await world.update('resourcequotas', { namespace: 'restarted', name: 'q', part: 'status' }, ({ status }) => {
        status.used.configmaps = '7';
      });
    });
    expect(await used('restarted')).toEqual({ configmaps: '1', pods: '0' });
  });

  test('forgets quotas that are deleted, and counts for those that come after them', async () => {
    await quota('again', { pods: '1' });
    await world.create('pods', 'again', pod('p'));
    await world.delete('resourcequotas', 'again', 'q');
    await world.create('pods', 'again', pod('p2'));
    await quota('again', { pods: '5' });
    expect(await used('again')).toEqual({ pods: '2' });
  });
});
