import { describe, expect, test } from '@jest/globals';
import { Random } from '../../../support/random.ts';
import { ScheduledCluster } from '../../../support/scheduled-cluster.ts';

/** In thousandths of a CPU. */
const capacity = 2000;

describe('a scheduler', () => {
  test.each([1, 2, 3])('never gives a node away twice, whatever comes and goes (seed %i)', async (seed) => {
    const random = new Random(seed);
    const cluster = await ScheduledCluster.open(seed);
    try {
      const pods = await cluster.simulated.stores.of('pods');
      const nodes = ['n1', 'n2', 'n3'];
      for (const node of nodes) await cluster.node(node, { cpu: `${capacity}m`, pods: '6' });
      for (let round = 0, created = 0; round < 12; round++) {
        const work: Promise<unknown>[] = [];
        for (let i = random.between(1, 6); i > 0; i--) {
          const cpu = `${random.between(1, 8) * 100}m`;
          const ports = random.chance(0.2) ? [{ containerPort: 1, hostPort: random.between(1, 3) }] : [];
          work.push(cluster.createPod(`p${created++}`, { cpu, ports, spec: { priority: random.between(0, 2) } }));
        }
        for (const { metadata } of await cluster.simulated.list('pods')) {
          if (!random.chance(0.2)) continue;
          work.push(pods.delete(metadata.name ?? '', { gracePeriodSeconds: 0 }).catch(() => undefined));
        }
        await Promise.all(work);
        await cluster.simulated.settle();
        const all = await cluster.simulated.list('pods');
        for (const node of nodes) {
          const [used, ports] = [{ cpu: 0, pods: 0 }, [] as number[]];
          for (const { spec } of all.filter((pod) => pod.spec.nodeName === node)) {
            const [container] = spec.containers;
            used.cpu += Number.parseInt(container.resources.requests.cpu, 10);
            used.pods++;
            if (container.ports?.length) ports.push(container.ports[0].hostPort);
          }
          expect([used.cpu <= capacity, used.pods <= 6, new Set(ports).size]).toEqual([true, true, ports.length]);
        }
        const waiting = all.filter(({ spec, status }) => !spec.nodeName && !status.nominatedNodeName);
        for (const { status } of waiting) expect(status.conditions[0].message).toContain('0/3 nodes are available');
      }
    } finally {
      await cluster.close();
    }
  });
});
