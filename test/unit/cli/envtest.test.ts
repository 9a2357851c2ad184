import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Envtest } from '../../support/envtest.ts';
import { etcdBinary, missingEtcd } from '../../support/etcd.ts';
import { HttpClient } from '../../support/http-client.ts';
import { KubeloomCommand, type Outcome } from '../../support/kubeloom-command.ts';
import { testUnless } from '../../support/skipping.ts';

const json = 'application/json';

describe('kubeloom envtest-assets', () => {
  let command: KubeloomCommand;
  let home: string;
  let assets: string;
  let written: Outcome;

  beforeAll(async () => {
    [command, home] = await Promise.all([KubeloomCommand.make(), mkdtemp(join(tmpdir(), 'kubeloom-envtest-'))]);
    assets = join(home, "it's here");
    written = await command.run('envtest-assets', assets, '--', '--feature-gates=ComponentFlagz=true');
  });
  afterAll(() => Promise.all([command?.remove(), rm(home, { recursive: true, force: true })]));

  const run = (program: string, ...args: string[]): Promise<Outcome> =>
    new Promise((resolve) => {
      const child = execFile(join(assets, program), args, (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }));
    });

  test('prints what the shell needs', () => {
    expect(written).toMatchObject({ code: 0, stdout: `export KUBEBUILDER_ASSETS='${home}/it'\\''s here'\n` });
  });

  test.each([
    ['--version', 0, /^Kubernetes v1\.35\.0\+kubeloom\.\S+\n$/],
    ['--version=raw', 0, /^version\.Info\{Major:"1", Minor:"35", .*GitVersion:"v1\.35\.0\+kubeloom/],
    ['--version=v1.34.0', 1, /^Error: version "v1\.34\.0" must match major\/minor\/patch of default version "v1\.35\.0/],
    ['--version=v1.35', 1, /^Error: could not parse "v1\.35" as version\n$/],
    ['--version=odd', 1, /^Error: invalid argument "odd" for "--version" flag/],
  ])('kube-apiserver answers %s', async (flag, code, text) => {
    const { code: given, stdout, stderr } = await run('kube-apiserver', flag);
    expect([given, `${stdout}${stderr}`]).toEqual([code, expect.stringMatching(text)]);
  });

  describe('a control plane that envtest starts', () => {
    let envtest: Envtest;
    let admin: HttpClient;
    beforeAll(async () => {
      envtest = await Envtest.start(assets);
      admin = HttpClient.for(envtest.user('admin', ['system:masters']));
    });
    afterAll(async () => {
      admin?.close();
      expect(await envtest?.stop()).toEqual([0, 0]);
      expect(await envtest?.isServing()).toBe(false);
    });

    test('knows the users that envtest makes', async () => {
      expect((await admin.get('/api/v1/namespaces/default')).status).toBe(200);
      const configMap = { metadata: { name: 'x' }, data: { a: '1' } };
      const created = await admin.send('POST', '/api/v1/namespaces/default/configmaps', JSON.stringify(configMap), json);
      expect(created.status).toBe(201);
      const nobody = HttpClient.for(envtest.user('nobody', []));
      const { status, json: refused } = await nobody.get('/api/v1/namespaces/default/configmaps/x');
      nobody.close();
      expect([status, refused.message]).toEqual([
        403,
        'configmaps "x" is forbidden: User "nobody" cannot get resource "configmaps" in API group "" in the namespace "default"',
      ]);
    });

    test('has no controllers, as kube-apiserver alone', async () => {
      await admin.send('POST', '/api/v1/namespaces', JSON.stringify({ metadata: { name: 'gone' } }), json);
      await admin.send('DELETE', '/api/v1/namespaces/gone');
      const { json: namespace } = await admin.get('/api/v1/namespaces/gone');
      expect([namespace.status.phase, namespace.spec.finalizers]).toEqual(['Terminating', ['kubernetes']]);
      expect((await admin.get('/api/v1/serviceaccounts')).json.items).toEqual([]);
    });

    test('has the flags after --', async () => {
      const { body } = await admin.get('/flagz', { headers: { accept: 'text/plain' } });
      expect(body.toString()).toMatch(/^feature-gates[ :=]+\[ComponentFlagz=true\]/m);
    });
  });

  testUnless(missingEtcd)('keeps objects in a real etcd, if there is one at --etcd-servers', async () => {
    const envtest = await Envtest.start(assets, { etcd: etcdBinary });
    try {
      const key = Buffer.from('/registry/namespaces/default').toString('base64');
      const stored = await fetch(`${envtest.etcdURL}/v3/kv/range`, { method: 'POST', body: JSON.stringify({ key }) });
      expect(await stored.json()).toMatchObject({ count: '1' });
    } finally {
      const [apiServer] = await envtest.stop();
      expect(apiServer).toBe(0);
    }
  });

  test.each([
    ['kube-apiserver', ['--insecure-port=0'], 'Error: unknown flag: --insecure-port\n'],
    ['kube-apiserver', ['--secure-port=0'], 'Error: --etcd-servers must be specified\n'],
    [
      'kube-apiserver',
      ['--allow-privileged=false'],
      'Error: invalid argument "false" for --allow-privileged: must be true. Privileged containers are always allowed.\n',
    ],
    ['etcd', ['--cert-file=x'], 'kubeloom: unknown flag: --cert-file\n'],
    [
      'etcd',
      ['--listen-client-urls=unix://x'],
      'kubeloom: invalid argument "unix://x" for --listen-client-urls: must be http://HOST:PORT\n',
    ],
  ] as const)('%s refuses %j', async (program, args, stderr) => {
    expect(await run(program, ...args)).toEqual({ code: 1, stdout: '', stderr });
  });

  test('links the kubectl of the PATH', async () => {
    const kubectl = join(home, 'kubectl');
    await writeFile(kubectl, '#!/bin/sh\n');
    await chmod(kubectl, 0o755);
    const again = await new Promise<string>((resolve) => {
      const options = { env: { PATH: `${assets}:${home}` } };
      execFile(process.execPath, [command.main, 'envtest-assets', assets], options, (_error, _stdout, stderr) => resolve(stderr));
    });
    expect([again, await readlink(join(assets, 'kubectl'))]).toEqual(['', kubectl]);
  });
});
