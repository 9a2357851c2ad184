import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RunningServer, startServer } from '../../../runtime/index.ts';
import { KubeloomCommand } from '../../support/kubeloom-command.ts';

describe('kubeloom snapshot', () => {
  let command: KubeloomCommand;
  let home: string;
  let servers: readonly RunningServer[];
  const owner = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', uid: 'of-another-cluster' },
    data: { x: '1' },
  };
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'of-another-cluster' };
  const owned = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'b', ownerReferences: [reference] } };

  beforeAll(async () => {
    [command, home] = await Promise.all([KubeloomCommand.make(), mkdtemp(join(tmpdir(), 'kubeloom-snapshot-'))]);
    servers = [await startServer({ fixtures: [owned, owner] }), await startServer()];
    await Promise.all(servers.map(({ kubeconfig }, index) => writeFile(join(home, `config${index}`), kubeconfig)));
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.close()));
    await Promise.all([command.remove(), rm(home, { recursive: true, force: true })]);
  });

  const run = (action: string, server: number, ...args: string[]): ReturnType<KubeloomCommand['run']> =>
    command.run('snapshot', action, `--kubeconfig=${join(home, `config${server}`)}`, ...args);

  test('moves the objects of one server to another, with their owners', async () => {
    const file = join(home, 'snapshot.yaml');
    expect(await run('save', 0, '--portable', file)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await run('load', 1, file)).toEqual({ code: 0, stdout: '2 objects are on the server\n', stderr: '' });
    expect((await run('save', 1, '--portable', '-')).stdout).toBe(await readFile(file, 'utf8'));
    const client = await servers[1].client();
    const { metadata } = await client.core.v1.configmaps.namespace('default').get('a');
    const secret = await client.core.v1.secrets.namespace('default').get('b');
    expect(secret.metadata?.ownerReferences).toEqual([{ ...reference, uid: metadata?.uid }]);
  });

  test.each([
    [['fly'], 'kubeloom: snapshot needs one of: save, load\n'],
    [['save'], 'kubeloom: snapshot save needs FILE\n'],
    [['load', '/nonexistent.yaml'], /^kubeloom: \/nonexistent\.yaml: ENOENT[^\n]+\n$/],
  ])('%j: one line on stderr, exit 1', async (args, want) => {
    const { code, stderr } = await command.run('snapshot', ...args);
    expect(code).toBe(1);
    expect(stderr).toEqual(typeof want === 'string' ? want : expect.stringMatching(want));
  });
});
