import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { suggestedFlowSchemas } from '../../../runtime/flowcontrol/bootstrap/flow-schemas.ts';
import { suggestedPriorityLevels } from '../../../runtime/flowcontrol/bootstrap/priority-levels.ts';
import { FlowControl } from '../../../runtime/flowcontrol/flow-control.ts';
import { monotonicClock, systemClock } from '../../../runtime/machinery/clock.ts';
import type { UserInfo } from '../../../runtime/machinery/user-info.ts';
import { onePod } from '../one-pod.ts';
import { processorTime } from '../processor.ts';
import { hammer } from '../raw-client.ts';
import { percentile, type Report } from '../report.ts';
import { startKubeloom } from '../target.ts';

/** The cost of priority and fairness without contention. */
export async function fairnessCost(report: Report): Promise<void> {
  report.row('priority and fairness of one GET, in itself', `${inItself().toFixed(1)} µs`, '', 'at most 5 µs');
  report.row(
    'memory that priority and fairness takes for one GET, beside 100 and 3,000 under way',
    [100, 3_000].map((underWay) => `${allocated(underWay)} B`).join(', '),
    '',
    'the same',
  );
  // the cache ends up with as many
  const users = [4_000, 250 * 4_096 + 4_000];
  report.row(
    'memory that it keeps after GETs of 4,000 users, and of a million',
    users.map((count) => `${(keptAfter(count) / 2 ** 20).toFixed(1)} MiB`).join(', '),
    '',
    'the same',
  );
  await onAndOff(report);
}

const request = {
  ...{ isResourceRequest: true, path: onePod.path, verb: 'get', group: '', version: 'v1', namespace: 'default' },
  ...{ resource: 'pods', subresource: '', name: 'p' },
};
const query = new Map();
const user = (name: string): UserInfo => ({
  ...{ name, uid: '', extra: {} },
  groups: ['testers', 'system:authenticated'],
});

/** With the suggested configuration, and seats for all. */
function flowControl(): FlowControl {
  const made = new FlowControl({
    ...{ clock: monotonicClock(systemClock), serverConcurrency: 60_000 },
    sizeOf: () => undefined,
  });
  made.configure(suggestedPriorityLevels, suggestedFlowSchemas);
  return made;
}

/** Microseconds from the start to the end of a request that does nothing. */
function inItself(): number {
  const flow = flowControl();
  const jane = user('jane');
  const count = 100_000;
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 6; round++) {
    const started = performance.now();
    for (let at = 0; at < count; at++) flow.finish(flow.start(request, jane, query));
    best = Math.min(best, ((performance.now() - started) / count) * 1000);
  }
  return best;
}

/**
 * Bytes that a request allocates while others are in flight; the median of rounds, since a collection may happen in
 * one.
 */
function allocated(underWay: number): number {
  const flow = flowControl();
  const jane = user('jane');
  const others = Array.from({ length: underWay }, () => flow.start(request, jane, query));
  const count = 1_000;
  const rounds: number[] = [];
  for (let round = 0; round < 200; round++) {
    const before = process.memoryUsage().heapUsed;
    for (let at = 0; at < count; at++) flow.finish(flow.start(request, jane, query));
    rounds.push((process.memoryUsage().heapUsed - before) / count);
  }
  for (const other of others) flow.finish(other);
  return Math.round(
    percentile(
      rounds.sort((a, b) => a - b),
      0.5,
    ),
  );
}

/** Bytes retained after each of `users` has sent a request. */
function keptAfter(users: number): number {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const flow = flowControl();
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let at = 0; at < users; at++) flow.finish(flow.start(request, user(`user-${at}`), query));
  collect();
  const kept = process.memoryUsage().heapUsed - before;
  // keeps it reachable until here
  flow.updateBorrowing();
  return kept;
}

/** Servers of each kind, since memory varies by process; and pairs of short turns of each. */
const processes = 5;
const pairs = 240;
const turnMs = 20;

interface Cost {
  readonly on: number;
  readonly off: number;
}

/** The processor's time for one GET, with the filter and without. */
async function onAndOff(report: Report): Promise<void> {
  const costs: Cost[] = [];
  while (costs.length < processes) costs.push(await costOfTwo());
  costs.sort((a, b) => a.on - a.off - b.on + b.off);
  const { on, off } = costs[(processes - 1) / 2];
  report.row(
    'processor time of a GET, with priority and fairness and without',
    `${on.toFixed(1)} µs, ${off.toFixed(1)} µs: ${(on - off).toFixed(1)} µs`,
    '',
    'at most 5 µs more',
  );
}

/**
 * Microseconds per request, in the quietest quarter of all pairs: other work on the machine mostly slows both of a
 * pair.
 */
async function costOfTwo(): Promise<Cost> {
  const servers = [
    await startKubeloom(['--storage=memory']),
    await startKubeloom(['--storage=memory', '--enable-priority-and-fairness=false']),
  ];
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
