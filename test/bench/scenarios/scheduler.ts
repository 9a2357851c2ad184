import { setTimeout } from 'node:timers/promises';
import type { KubeObject } from '../../../runtime/machinery/object.ts';
import { Scheduler } from '../../../runtime/simulation/scheduler/scheduler.ts';
import { ScheduledCluster } from '../../support/scheduled-cluster.ts';
import type { Report } from '../report.ts';

const nodeCount = 1_000;
/** The number of pods created at once. */
const batch = 500;

/** Returns the processor time of this process in milliseconds. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const spread = {
  topologySpreadConstraints: ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'].map((topologyKey) => ({
    maxSkew: 1,
    topologyKey,
    whenUnsatisfiable: 'DoNotSchedule',
    labelSelector: { matchLabels: { app: 'web' } },
  })),
};

/** Measures pods bound per second of processor time, without the cost of their creation. */
export async function scheduler(report: Report): Promise<void> {
  await measure(report, { podCount: 20_000, spec: {}, target: '≥ 1,000/s' });
  await measure(report, { podCount: 2_000, spec: spread, target: '' });
}

async function measure(report: Report, { podCount, spec, target }: { podCount: number; spec: object; target: string }): Promise<void> {
  const what = `schedule ${podCount.toLocaleString('en')} pods${spec === spread ? ', spread,' : ''} to 1,000 nodes`;
  const cluster = await ScheduledCluster.openIdle();
  const labels = { app: 'web' };
  for (let i = 0; i < nodeCount; i++) {
    const zone = { 'topology.kubernetes.io/zone': `z${i % 4}` };
    await cluster.node(`n${i}`, { cpu: '32', labels: zone, allocatable: { memory: '256Gi' } });
  }
  for (let i = 0; i < podCount; i += batch) {
    const names = Array.from({ length: batch }, (_, index) => `p${i + index}`);
    await Promise.all(names.map((name) => cluster.createPod(name, { cpu: '100m', memory: '128Mi', labels, spec })));
  }
  const { context } = cluster.simulated;
  const pods = await context.informers.of<KubeObject & { spec: { nodeName?: string } }>({
    group: '',
    version: 'v1',
    resource: 'pods',
  });
  let bound = 0;
  pods.addEventHandler({
    onUpdate(before, after) {
      if (!before.spec.nodeName && after.spec.nodeName) bound++;
    },
  });
  const started = new Scheduler(context, 1);
  const before = processorTime();
  await started.start();
  while (bound < podCount) await setTimeout(5);
  const seconds = (processorTime() - before) / 1000;
  report.row(what, `${Math.round(podCount / seconds)}/s of processor time`, '', target);
  await started.close();
  await cluster.close();
}
