import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { suggestedFlowSchemas } from '../../../runtime/flowcontrol/bootstrap/flow-schemas.ts';
import { suggestedPriorityLevels } from '../../../runtime/flowcontrol/bootstrap/priority-levels.ts';
import { FlowControl } from '../../../runtime/flowcontrol/flow-control.ts';
import { monotonic } from '../../../runtime/flowcontrol/monotonic.ts';
import { systemClock } from '../../../runtime/machinery/clock.ts';
import { startKubeloom, type Target } from '../.target-tmp.ts';
import type { ElephantOrder } from '../elephant.ts';
import { hammer, RawConnection } from '../raw-client.ts';
import { percentile, type Report } from '../report.ts';

const pods = '/api/v1/namespaces/default/pods';
const root = '/apis/flowcontrol.apiserver.k8s.io/v1';
const json = { 'content-type': 'application/json' };
const podBody = JSON.stringify({ metadata: { name: 'p' }, spec: { containers: [{ name: 'main', image: 'busybox' }] } });
const as = (user: string) => ({ 'impersonate-user': user, 'impersonate-group': 'testers' });

/** What priority and fairness costs where nothing is contended, and what it does where everything is. */
export async function fairness(report: Report): Promise<void> {
  report.row('priority and fairness of one GET, in itself', `${inItself().toFixed(1)} µs`, '', 'at most 5 µs');
  await elephantAndMouse(report);
}

/** Microseconds from the start to the end of a request that does nothing. */
function inItself(): number {
  const flowControl = new FlowControl({
    ...{ clock: monotonic(systemClock), serverConcurrency: 600 },
    sizeOf: () => undefined,
  });
  flowControl.configure(suggestedPriorityLevels, suggestedFlowSchemas);
  const user = { name: 'jane', uid: '', groups: ['testers', 'system:authenticated'], extra: {} };
  const request = {
    ...{ isResourceRequest: true, path: `${pods}/p`, verb: 'get', group: '', version: 'v1', namespace: 'default' },
    ...{ resource: 'pods', subresource: '', name: 'p' },
  };
  const query = new Map();
  const count = 100_000;
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 6; round++) {
    const started = performance.now();
    for (let at = 0; at < count; at++) flowControl.finish(flowControl.start(request, user, query));
    best = Math.min(best, ((performance.now() - started) / count) * 1000);
  }
  return best;
}

/** The processor's time for one GET, with the filter and without, in turns. */
async function onAndOff(report: Report): Promise<void> {
  const servers = [
    await startKubeloom(['--storage=memory']),
    await startKubeloom(['--storage=memory', '--enable-priority-and-fairness=false']),
  ];
  const best = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const connections = await Promise.all(servers.map((server) => server.open(16)));
  for (const [own] of connections) await own.send(RawConnection.request('POST', pods, podBody, json));
  const request = RawConnection.request('GET', `${pods}/p`, undefined, as('jane'));
  for (let round = 0; round < 12; round++) {
    for (const [at, server] of servers.entries()) {
      const before = processorTime(server);
      const { latencies } = await hammer(connections[at], 700, () => request);
      if (round > 1) best[at] = Math.min(best[at], ((processorTime(server) - before) / latencies.length) * 1000);
    }
  }
  const [on, off] = best;
  report.row(
    'processor time of a GET, with it and without',
    `${on.toFixed(0)} µs, ${off.toFixed(0)} µs`,
    '',
    'at most 5 µs more',
  );
  for (const connection of connections.flat()) connection.close();
  for (const server of servers) await server.close();
}

/** Milliseconds that the process has run, by the kernel's count of hundredths. */
function processorTime({ pid }: Target): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** 200 connections against one, of two users, on a level of two seats. */
async function elephantAndMouse(report: Report): Promise<void> {
  const flags = ['--storage=memory', '--max-requests-inflight=2', '--max-mutating-requests-inflight=0'];
  const server = await startKubeloom(flags);
  const [mouse] = await server.open(1);
  await mouse.send(RawConnection.request('POST', pods, podBody, json));
  for (const [path, body] of configuration()) {
    const { status } = await mouse.send(RawConnection.request('POST', `${root}/${path}`, JSON.stringify(body), json));
    if (status !== 201) throw new Error(`${path}: ${status}`);
  }
  const request = RawConnection.request('GET', `${pods}/p`, undefined, as('mouse'));
  const p99 = async (): Promise<number> => {
    const { latencies } = await hammer([mouse], 3_000, () => request);
    return percentile(
      latencies.sort((a, b) => a - b),
      0.99,
    );
  };
  await p99();
  const alone = await p99();
  // the loader of TypeScript registers itself once in a process, and tells by this variable
  const env = { ...process.env, KUBELOOM_TS_LOADER: '' };
  const elephant = fork(fileURLToPath(new URL('../elephant.ts', import.meta.url)), { env });
  const order: ElephantOrder = {
    ...{ credentials: server.credentials, connections: 200, ms: 5_000 },
    request: RawConnection.request('GET', `${pods}/p`, undefined, as('elephant')).toString(),
  };
  elephant.send(order);
  await once(elephant, 'message');
  setTimeout(async () => {
    const [c] = await server.open(1);
    for (const d of ['dump_priority_levels', 'dump_queues'])
      console.error(
        (await c.send(RawConnection.request('GET', '/debug/api_priority_and_fairness/' + d), true)).body
          ?.toString()
          .split('\n')
          .filter((l) => (/shared/.test(l) && !/, +0, +0, +0, +0/.test(l)) || /^Prio/.test(l))
          .join('\n'),
      );
    c.close();
  }, 1500);
  const beside = await p99();
  const [count] = await once(elephant, 'message');
  await once(elephant, 'exit');
  mouse.close();
  await server.close();
  report.row(
    'p99 of a mouse beside an elephant of 200 connections',
    `${beside.toFixed(2)} ms, ${(beside / alone).toFixed(1)} x alone`,
    '',
    'at most 3 x alone',
  );
  report.row('what the elephant got meanwhile', `${Math.round(count / 5)}/s`, '', '');
}

function configuration(): [string, object][] {
  const queuing = { queues: 64, handSize: 1, queueLengthLimit: 300 };
  const limited = {
    ...{ nominalConcurrencyShares: 10_000, lendablePercent: 0, borrowingLimitPercent: 0 },
    limitResponse: { type: 'Queue', queuing },
  };
  const resourceRules = [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'], clusterScope: true }];
  const rules = [{ subjects: [{ kind: 'Group', group: { name: 'testers' } }], resourceRules }];
  const spec = { priorityLevelConfiguration: { name: 'shared' }, matchingPrecedence: 500, rules };
  return [
    ['prioritylevelconfigurations', { metadata: { name: 'shared' }, spec: { type: 'Limited', limited } }],
    ['flowschemas', { metadata: { name: 'shared' }, spec: { ...spec, distinguisherMethod: { type: 'ByUser' } } }],
  ];
}
