import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startServer } from '../../../runtime/index.ts';
import { HttpClient } from '../../support/http-client.ts';
import { KubeloomCommand, type Outcome } from '../../support/kubeloom-command.ts';
import { quietNamespaces } from '../../support/quiet-namespaces.ts';

describe('the kubeloom command', () => {
  let command: KubeloomCommand;
  beforeAll(async () => {
    command = await KubeloomCommand.make();
  });
  afterAll(() => command.remove());

  const run = (...args: string[]): Promise<Outcome> => command.run(...args);

  test('prints its usage', async () => {
    const { code, stdout } = await run('serve', '--help');
    expect(code).toBe(0);
    expect(stdout).toMatch(/--secure-port=PORT\n.*default 6443/);
  });

  test.each([
    [['serve', '--foo'], 'kubeloom: unknown flag: --foo\n'],
    [['fly'], 'kubeloom: unknown command "fly"; kubeloom help lists the commands\n'],
    [
      ['serve', '--storage=memory', '--secure-port=0', '--feature-gates=Foo=true', `--cert-dir=${tmpdir()}/none`],
      'kubeloom: --feature-gates: unrecognized feature gate: Foo\n',
    ],
    [
      ['serve', '--storage=memory', '--secure-port=0', '--controllers=*,nobody', `--cert-dir=${tmpdir()}/none`],
      /^kubeloom: --controllers: "nobody" is not in the list of known controllers: [^\n]+\n$/,
    ],
    [['sreve'], 'kubeloom: unknown command "sreve", did you mean "serve"?\n'],
    [
      ['serve', '--storage=memory', '--secure-port=0', '--simulate', '--no-builtin'],
      'kubeloom: --simulate needs the pods, nodes and workloads that --no-builtin removes\n',
    ],
    [['replay'], 'kubeloom: kubeloom replay needs the file of a recording\n'],
    [['replay', 'f', '--paused'], 'kubeloom: --paused needs --speed\n'],
    [['replay', 'f', '--speed=fast'], /^kubeloom: invalid argument "fast" for --speed: must be a number above 0, or max\n$/],
    [['replay', '/nonexistent/kubeloom', '--secure-port=0', `--cert-dir=${tmpdir()}/none`], /^kubeloom: ENOENT[^\n]+\n$/],
    [['store', 'check', '--data-dir=/nonexistent/kubeloom'], /^kubeloom: [^\n]+\n$/],
  ])('%j: one line on stderr, exit 1', async (args, want) => {
    const { code, stderr, stdout } = await run(...args);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toEqual(typeof want === 'string' ? want : expect.stringMatching(want));
  });

  test('serves, writes its kubeconfig, ends on SIGTERM, and its store can be maintained', async () => {
    const home = await mkdtemp(join(tmpdir(), 'kubeloom-serve-'));
    const at = (name: string): string => join(home, name);
    try {
      const args = ['serve', '--secure-port=0', `--data-dir=${at('data')}`, `--cert-dir=${at('certs')}`];
      args.push(`--write-kubeconfig=${at('kubeconfig')}`, '--log-level=error');
      const outcome = await new Promise<Outcome>((resolve) => {
        const child = execFile(process.execPath, [command.main, ...args], (_error, stdout, stderr) =>
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

  describe('store', () => {
    let home: string;
    let data: string;
    /** The store's revision at the creation of `kept`, before its two changes. */
    let old: number;
    let newest: number;

    beforeEach(async () => {
      home = await mkdtemp(join(tmpdir(), 'kubeloom-store-'));
      data = join(home, 'data');
      const server = await startServer({ storage: 'lmdb', dataDir: data, unsafeNoFsync: true, ...quietNamespaces });
      const client = HttpClient.for(server);
      const put = (method: string, path: string, n: number) =>
        client.send(method, path, JSON.stringify({ metadata: { name: 'kept' }, data: { n: String(n) } }), 'application/json');
      const maps = '/api/v1/namespaces/default/configmaps';
      await put('POST', maps, 1);
      old = server.revision();
      await put('PUT', `${maps}/kept`, 2);
      await put('PUT', `${maps}/kept`, 3);
      newest = server.revision();
      client.close();
      await server.close();
    });
    afterEach(() => rm(home, { recursive: true, force: true }));

    const store = (...args: string[]) => run('store', ...args, `--data-dir=${data}`);

    /** Returns a server's responses over the compacted store for a revision and for the newest version. */
    async function readBack(revision: number): Promise<{ exact: number; now: unknown }> {
      const server = await startServer({ storage: 'lmdb', dataDir: data, unsafeNoFsync: true, ...quietNamespaces });
      const client = HttpClient.for(server);
      try {
        const maps = '/api/v1/namespaces/default/configmaps';
        const exact = await client.get(`${maps}?resourceVersionMatch=Exact&resourceVersion=${revision}`);
        const { json } = await client.get(`${maps}/kept`);
        return { exact: exact.status, now: json.data.n };
      } finally {
        client.close();
        await server.close();
      }
    }

    test('compact removes history and nothing else', async () => {
      expect(await readBack(old)).toEqual({ exact: 200, now: '3' });
      const { code, stdout } = await store('compact');
      expect(code).toBe(0);
      expect(stdout).toMatch(/^revision \d+, compacted \d+, \d+ -> \d+ bytes\n$/);
      expect((await store('check')).stdout).toMatch(/: sound\n$/);
      expect(await readBack(old)).toEqual({ exact: 410, now: '3' });
    });

    test('compact --revision keeps history after that revision', async () => {
      const { code, stdout } = await store('compact', `--revision=${old + 1}`);
      expect([code, stdout.split(', ')[1]]).toEqual([0, `compacted ${old}`]);
      expect(await readBack(old)).toEqual({ exact: 410, now: '3' });
      expect(await readBack(old + 1)).toEqual({ exact: 200, now: '3' });
    });

    test.each(['x', '0', '1.5'])('compact --revision=%s is rejected', async (revision) => {
      const { code, stderr } = await store('compact', `--revision=${revision}`);
      expect([code, stderr]).toEqual([1, `kubeloom: invalid argument "${revision}" for --revision: must be a revision, 1 or greater\n`]);
    });

    test('dump --prefix shows the objects below a key', async () => {
      const { stdout } = await store('dump', '--prefix=/registry/configmaps/default/');
      const lines = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(lines.map(({ key, modRevision, object }) => [key, modRevision, object.data.n])).toEqual([
        [expect.stringMatching(/\/kept$/), newest, '3'],
      ]);
    });

    test('dump shows encrypted objects in base64, and check does not miss their JSON', async () => {
      const { openLmdbEngine } = await import('../../../runtime/storage/lmdb/lmdb-engine.ts');
      const engine = await openLmdbEngine({ path: data, unsafeNoFsync: true });
      const value = Buffer.from('k8s:enc:aesgcm:v1:key1:\x00\xff');
      await engine.write({ type: 'put', key: '/registry/secrets/default/a', value, expect: 0 });
      await engine.close();
      const { stdout } = await store('dump', '--prefix=/registry/secrets/');
      expect(JSON.parse(stdout)).toMatchObject({ encrypted: value.toString('base64') });
      expect((await store('check')).code).toBe(0);
    });

    test('check reports inconsistencies and fails', async () => {
      const file = join(data, (await readdir(data)).find((name) => name.endsWith('.mdb') || name === 'data') ?? '');
      expect((await store('check')).code).toBe(0);
      await truncate(file, 4096);
      const broken = await store('check');
      expect([broken.code, broken.stderr === '']).toEqual([1, false]);
    });

    describe('backup and restore', () => {
      const at = (name: string): string => join(home, name);
      const restoreTo = (file: string, name: string) => run('store', 'restore', at(file), `--data-dir=${at(name)}`);

      test('bring every object back, at revisions that are newer than all before', async () => {
        const { stdout, code } = await run('store', 'backup', at('file'), `--data-dir=${data}`);
        expect([code, stdout]).toEqual([0, expect.stringMatching(/^\d+ records of \d+ bytes at revision \d+ are in .*file\n$/)]);
        expect((await stat(at('file'))).mode & 0o777).toBe(0o600);
        const restored = await restoreTo('file', 'restored');
        expect([restored.code, restored.stderr]).toEqual([0, '']);
        expect((await run('store', 'check', `--data-dir=${at('restored')}`)).stdout).toMatch(/: sound\n$/);
        const dump = async (folder: string) => {
          const lines = (await run('store', 'dump', `--data-dir=${folder}`)).stdout.trim().split('\n');
          return lines.map((line) => JSON.parse(line));
        };
        const before = await dump(data);
        const after = await dump(at('restored'));
        const content = (lines: typeof before) => lines.map(({ key, object }) => ({ key, object }));
        expect(content(after)).toEqual(content(before));
        expect(Math.min(...after.map(({ modRevision }) => modRevision))).toBeGreaterThan(newest + 1_000_000_000);
      });

      test('make clients that watch from before list again', async () => {
        await run('store', 'backup', at('file'), `--data-dir=${data}`);
        await restoreTo('file', 'restored');
        const server = await startServer({
          storage: 'lmdb',
          dataDir: at('restored'),
          unsafeNoFsync: true,
          ...quietNamespaces,
        });
        const client = HttpClient.for(server);
        try {
          const maps = '/api/v1/namespaces/default/configmaps';
          const watched = await client.get(`${maps}?watch=true&resourceVersion=${newest + 100}`);
          const { json } = await client.get(`${maps}/kept`);
          expect([watched.json.object.code, json.data.n]).toEqual([410, '3']);
        } finally {
          client.close();
          await server.close();
        }
      });

      test('a backup is made while a server writes', async () => {
        const server = await startServer({ storage: 'lmdb', dataDir: data, unsafeNoFsync: true, ...quietNamespaces });
        const client = HttpClient.for(server);
        try {
          const body = JSON.stringify({ metadata: { name: 'late' } });
          const running = run('store', 'backup', at('file'), `--data-dir=${data}`);
          await client.send('POST', '/api/v1/namespaces/default/configmaps', body, 'application/json');
          expect(await running).toMatchObject({ code: 0, stderr: '' });
        } finally {
          client.close();
          await server.close();
        }
        expect((await restoreTo('file', 'restored')).code).toBe(0);
      });

      test.each([
        [['backup'], 'store backup needs FILE'],
        [['restore', 'a', 'b'], 'unexpected argument: b'],
        [['restore', 'a', '--bump-revision=0'], 'invalid argument "0" for --bump-revision: must be between 1 and 999999999999'],
        [['backup', '/nonexistent/file'], /^cannot write the backup \/nonexistent\/file: ENOENT/],
        [['restore', '/nonexistent/file'], /^cannot read the backup \/nonexistent\/file: ENOENT/],
        [['fly'], 'store needs one of: backup, restore, migrate, check, dump, compact'],
      ])('%j: says why not', async (args, why) => {
        const { code, stderr } = await run('store', ...args, ...(args[0] === 'fly' ? [] : [`--data-dir=${data}`]));
        const message = stderr.replace(/^kubeloom: (.*)\n$/, '$1');
        expect([code, message]).toEqual([1, typeof why === 'string' ? why : expect.stringMatching(why)]);
      });

      test('nothing is restored from a damaged file, or into a folder with a store', async () => {
        await run('store', 'backup', at('file'), `--data-dir=${data}`);
        await truncate(at('file'), (await stat(at('file'))).size - 1);
        const damaged = await restoreTo('file', 'restored');
        expect([damaged.code, damaged.stderr]).toEqual([1, expect.stringMatching(/is truncated or damaged at byte \d+\n$/)]);
        await expect(stat(at('restored'))).rejects.toThrow('ENOENT');
        await run('store', 'backup', at('file'), `--data-dir=${data}`);
        const full = await restoreTo('file', 'data');
        expect([full.code, full.stderr]).toEqual([1, expect.stringMatching(/which is not empty: it has data.mdb\n$/)]);
      });
    });

    test('does not touch a store that a server has open', async () => {
      const server = await startServer({ storage: 'lmdb', dataDir: data, unsafeNoFsync: true, ...quietNamespaces });
      try {
        const { code, stderr } = await store('compact');
        expect([code, stderr]).toEqual([1, expect.stringMatching(/^kubeloom: [^\n]+\n$/)]);
      } finally {
        await server.close();
      }
    });
  });
});
