import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { RunningServer } from '../../../runtime/index.ts';
import { CutProxy } from '../../support/cut-proxy.ts';
import { EtcdCluster, missingEtcd } from '../../support/etcd.ts';
import { openEngine } from '../../support/etcd-engines.ts';
import { HttpClient } from '../../support/http-client.ts';
import { describeUnless } from '../../support/skipping.ts';
import { startTestServer } from '../../support/test-server.ts';
import { WatchStream } from '../../support/watch-stream.ts';

const secrets = '/api/v1/namespaces/default/secrets';
const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const crd = (plural: string, kind: string) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.example.com` },
  spec: {
    group: 'example.com',
    scope: 'Cluster',
    names: { plural, singular: kind.toLowerCase(), kind },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
});

describeUnless(missingEtcd)('a server whose connection to etcd was cut while history was compacted', () => {
  let cluster: EtcdCluster;
  let proxy: CutProxy;
  let servers: RunningServer[];
  let here: HttpClient;
  let there: HttpClient;

  beforeAll(async () => {
    cluster = await EtcdCluster.start();
    proxy = await CutProxy.for(cluster.endpoints[0]);
    servers = [await startTestServer({ etcdServers: cluster.endpoints })];
    servers.push(await startTestServer({ etcdServers: [proxy.url] }));
    [here, there] = servers.map((server) => HttpClient.for(server));
  });
  afterAll(async () => {
    for (const client of [here, there]) client.close();
    await Promise.all(servers.map((server) => server.close()));
    await proxy.close();
    await cluster.stop();
  });

  const send = async (method: string, path: string, object?: object) => {
    const response = await here.send(method, path, object && JSON.stringify(object), 'application/json');
    expect(response.status).toBeLessThan(300);
    return response.json;
  };
  const secret = (name: string, value: string) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, labels: { value } },
  });
  /** Polls until the response has this status, because a server needs a moment for a definition. */
  const becomes = async (client: HttpClient, path: string, status: number) => {
    for (let code = 0; code !== status; ) code = (await client.get(path)).status;
  };

  test('knows everything that happened, and clients of its watches come back', async () => {
    await send('POST', secrets, secret('changed', '1'));
    await send('POST', secrets, secret('deleted', '1'));
    await send('POST', crds, crd('olds', 'Old'));
    await becomes(there, '/apis/example.com/v1/olds', 200);
    const { metadata } = (await there.get(secrets)).json;
    const watch = await WatchStream.open(servers[1], `${secrets}?watch=true&resourceVersion=${metadata.resourceVersion}`);

    proxy.cut();
    await send('PUT', `${secrets}/changed`, secret('changed', '2'));
    await send('DELETE', `${secrets}/deleted`);
    await send('POST', secrets, secret('created', '1'));
    await send('DELETE', `${crds}/olds.example.com`);
    await send('POST', crds, crd('news', 'New'));
    await becomes(here, '/apis/example.com/v1/news', 200);
    const engine = await openEngine({ endpoints: cluster.endpoints });
    await engine.compact(engine.revision());
    await engine.close();
    proxy.release();

    expect(await watch.next()).toBeUndefined();
    const { items } = (await there.get(secrets)).json;
    const values = items.map(({ metadata }: ReturnType<typeof secret>) => `${metadata.name}=${metadata.labels.value}`);
    expect(values).toEqual(['changed=2', 'created=1']);
    const again = await there.get(`${secrets}?watch=true&resourceVersion=${metadata.resourceVersion}`);
    expect(again.json).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
    await becomes(there, '/apis/example.com/v1/news', 200);
    await becomes(there, '/apis/example.com/v1/olds', 404);

    // and receives later changes
    const version = (await there.get(secrets)).json.metadata.resourceVersion;
    const next = await WatchStream.open(servers[1], `${secrets}?watch=true&resourceVersion=${version}`);
    await send('POST', secrets, secret('later', '1'));
    expect(await next.next()).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'later' } } });
    next.close();
  });
});
