import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bootstrapPolicy } from '../../../runtime/authorization/rbac/bootstrap-policy/bootstrap-policy.ts';
import { type RunningServer, startServer } from '../../../runtime/index.ts';
import { HttpClient } from '../../support/http-client.ts';
import { TestServer } from '../../support/test-server.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const autoUpdate = 'rbac.authorization.kubernetes.io/autoupdate';

describe('the objects of the bootstrap policy', () => {
  const suite = TestServer.forSuite({ controllers: ['-clusterrole-aggregation-controller'] });

  test('are as a request would have created them', async () => {
    const { clusterRoles, clusterRoleBindings, roles } = bootstrapPolicy(35);
    const samples = [clusterRoles[0], clusterRoles[4], clusterRoleBindings[0], roles[0]];
    for (const sample of samples) {
      const { name, namespace } = sample.metadata;
      const plural = `${sample.kind?.toLowerCase()}s`;
      const path = namespace === undefined ? `${rbac}/${plural}` : `${rbac}/namespaces/${namespace}/${plural}`;
      const copy = { ...sample, metadata: { ...sample.metadata, name: `${name}-copy` } };
      await suite.http.send('POST', `${path}?fieldManager=kube-apiserver`, JSON.stringify(copy), 'application/json');
      const [own, copied] = await Promise.all([name, `${name}-copy`].map(async (each) => (await suite.http.get(`${path}/${each}`)).json));
      const unlike = { name: '', uid: '', resourceVersion: '', creationTimestamp: '' };
      const alike = ({ metadata, ...content }: typeof own) => ({
        ...content,
        metadata: {
          ...metadata,
          ...unlike,
          managedFields: metadata.managedFields.map((entry: object) => ({ ...entry, time: '' })),
        },
      });
      expect(alike(own)).toEqual(alike(copied));
      expect(own.metadata.uid).toMatch(/^[0-9a-f-]{36}$/);
    }
  });
});

describe('a server that starts again', () => {
  let folder: string;
  let server: RunningServer;
  let http: HttpClient;

  const start = async (): Promise<void> => {
    server = await startServer({ storage: 'lmdb', dataDir: folder, unsafeNoFsync: true });
    http = HttpClient.for(server);
  };
  const stop = async (): Promise<void> => {
    http?.close();
    await server?.close();
  };
  const get = async (path: string) => (await http.get(`${rbac}/${path}`)).json;
  const patch = (path: string, body: object) => http.send('PATCH', `${rbac}/${path}`, JSON.stringify(body), 'application/merge-patch+json');
  const revisions = async (): Promise<string[]> => {
    const lists = await Promise.all(['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'].map(get));
    return lists.flatMap(({ items }) => items.map((item: { metadata: object }) => JSON.stringify(item.metadata)));
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubeloom-rbac-'));
    await start();
  });

  afterAll(async () => {
    await stop();
    await rm(folder, { recursive: true, force: true });
  });

  test('writes no role and no binding', async () => {
    const before = await revisions();
    expect(before).toHaveLength(131);
    await stop();
    await start();
    expect(await revisions()).toEqual(before);
  });

  test('adds missing rules, labels and subjects, and keeps others', async () => {
    const other = { verbs: ['get'], apiGroups: ['example.com'], resources: ['things'] };
    await patch('clusterroles/system:basic-user', {
      metadata: { labels: { 'kubernetes.io/bootstrapping': null, own: 'x' } },
      rules: [other, { verbs: ['create'], apiGroups: ['*'], resources: ['selfsubjectreviews'] }],
    });
    const jane = { apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' };
    await patch('clusterrolebindings/system:discovery', { subjects: [jane] });
    await stop();
    await start();
    const role = await get('clusterroles/system:basic-user');
    expect(role.metadata.labels).toEqual({ 'kubernetes.io/bootstrapping': 'rbac-defaults', own: 'x' });
    const create = (resource: string) => ({
      verbs: ['create'],
      apiGroups: ['authorization.k8s.io'],
      resources: [resource],
    });
    expect(role.rules.slice(2)).toEqual([create('selfsubjectaccessreviews'), create('selfsubjectrulesreviews')]);
    expect((await get('clusterrolebindings/system:discovery')).subjects.map(({ name }: { name: string }) => name)).toEqual([
      'jane',
      'system:authenticated',
    ]);
  });

  test('leaves objects alone whose autoupdate is false', async () => {
    await patch('clusterroles/system:kube-dns', { metadata: { annotations: { [autoUpdate]: 'false' } }, rules: [] });
    await stop();
    await start();
    expect((await get('clusterroles/system:kube-dns')).rules ?? []).toEqual([]);
  });

  test('makes a deleted role and a binding to another role anew', async () => {
    const path = `${rbac}/clusterrolebindings/system:monitoring`;
    const { uid } = (await get('clusterrolebindings/system:monitoring')).metadata;
    await http.send('DELETE', path);
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' };
    await http.send(
      'POST',
      `${rbac}/clusterrolebindings`,
      JSON.stringify({ metadata: { name: 'system:monitoring' }, roleRef }),
      'application/json',
    );
    await http.send('DELETE', `${rbac}/clusterroles/system:heapster`);
    await stop();
    await start();
    const binding = await get('clusterrolebindings/system:monitoring');
    expect([binding.roleRef.name, binding.subjects[0].name]).toEqual(['system:monitoring', 'system:monitoring']);
    expect(binding.metadata.uid).not.toBe(uid);
    expect((await get('clusterroles/system:heapster')).rules).toHaveLength(2);
  });
});
