import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { quietPeriod } from '../../../runtime/controllers/resource-quota/usage-corrections.ts';
import { isStatusError } from '../../../runtime/machinery/errors/status.ts';
import { StorageError } from '../../../runtime/storage/errors.ts';
import { QuotaWorld } from '../../simulation/quota-world.ts';
import { createMemoryEngines, type SharedMemory } from '../../support/shared-engines.ts';

const namespace = 'default';

/** Two servers on one store. The first runs the quota controller. */
describe('quotas of servers that share a store', () => {
  let memory: SharedMemory;
  let leader: QuotaWorld;
  let other: QuotaWorld;

  beforeEach(async () => {
    memory = createMemoryEngines(2);
    leader = await QuotaWorld.open(memory.engines[0]);
    other = await QuotaWorld.open(memory.engines[1], false);
  });
  afterEach(async () => {
    await leader.close();
    await other.close();
  });

  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 60; turn++) await setImmediate();
  };
  const pass = async (ms: number): Promise<void> => {
    for (const world of [leader, other]) world.clock.advance(ms);
    await settle();
  };
  async function quota(hard: object): Promise<void> {
    await leader.create('resourcequotas', namespace, { metadata: { name: 'q' }, spec: { hard } });
    await settle();
  }
  const used = async () => (await other.of('resourcequotas')).get('q', namespace)?.status.used;
  const configMap = (name: string, labels = {}) => ({ metadata: { name, labels } });
  const count = async (resource: string) => (await leader.of(resource)).store.collection.latest().count(namespace);
  const writeUsed = (world: QuotaWorld, value: string) =>
    world.update('resourcequotas', { namespace, name: 'q', part: 'status' }, ({ status }) => {
      status.used.configmaps = value;
    });

  /** Creates `each` objects in both worlds concurrently. Returns the number of successes. */
  async function createMany(each: number): Promise<number> {
    const results = await Promise.allSettled(
      [leader, other].flatMap((world, index) =>
        Array.from({ length: each }, (_, at) => world.create('configmaps', namespace, configMap(`c${index}-${at}`))),
      ),
    );
    for (const result of results) {
      if (result.status === 'fulfilled') continue;
      expect(isStatusError(result.reason) && result.reason.message).toContain('exceeded quota: q');
    }
    return results.filter(({ status }) => status === 'fulfilled').length;
  }

  test('are used up to their last part by writers of both, and not further', async () => {
    await quota({ configmaps: '40' });
    expect(await createMany(32)).toBe(40);
    expect(await count('configmaps')).toBe(40);
    await settle();
    expect(await used()).toEqual({ configmaps: '40' });
  });

  test('have room again when objects are deleted, whoever deletes and whoever creates', async () => {
    await quota({ configmaps: '4', 'count/secrets': '1' });
    for (let round = 0; round < 5; round++) {
      expect(await createMany(4)).toBe(4);
      for (const { name } of [...(await leader.of('configmaps')).store.collection.latest().scan({ namespace })]) {
        await (round % 2 === 0 ? leader : other).delete('configmaps', namespace, name);
      }
      await settle();
      expect(await used()).toEqual({ configmaps: '0', 'count/secrets': '0' });
    }
  });

  test('get back at once what a failed write of the other server had reserved', async () => {
    await quota({ configmaps: '1' });
    await expect(other.create('configmaps', namespace, configMap('a', { denied: 'yes' }))).rejects.toThrow('denied');
    await settle();
    expect(await used()).toEqual({ configmaps: '0' });
    await leader.create('configmaps', namespace, configMap('b'));
  });

  test('keep what the other server has reserved, until it must have been lost', async () => {
    await quota({ configmaps: '3' });
    await leader.create('configmaps', namespace, configMap('a'));
    // as if the other server had died between the reservation and the object's write
    await writeUsed(other, '3');
    await leader.delete('configmaps', namespace, 'a');
    await settle();
    expect(await used()).toEqual({ configmaps: '2' });
    await pass(quietPeriod - 10_000);
    await leader.create('configmaps', namespace, configMap('b'));
    await pass(20_000);
    expect(await used()).toEqual({ configmaps: '3' });
    await pass(quietPeriod);
    expect(await used()).toEqual({ configmaps: '1' });
  });

  test('give nothing back twice if nobody knows whether it was given back', async () => {
    await quota({ configmaps: '3' });
    await leader.create('configmaps', namespace, configMap('a'));
    // the other server is about to store two of them
    await writeUsed(other, '3');
    await settle();
    const [engine] = memory.engines;
    const write = engine.write.bind(engine);
    let isCut = false;
    engine.write = async (one) => {
      const result = await write(one);
      if (isCut || !one.key.includes('resourcequotas')) return result;
      isCut = true;
      throw new StorageError('unknown-outcome', 'the connection ended before a response');
    };
    await leader.delete('configmaps', namespace, 'a');
    await pass(10_000);
    expect([isCut, await used()]).toEqual([true, { configmaps: '2' }]);
  });

  test('are never below what is stored', async () => {
    await quota({ configmaps: '3' });
    await leader.create('configmaps', namespace, configMap('a'));
    await writeUsed(other, '0');
    await settle();
    expect(await used()).toEqual({ configmaps: '1' });
  });

  test('refuse nobody by an old status', async () => {
    await quota({ configmaps: '1' });
    await leader.create('configmaps', namespace, configMap('a'));
    memory.engines[1].hold();
    await leader.delete('configmaps', namespace, 'a');
    await settle();
    const created = other.create('configmaps', namespace, configMap('b'));
    await settle();
    memory.engines[1].deliver();
    await created;
    expect(await used()).toEqual({ configmaps: '1' });
  });

  test('are judged by what the other server has written, which was not heard of yet', async () => {
    await quota({ configmaps: '1' });
    memory.engines[1].hold();
    await leader.create('configmaps', namespace, configMap('a'));
    const created = other.create('configmaps', namespace, configMap('b'));
    await settle();
    memory.engines[1].deliver();
    await expect(created).rejects.toThrow('exceeded quota: q, requested: configmaps=1, used: configmaps=1');
  });

  test('count pods by what they ask for', async () => {
    await quota({ 'requests.cpu': '2' });
    const pod = (name: string, cpu: string) => ({
      metadata: { name },
      spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu } } }] },
    });
    await Promise.all([leader.create('pods', namespace, pod('a', '1500m')), other.create('pods', namespace, pod('b', '500m'))]);
    await expect(other.create('pods', namespace, pod('c', '1'))).rejects.toThrow('exceeded quota');
    await other.delete('pods', namespace, 'a');
    await settle();
    expect(await used()).toEqual({ 'requests.cpu': '500m' });
    await other.create('pods', namespace, pod('c', '1'));
    expect(await used()).toEqual({ 'requests.cpu': '1500m' });
  });
});
