import { setTimeout } from 'node:timers/promises';
import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { SimulatedKubelets } from '../../../runtime/simulation/simulated-kubelets.ts';
import { SimulatedCluster } from '../../support/simulation.ts';
import type { Report } from '../report.ts';

const podCount = 20_000;
const podNodes = 200;
const heartbeatNodes = 5_000;
/** The number of pods created and deleted at once. */
const batch = 500;

/** Returns the processor time of this process in seconds. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
}

async function openCluster(nodes: number): Promise<SimulatedCluster> {
  const cluster = await SimulatedCluster.open((context) => [new SimulatedKubelets(context, { nodes })]);
  await (await cluster.stores.of('namespaces')).create({ metadata: { name: 'kube-node-lease' } });
  return cluster;
}

/**
 * Measures simulated kubelets in processor time, including the creation and deletion of pods, without a scheduler and a
 * server.
 */
export async function simulation(report: Report): Promise<void> {
  await pods(report);
  await heartbeats(report);
}

async function pods(report: Report): Promise<void> {
  const cluster = await openCluster(podNodes);
  const informer = await cluster.context.informers.of<Pod>({ group: '', version: 'v1', resource: 'pods' });
  let running = 0;
  let deleted = 0;
  informer.addEventHandler({
    onUpdate(before, after) {
      if (before.status?.phase !== 'Running' && after.status?.phase === 'Running') running++;
    },
    onDelete: () => deleted++,
  });
  const store = await cluster.stores.of('pods');
  const inBatches = async (work: (index: number) => Promise<unknown>): Promise<void> => {
    for (let i = 0; i < podCount; i += batch) {
      await Promise.all(Array.from({ length: batch }, (_, offset) => work(i + offset)));
    }
  };
  const what = `${podCount.toLocaleString('en')} simulated pods`;
  let before = processorTime();
  await inBatches((index) => {
    const nodeName = `kubeloom-node-${index % podNodes}`;
    return store.create({
      metadata: { name: `p${index}` },
      spec: { nodeName, containers: [{ name: 'c', image: 'i:1' }] },
    });
  });
  while (running < podCount) await setTimeout(5);
  report.row(`${what}, from bound to running`, perPod(processorTime() - before), '', '');
  before = processorTime();
  await inBatches((index) => store.delete(`p${index}`));
  while (deleted < podCount) await setTimeout(5);
  report.row(`${what}, deleted`, perPod(processorTime() - before), '', '');
  await cluster.close();
}

const perPod = (seconds: number): string => `${((1000 * seconds) / podCount).toFixed(2)} ms of processor time each`;

/** Measures leases, which are renewed every ten seconds. */
async function heartbeats(report: Report): Promise<void> {
  const cluster = await openCluster(heartbeatNodes);
  await cluster.pass(12);
  const before = processorTime();
  const seconds = 60;
  await cluster.pass(seconds);
  const share = (100 * (processorTime() - before)) / seconds;
  report.row(`heartbeats of ${heartbeatNodes.toLocaleString('en')} simulated nodes`, `${share.toFixed(0)} % of a processor`, '', '');
  await cluster.close();
}
