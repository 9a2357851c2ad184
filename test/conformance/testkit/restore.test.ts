import { afterEach, describe, expect, test } from '@jest/globals';
import type { RunningServer, ServerOptions } from '../../../runtime/index.ts';
import { startServer } from '../../../runtime/index.ts';
import { HttpClient, type HttpResponse } from '../../support/http-client.ts';
import { startTestServer, TestServer } from '../../support/test-server.ts';
import { WatchStream } from '../../support/watch-stream.ts';

const configMap = (name: string, data: object = {}) => JSON.stringify({ metadata: { name }, data });
const configMaps = '/api/v1/namespaces/default/configmaps';
const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const widgets = JSON.stringify({
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
});

const { server: getServer, http: getHttp } = { server: () => suite.server, http: () => suite.http };
const suite = TestServer.forSuite();

/** Polls until the response is as wanted, because watches deliver changes with a delay. */
async function eventually(ask: () => Promise<HttpResponse>, isWanted: (response: HttpResponse) => boolean) {
  let response = await ask();
  for (let tries = 0; tries < 200 && !isWanted(response); tries += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    response = await ask();
  }
  return response;
}

describe('a restored server', () => {
  afterEach(() => getServer().reset());

  const post = async (path: string, body: string) => {
    const response = await getHttp().send('POST', path, body);
    expect(response.status).toBe(201);
    return response.json;
  };

  test('has the objects of the snapshot, and newer resourceVersions', async () => {
    const kept = await post(configMaps, configMap('kept', { a: '1' }));
    const snapshot = getServer().snapshot();
    expect(snapshot.revision).toBe(Number(kept.metadata.resourceVersion));
    await getHttp().send('PUT', `${configMaps}/kept`, configMap('kept', { a: '2' }));
    await post(configMaps, configMap('new'));
    await getServer().restore(snapshot);
    const { json: list } = await getHttp().get(configMaps);
    expect(list.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).not.toContain('new');
    const { json: restored } = await getHttp().get(`${configMaps}/kept`);
    expect({ ...restored, metadata: { ...restored.metadata, resourceVersion: '' } }).toEqual({
      ...kept,
      metadata: { ...kept.metadata, resourceVersion: '' },
    });
    expect(Number(restored.metadata.resourceVersion)).toBeGreaterThan(snapshot.revision + 2);
    expect(Number(list.metadata.resourceVersion)).toBe(getServer().revision());
  });

  test.each([
    [
      'Continue',
      [
        ['DELETED', 'new'],
        ['MODIFIED', 'kept'],
      ],
    ],
    ['Expire', [['ERROR', 410]]],
  ] as const)('tells watches what happens: %s', async (watches, wanted) => {
    await post(configMaps, configMap('kept', { a: '1' }));
    const snapshot = getServer().snapshot();
    await getHttp().send('PUT', `${configMaps}/kept`, configMap('kept', { a: '2' }));
    await post(configMaps, configMap('new'));
    const from = getServer().revision();
    const watch = await WatchStream.open(getServer(), `${configMaps}?watch=1&resourceVersion=${from}`);
    await getServer().restore(snapshot, { watches });
    for (const [type, what] of wanted) {
      const event = await watch.next();
      expect([event?.type, event?.object.code ?? event?.object.metadata.name]).toEqual([type, what]);
    }
    watch.close();
    const again = await getHttp().get(`${configMaps}?watch=1&timeoutSeconds=1&resourceVersion=${from}`, {
      headOnly: watches === 'Continue',
    });
    if (watches === 'Expire') expect(again.body.toString()).toContain('"code":410');
    else expect(again.status).toBe(200);
  });

  test('serves the custom resources of the snapshot', async () => {
    const list = () => getHttp().get('/apis/example.com/v1/namespaces/default/widgets');
    await post(crds, widgets);
    expect((await eventually(list, ({ status }) => status === 200)).status).toBe(200);
    const snapshot = getServer().snapshot();
    await post(
      '/apis/example.com/v1/namespaces/default/widgets',
      JSON.stringify({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } }),
    );
    await getServer().reset();
    expect((await eventually(list, ({ status }) => status === 404)).status).toBe(404);
    await getServer().restore(snapshot);
    const found = await eventually(list, ({ status }) => status === 200);
    expect([found.status, found.json.items]).toEqual([200, []]);
  });

  test('has the namespaces of the snapshot, which can be deleted again', async () => {
    const ask = () => getHttp().get('/api/v1/namespaces/n');
    const objects = '/api/v1/namespaces/n/configmaps';
    await post('/api/v1/namespaces', JSON.stringify({ metadata: { name: 'n' } }));
    await post(objects, configMap('a'));
    const snapshot = getServer().snapshot();
    for (let round = 0; round < 2; round += 1) {
      await getHttp().send('DELETE', '/api/v1/namespaces/n');
      expect((await eventually(ask, ({ status }) => status === 404)).status).toBe(404);
      await getServer().restore(snapshot);
      expect((await ask()).json.status.phase).toBe('Active');
      expect((await getHttp().get(`${objects}/a`)).status).toBe(200);
    }
  });

  test('collects the dependents of restored owners when those are deleted again', async () => {
    const { metadata } = await post(configMaps, configMap('owner'));
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: metadata.uid }];
    await post(configMaps, JSON.stringify({ metadata: { name: 'dependent', ownerReferences } }));
    const snapshot = getServer().snapshot();
    const dependent = () => getHttp().get(`${configMaps}/dependent`);
    for (let round = 0; round < 2; round += 1) {
      await getHttp().send('DELETE', `${configMaps}/owner`);
      expect((await eventually(dependent, ({ status }) => status === 404)).status).toBe(404);
      await getServer().restore(snapshot);
      // the garbage collector checks the object, and finds its owner
      await post(configMaps, configMap(`later-${round}`));
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect((await dependent()).status).toBe(200);
    }
  });

  test('counts quotas as they were', async () => {
    const quotas = '/api/v1/namespaces/default/resourcequotas';
    await post(quotas, JSON.stringify({ metadata: { name: 'q' }, spec: { hard: { 'count/secrets': '2' } } }));
    const secrets = '/api/v1/namespaces/default/secrets';
    const create = (name: string) => getHttp().send('POST', secrets, JSON.stringify({ metadata: { name } }));
    const used = () => getHttp().get(`${quotas}/q`);
    const isUsed = (count: string) => (response: HttpResponse) => response.json.status?.used?.['count/secrets'] === count;
    await eventually(used, isUsed('0'));
    expect((await create('a')).status).toBe(201);
    await eventually(used, isUsed('1'));
    const snapshot = getServer().snapshot();
    for (let round = 0; round < 3; round += 1) {
      expect((await create('b')).status).toBe(201);
      expect((await create('c')).status).toBe(403);
      await getServer().restore(snapshot);
      expect(isUsed('1')(await eventually(used, isUsed('1')))).toBe(true);
    }
  });

  test('allocates the addresses and node ports of services as they were', async () => {
    const services = '/api/v1/namespaces/default/services';
    const service = (name: string, spec: object) =>
      JSON.stringify({ metadata: { name }, spec: { type: 'NodePort', ports: [{ port: 80, ...spec }] } });
    const snapshot = getServer().snapshot();
    const first = await post(services, service('s', {}));
    const [{ nodePort }] = first.spec.ports;
    const { clusterIP } = first.spec;
    await getServer().restore(snapshot);
    const again = JSON.parse(service('t', { nodePort }));
    again.spec.clusterIP = clusterIP;
    const second = await post(services, JSON.stringify(again));
    expect(second.spec.clusterIP).toBe(clusterIP);
    const both = getServer().snapshot();
    await getHttp().send('DELETE', `${services}/t`);
    await getServer().restore(both);
    expect((await getHttp().send('POST', services, JSON.stringify({ ...again, metadata: { name: 'u' } }))).status).toBe(422);
  });

  test('authorizes by the roles of the snapshot', async () => {
    const rbac = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
    const review = () =>
      getHttp().send(
        'POST',
        '/apis/authorization.k8s.io/v1/subjectaccessreviews',
        JSON.stringify({
          spec: { user: 'jane', resourceAttributes: { verb: 'list', resource: 'pods', namespace: 'default' } },
        }),
      );
    const snapshot = getServer().snapshot();
    await post(
      rbac,
      JSON.stringify({
        metadata: { name: 'jane' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' }],
      }),
    );
    expect((await review()).json.status.allowed).toBe(true);
    await getServer().restore(snapshot);
    expect((await review()).json.status.allowed).toBe(false);
  });
});

