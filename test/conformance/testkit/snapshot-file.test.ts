import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type RunningServer, type ServerOptions, startServer } from '../../../runtime/index.ts';
import { HttpClient } from '../../support/http-client.ts';

const widgets = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    names: { plural: 'widgets', kind: 'Widget' },
    scope: 'Namespaced',
    versions: ['v1', 'v1beta1'].map((name) => ({
      name,
      served: true,
      storage: name === 'v1beta1',
      subresources: { status: {} },
      schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    })),
  },
};
const service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web', namespace: 'shop' },
  spec: { selector: { app: 'web' }, ports: [{ port: 80 }], type: 'NodePort' },
};
const objects = [
  widgets,
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
  {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'w', namespace: 'shop', uid: 'w' },
    spec: { size: 1 },
  },
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'c', ownerReferences: [{ apiVersion: 'v1', kind: 'Namespace', name: 'default', uid: '' }] },
    data: { a: '1', b: '2', c: '3' },
  },
  { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'shop' }, stringData: { key: 'yes: no' } },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop', finalizers: ['example.com/f'] },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
    status: { observedGeneration: 1, replicas: 1 },
  },
  service,
];

const configMap = (name: string, namespace: unknown = 'default') => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace },
});

describe('the file of a snapshot', () => {
  let folder: string;
  const open: { close(): unknown }[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubeloom-snapshot-'));
  });
  afterEach(async () => {
    for (const each of open.splice(0).reverse()) await each.close();
    await rm(folder, { recursive: true, force: true });
  });

  const file = (name: string): string => join(folder, name);

  async function start(options: ServerOptions): Promise<readonly [RunningServer, HttpClient]> {
    const server = await startServer(options);
    const http = HttpClient.for(server);
    open.push(server, http);
    return [server, http];
  }

  async function saved(server: RunningServer, options?: Parameters<RunningServer['saveSnapshot']>[1]): Promise<string> {
    await server.saveSnapshot(file('saved'), options);
    return readFile(file('saved'), 'utf8');
  }

  test('makes a server with exactly its objects', async () => {
    const [first] = await start({ fixtures: objects });
    const text = await saved(first);
    await writeFile(file('all.yaml'), text);
    const [second, http] = await start({ snapshot: file('all.yaml') });
    expect(await saved(second)).toBe(text);

    // a fork that does not listen has the same objects
    const fork = await second.fork({ listen: false });
    open.push(fork);
    expect(await saved(fork)).toBe(text);

    const { json: widget } = await http.get('/apis/example.com/v1/namespaces/shop/widgets/w');
    expect(text).toContain(widget.metadata.uid);
    // allocations stay unchanged
    const { json: web } = await http.get('/api/v1/namespaces/shop/services/web');
    const taken = { ...service, metadata: { name: 'other' }, spec: { ...service.spec, clusterIP: web.spec.clusterIP } };
    const { status } = await http.send('POST', '/api/v1/namespaces/shop/services', JSON.stringify(taken), 'application/json');
    expect(status).toBe(422);
  });

  test('is empty for a fresh server, and has what was changed there', async () => {
    const [server, http] = await start({});
    expect(await saved(server)).toBe('');
    const labels = JSON.stringify({ metadata: { labels: { a: 'b' } } });
    await http.send('PATCH', '/api/v1/namespaces/kube-public', labels, 'application/merge-patch+json');
    expect((await saved(server)).match(/^ {2}name: .*/gm)).toEqual(['  name: kube-public']);
    expect(await saved(server, { all: true })).toMatch(/^kind: FlowSchema$/m);
  });

  test('differs in one line where one field differs, from run to run, if it is portable', async () => {
    const [first] = await start({ fixtures: objects });
    const changed = objects.map((object) => ('data' in object ? { ...object, data: { ...object.data, b: 'new' } } : object));
    const [second] = await start({ fixtures: changed });
    const [one, other] = [await saved(first, { portable: true }), await saved(second, { portable: true })].map((text) =>
      text.split('\n').filter((line) => !/clusterIP|nodePort|^ {2}- 10\.|Time:/.test(line)),
    );
    expect(other.filter((line, index) => line !== one[index])).toEqual(['  b: new']);
    expect(other).toHaveLength(one.length);
    // uids are derived from names, so that references stay valid
    expect(one.filter((line) => line.startsWith('    uid: '))).toHaveLength(1);
  });

  test.each([
    [{ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } }, 'Widget w: no matches for kind "Widget"'],
    [{ kind: 'Pod' }, 'no object of Kubernetes: apiVersion and kind must be set'],
    [[], 'no object of Kubernetes: apiVersion and kind must be set'],
    [configMap('../../secrets/x'), 'x.json, document 1, line 1: ConfigMap default/../../secrets/x: invalid object name: "../../secrets/x"'],
    [configMap(''), 'x.json, document 1, line 1: ConfigMap default/: invalid object name: ""'],
    [configMap('a', 'x/y'), 'x.json, document 1, line 1: ConfigMap x/y/a: invalid namespace: "x/y"'],
    [configMap('a', 7), 'x.json, document 1, line 1: ConfigMap: metadata.namespace must be a text'],
    [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a', namespace: 'b' } },
      'x.json, document 1, line 1: Namespace b/a: cluster-scoped object in namespace "b"',
    ],
  ])('%j is refused before the server is ready', async (object, message) => {
    await writeFile(file('x.json'), JSON.stringify(object));
    await expect(start({ snapshot: file('x.json') })).rejects.toThrow(message);
  });
});
