import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { describeKubectl, Kubectl } from '../support/kubectl.ts';
import { KubeloomCommand } from '../support/kubeloom-command.ts';

/** A server as a process, with its kubectl. */
interface Served {
  readonly child: ChildProcess;
  readonly kubectl: Kubectl;
  /** Resolves when the process writes a matching line. */
  until(line: RegExp): Promise<void>;
}

describeKubectl('kubectl', () => {
  let command: KubeloomCommand;
  let folder: string;
  const open: Served[] = [];
  const at = (name: string): string => join(folder, name);
  beforeAll(async () => {
    [command, folder] = await Promise.all([KubeloomCommand.make(), mkdtemp(join(tmpdir(), 'kubeloom-recordings-'))]);
  });
  afterEach(async () => {
    for (const one of open.splice(0)) await stop(one);
  });
  afterAll(async () => {
    await command?.remove();
    await rm(folder, { recursive: true, force: true });
  });

  async function start(...args: readonly string[]): Promise<Served> {
    const flags = ['--secure-port=0', `--write-kubeconfig=${at('kubeconfig')}`];
    const child = spawn(process.execPath, [command.main, ...args, ...flags], { stdio: ['ignore', 'pipe', 'ignore'] });
    let said = '';
    child.stdout.on('data', (data) => {
      said += data;
    });
    const ended = once(child, 'exit');
    const until = async (line: RegExp): Promise<void> => {
      while (!line.test(said)) {
        await Promise.race([once(child.stdout, 'data'), ended.then(() => Promise.reject(new Error(said)))]);
      }
    };
    await until(/ on https:/);
    const served = { child, until, kubectl: await Kubectl.for(await readFile(at('kubeconfig'), 'utf8')) };
    open.push(served);
    return served;
  }

  async function stop({ child, kubectl }: Served): Promise<void> {
    await kubectl.close();
    if (child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }

  test('records from the start, with fixtures, and its first get starts a paused replay', async () => {
    const fixture = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: fixture, namespace: default}\n';
    await writeFile(at('fixture.yaml'), fixture);
    const recording = at('recording');
    const first = await start('serve', '--storage=memory', `--record=${recording}`, `--fixtures=${at('fixture.yaml')}`);
    await first.kubectl.ok(['create', 'configmap', 'later', '--from-literal=a=b']);
    await first.kubectl.ok(['delete', 'configmap', 'fixture']);
    await stop(first);
    const replayed = await start('replay', recording, '--speed=max', '--paused');
    const { kubectl } = replayed;
    // discovery lists no objects, and a single object is not a list
    await kubectl.ok(['api-resources']);
    expect(await kubectl.ok(['get', 'configmap', 'fixture', '-o', 'name'])).toBe('configmap/fixture\n');
    expect((await kubectl.run(['get', 'configmap', 'later'])).stderr).toContain('"later" not found');
    // the first state, then all later changes
    const names = ['get', 'configmaps', '-o', 'name'];
    const before = await kubectl.ok(names);
    expect(before.split('\n')).toContain('configmap/fixture');
    expect(before).not.toContain('later');
    await replayed.until(/at the end: revision \d+\n/);
    const after = await kubectl.ok(names);
    expect(after.split('\n')).toContain('configmap/later');
    expect(after).not.toContain('fixture');
    // from here on, the server behaves like any other
    await kubectl.ok(['create', 'configmap', 'own']);
    expect(await kubectl.ok(names)).toContain('configmap/own');
  });

  test.each(['0.5', '1000000', '2.'])('may replay at a speed of %s', async (speed) => {
    const server = await start('serve', '--storage=memory', `--record=${at('other')}`);
    await server.kubectl.ok(['create', 'configmap', 'later']);
    await stop(server);
    const replayed = await start('replay', at('other'), `--speed=${speed}`);
    await replayed.until(/at the end: revision \d+\n/);
    expect(await replayed.kubectl.ok(['get', 'configmap', 'later', '-o', 'name'])).toBe('configmap/later\n');
  });
});
