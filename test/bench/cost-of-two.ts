import { onePod } from './one-pod.ts';
import { processorTime } from './processor.ts';
import { hammer, type RawConnection } from './raw-client.ts';
import type { Report } from './report.ts';
import { startKubeloom } from './target.ts';

/** Servers of each kind, since memory varies by process; and pairs of short turns of each. */
const processes = 5;
const pairs = 240;
const turnMs = 20;

interface Cost {
  readonly on: number;
  readonly off: number;
}

/** Two servers whose flags differ. */
export interface Comparison {
  readonly title: string;
  readonly on: readonly string[];
  readonly off: readonly string[];
  /** Fills the first server. */
  readonly prepareOn?: (connections: readonly RawConnection[]) => Promise<void>;
  readonly target: string;
}

/** Reports the processor's time for one GET of each server. */
export async function reportCostOfTwo(report: Report, comparison: Comparison): Promise<void> {
  const costs: Cost[] = [];
  while (costs.length < processes) costs.push(await costOfTwo(comparison));
  costs.sort((a, b) => a.on - a.off - b.on + b.off);
  const { on, off } = costs[(processes - 1) / 2];
  const times = `${on.toFixed(1)} µs, ${off.toFixed(1)} µs: ${(on - off).toFixed(1)} µs`;
  report.row(comparison.title, times, '', comparison.target);
}

/**
 * Microseconds per request, in the quietest quarter of all pairs: other work on the machine mostly slows both of a
 * pair.
 */
async function costOfTwo({ on, off, prepareOn }: Comparison): Promise<Cost> {
  const servers = [await startKubeloom(on), await startKubeloom(off)];
  if (prepareOn !== undefined) {
    const preparing = await servers[0].open(16);
    await prepareOn(preparing);
    for (const connection of preparing) connection.close();
  }
  const connections = await Promise.all(servers.map((server) => server.open(16)));
  for (const [own] of connections) await own.send(onePod.create);
  const get = onePod.getAs('jane');
  for (const own of connections) await hammer(own, 2_000, () => get);
  const turn = async (at: number): Promise<number> => {
    const { pid } = servers[at];
    const before = processorTime(pid).ran;
    const { latencies } = await hammer(connections[at], turnMs, () => get);
    return ((processorTime(pid).ran - before) / latencies.length) * 1000;
  };
  const costs: Cost[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    if (pair % 2 === 0) costs.push({ on: await turn(0), off: await turn(1) });
    else costs.push({ off: await turn(1), on: await turn(0) });
  }
  for (const connection of connections.flat()) connection.close();
  for (const server of servers) await server.close();
  const quiet = costs.sort((a, b) => a.on + a.off - b.on - b.off).slice(0, pairs / 4);
  const mean = (of: keyof Cost): number => quiet.reduce((sum, cost) => sum + cost[of], 0) / quiet.length;
  return { on: mean('on'), off: mean('off') };
}
