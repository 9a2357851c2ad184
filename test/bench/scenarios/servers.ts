import { EtcdCluster, etcdBinary } from '../../support/etcd.ts';
import { onePod } from '../one-pod.ts';
import { processorTime } from '../processor.ts';
import { hammer, type RawConnection } from '../raw-client.ts';
import type { Report } from '../report.ts';
import { startKubeloom, type Target } from '../target.ts';

const connectionsOfEach = 16;
const warmUpMs = 2_000;
/** Short turns of one server and of both. The quietest quarter counts, because other work on the machine slows both. */
const [turns, turnMs] = [120, 60];

const reads = [
  ['GET of the newest state', onePod.get],
  ['GET from the watch cache', onePod.getFromCache],
] as const;

/**
 * Measures two servers on one etcd against one. On few shared processors two cannot be faster than one, so the servers'
 * processor time counts, which predicts the rate with a processor for each.
 */
export async function servers(report: Report): Promise<void> {
  if (etcdBinary === undefined) {
    console.error('  no etcd on the PATH: not measured');
    return;
  }
  const etcd = await EtcdCluster.start();
  const flags = [`--etcd-servers=${etcd.endpoints.join(',')}`];
  const targets = [await startKubeloom(flags), await startKubeloom(flags)];
  try {
    const groups = await Promise.all(targets.map((target) => target.open(connectionsOfEach)));
    await groups[0][0].send(onePod.create);
    for (const [what, request] of reads) {
      for (const group of groups) await hammer(group, warmUpMs, () => request);
      const one: Measured[] = [];
      const two: Measured[] = [];
      for (let turn = 0; turn < turns; turn++) {
        one.push(await measure(targets.slice(turn % 2).slice(0, 1), groups.slice(turn % 2).slice(0, 1), request));
        two.push(await measure(targets, groups, request));
      }
      const [ofOne, ofTwo] = [quietest(one), quietest(two)];
      report.row(`${what}, one server`, shown(ofOne), '', '');
      report.row(`${what}, two servers on one etcd`, shown(ofTwo), '', '');
      const times = (2 * ofOne.microseconds) / ofTwo.microseconds;
      report.row(`${what}, two servers with processors of their own`, `${times.toFixed(2)} x one`, '', 'at least 1.5 x');
    }
    for (const connection of groups.flat()) connection.close();
  } finally {
    await Promise.all(targets.map((target) => target.close()));
    await etcd.stop();
  }
}

interface Measured {
  /** The rate of all servers together. */
  readonly perSecond: number;
  /** The servers' processor time for each GET. */
  readonly microseconds: number;
}

const shown = ({ perSecond, microseconds }: Measured): string =>
  `${perSecond.toFixed(0)}/s, ${microseconds.toFixed(1)} µs of the processor each`;

/** Returns the mean of the quietest quarter. */
function quietest(measured: readonly Measured[]): Measured {
  const quiet = [...measured].sort((a, b) => a.microseconds - b.microseconds).slice(0, turns / 4);
  const mean = (of: keyof Measured): number => quiet.reduce((sum, each) => sum + each[of], 0) / quiet.length;
  return { perSecond: mean('perSecond'), microseconds: mean('microseconds') };
}

async function measure(targets: readonly Target[], groups: readonly (readonly RawConnection[])[], request: Buffer): Promise<Measured> {
  const ran = (): number => targets.reduce((sum, { pid }) => sum + processorTime(pid).ran, 0);
  const before = ran();
  const results = await Promise.all(groups.map((group) => hammer(group, turnMs, () => request)));
  const count = results.reduce((sum, { latencies }) => sum + latencies.length, 0);
  const perSecond = results.reduce((sum, each) => sum + each.perSecond, 0);
  return { perSecond, microseconds: ((ran() - before) * 1000) / count };
}
