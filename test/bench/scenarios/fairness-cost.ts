import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { suggestedFlowSchemas } from '../../../runtime/flowcontrol/bootstrap/flow-schemas.ts';
import { suggestedPriorityLevels } from '../../../runtime/flowcontrol/bootstrap/priority-levels.ts';
import { FlowControl } from '../../../runtime/flowcontrol/flow-control.ts';
import { monotonicClock, systemClock } from '../../../runtime/machinery/clock.ts';
import type { UserInfo } from '../../../runtime/machinery/user-info.ts';
import { reportCostOfTwo } from '../cost-of-two.ts';
import { onePod } from '../one-pod.ts';
import { percentile, type Report } from '../report.ts';

/** Measures priority and fairness without contention. */
export async function fairnessCost(report: Report): Promise<void> {
  report.row('priority and fairness of one GET, in itself', `${inItself().toFixed(1)} µs`, '', 'at most 5 µs');
  report.row(
    'memory that priority and fairness takes for one GET, beside 100 and 3,000 under way',
    [100, 3_000].map((underWay) => `${allocated(underWay)} B`).join(', '),
    '',
    'the same',
  );
  // the cache ends with equally many
  const users = [4_000, 250 * 4_096 + 4_000];
  report.row(
    'memory that it keeps after GETs of 4,000 users, and of a million',
    users.map((count) => `${(keptAfter(count) / 2 ** 20).toFixed(1)} MiB`).join(', '),
    '',
    'the same',
  );
  await reportCostOfTwo(report, {
    title: 'processor time of a GET, with priority and fairness and without',
    on: ['--storage=memory', '--authorization-mode=AlwaysAllow'],
    off: ['--storage=memory', '--authorization-mode=AlwaysAllow', '--enable-priority-and-fairness=false'],
    target: 'at most 5 µs more',
  });
}

const request = {
  isResourceRequest: true,
  path: onePod.path,
  verb: 'get',
  group: '',
  version: 'v1',
  namespace: 'default',
  resource: 'pods',
  subresource: '',
  name: 'p',
};
const query = new Map();
const user = (name: string): UserInfo => ({
  name,
  uid: '',
  extra: {},
  groups: ['testers', 'system:authenticated'],
});

/** Returns flow control with the suggested configuration and seats for all. */
function flowControl(): FlowControl {
  const made = new FlowControl({
    clock: monotonicClock(systemClock),
    serverConcurrency: 60_000,
    sizeOf: () => undefined,
  });
  made.configure(suggestedPriorityLevels, suggestedFlowSchemas);
  return made;
}

/** Returns the microseconds of a request that does nothing. */
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
 * Returns the bytes that a request allocates while others are in flight: the median of rounds, because a round may
 * include a garbage collection.
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

/** Returns the bytes retained after one request of each of `users`. */
function keptAfter(users: number): number {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const flow = flowControl();
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let at = 0; at < users; at++) flow.finish(flow.start(request, user(`user-${at}`), query));
  collect();
  const kept = process.memoryUsage().heapUsed - before;
  // keeps the object reachable until here
  flow.updateBorrowing();
  return kept;
}
