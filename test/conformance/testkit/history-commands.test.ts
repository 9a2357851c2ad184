import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RunningServer } from '../../../runtime/index.ts';
import { Kubectl } from '../../support/kubectl.ts';
import { KubeloomCommand, type Outcome } from '../../support/kubeloom-command.ts';
import { startTestServer } from '../../support/test-server.ts';
import { withoutIdentity } from '../../support/without-identity.ts';

const policy = `apiVersion: audit.k8s.io/v1
kind: Policy
rules:
- level: RequestResponse
  verbs: [create]
- level: Metadata
`;

/** Returns the lines of a table with one space between cells, and T for each time. */
const rowsOf = ({ stdout }: Outcome): string[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/ {3,}/g, ' ').replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'T'));

describe('the commands for history', () => {
  let dir: string;
  let server: RunningServer;
  let kubectl: Kubectl;
  let command: KubeloomCommand;
  let begin: number;
  let run: (...args: string[]) => Promise<Outcome>;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'kubeloom-history-'));
    await writeFile(join(dir, 'policy'), policy);
    server = await startTestServer({
      ...withoutIdentity,
      history: 'all',
      testControls: true,
      record: join(dir, 'recording'),
      auditPolicyFile: join(dir, 'policy'),
      auditLogPath: join(dir, 'audit'),
      auditLogMode: 'blocking',
      writeKubeconfig: join(dir, 'kubeconfig'),
    });
    kubectl = await Kubectl.for(server.kubeconfig);
    command = await KubeloomCommand.make();
    run = (...args) => command.run(...args, '--kubeconfig', join(dir, 'kubeconfig'));
    begin = server.revision();
    await kubectl.ok(['create', 'deployment', 'web', '--image=nginx']);
    await kubectl.ok(['scale', 'deployment', 'web', '--replicas=3']);
    await kubectl.ok(['set', 'image', 'deployment', 'web', 'nginx=nginx:2']);
    await kubectl.ok(['delete', 'deployment', 'web']);
    await kubectl.ok(['create', 'deployment', 'web', '--image=other']);
    await kubectl.ok(['create', 'configmap', 'settings', '--from-literal=is=1']);
  });
  afterAll(async () => {
    await command?.remove();
    await kubectl?.close();
    await server?.close();
    await rm(dir, { recursive: true, force: true });
  });

  test('history has a line for each revision', async () => {
    expect(rowsOf(await run('history', 'deploy/web', '-n', 'default'))).toEqual([
      'REVISION TIME BY OPERATION CHANGES',
      `${begin + 1} T kubectl-create Update created`,
      `${begin + 2} - kubectl Update scale .metadata.generation: 1 -> 2; .spec.replicas: 1 -> 3`,
      `${begin + 3} T kubectl-set Update .metadata.generation: 2 -> 3; .spec.template.spec.containers[name="nginx"].image: "nginx" -> "nginx:2"`,
      `${begin + 4} - - - deleted`,
      `${begin + 5} T kubectl-create Update created`,
    ]);
  });

  test('history has the users of an audit log', async () => {
    const rows = rowsOf(await run('history', 'deploy/web', '--audit-log', join(dir, 'audit')));
    expect(rows.slice(1).map((row) => row.split(' ').slice(2, 4).join(' '))).toEqual(
      Array(5).fill(expect.stringMatching(/^kubernetes-admin \(kubectl\/v1\.35/)),
    );
    expect(rows[4]).toMatch(/ T kubernetes-admin \(.*\) delete deleted$/);
  });

  test('history prints whole values as JSON', async () => {
    const { stdout } = await run('history', 'deploy/web', '-o', 'json');
    expect(JSON.parse(stdout)[1]).toEqual({
      revision: begin + 2,
      type: 'changed',
      managers: ['kubectl'],
      operation: 'Update scale',
      changes: [
        { path: '.metadata.generation', before: 1, after: 2 },
        { path: '.spec.replicas', before: 1, after: 3 },
      ],
    });
  });

  test('replay serves a state of a recording, until it is told to end', async () => {
    const args = ['replay', join(dir, 'recording'), `--at=${begin + 2}`, '--secure-port=0', `--cert-dir=${dir}/certs`];
    const child = execFile(process.execPath, [command.main, ...args, `--write-kubeconfig=${dir}/replayed`]);
    const [line] = await once(child.stdout as Readable, 'data');
    expect(line).toMatch(new RegExp(`^Kubeloom replays revision ${begin + 2} on https://127\\.0\\.0\\.1:`));
    const kubeconfig = ['--kubeconfig', join(dir, 'replayed')];
    const replicas = ['get', 'deployment', 'web', '-o', 'jsonpath={.spec.replicas} {.metadata.resourceVersion}'];
    expect(await kubectl.ok([...replicas, ...kubeconfig])).toBe(`3 ${begin + 2}`);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('diff compares two states', async () => {
    const between = (from: number, to: number, ...more: string[]) => run('diff', `--from=${from}`, `--to=${to}`, 'deploy', 'cm', ...more);
    expect(await between(begin + 1, begin + 2)).toMatchObject({
      code: 1,
      stdout: '~ deployments.apps default/web\n    .metadata.generation: 1 -> 2\n    .spec.replicas: 1 -> 3\n',
    });
    expect(await between(begin + 3, begin + 4)).toMatchObject({ code: 1, stdout: '- deployments.apps default/web\n' });
    expect((await between(begin + 3, begin + 5)).stdout).toContain('! deployments.apps default/web\n    .metadata.uid: ');
    expect(await between(begin, begin + 6)).toMatchObject({
      stdout: '+ deployments.apps default/web\n+ configmaps default/settings\n',
    });
    expect(await between(begin, begin + 6, '-n', 'kube-system')).toMatchObject({ code: 0, stdout: '' });
  });

  test('diff compares all objects with those of now', async () => {
    const { code, stdout } = await run('diff', `--from=${begin}`, '-n', 'default');
    expect([code, stdout]).toEqual([1, '+ configmaps default/settings\n+ deployments.apps default/web\n']);
  });

  test.each([
    [['history', 'deploy/none'], 1, /nothing is known of deploy "none"/],
    [['history', 'robots/x'], 1, /the server doesn't have a resource type "robots"/],
    [['diff', '--from=x'], 2, /invalid argument "x" for --from: must be a resourceVersion/],
    [['diff'], 2, /kubeloom diff needs --from/],
  ])('%j fails', async (args, code, message) => {
    const outcome = await run(...args);
    expect([outcome.code, outcome.stderr]).toEqual([code, expect.stringMatching(message)]);
  });

  test('history begins with the oldest state that is left', async () => {
    await server.compact(begin + 3);
    expect(rowsOf(await run('history', 'deploy/web')).slice(1, 3)).toEqual([
      expect.stringMatching(`^${begin + 3} T .*kubectl-set Update known$`),
      `${begin + 4} - - - deleted`,
    ]);
    const gone = await run('diff', `--from=${begin + 1}`, 'cm');
    expect([gone.code, gone.stderr]).toEqual([2, expect.stringContaining('resourceVersion for the provided list is too old')]);
  });
});
