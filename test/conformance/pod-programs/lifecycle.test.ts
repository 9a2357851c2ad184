import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Client, createClient } from '../../../generated/v1.35/client.ts';
import { loadKubeconfig } from '../../../runtime/client/kubeconfig.ts';
import { type RunningServer, startServer } from '../../../runtime/index.ts';
import { KubeloomCommand } from '../../support/kubeloom-command.ts';
import { runs } from './program-server.ts';

/* Programs end with their server, and begin with it. */

/** Notes its process, a child, and its folder in the file that the first argument names, and stays. */
const source = `
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1 << 30)'], { stdio: 'ignore' });
process.on('SIGTERM', () => undefined);
appendFileSync(process.argv[2], JSON.stringify({ pids: [process.pid, child.pid], root: process.env.CONTAINER_ROOT }) + '\\n');
setInterval(() => undefined, 1 << 30);
`;

interface Noted {
  readonly pids: readonly number[];
  readonly root: string;
}

let base: string;
let notes: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'pod-programs-'));
  notes = join(base, 'notes');
  writeFileSync(join(base, 'program.mjs'), source);
  writeFileSync(join(base, 'programs.yaml'), `programs:\n- image: example.com/program\n  command: [${process.execPath}, program.mjs]\n`);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

/** Resolves with the notes of the programs that have started, when there are so many. */
async function noted(count: number): Promise<Noted[]> {
  for (;;) {
    const lines = existsSync(notes) ? readFileSync(notes, 'utf8').split('\n').slice(0, -1) : [];
    if (lines.length >= count) return lines.map((line) => JSON.parse(line));
    await new Promise(setImmediate);
  }
}

async function ended({ pids, root }: Noted): Promise<void> {
  while (pids.some(runs) || existsSync(root)) await new Promise(setImmediate);
}

const createPod = (client: Client) =>
  client.core.v1.pods.namespace('default').create({
    metadata: { name: 'program', namespace: 'default' },
    spec: { containers: [{ name: 'c', image: 'example.com/program', args: [notes] }] },
  });

describe('a server in this process', () => {
  const open = (options: object = {}): Promise<RunningServer> =>
    startServer({ simulate: true, pods: { programs: join(base, 'programs.yaml') }, ...options });

  test('ends its programs, with what they have started and their files, when it closes', async () => {
    const server = await open();
    await createPod(await server.client());
    const [one] = await noted(1);
    await server.close();
    expect([runs(one.pids[0]), existsSync(one.root)]).toEqual([false, false]);
    await ended(one);
  });

  test('ends the programs of pods that a reset removes', async () => {
    const server = await open();
    await createPod(await server.client());
    const [one] = await noted(1);
    await server.reset();
    await ended(one);
    await server.close();
  });

  test.each([
    { programs: undefined, count: 1 },
    { programs: true, count: 2 },
  ])('has forks with programs only if they are asked for: $programs', async ({ programs, count }) => {
    const server = await open();
    await createPod(await server.client());
    await noted(1);
    const fork = await server.fork({ ...(programs && { programs }) });
    const pods = (await fork.client()).core.v1.pods.namespace('default');
    await pods.create({
      metadata: { name: 'other' },
      spec: { containers: [{ name: 'c', image: 'example.com/program', args: [`${notes}-fork`] }] },
    });
    for (;;) if ((await pods.get('other')).status?.phase === 'Running') break;
    if (programs) while (!existsSync(`${notes}-fork`)) await new Promise(setImmediate);
    const started = await noted(count);
    await fork.close();
    expect([started.length, existsSync(`${notes}-fork`)]).toEqual([count, programs === true]);
    // the origin goes on
    expect(runs(started[0].pids[0])).toBe(true);
    await server.close();
  });

  test('starts programs again on a store that lasts', async () => {
    const options = { storage: 'lmdb', dataDir: join(base, 'data'), unsafeNoFsync: true };
    const server = await open(options);
    await createPod(await server.client());
    await noted(1);
    await server.close();
    const next = await open(options);
    const [before, after] = await noted(2);
    await ended(before);
    expect(after.pids.map(runs)).toEqual([true, true]);
    await next.close();
  });
});

describe('a server that is killed', () => {
  let command: KubeloomCommand;
  const started: ChildProcess[] = [];
  beforeAll(async () => {
    command = await KubeloomCommand.make();
  });
  afterAll(async () => {
    for (const child of started) child.kill('SIGKILL');
    await command?.remove();
  });

  test.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)('by %s leaves no programs and no files', async (signal) => {
    const kubeconfig = join(base, 'kubeconfig');
    const flags = ['--secure-port=0', '--simulate', `--pod-programs=${join(base, 'programs.yaml')}`, `--write-kubeconfig=${kubeconfig}`];
    const child = spawn(process.execPath, [command.main, 'serve', ...flags], { stdio: 'ignore', cwd: base });
    started.push(child);
    while (!existsSync(kubeconfig)) await new Promise(setImmediate);
    await createPod(await createClient(await loadKubeconfig(kubeconfig)));
    const [one] = await noted(1);
    expect(one.pids.every(runs)).toBe(true);
    child.kill(signal);
    await once(child, 'exit');
    await ended(one);
  });
});
