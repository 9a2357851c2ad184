import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { onePod } from '../one-pod.ts';
import type { ElephantOrder, ElephantWord } from '../processes/elephant.ts';
import { prefer } from '../processor.ts';
import { hammer, RawConnection } from '../raw-client.ts';
import { percentile, type Report } from '../report.ts';
import { startKubeloom, type Target } from '../target.ts';

const atOnce = 10;
const rounds = 6;

/** Measures a mouse's GETs alone, and with ten concurrent bodies of 2.9 MiB from another user, in turns. */
export async function largeBodies(report: Report): Promise<void> {
  const server = await startKubeloom(['--storage=memory', '--authorization-mode=AlwaysAllow']);
  const [mouse] = await server.open(1);
  await mouse.send(onePod.create);
  const elephant = await wake(server);
  prefer(server.pid);
  prefer(process.pid);
  const request = onePod.getAs('mouse');
  const run = async (ms: number): Promise<number> => {
    const { latencies } = await hammer([mouse], ms, () => request);
    return percentile(
      latencies.sort((a, b) => a - b),
      0.99,
    );
  };
  await run(2_000);
  const alone: number[] = [];
  const beside: number[] = [];
  let [responses, trampled] = [0, 0];
  for (let round = 0; round < rounds; round++) {
    const by = await run(1_000);
    const began = performance.now();
    elephant.send('trample' satisfies ElephantWord);
    await run(500);
    const next = await run(2_000);
    elephant.send('rest' satisfies ElephantWord);
    const [count] = await once(elephant, 'message');
    if (round === 0) continue;
    alone.push(by);
    beside.push(next);
    responses += count;
    trampled += performance.now() - began;
  }
  elephant.send('leave' satisfies ElephantWord);
  await once(elephant, 'exit');
  mouse.close();
  await server.close();
  const [apart, together] = [alone, beside].map((p99s) => p99s.sort((a, b) => a - b)[Math.floor(p99s.length / 2)]);
  report.row(
    'p99 of a mouse alone, and beside an elephant of large YAML bodies, ten at once',
    `${apart.toFixed(2)} ms, ${together.toFixed(2)} ms: ${(together / apart).toFixed(1)} x`,
    '',
    'at most 5 x',
  );
  report.row('responses to bodies of 2.9 MiB that the elephant got', `${((responses / trampled) * 1000).toFixed(1)}/s`, '', '');
}

/** Starts an elephant with open, idle connections. */
async function wake({ credentials }: Target): Promise<ChildProcess> {
  // the TypeScript loader registers itself once per process, and marks that in this variable
  const env = { ...process.env, KUBELOOM_TS_LOADER: '' };
  const elephant = fork(fileURLToPath(new URL('../processes/elephant.ts', import.meta.url)), { env });
  setPriority(elephant.pid as number, constants.priority.PRIORITY_LOW);
  const order: ElephantOrder = { credentials, connections: atOnce, request: largeRequest().toString(), status: 201 };
  elephant.send(order);
  await once(elephant, 'message');
  return elephant;
}

/** Returns the request for a typical but large ConfigMap. */
function largeRequest(): Buffer {
  const entries = Array.from({ length: 32_000 }, (_, at) => `  key-${at}: |\n    ${'value '.repeat(4)}\n    # ${'x'.repeat(36)}`);
  const body = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: large\nimmutable: false\nbinaryData: {}\nunknown:\n${entries.join('\n')}\n`;
  const path = '/api/v1/namespaces/default/configmaps?dryRun=All&fieldValidation=Ignore';
  return RawConnection.request('POST', path, body, {
    'content-type': 'application/yaml',
    'impersonate-user': 'elephant',
    'impersonate-group': 'testers',
  });
}
