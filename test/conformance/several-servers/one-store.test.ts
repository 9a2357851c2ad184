import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { RunningServer } from '../../../runtime/index.ts';
import { EtcdCluster, missingEtcd } from '../../support/etcd.ts';
import { HttpClient, type HttpResponse } from '../../support/http-client.ts';
import { quietNamespaces } from '../../support/quiet-namespaces.ts';
import { describeUnless } from '../../support/skipping.ts';
import { startTestServer } from '../../support/test-server.ts';
import { WatchStream } from '../../support/watch-stream.ts';

const core = '/api/v1/namespaces/default';
const leasePath = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-controller-manager';

describeUnless(missingEtcd)('servers on one etcd', () => {
  let etcd: EtcdCluster;
  let servers: RunningServer[];
  let clients: HttpClient[];

  const start = (advertiseAddress: string) => startTestServer({ etcdServers: etcd.endpoints, advertiseAddress, leaderElect: true });

  beforeAll(async () => {
    etcd = await EtcdCluster.start();
    // concurrently, so that they race for the initial objects of a cluster
    servers = await Promise.all(['192.0.2.1', '192.0.2.2'].map(start));
    clients = servers.map((server) => HttpClient.for(server));
  });
  afterAll(async () => {
    for (const client of clients) client.close();
    await Promise.all(servers.map((server) => server.close()));
    await etcd.stop();
  });

  const send = (at: number, method: string, path: string, body?: object) =>
    clients[at].send(method, path, body && JSON.stringify(body), 'application/json');
  const statuses = (responses: readonly HttpResponse[]) => responses.map(({ status }) => status);

  /** Returns the first response that is as wanted. */
  async function eventually(at: number, path: string, isWanted: (response: HttpResponse) => boolean): Promise<HttpResponse> {
    for (;;) {
      const response = await clients[at].get(path);
      if (isWanted(response)) return response;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  test('start at once on an empty store, are ready, and agree on who leads', async () => {
    expect(statuses(await Promise.all(clients.map((client) => client.get('/readyz'))))).toEqual([200, 200]);
    const leases = await Promise.all(clients.map((client) => client.get(leasePath)));
    const holders = leases.map(({ json }) => json.spec.holderIdentity);
    expect(holders[0]).toBeTruthy();
    expect(holders[1]).toBe(holders[0]);
  });

  test('are both behind the service kubernetes', async () => {
    const isComplete = ({ json }: HttpResponse): boolean => json.subsets?.[0]?.addresses.length === 2;
    const { json } = await eventually(0, `${core}/endpoints/kubernetes`, isComplete);
    expect(json.subsets[0].addresses).toEqual([{ ip: '192.0.2.1' }, { ip: '192.0.2.2' }]);
  });

  test('see at once what the other has written, and do not overwrite it', async () => {
    const { json } = await send(0, 'POST', `${core}/configmaps`, { metadata: { name: 'seen' }, data: { n: '0' } });
    for (let n = 1; n <= 20; n++) {
      const read = await clients[n % 2].get(`${core}/configmaps/seen`);
      expect(read.json.data).toEqual({ n: String(n - 1) });
      const written = await send(n % 2, 'PUT', `${core}/configmaps/seen`, { ...read.json, data: { n: String(n) } });
      expect(written.status).toBe(200);
    }
    const old = await send(1, 'PUT', `${core}/configmaps/seen`, { ...json, data: {} });
    expect(old).toMatchObject({ status: 409, json: { reason: 'Conflict' } });
  });

  test('tell watchers of what the other has written, in the order of its revisions', async () => {
    const { json: list } = await clients[1].get(`${core}/secrets`);
    const watch = await WatchStream.open(servers[1], `${core}/secrets?watch=true&resourceVersion=${list.metadata.resourceVersion}`);
    const names = Array.from({ length: 20 }, (_, index) => `s${index}`);
    const created: string[] = [];
    for (const [index, name] of names.entries()) {
      const { json } = await send(index % 2, 'POST', `${core}/secrets`, { metadata: { name } });
      created.push(json.metadata.resourceVersion);
    }
    const seen: string[] = [];
    for (const _ of names) seen.push((await watch.next())?.object.metadata.resourceVersion);
    watch.close();
    expect(seen).toEqual(created);
  });

  test('serve a custom resource as soon as either has its definition', async () => {
    const group = 'several.example.com';
    const names = { plural: 'robots', singular: 'robot', kind: 'Robot' };
    const schema = { openAPIV3Schema: { type: 'object' } };
    const versions = [{ name: 'v1', served: true, storage: true, schema }];
    const definition = { metadata: { name: `robots.${group}` }, spec: { group, scope: 'Namespaced', names, versions } };
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    expect((await send(0, 'POST', definitions, definition)).status).toBe(201);
    const path = `/apis/${group}/v1/namespaces/default/robots`;
    await Promise.all([0, 1].map((at) => eventually(at, path, ({ status }) => status === 200)));
    const robot = { apiVersion: `${group}/v1`, kind: 'Robot', metadata: { name: 'r' } };
    expect((await send(1, 'POST', path, robot)).status).toBe(201);
    expect((await clients[0].get(`${path}/r`)).status).toBe(200);
    expect((await send(1, 'DELETE', `${definitions}/robots.${group}`)).status).toBe(200);
    await Promise.all([0, 1].map((at) => eventually(at, path, ({ status }) => status === 404)));
  });

  test('obey policies that the other was given', async () => {
    const admission = '/apis/admissionregistration.k8s.io/v1';
    const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['endpoints'] }];
    const policy = {
      metadata: { name: 'p' },
      spec: { matchConstraints: { resourceRules: rules }, validations: [{ expression: 'false', message: 'no' }] },
    };
    const binding = { metadata: { name: 'p' }, spec: { policyName: 'p', validationActions: ['Deny'] } };
    await send(0, 'POST', `${admission}/validatingadmissionpolicies`, policy);
    await send(0, 'POST', `${admission}/validatingadmissionpolicybindings`, binding);
    for (const at of [0, 1]) {
      for (let status = 0; status !== 422; ) {
        ({ status } = await send(at, 'POST', `${core}/endpoints?dryRun=All`, { metadata: { name: 'e' } }));
      }
    }
    await send(1, 'DELETE', `${admission}/validatingadmissionpolicybindings/p`);
  });

  test('collect the dependents, and the contents of namespaces, that the other has created', async () => {
    const kinds = [
      ['/apis/apps/v1', 'controllerrevisions', { revision: 1, data: {} }],
      ['/apis/networking.k8s.io/v1', 'networkpolicies', {}],
    ] as const;
    for (const at of [0, 1]) {
      const { json: owner } = await send(at, 'POST', `${core}/configmaps`, { metadata: { name: `owner${at}` } });
      const { name, uid } = owner.metadata;
      const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name, uid }];
      const [prefix, plural, content] = kinds[at];
      const path = `${prefix}/namespaces/default/${plural}`;
      expect((await send(at, 'POST', path, { metadata: { name, ownerReferences }, ...content })).status).toBe(201);
      await send(1 - at, 'DELETE', `${core}/configmaps/${name}`);
      await eventually(at, `${path}/${name}`, ({ status }) => status === 404);
      await send(at, 'POST', '/api/v1/namespaces', { metadata: { name: `going${at}` } });
      const inside = `/apis/policy/v1/namespaces/going${at}/poddisruptionbudgets`;
      const budget = { metadata: { name, finalizers: ['example.com/kept'] }, spec: { selector: {} } };
      expect((await send(at, 'POST', inside, budget)).status).toBe(201);
      await send(1 - at, 'DELETE', `/api/v1/namespaces/going${at}`);
      await eventually(at, `${inside}/${name}`, ({ json }) => json.metadata?.deletionTimestamp !== undefined);
      await clients[at].send('PATCH', `${inside}/${name}`, '{"metadata":{"finalizers":null}}', 'application/merge-patch+json');
      await eventually(at, `/api/v1/namespaces/going${at}`, ({ status }) => status === 404);
    }
  });

  test('give each cluster IP and each node port once', async () => {
    const services = Array.from({ length: 32 }, (_, index) => ({
      metadata: { name: `n${index}` },
      spec: { type: 'NodePort', ports: [{ port: 80 }] },
    }));
    const made = await Promise.all(services.map((service, index) => send(index % 2, 'POST', `${core}/services`, service)));
    expect(new Set(statuses(made))).toEqual(new Set([201]));
    expect(new Set(made.map(({ json }) => json.spec.clusterIP)).size).toBe(32);
    expect(new Set(made.map(({ json }) => json.spec.ports[0].nodePort)).size).toBe(32);
    const asked = { type: 'NodePort', ports: [{ port: 80, nodePort: 30000 }] };
    const rivals = await Promise.all(
      [0, 1].map((at) => send(at, 'POST', `${core}/services`, { metadata: { name: `rival${at}` }, spec: asked })),
    );
    expect(statuses(rivals).sort()).toEqual([201, 422]);
  });

  test('never use more of a quota than it has, nor less than they could: 32 writers at each', async () => {
    const namespace = 'bounded';
    const path = `/api/v1/namespaces/${namespace}`;
    await send(0, 'POST', '/api/v1/namespaces', { metadata: { name: namespace } });
    const hard = { 'count/configmaps': '41' };
    await send(0, 'POST', `${path}/resourcequotas`, { metadata: { name: 'q' }, spec: { hard } });
    await eventually(1, `${path}/resourcequotas/q`, ({ json }) => json.status?.used !== undefined);
    const { json: before } = await eventually(1, `${path}/configmaps`, ({ json }) => json.items.length === 1);
    const responses = await Promise.all(
      Array.from({ length: 64 }, (_, index) => send(index % 2, 'POST', `${path}/configmaps`, { metadata: { name: `c${index}` } })),
    );
    expect(before.items[0].metadata.name).toBe('kube-root-ca.crt');
    expect(statuses(responses).filter((status) => status === 201)).toHaveLength(40);
    expect(new Set(statuses(responses))).toEqual(new Set([201, 403]));
    const { json } = await clients[1].get(`${path}/resourcequotas/q`);
    expect(json.status).toEqual({ hard, used: hard });
  });
});

