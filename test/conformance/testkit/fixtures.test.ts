import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { RestClient } from '../../../runtime/client/rest-client.ts';
import { type RunningServer, type ServerOptions, startServer } from '../../../runtime/index.ts';
import { loadObjects } from '../../../runtime/testkit/fixtures/load.ts';
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
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
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

/** Objects in an order in which they cannot be created. */
const fixtures = [
  pod,
  { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'shop', ownerReferences: [reference] } },
  widget,
  namespace,
  widgets,
  // objects that every server has
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default', labels: { a: 'b' } } },
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' }, imagePullSecrets: [{ name: 'x' }] },
  { apiVersion: 'v1', kind: 'Service', metadata: { name: 'kubernetes' }, spec: { clusterIP: '172.30.0.1' } },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'elsewhere' },
    spec: { clusterIP: '172.30.7.7', clusterIPs: ['172.30.7.7'], ports: [{ port: 80 }] },
  },
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'deleted', finalizers: ['example.com/x'], deletionTimestamp: '2026-01-01T00:00:00Z' },
  },
];

describe('a server with fixtures', () => {
  let server: RunningServer;
  let http: HttpClient;
  beforeAll(async () => {
    server = await startServer({ fixtures, requestLog: 10 });
    http = HttpClient.for(server);
  });
  afterAll(async () => {
    http?.close();
    await server?.close();
  });

  const get = async (path: string) => (await http.get(path)).json;

  test('has a log of requests that begins after them', () => {
    expect(server.requests()).toEqual([]);
  });

  test('has them in whatever order they come, with their status and their owners', async () => {
    const found = await get('/apis/example.com/v1/namespaces/shop/widgets/w');
    expect(found).toMatchObject({ spec: { size: 1 }, status: { phase: 'Ready' } });
    expect(found.metadata.uid).not.toBe('from-elsewhere');
    const owned = await get('/api/v1/namespaces/shop/secrets/s');
    expect(owned.metadata.ownerReferences).toEqual([{ ...reference, uid: found.metadata.uid }]);
    expect((await get('/api/v1/namespaces/shop/pods/p')).spec.serviceAccountName).toBe('default');
    expect((await http.get('/readyz?verbose')).body.toString()).toContain('poststarthook/load-fixtures ok');
  });

  test('replaces what every server has, except what a server says of itself', async () => {
    expect((await get('/api/v1/namespaces/default')).metadata.labels).toMatchObject({ a: 'b' });
    const account = await get('/api/v1/namespaces/default/serviceaccounts/default');
    expect(account.imagePullSecrets).toEqual([{ name: 'x' }]);
    expect((await get('/api/v1/namespaces/default/services/kubernetes')).spec.clusterIP).toBe('10.96.0.1');
  });

  test('gives a service of another cluster a cluster IP of its own', async () => {
    expect((await get('/api/v1/namespaces/default/services/elsewhere')).spec.clusterIP).toMatch(/^10\./);
  });

  test('goes on deleting what was being deleted', async () => {
    const { metadata } = await get('/api/v1/namespaces/default/configmaps/deleted');
    expect(metadata).toMatchObject({ finalizers: ['example.com/x'], deletionTimestamp: expect.any(String) });
  });

  test('has forks that begin with what became of them', async () => {
    await (await server.client()).core.v1.namespaces.patch('shop', { metadata: { labels: { a: 'b' } } });
    const fork = await server.fork({ listen: false });
    try {
      const { metadata } = await (await fork.client()).core.v1.namespaces.get('shop');
      expect(metadata?.labels).toMatchObject({ a: 'b' });
    } finally {
      await fork.close();
    }
  });

  test.each([
    [{ ...pod, metadata: { name: 'q', namespace: 'none' } }, 'Pod none/q: namespaces "none" not found'],
    [{ ...widget, apiVersion: 'example.com/v2' }, 'Widget shop/w: no matches for kind "Widget" in version "example.com/v2"'],
    [{ ...pod, metadata: { name: 'q' }, spec: {} }, 'Pod q: Pod "q" is invalid: spec.containers: Required value'],
    [
      { ...pod, metadata: { name: 'q', ownerReferences: [{ ...reference, apiVersion: 'v1', kind: 'Pod' }] } },
      'Pod q: its owner Pod w is missing, so the garbage collector would delete it',
    ],
  ])("refuses what cannot be written, in Kubernetes' words: %#", async (object, message) => {
    const { url, caCertificate: ca, clientCertificate: cert, clientKey: key } = server;
    const client = new RestClient({ server: url, ca, cert, key });
    try {
      await expect(loadObjects(client, [{ object, source: 'x.yaml' }])).rejects.toThrow(`x.yaml: ${message}`);
    } finally {
      client.close();
    }
  });

  test('does not start with one that is refused', async () => {
    await expect(startServer({ fixtures: pod })).rejects.toThrow('fixture 1: Pod shop/p: namespaces "shop" not found');
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
