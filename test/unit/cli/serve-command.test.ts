import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { KubeloomCommand } from '../../support/kubeloom-command.ts';

describe('kubeloom serve --storage=memory', () => {
  let command: KubeloomCommand;
  let folder: string;
  const children: ChildProcess[] = [];
  beforeAll(async () => {
    command = await KubeloomCommand.make();
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubeloom-serve-'));
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });
  afterAll(() => command?.remove());

  /** Starts a server in the folder. Resolves with what it prints when it is ready. */
  async function serve(...flags: readonly string[]): Promise<{ child: ChildProcess; printed: string }> {
    const args = [command.main, 'serve', '--storage=memory', '--secure-port=0', '--log-level=error', ...flags];
    const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    const [printed] = await once(child.stdout as NodeJS.ReadableStream, 'data');
    return { child, printed: String(printed) };
  }

  async function end(child: ChildProcess): Promise<void> {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }

  it('leaves nothing behind', async () => {
    const { child, printed } = await serve();
    expect(printed).toContain('export KUBECONFIG=$PWD/kubeconfig\n');
    expect(await readdir(folder)).toEqual(['kubeconfig']);
    await end(child);
    expect(await readdir(folder)).toEqual([]);
  });

  it('says that pods do not run without --simulate', async () => {
    const [without, simulated] = [await serve(), await serve('--simulate')];
    expect(without.printed).toContain('Pods do not run: --simulate adds');
    expect(simulated.printed).not.toContain('Pods do not run');
  });

  it('prints a link to its page with --ui, and kubeloom ui prints further ones', async () => {
    const [without, withPage] = [
      await serve(`--write-kubeconfig=${join(folder, 'a')}`),
      await serve('--ui', `--write-kubeconfig=${join(folder, 'b')}`),
    ];
    const link = /https:\/\/127\.0\.0\.1:\d+\/ui\/login\?link=[\w-]{43}\n/;
    expect(without.printed).not.toContain('/ui');
    expect(withPage.printed).toMatch(link);
    const [refused, printed] = [
      await command.run('ui', `--kubeconfig=${join(folder, 'a')}`),
      await command.run('ui', `--kubeconfig=${join(folder, 'b')}`),
    ];
    expect(refused).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^kubeloom: https:.* has no page: start it with --ui\n$/),
    });
    expect(printed).toMatchObject({ code: 0, stdout: expect.stringMatching(link), stderr: '' });
  });

  it("leaves another program's kubeconfig alone", async () => {
    const text = 'kind: Config\ncontexts: [{ name: production }]\n';
    await writeFile(join(folder, 'kubeconfig'), text);
    const { child, printed } = await serve();
    expect(printed).toContain('--write-kubeconfig=FILE');
    await end(child);
    expect(await readFile(join(folder, 'kubeconfig'), 'utf8')).toBe(text);
  });

  it('leaves the kubeconfig of a running server alone, and replaces that of one that was killed', async () => {
    const first = await serve();
    const text = await readFile(join(folder, 'kubeconfig'), 'utf8');
    const second = await serve();
    expect(second.printed).toContain('--write-kubeconfig=FILE');
    expect(await readFile(join(folder, 'kubeconfig'), 'utf8')).toBe(text);
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    const third = await serve();
    const [url] = /https:\S+/.exec(third.printed) ?? [];
    expect(await readFile(join(folder, 'kubeconfig'), 'utf8')).toContain(`server: ${url}\n`);
  });

  it('prints a line of JSON for a program, and merges its context', async () => {
    const { printed } = await serve('--output=json', '--merge-kubeconfig=shared');
    const { url, kubeconfig } = JSON.parse(printed);
    expect(kubeconfig).toBe(join(folder, 'shared'));
    expect(await readFile(kubeconfig, 'utf8')).toContain(`server: ${url}\n`);
  });

  it('ends when its parent is killed, with --exit-with-parent', async () => {
    const parent = `const { spawn } = require('node:child_process');
const child = spawn(process.execPath, ${JSON.stringify([command.main, 'serve', '--storage=memory', '--secure-port=0', '--log-level=error', '--exit-with-parent'])}, { stdio: ['ignore', 'inherit', 'inherit'] });`;
    const child = spawn(process.execPath, ['-e', parent], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    // the server holds the pipe, too
    child.stdout.resume();
    await once(child.stdout, 'end');
    expect(await readdir(folder)).toEqual([]);
  });
});
