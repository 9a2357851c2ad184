import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RunningServer, startServer } from '../../../runtime/index.ts';
import { HttpClient } from '../../support/http-client.ts';
import { startTestServer, TestServer } from '../../support/test-server.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const named = (name: string, rest: object = {}) => JSON.stringify({ metadata: { name }, ...rest });
const suite = TestServer.forSuite();
const crd = named('widgets.example.com', {
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
});

/** Both ways to reach a fork. */
describe.each([
  ['with an address', true],
  ['inside this process only', false],
])('a fork %s', (_, listen) => {
  let origin: RunningServer;
  const opened: RunningServer[] = [];

  beforeAll(async () => {
    origin = suite.server;
    for (const name of ['a', 'b']) await suite.http.send('POST', configMaps, named(`${name}-${listen}`));
  });
  afterAll(async () => {
    await Promise.all(opened.map((one) => one.close()));
    await origin.reset();
  });

  const fork = async (of = origin, options: object = {}) => {
    const made = await of.fork({ listen, ...options });
    opened.push(made);
    return made;
  };
  /** Sends a request of the administrator, over TCP if the server listens. */
  const ask = async (of: RunningServer, method: string, path: string, body?: string) => {
    if (!listen) {
      const headers = body === undefined ? undefined : { 'content-type': 'application/json' };
      const response = await of.fetch(path, { method, body, headers });
      return { status: response.status, json: await response.json().catch(() => undefined) };
    }
    const http = HttpClient.for(of);
    const response = await http.send(method, path, body);
    http.close();
    return response;
  };
  const eventually = async (of: RunningServer, path: string, status: number) => {
    let response = await ask(of, 'GET', path);
    for (let tries = 0; tries < 300 && response.status !== status; tries += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      response = await ask(of, 'GET', path);
    }
    expect(response.status).toBe(status);
    return response;
  };
  const names = async (of: RunningServer, path = configMaps) => {
    const { json } = await ask(of, 'GET', path);
    return json.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
  };

  test('has the objects of its origin, and neither sees what the other does', async () => {
    const made = await fork();
    expect(made.port > 0).toBe(listen);
    expect(await names(made)).toEqual(await names(origin));
    await ask(made, 'POST', configMaps, named('of-the-fork'));
    await ask(origin, 'DELETE', `${configMaps}/b-${listen}`);
    await ask(origin, 'POST', configMaps, named('of-the-origin'));
    expect(await names(made)).toEqual([`a-${listen}`, `b-${listen}`, 'kube-root-ca.crt', 'of-the-fork']);
    expect(await names(origin)).toEqual([`a-${listen}`, 'kube-root-ca.crt', 'of-the-origin']);
  });

  test('serves the typed client', async () => {
    const made = await fork();
    const client = await made.client();
    const events: string[] = [];
    const ending = new AbortController();
    const watching = (async () => {
      const watch = client.core.v1.configmaps.namespace('default').watch({
        signal: ending.signal,
        resourceVersion: String(made.revision()),
      });
      for await (const { type, object } of watch) {
        events.push(`${type} ${object.metadata.name}`);
        if (type === 'DELETED') break;
      }
    })();
    await client.core.v1.configmaps.namespace('default').create({ metadata: { name: 'x' } });
    await client.core.v1.configmaps.namespace('default').delete('x');
    await watching;
    expect(events).toEqual(['ADDED x', 'DELETED x']);
  });

  test('can be made of a snapshot, and of a fork', async () => {
    const snapshot = origin.snapshot();
    await ask(origin, 'POST', configMaps, named('later'));
    const first = await fork(origin, { snapshot });
    expect(first.revision()).toBeGreaterThanOrEqual(snapshot.revision);
    expect(await names(first)).not.toContain('later');
    await ask(first, 'POST', configMaps, named('first'));
    const second = await fork(first);
    await ask(second, 'POST', configMaps, named('second'));
    await first.close();
    expect(await names(second)).toEqual(expect.arrayContaining(['first', 'second']));
  });

  test('goes on when its origin is closed, and its origin when it is', async () => {
    const server = await startTestServer();
    const [one, other] = [await fork(server), await fork(server)];
    await one.close();
    await ask(server, 'POST', configMaps, named('after'));
    await server.close();
    await ask(other, 'POST', configMaps, named('still'));
    expect(await names(other)).toEqual(['kube-root-ca.crt', 'still']);
  });

  test('deletes namespaces, collects dependents and serves definitions', async () => {
    const server = await startServer();
    opened.push(server);
    await ask(server, 'POST', '/api/v1/namespaces', named('n'));
    await ask(server, 'POST', '/api/v1/namespaces/n/configmaps', named('c'));
    const { json: owner } = await ask(server, 'POST', configMaps, named('owner'));
    const { uid } = owner.metadata;
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }];
    await ask(server, 'POST', configMaps, JSON.stringify({ metadata: { name: 'dependent', ownerReferences } }));
    await ask(server, 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', crd);
    const widgets = '/apis/example.com/v1/namespaces/default/widgets';
    await eventually(server, widgets, 200);
    const made = await fork(server);
    await ask(made, 'DELETE', '/api/v1/namespaces/n');
    await ask(made, 'DELETE', `${configMaps}/owner`);
    await eventually(made, '/api/v1/namespaces/n', 404);
    await eventually(made, `${configMaps}/dependent`, 404);
    await ask(made, 'POST', '/api/v1/namespaces', named('m'));
    await eventually(made, '/api/v1/namespaces/m/serviceaccounts/default', 200);
    await eventually(made, '/api/v1/namespaces/m/configmaps/kube-root-ca.crt', 200);
    expect((await ask(made, 'GET', widgets)).status).toBe(200);
    await ask(made, 'DELETE', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com');
    await eventually(made, widgets, 404);
    await ask(made, 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', crd.replaceAll('idget', 'adget'));
    await eventually(made, widgets.replace('idget', 'adget'), 200);
    await eventually(server, widgets, 200);
    expect((await ask(server, 'GET', `${configMaps}/dependent`)).status).toBe(200);
  });

  test('authorizes users by its own roles', async () => {
    const made = await fork();
    const review = async () => {
      const spec = { user: 'jane', resourceAttributes: { verb: 'list', resource: 'pods', namespace: 'default' } };
      const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
      return (await ask(made, 'POST', path, JSON.stringify({ spec }))).json.status.allowed;
    };
    expect(await review()).toBe(false);
    const apiGroup = 'rbac.authorization.k8s.io';
    const bind = {
      roleRef: { apiGroup, kind: 'ClusterRole', name: 'view' },
      subjects: [{ apiGroup, kind: 'User', name: 'jane' }],
    };
    await ask(made, 'POST', `/apis/${apiGroup}/v1/clusterrolebindings`, named('jane', bind));
    expect(await review()).toBe(true);
  });

  test('can be restored and reset by itself', async () => {
    const made = await fork();
    const fresh = await names(made);
    await ask(made, 'POST', configMaps, named('x'));
    await made.reset();
    expect(await names(made)).toEqual(fresh);
    const snapshot = origin.snapshot();
    await ask(made, 'DELETE', `${configMaps}/a-${listen}`);
    await made.restore(snapshot);
    expect(await names(made)).toEqual(await names(origin));
  });
});

test("a fork is an administrator's from inside the process, unless a request has credentials", async () => {
  const made = await suite.server.fork({ listen: false });
  const statusOf = async (headers: Record<string, string>) => (await made.fetch('/api/v1/nodes', { headers })).status;
  expect(await statusOf({})).toBe(200);
  expect(await statusOf({ 'impersonate-user': 'jane' })).toBe(403);
  expect(await statusOf({ authorization: 'Bearer nonsense' })).toBe(401);
  const missing = await made.fetch('/api/v1/namespaces/default/configmaps/none');
  expect([missing.status, await missing.json()]).toMatchObject([404, { reason: 'NotFound' }]);
  await made.close();
  await expect(made.fetch('/api/v1/nodes')).rejects.toThrow('closed');
});

test('a hundred forks of a server each see only what they did themselves', async () => {
  const server = await startTestServer();
  const send = async (of: RunningServer, name: string) => {
    const headers = { 'content-type': 'application/json' };
    expect((await of.fetch(configMaps, { method: 'POST', body: named(name), headers })).status).toBe(201);
  };
  for (let at = 0; at < 100; at += 1) await send(server, `of-all-${at}`);
  const forks = [];
  for (let at = 0; at < 100; at += 1) {
    const fork = await server.fork({ listen: false });
    await send(fork, `of-one-${at}`);
    forks.push(fork);
  }
  for (const [at, fork] of forks.entries()) {
    const list = (await (await fork.fetch(configMaps)).json()) as { items: { metadata: { name: string } }[] };
    const own = list.items.map(({ metadata: { name } }) => name).filter((name) => !name.startsWith('of-all-'));
    expect([list.items.length, own]).toEqual([102, ['kube-root-ca.crt', `of-one-${at}`]]);
    await fork.close();
  }
  await server.close();
});