describeUnless(missingEtcd)('a rolling restart', () => {
  let etcd: EtcdCluster;
  beforeAll(async () => {
    etcd = await EtcdCluster.start();
  });
  afterAll(() => etcd.stop());

  test('loses no acknowledged write, and no event of a client that resumes its watch at another server', async () => {
    const start = () => startTestServer({ etcdServers: etcd.endpoints, leaderElect: true, ...quietNamespaces });
    const running = [await start(), await start()];
    const acknowledged = new Map<string, string>();
    let current = 0;
    let stopped = false;
    const create = (http: HttpClient, name: string) =>
      http.send('POST', `${core}/configmaps`, JSON.stringify({ metadata: { name } }), 'application/json');

    /** Creates objects one after the other on any running server. */
    async function write(writer: number): Promise<void> {
      for (let n = 0; !stopped; ) {
        const server = running[current];
        const http = HttpClient.for(server);
        while (!stopped && server === running[current]) {
          const name = `w${writer}-${n++}`;
          // if the server stops during the request, the write may or may not have happened
          const response = await create(http, name).catch(() => undefined);
          if (response?.status === 201) acknowledged.set(name, response.json.metadata.resourceVersion);
        }
        http.close();
      }
    }

    const http = HttpClient.for(running[0]);
    let last = (await http.get(`${core}/configmaps`)).json.metadata.resourceVersion;
    http.close();
    const seen = new Map<string, string>();
    /** Follows the objects on any running server, from the last event on, until an object `end`. */
    async function follow(): Promise<void> {
      while (!seen.has('end')) {
        const path = `${core}/configmaps?watch=true&resourceVersion=${last}`;
        const watch = await WatchStream.open(running[current], path).catch(() => undefined);
        while (!seen.has('end')) {
          const event = await watch?.next();
          if (event === undefined) break;
          const { name, resourceVersion } = event.object.metadata;
          expect([event.type, seen.has(name)]).toEqual(['ADDED', false]);
          last = resourceVersion;
          seen.set(name, resourceVersion);
        }
        watch?.close();
      }
    }

    const following = follow();
    const writers = [0, 1, 2, 3].map(write);
    for (const at of [0, 1]) {
      const count = acknowledged.size;
      while (acknowledged.size < count + 40) await new Promise((resolve) => setTimeout(resolve, 5));
      current = 1 - at;
      await running[at].close();
      running[at] = await start();
    }
    stopped = true;
    await Promise.all(writers);
    const ending = HttpClient.for(running[0]);
    expect((await create(ending, 'end')).status).toBe(201);
    ending.close();
    await following;
    expect([...acknowledged].filter(([name, revision]) => seen.get(name) !== revision)).toEqual([]);
    expect(acknowledged.size).toBeGreaterThan(80);
    await Promise.all(running.map((server) => server.close()));
  }, 60_000);
});
