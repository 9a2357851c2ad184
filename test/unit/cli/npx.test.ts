import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { KubeloomCommand } from '../../support/kubeloom-command.ts';
import { missingPrograms } from '../../support/missing-programs.ts';
import { describeUnless } from '../../support/skipping.ts';

interface Started {
  readonly child: ChildProcess;
  /** The server's process ID. */
  readonly pid: number;
  /** Resolves when npx, its shell and the server have ended, so that nothing writes to standard output. */
  readonly ended: Promise<unknown>;
}

describeUnless(missingPrograms(['npx']))('a server that npx started', () => {
  let command: KubeloomCommand;
  let folder: string;
  const started: Started[] = [];
  beforeAll(async () => {
    [command, folder] = await Promise.all([KubeloomCommand.make(), mkdtemp(join(tmpdir(), 'kubeloom-npx-'))]);
    const bin = join(folder, 'node_modules', '.bin');
    mkdirSync(bin, { recursive: true });
    // the server reports its ID, which npx does not know
    const main = `import { writeFileSync } from 'node:fs';
writeFileSync('pid', String(process.pid));
await import(${JSON.stringify(command.main)});
`;
    writeFileSync(join(folder, 'main.mjs'), main);
    writeFileSync(join(bin, 'kubeloom'), `#!/bin/sh\nexec "${process.execPath}" "${folder}/main.mjs" "$@"\n`);
    chmodSync(join(bin, 'kubeloom'), 0o755);
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
  });
  afterEach(() => {
    for (const { child, pid } of started.splice(0)) for (const one of [child.pid, pid]) kill(one, 'SIGKILL');
  });
  afterAll(async () => {
    await Promise.all([command?.remove(), rm(folder, { recursive: true, force: true })]);
  });

  /** Starts a program that starts the server. Resolves when the server is ready. */
  async function start(program: string, ...args: readonly string[]): Promise<Started> {
    const child = spawn(program, args, { cwd: folder, detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
    const ended = once(child.stdout, 'end');
    await Promise.race([once(child.stdout, 'data'), ended.then(() => Promise.reject(new Error('it did not start')))]);
    const one = { child, pid: Number(readFileSync(join(folder, 'pid'), 'utf8')), ended };
    started.push(one);
    return one;
  }

  const serve = ['serve', '--storage=memory', '--secure-port=0'];

  test.each<readonly [string, NodeJS.Signals, (started: Started) => number]>([
    ['npx', 'SIGTERM', ({ child }) => child.pid as number],
    ['npx', 'SIGHUP', ({ child }) => child.pid as number],
    ['npx', 'SIGKILL', ({ child }) => child.pid as number],
    // like a terminal
    ['the group of npx', 'SIGINT', ({ child }) => -(child.pid as number)],
    ['the group of npx', 'SIGHUP', ({ child }) => -(child.pid as number)],
    ['itself', 'SIGTERM', ({ pid }) => pid],
    ['itself', 'SIGINT', ({ pid }) => pid],
    ['itself', 'SIGHUP', ({ pid }) => pid],
  ])('ends when %s gets %s', async (_whom, signal, target) => {
    const one = await start('npx', '--offline', 'kubeloom', ...serve);
    kill(target(one), signal);
    await one.ended;
  });

  test('ends with 0 when its own terminal is gone, so that npx does, too', async () => {
    const { child, pid } = await start('npx', '--offline', 'kubeloom', ...serve);
    const exited = once(child, 'exit');
    kill(pid, 'SIGHUP');
    expect(await exited).toEqual([0, null]);
  });

  test('through another program goes on without that, as one that was started in the background', async () => {
    const background = join(folder, 'background.sh');
    writeFileSync(background, `#!/bin/sh\nnode_modules/.bin/kubeloom ${serve.join(' ')} &\n`);
    chmodSync(background, 0o755);
    const { child, pid, ended } = await start('npx', '--offline', '-c', background);
    if (child.exitCode === null) await once(child, 'exit');
    // its parent ended first
    kill(pid, 'SIGTERM');
    await ended;
    expect(child.exitCode).toBe(0);
  });
});

function kill(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(pid, signal);
  } catch {
    // the process has ended
  }
}