describe('a reset', () => {
  test('leaves nothing of what was done, however often', async () => {
    const server = await startServer();
    const http = HttpClient.for(server);
    const names = async () => {
      const lists = await Promise.all(['namespaces', 'configmaps', 'serviceaccounts'].map((one) => http.get(`/api/v1/${one}`)));
      return lists.flatMap(({ json }) => json.items.map(({ metadata }: { metadata: { uid: string } }) => metadata.uid));
    };
    const fresh = await names();
    for (let round = 0; round < 20; round += 1) {
      await http.send('POST', '/api/v1/namespaces', JSON.stringify({ metadata: { name: `n${round}` } }));
      await http.send('POST', `/api/v1/namespaces/n${round}/configmaps`, configMap('a'));
      await http.send('DELETE', '/api/v1/namespaces/kube-public/configmaps/kube-root-ca.crt');
      await server.reset({ watches: round % 2 === 0 ? 'Continue' : 'Expire' });
      expect(await names()).toEqual(fresh);
    }
    http.close();
    await server.close();
  });

  test.each<[string, ServerOptions]>([['lmdb', { storage: 'lmdb' }]])('is not possible with %s', async (_, options) => {
    const { mkdtemp, rm } = await import('node:fs/promises');
    const dataDir = await mkdtemp('/tmp/kubeloom-reset-');
    const server: RunningServer = await startTestServer({ ...options, dataDir });
    expect(() => server.snapshot()).toThrow('snapshots need --storage=memory');
    await expect(server.reset()).rejects.toThrow('snapshots need --storage=memory');
    await server.close();
    await rm(dataDir, { recursive: true });
  });
});
