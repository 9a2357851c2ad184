import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { TaintEvictionController } from '../../../runtime/controllers/tainteviction/taint-eviction-controller.ts';
import { SimulatedCluster } from '../../support/simulation.ts';

const taint = (key: string, effect = 'NoExecute') => ({ key, effect });
const tolerates = (key: string, tolerationSeconds?: number) => ({
  key,
  operator: 'Exists',
  effect: 'NoExecute',
  ...(tolerationSeconds === undefined ? {} : { tolerationSeconds }),
});

describe('pods on nodes with NoExecute taints', () => {
  let cluster: SimulatedCluster;

  beforeEach(async () => {
    cluster = await SimulatedCluster.open((context) => [new TaintEvictionController(context)]);
    await (await cluster.stores.of('nodes')).create({ metadata: { name: 'n1' } });
  });

  afterEach(() => cluster.close());

  async function createPod(tolerations: object[]): Promise<void> {
    const pods = await cluster.stores.of('pods');
    const containers = [{ name: 'c', image: 'i' }];
    await pods.create({
      metadata: { name: 'p' },
      spec: { nodeName: 'n1', terminationGracePeriodSeconds: 5, containers, tolerations },
    });
  }

  async function setTaints(...taints: object[]): Promise<void> {
    await (await cluster.stores.of('nodes')).update('n1', ({ spec }) => {
      spec.taints = taints;
    });
    await cluster.settle();
  }

  /** Returns the seconds before the pod's deletion; undefined if it stays for a minute. */
  async function evictedAfter(): Promise<number | undefined> {
    for (let seconds = 0; seconds <= 60; seconds++) {
      const [pod] = await cluster.list('pods');
      if (pod?.metadata.deletionTimestamp !== undefined) return seconds;
      await cluster.pass(1);
    }
    return undefined;
  }

  test.each([
    ['go at once without a toleration', [], [taint('a')], 0],
    ['go at once if one of the taints is not tolerated', [tolerates('a')], [taint('a'), taint('b')], 0],
    ['stay if they tolerate it', [tolerates('a')], [taint('a')], undefined],
    ['stay as long as they tolerate it', [tolerates('a', 7)], [taint('a')], 7],
    ['go by the shortest of their tolerations', [tolerates('a', 9), tolerates('b', 4)], [taint('a'), taint('b')], 4],
    ['go at once with a toleration of no time', [tolerates('a', 0)], [taint('a')], 0],
    ['use the first toleration that fits', [tolerates('a'), tolerates('a', 3)], [taint('a')], undefined],
    ['stay where other effects keep pods away', [], [taint('a', 'NoSchedule')], undefined],
  ])('%s', async (_name, tolerations, taints, want) => {
    await createPod(tolerations);
    await setTaints(...taints);
    expect(await evictedAfter()).toBe(want);
  });

  test('say why they go', async () => {
    await createPod([]);
    await setTaints(taint('a'));
    const [{ status }] = await cluster.list('pods');
    expect(status.conditions).toMatchObject([
      {
        type: 'DisruptionTarget',
        status: 'True',
        reason: 'DeletionByTaintManager',
        message: 'Taint manager: deleting due to NoExecute taint',
      },
    ]);
    expect(await cluster.events()).toEqual(['Normal TaintManagerEviction: Marking for deletion Pod default/p']);
  });

  test('stay if the taint goes in time, and wait anew for the next one', async () => {
    await createPod([tolerates('a', 10)]);
    await setTaints(taint('a'));
    await cluster.pass(8);
    await setTaints();
    await setTaints(taint('a'));
    expect(await evictedAfter()).toBe(10);
    expect((await cluster.events())[0]).toBe('Normal TaintManagerEviction: Cancelling deletion of Pod default/p');
  });

  test('do not wait longer because their node gets another taint that they tolerate', async () => {
    await createPod([tolerates('a', 10), tolerates('b', 30)]);
    await setTaints(taint('a'));
    await cluster.pass(4);
    await setTaints(taint('a'), taint('b'));
    expect(await evictedAfter()).toBe(6);
  });

  test('go at once if they come to a node that has the taint', async () => {
    await setTaints(taint('a'));
    await createPod([]);
    await cluster.settle();
    expect(await evictedAfter()).toBe(0);
  });
});
