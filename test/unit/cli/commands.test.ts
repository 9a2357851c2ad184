import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../../', import.meta.url));

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command itself, as a process. It is bundled for these tests: the build may be older than the sources. */
describe('the kubeloom command', () => {
  let folder: string;
  let main: string;

  beforeAll(async () => {
    // below the project, so that it finds its packages
    folder = await mkdtemp(join(root, 'node_modules', '.cache-cli-'));
    await build({
      absWorkingDir: root,
      entryPoints: ['runtime/cli/main.ts'],
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      packages: 'external',
      logLevel: 'error',
    });
    main = join(folder, 'main.mjs');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const run = (...args: string[]): Promise<Outcome> =>
    new Promise((resolve) => {
      const child = execFile(process.execPath, [main, ...args], { cwd: tmpdir() }, (_error, stdout, stderr) =>
        resolve({ code: child.exitCode, stdout, stderr }),
      );
    });

  test('says how it is used', async () => {
    const { code, stdout } = await run('serve', '--help');
    expect(code).toBe(0);
    expect(stdout).toMatch(/--secure-port=PORT\n.*default 6443/);
  });

  test.each([
    [['serve', '--foo'], 'kubeloom: unknown flag: --foo\n'],
    [['fly'], 'kubeloom: unknown command "fly"; kubeloom help lists them\n'],
    [
      ['serve', '--storage=memory', '--secure-port=0', '--feature-gates=Foo=true', `--cert-dir=${tmpdir()}/none`],
      'kubeloom: --feature-gates: unrecognized feature gate: Foo\n',
    ],
    [['store', 'check', '--data-dir=/nonexistent/kubeloom'], /^kubeloom: [^\n]+\n$/],
  ])('%j: one line on stderr, exit 1', async (args, want) => {
    const { code, stderr, stdout } = await run(...args);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toEqual(typeof want === 'string' ? want : expect.stringMatching(want));
  });

  test('serves, writes its kubeconfig, ends on SIGTERM, and its store can be looked after', async () => {
    const home = await mkdtemp(join(tmpdir(), 'kubeloom-serve-'));
    const at = (name: string): string => join(home, name);
    try {
      const args = ['serve', '--secure-port=0', `--data-dir=${at('data')}`, `--cert-dir=${at('certs')}`];
      args.push(`--write-kubeconfig=${at('kubeconfig')}`, '--log-level=error');
      const outcome = await new Promise<Outcome>((resolve) => {
        const child = execFile(process.execPath, [main, ...args], (_error, stdout, stderr) =>
          resolve({ code: child.exitCode, stdout, stderr }),
        );
        child.stdout?.once('data', () => child.kill('SIGTERM'));
      });
      expect(outcome).toMatchObject({ code: 0, stderr: '' });
      expect(outcome.stdout).toMatch(/ on https:\/\/127\.0\.0\.1:\d+\n/);
      expect((await stat(at('kubeconfig'))).mode & 0o777).toBe(0o600);
      const port = /127\.0\.0\.1:\d+/.exec(outcome.stdout)?.[0];
      const again = await run('kubeconfig', `--cert-dir=${at('certs')}`, `--server=https://${port}`);
      expect(again.stdout).toBe(await readFile(at('kubeconfig'), 'utf8'));
      expect((await run('store', 'check', `--data-dir=${at('data')}`)).stdout).toMatch(/^\d+ objects .*: sound\n$/);
      const dump = await run('store', 'dump', `--data-dir=${at('data')}`);
      const names = dump.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).object.metadata.name);
      expect(names).toEqual(expect.arrayContaining(['default', 'kube-system']));
      expect((await run('store', 'compact', `--data-dir=${at('data')}`)).code).toBe(0);
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  });
});
