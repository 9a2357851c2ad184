import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { mergedKubeconfig, mergeKubeconfig } from '../../../runtime/cli/merged-kubeconfig.ts';

const added = `apiVersion: v1
kind: Config
clusters: [{ name: kubeloom, cluster: { server: 'https://127.0.0.1:1' } }]
users: [{ name: kubernetes-admin, user: { token: t } }]
contexts: [{ name: kubeloom, context: { cluster: kubeloom, user: kubernetes-admin } }]
current-context: kubeloom
`;
const cluster = { name: 'kubeloom', cluster: { server: 'https://127.0.0.1:1' } };
const user = { name: 'kubeloom', user: { token: 't' } };
const context = { name: 'kubeloom', context: { cluster: 'kubeloom', user: 'kubeloom' } };

describe('a kubeconfig that gets the context kubeloom', () => {
  it.each([
    ['is new', '', { clusters: [cluster], users: [user], contexts: [context] }],
    [
      'has null lists',
      'kind: Config\nclusters: null\nusers: null\ncontexts: null\n',
      { clusters: [cluster], users: [user], contexts: [context] },
    ],
    [
      'has empty lists',
      'kind: Config\nclusters: []\nusers: []\ncontexts: []\n',
      { clusters: [cluster], users: [user], contexts: [context] },
    ],
    [
      'has another context, whose user is kubernetes-admin',
      'kind: Config\nclusters: [{name: a}]\nusers: [{name: kubernetes-admin}]\ncontexts: [{name: b}]\ncurrent-context: b\n',
      { clusters: [{ name: 'a' }, cluster], users: [{ name: 'kubernetes-admin' }, user], contexts: [{ name: 'b' }, context] },
    ],
    [
      'has an older one of the name',
      'kind: Config\nclusters: [{name: kubeloom, cluster: {server: old}}, {name: a}]\n',
      { clusters: [cluster, { name: 'a' }], users: [user], contexts: [context] },
    ],
  ])('%s', (_title, existing, want) => {
    expect(parse(mergedKubeconfig(existing, added, 'f'))).toMatchObject({ kind: 'Config', 'current-context': 'kubeloom', ...want });
  });

  it('keeps comments and unknown members', () => {
    const text = mergedKubeconfig('# mine\nkind: Config\nextensions: [{ name: x }] # why\n', added, 'f');
    expect(text).toMatch(/^# mine\n/);
    expect(text).toContain('# why');
  });

  it.each([
    ['kind: Pod\n', 'f is not a kubeconfig'],
    ['- a\n', 'f is not a kubeconfig'],
    ['a: [', /^f: /],
  ])('refuses %j', (existing, message) => {
    expect(() => mergedKubeconfig(existing, added, 'f')).toThrow(message);
  });

  describe('on disk', () => {
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'kubeloom-merge-'));
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));

    it('is written where there was none, and the lock is gone', async () => {
      const path = join(folder, 'deep', 'config');
      await mergeKubeconfig(path, added);
      await mergeKubeconfig(path, added);
      expect(parse(await readFile(path, 'utf8')).contexts).toEqual([context]);
      await expect(readFile(`${path}.lock`)).rejects.toThrow('ENOENT');
    });

    it('is not changed while kubectl has its lock', async () => {
      const path = join(folder, 'locked');
      await writeFile(`${path}.lock`, '');
      await expect(mergeKubeconfig(path, added)).rejects.toThrow(
        `${path} is locked by another program: wait for it, or remove ${path}.lock`,
      );
    });
  });
});
