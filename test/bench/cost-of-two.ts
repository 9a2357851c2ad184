import { onePod } from './one-pod.ts';
import { processorTime } from './processor.ts';
import { hammer, type RawConnection } from './raw-client.ts';
import type { Report } from './report.ts';
import { startKubeloom } from './target.ts';

const impersonating = onePod.getAs('jane');

/** The number of servers of each kind, because memory varies by process, and of pairs of short turns. */
const processes = 5;
const pairs = 240;
const turnMs = 20;

interface Cost {
  readonly on: number;
  readonly off: number;
}

/** Two servers with different flags. */
export interface Comparison {
  readonly title: string;
  readonly on: readonly string[];
  readonly off: readonly string[];
  /** Fills the first server. Returns the token for its requests, if any. */
  readonly prepareOn?: (connections: readonly RawConnection[]) => Promise<string | undefined>;
  /** The request to both servers, which responds with 200 or 201. Default: a GET by an impersonated user. */
  readonly request?: Buffer;
  /** The request to the second server. Default: `request`. */
  readonly requestOff?: Buffer;
  readonly target: string;
}

/** Reports each server's processor time for a request. */
export async function reportCostOfTwo(report: Report, comparison: Comparison): Promise<void> {
  const costs: Cost[] = [];
  while (costs.length < processes) costs.push(await costOfTwo(comparison));
  costs.sort((a, b) => a.on - a.off - b.on + b.off);
  const { on, off } = costs[(processes - 1) / 2];
  const times = `${on.toFixed(1)} µs, ${off.toFixed(1)} µs: ${(on - off).toFixed(1)} µs`;
  report.row(comparison.title, times, '', comparison.target);
}

/**
 * Returns microseconds per request in the quietest quarter of all pairs: other work on the machine slows both servers
 * of a pair.
 */
async function costOfTwo(comparison: Comparison): Promise<Cost> {
  const { on, off, prepareOn, request = impersonating, requestOff = request } = comparison;
  const servers = [await startKubeloom(on), await startKubeloom(off)];
  const preparing = await Promise.all(servers.map((server) => server.open(16)));
  const token = await prepareOn?.(preparing[0]);
  for (const [own] of preparing) await own.send(onePod.create);
  for (const connection of preparing.flat()) connection.close();
  const connections = [await servers[0].open(16, token === undefined), await servers[1].open(16)];
  const requests = [token === undefined ? request : onePod.getWith(token), requestOff];
  for (const [at, own] of connections.entries()) await hammer(own, 2_000, () => requests[at], [200, 201]);
  const turn = async (at: number): Promise<number> => {
    const { pid } = servers[at];
    const before = processorTime(pid).ran;
    const { latencies } = await hammer(connections[at], turnMs, () => requests[at], [200, 201]);
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
