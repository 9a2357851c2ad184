import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Client, createClient } from '../../../generated/v1.35/client.ts';
import { loadKubeconfig } from '../../../runtime/client/kubeconfig.ts';
import { KubeloomCommand } from '../../support/kubeloom-command.ts';

let command: KubeloomCommand;
let base: string;
let dir: string;
const started: ChildProcess[] = [];
beforeAll(async () => {
  command = await KubeloomCommand.make();
});
afterAll(() => command?.remove());
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'kubeloom-lost-store-'));
  dir = join(base, 'data');
});
afterEach(async () => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
  await rm(base, { recursive: true, force: true });
});

interface Serving {
  readonly child: ChildProcess;
  readonly client: Client;
  /** Resolves at the end of the process with its code or signal and its lines on standard error. */
  readonly ended: Promise<{ readonly code: number | null; readonly lines: readonly string[] }>;
}

/** Resolves when the server is ready. */
async function serve(name: string): Promise<Serving> {
  const kubeconfig = join(base, `${name}.kubeconfig`);
  const flags = ['--storage=lmdb', `--data-dir=${dir}`, '--secure-port=0', `--write-kubeconfig=${kubeconfig}`];
  const child = spawn(process.execPath, [command.main, 'serve', ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
  started.push(child);
  let said = '';
  child.stderr.on('data', (data) => {
    said += data;
  });
  const closed = once(child, 'close');
  await Promise.race([once(child.stdout, 'data'), closed.then(() => Promise.reject(new Error(said)))]);
  return {
    child,
    client: createClient(loadKubeconfig(kubeconfig)),
    ended: closed.then(([code]) => ({ code, lines: said.split('\n').slice(0, -1) })),
  };
}

/** The expected end: no other lines than the one of a ready server. */
const wantEnd = (message: unknown) => ({ code: 1, lines: [expect.stringContaining('"msg":"serving"'), message] });

const losses = [
  ['whose owner file is removed', () => rm(join(dir, 'owner.lock')), () => `${dir}/owner.lock was moved or removed`],
  ['whose folder is removed', () => rm(dir, { recursive: true }), () => `${dir} was moved or removed`],
  ['whose folder is renamed', () => rename(dir, join(base, 'away')), () => `${dir} was moved or removed`],
] as const;

describe('a server', () => {
  for (const [how, happens, why] of losses) {
    test.each([undefined, 'SIGTERM', 'SIGINT'] as const)(`${how} ends with 1 and one line, by itself or with %s`, async (signal) => {
      const { child, ended } = await serve('server');
      await happens();
      if (signal !== undefined) child.kill(signal);
      expect(await ended).toEqual(wantEnd(`kubeloom: the store in ${dir} is lost: ${why()}`));
    });
  }

  test('whose folder another one takes ends and names it, and the other one has every acknowledged write', async () => {
    const first = await serve('first');
    const acknowledged: string[] = [];
    const writing = (async () => {
      for (let at = 0; ; at += 1) {
        const metadata = { name: `w${at}` };
        await first.client.core.v1.configmaps.namespace('default').create({ metadata });
        acknowledged.push(metadata.name);
      }
    })().catch(() => undefined);
    await rm(join(dir, 'owner.lock'));
    const second = await serve('second');
    const { code, lines } = await first.ended;
    expect([code, lines.at(-1)]).toEqual([
      1,
      expect.stringMatching(`^kubeloom: the store in ${dir} is lost: (process ${second.child.pid} has taken )?${dir}/owner.lock`),
    ]);
    await writing;
    const found = await second.client.core.v1.configmaps.namespace('default').list();
    const names = found.items.map(({ metadata }) => metadata?.name);
    expect(names).toEqual(expect.arrayContaining(acknowledged));
    second.child.kill('SIGTERM');
    expect((await second.ended).code).toBe(0);
  });

  test('is one of two that start in a folder at once, and the other one says who has it', async () => {
    const both = await Promise.allSettled([serve('first'), serve('second')]);
    const [winner] = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const refusals = both.flatMap((one) => (one.status === 'rejected' ? [(one.reason as Error).message] : []));
    // the winner takes the lock a moment before it writes its name
    const pattern = `^kubeloom: the store in ${dir} is in use by (process ${winner.child.pid}|another process)\n$`;
    expect(refusals).toEqual([expect.stringMatching(pattern)]);
    winner.child.kill('SIGTERM');
    expect((await winner.ended).code).toBe(0);
  });
});
