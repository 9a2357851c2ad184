import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { onePod } from '../one-pod.ts';
import type { ElephantOrder, ElephantWord } from '../processes/elephant.ts';
import { prefer, processorTime } from '../processor.ts';
import { hammer, RawConnection } from '../raw-client.ts';
import { percentile, type Report } from '../report.ts';
import { startKubeloom, type Target } from '../target.ts';

const root = '/apis/flowcontrol.apiserver.k8s.io/v1';
const json = { 'content-type': 'application/json' };

/**
 * Measures one connection of a user against 200 of another, on a level with two seats: the mouse alone and with them,
 * in turns.
 */
export async function elephantAndMouse(report: Report): Promise<void> {
  const flags = ['--storage=memory', '--authorization-mode=AlwaysAllow', '--max-requests-inflight=2', '--max-mutating-requests-inflight=0'];
  const server = await startKubeloom(flags);
  const [mouse] = await server.open(1);
  await mouse.send(onePod.create);
  for (const [path, body] of configuration()) {
    const { status } = await mouse.send(RawConnection.request('POST', `${root}/${path}`, JSON.stringify(body), json));
    if (status !== 201) throw new Error(`${path}: ${status}`);
  }
  // clients would be on other machines: the elephant must not use the measured server's processor
  const elephant = await wake(server);
  prefer(server.pid);
  prefer(process.pid);
  const request = onePod.getAs('mouse');
  const run = async (ms: number): Promise<Run> => {
    const before = processorTime(server.pid);
    const { latencies } = await hammer([mouse], ms, () => request);
    latencies.sort((a, b) => a - b);
    const keptWaiting = (processorTime(server.pid).keptWaiting - before.keptWaiting) / ms;
    return { median: percentile(latencies, 0.5), p99: percentile(latencies, 0.99), keptWaiting };
  };
  const say = (word: ElephantWord): boolean => elephant.send(word);
  await run(3_000);
  const alone: Run[] = [];
  const beside: Run[] = [];
  let [responses, trampled] = [0, 0];
  for (let round = 0; round < 8; round++) {
    const isWarm = round > 0;
    const by = await run(1_000);
    const began = performance.now();
    say('trample');
    // all 200 arrive at once only at the start
    await run(300);
    const next = await run(1_000);
    say('rest');
    const [count] = await once(elephant, 'message');
    if (!isWarm) continue;
    alone.push(by);
    beside.push(next);
    responses += count;
    trampled += performance.now() - began;
  }
  say('leave');
  await once(elephant, 'exit');
  const waited = await waitOfMouse(server);
  mouse.close();
  await server.close();
  for (const what of ['median', 'p99'] as const) {
    const [apart, together] = [medianOf(alone, what), medianOf(beside, what)];
    report.row(
      `${what} of a mouse alone, and beside an elephant of 200 connections`,
      `${apart.toFixed(2)} ms, ${together.toFixed(2)} ms: ${(together / apart).toFixed(1)} x`,
      '',
      what === 'p99' ? 'at most 3 x' : '',
    );
  }
  report.row('the same mouse, waiting for a seat', waited, '', '');
  report.row('what the elephant got meanwhile', `${Math.round((responses / trampled) * 1000)}/s`, '', '');
  const [apart, together] = [medianOf(alone, 'keptWaiting'), medianOf(beside, 'keptWaiting')];
  report.row(
    'time that the server was kept from a processor by others, alone and beside',
    `${(apart * 100).toFixed(0)}%, ${(together * 100).toFixed(0)}%`,
    '',
    '',
  );
}

/**
 * One connection's measurements in one round: milliseconds, and the fraction of time in which the server could not run.
 */
interface Run {
  readonly median: number;
  readonly p99: number;
  readonly keptWaiting: number;
}

function medianOf(runs: readonly Run[], what: keyof Run): number {
  const values = runs.map((run) => run[what]).sort((a, b) => a - b);
  return percentile(values, 0.5);
}

/** Starts an elephant with open, idle connections. */
async function wake({ credentials }: Target): Promise<ChildProcess> {
  // the TypeScript loader registers itself once per process, and marks that in this variable
  const env = { ...process.env, KUBELOOM_TS_LOADER: '' };
  const elephant = fork(fileURLToPath(new URL('../processes/elephant.ts', import.meta.url)), { env });
  setPriority(elephant.pid as number, constants.priority.PRIORITY_LOW);
  const request = onePod.getAs('elephant').toString();
  const order: ElephantOrder = { credentials, connections: 200, request };
  elephant.send(order);
  await once(elephant, 'message');
  return elephant;
}

/** Returns the wait in the server's own metric. */
async function waitOfMouse(server: Target): Promise<string> {
  const [connection] = await server.open(1);
  const { body } = await connection.send(RawConnection.request('GET', '/metrics'), true);
  connection.close();
  const of = (what: string): number => {
    const name = `apiserver_flowcontrol_request_wait_duration_seconds_${what}{execute="true",flow_schema="mouse"`;
    const end = what === 'bucket' ? 'le="0.005"}' : '}';
    const line = `${body}`.split('\n').find((one) => one.startsWith(name) && one.includes(end));
    return Number(line?.split(' ').at(-1));
  };
  const mean = (of('sum') / of('count')) * 1e6;
  const short = (of('bucket') / of('count')) * 100;
  return `${mean.toFixed(0)} µs on average, ${short.toFixed(1)}% below 5 ms`;
}

function configuration(): [string, object][] {
  const queuing = { queues: 64, handSize: 1, queueLengthLimit: 300 };
  const limited = {
    nominalConcurrencyShares: 10_000,
    lendablePercent: 0,
    borrowingLimitPercent: 0,
    limitResponse: { type: 'Queue', queuing },
  };
  const resourceRules = [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'], clusterScope: true }];
  const schema = (name: string): [string, object] => {
    const rules = [{ subjects: [{ kind: 'User', user: { name } }], resourceRules }];
    const spec = { priorityLevelConfiguration: { name: 'shared' }, matchingPrecedence: 500, rules };
    return ['flowschemas', { metadata: { name }, spec: { ...spec, distinguisherMethod: { type: 'ByUser' } } }];
  };
  const level = { metadata: { name: 'shared' }, spec: { type: 'Limited', limited } };
  return [['prioritylevelconfigurations', level], schema('mouse'), schema('elephant')];
}
