import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type RunningServer, type ServerOptions, startServer } from '../../../runtime/index.ts';
import { HttpClient } from '../../support/http-client.ts';
import { describeKubectl, Kubectl } from '../../support/kubectl.ts';

const widgets = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    names: { plural: 'widgets', kind: 'Widget' },
    scope: 'Namespaced',
    versions: [
      {
        ...{ name: 'v1', served: true, storage: true, subresources: { status: {} } },
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};
const widget = {
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'w', namespace: 'shop', uid: 'from-elsewhere' },
  spec: { size: 1 },
  status: { phase: 'Ready' },
};
const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'shop' },
  spec: { containers: [{ name: 'c', image: 'i' }] },
};
const reference = { apiVersion: 'example.com/v1', kind: 'Widget', name: 'w', uid: 'from-elsewhere' };

describe('a server with fixtures', () => {
  const open: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const each of open.splice(0).reverse()) await each.close();
  });

  async function start(options: ServerOptions): Promise<HttpClient> {
    const server = await startServer(options);
    const client = HttpClient.for(server);
    open.push(server, client);
    return client;
  }

  test('has them in whatever order they come, with their status and their owners', async () => {
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's', namespace: 'shop', ownerReferences: [reference] },
    };
    const http = await start({ fixtures: [pod, secret, widget, namespace, widgets] });
    const { json: found } = await http.get('/apis/example.com/v1/namespaces/shop/widgets/w');
    expect(found).toMatchObject({ spec: { size: 1 }, status: { phase: 'Ready' } });
    expect(found.metadata.uid).not.toBe('from-elsewhere');
    const { json: owned } = await http.get('/api/v1/namespaces/shop/secrets/s');
    expect(owned.metadata.ownerReferences).toEqual([{ ...reference, uid: found.metadata.uid }]);
    expect((await http.get('/api/v1/namespaces/shop/pods/p')).json.spec.serviceAccountName).toBe('default');
    expect((await http.get('/readyz?verbose')).body.toString()).toContain('poststarthook/load-fixtures ok');
  });

  test('replaces what every server has, except what a server says of itself', async () => {
    const http = await start({
      fixtures: [
        { ...namespace, metadata: { name: 'default', labels: { a: 'b' } } },
        { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' }, imagePullSecrets: [{ name: 'x' }] },
        { apiVersion: 'v1', kind: 'Service', metadata: { name: 'kubernetes' }, spec: { clusterIP: '172.30.0.1' } },
      ],
    });
    expect((await http.get('/api/v1/namespaces/default')).json.metadata.labels).toMatchObject({ a: 'b' });
    const { json: account } = await http.get('/api/v1/namespaces/default/serviceaccounts/default');
    expect(account.imagePullSecrets).toEqual([{ name: 'x' }]);
    expect((await http.get('/api/v1/namespaces/default/services/kubernetes')).json.spec.clusterIP).toBe('10.96.0.1');
  });

  test('gives a service of another cluster a cluster IP of its own', async () => {
    const spec = { clusterIP: '172.30.7.7', clusterIPs: ['172.30.7.7'], ports: [{ port: 80 }] };
    const http = await start({ fixtures: { apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec } });
    expect((await http.get('/api/v1/namespaces/default/services/s')).json.spec.clusterIP).toMatch(/^10\./);
  });

  test('has a log of requests that begins after them', async () => {
    const server = await startServer({ fixtures: namespace, requestLog: 10 });
    open.push(server);
    expect(server.requests()).toEqual([]);
  });

  test('has forks that begin with what became of them', async () => {
    const server = await startServer({ fixtures: namespace });
    open.push(server);
    await (await server.client()).core.v1.namespaces.patch('shop', { metadata: { labels: { a: 'b' } } });
    const fork = await server.fork({ listen: false });
    open.push(fork);
    expect((await (await fork.client()).core.v1.namespaces.get('shop')).metadata?.labels).toMatchObject({ a: 'b' });
  });

  test('goes on deleting what was being deleted', async () => {
    const metadata = { name: 'c', finalizers: ['example.com/x'], deletionTimestamp: '2026-01-01T00:00:00Z' };
    const http = await start({ fixtures: { apiVersion: 'v1', kind: 'ConfigMap', metadata } });
    const { json: found } = await http.get('/api/v1/namespaces/default/configmaps/c');
    expect(found.metadata).toMatchObject({ finalizers: ['example.com/x'], deletionTimestamp: expect.any(String) });
  });

  test.each([
    [pod, 'fixture 1: Pod shop/p: namespaces "shop" not found'],
    [widget, 'fixture 1: Widget shop/w: no matches for kind "Widget" in version "example.com/v1"'],
    [
      { ...pod, metadata: { name: 'p' }, spec: {} },
      'fixture 1: Pod p: Pod "p" is invalid: spec.containers: Required value',
    ],
    [
      { ...pod, metadata: { name: 'p', ownerReferences: [{ ...reference, apiVersion: 'v1', kind: 'Pod' }] } },
      'fixture 1: Pod p: its owner Pod w is missing, so the garbage collector would delete it',
    ],
  ])('does not start with one that is refused: %#', async (fixtures, message) => {
    await expect(start({ fixtures })).rejects.toThrow(message);
  });
});

describeKubectl('the output of kubectl get', () => {
  let folder: string;
  const open: { close(): unknown }[] = [];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubeloom-fixtures-'));
  });
  afterAll(async () => {
    for (const each of open.reverse()) await each.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function start(options: ServerOptions): Promise<readonly [RunningServer, Kubectl]> {
    const server = await startServer({ simulate: {}, ...options });
    const kubectl = await Kubectl.for(server.kubeconfig);
    open.push(server, kubectl);
    return [server, kubectl];
  }

  test('of a whole cluster makes another one, in which pods keep their owners and none is made anew', async () => {
    const [, from] = await start({});
    await from.ok(['create', 'deployment', 'web', '--image=nginx', '--replicas=2']);
    await from.ok(['expose', 'deployment', 'web', '--port=80']);
    await from.ok(['create', 'job', 'once', '--image=busybox']);
    await from.ok(['rollout', 'status', 'deployment', 'web']);
    const kinds =
      'deployments,replicasets,pods,services,jobs,configmaps,serviceaccounts,namespaces,nodes,endpointslices,events.events.k8s.io,events';
    const file = join(folder, 'all.yaml');
    await writeFile(file, await from.ok(['get', '-A', '-o', 'yaml', '--show-managed-fields', kinds]));

    const [server, to] = await start({ fixtures: file });
    await to.ok(['rollout', 'status', 'deployment', 'web']);
    const names = (kubectl: Kubectl): Promise<string> => kubectl.ok(['get', 'pods,replicasets,jobs', '-o', 'name']);
    expect(await names(to)).toBe(await names(from));
    const client = await server.client();
    const { items: sets } = await client.apps.v1.replicasets.namespace('default').list();
    const { items: pods } = await client.core.v1.pods.namespace('default').list();
    const owners = pods.map(({ metadata }) => metadata?.ownerReferences?.[0].uid);
    expect(owners.filter((uid) => uid === sets[0].metadata?.uid)).toHaveLength(2);
    expect(sets.map(({ status }) => status?.readyReplicas)).toEqual([2]);
  });
});
