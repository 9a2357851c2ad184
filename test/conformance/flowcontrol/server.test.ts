import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RunningServer, startServer } from '../../../runtime/index.ts';
import { HttpClient } from '../../support/http-client.ts';
import { quietNamespaces } from '../../support/quiet-namespaces.ts';
import { TestServer } from '../../support/test-server.ts';
import { WatchStream } from '../../support/watch-stream.ts';

const pods = '/api/v1/namespaces/default/pods';
const json = 'application/json';
const pod = (name: string): string => JSON.stringify({ metadata: { name }, spec: { containers: [{ name: 'main', image: 'busybox' }] } });
const jane = { 'impersonate-user': 'jane', 'impersonate-group': 'people' };
const globalDefault = 'flow_schema="global-default",priority_level="global-default"';

describe('a server with priority and fairness', () => {
  const suite = TestServer.forSuite({ authorizationMode: ['AlwaysAllow'], ...quietNamespaces });

  async function metric(name: string): Promise<number> {
    const text = (await suite.http.get('/metrics')).body.toString();
    const line = text.split('\n').find((one) => one.startsWith(`${name} `));
    return Number(line?.slice(name.length + 1) ?? 0);
  }

  test('responds with the UIDs of the flow schema and the priority level', async () => {
    const root = '/apis/flowcontrol.apiserver.k8s.io/v1';
    const schema = (await suite.http.get(`${root}/flowschemas/global-default`)).json.metadata.uid;
    const level = (await suite.http.get(`${root}/prioritylevelconfigurations/global-default`)).json.metadata.uid;
    expect((await suite.http.get(pods, { headers: jane })).headers).toMatchObject({
      'x-kubernetes-pf-flowschema-uid': schema,
      'x-kubernetes-pf-prioritylevel-uid': level,
    });
  });

  test('a watch has a seat until it has sent its initial events', async () => {
    for (const name of ['a', 'b', 'c']) await suite.http.send('POST', pods, pod(name), json);
    const query = 'watch=1&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan';
    const watch = await WatchStream.open(suite.server, `${pods}?${query}`, jane);
    const begun = await watch.take(4);
    expect(begun.map(({ type }) => type)).toEqual(['ADDED', 'ADDED', 'ADDED', 'BOOKMARK']);
    expect(await metric(`apiserver_flowcontrol_request_execution_seconds_count{${globalDefault},type="watch"}`)).toBe(1);
    expect(await metric(`apiserver_flowcontrol_current_executing_requests{${globalDefault}}`)).toBe(0);
    const write = await suite.http.send('POST', pods, pod('d'), json, { headers: jane });
    expect(write.status).toBe(201);
    expect((await watch.take(1))[0].object.metadata.name).toBe('d');
    expect(await metric(`apiserver_flowcontrol_watch_count_samples_sum{${globalDefault}}`)).toBe(1);
    watch.close();
  });

  test('a watch without initial events releases its seat at once', async () => {
    const { resourceVersion } = (await suite.http.get(pods)).json.metadata;
    const name = `apiserver_flowcontrol_request_execution_seconds_count{${globalDefault},type="watch"}`;
    const before = await metric(name);
    const watch = await WatchStream.open(suite.server, `${pods}?watch=1&resourceVersion=${resourceVersion}`, jane);
    expect(await metric(name)).toBe(before + 1);
    watch.close();
  });

  test('a write whose body does not arrive has its seat until its deadline', async () => {
    const executing = `apiserver_flowcontrol_current_executing_requests{${globalDefault}}`;
    const { url, caCertificate: ca, clientCertificate: cert, clientKey: key } = suite.server;
    const headers = { ...jane, 'content-type': json, 'content-length': '100' };
    const write = request(`${url}${pods}?timeout=300ms`, { method: 'POST', ca, cert, key, agent: false, headers });
    const received = once(write, 'response');
    write.write('{');
    while ((await metric(executing)) === 0);
    const [response] = (await received) as [IncomingMessage];
    expect([response.statusCode, await metric(executing)]).toEqual([504, 0]);
    write.destroy();
  });

  test('a list has seats for the current number of objects', async () => {
    const maps = '/api/v1/namespaces/default/configmaps';
    const name = `apiserver_flowcontrol_work_estimated_seats_sum{${globalDefault}}`;
    const seatsOf = async (query: string): Promise<number> => {
      const before = await metric(name);
      await suite.http.get(`${maps}${query}`, { headers: jane });
      return (await metric(name)) - before;
    };
    expect([await seatsOf(''), await seatsOf('')]).toEqual([1, 1]);
    const data = { text: 'x'.repeat(50_000) };
    for (const letter of 'abcdefgh') {
      await suite.http.send('POST', maps, JSON.stringify({ metadata: { name: letter }, data }), json);
    }
    const seats = [];
    for (const query of ['', '?limit=3', '?fieldSelector=metadata.name%3Da', '/a']) {
      seats.push(await seatsOf(query));
    }
    // 50 KB eight times, at 100 KB per seat
    expect(seats).toEqual([5, 2, 1, 1]);
  });

  test('dispatched and rejected requests add up to the requests received', async () => {
    const name = `apiserver_flowcontrol_dispatched_requests_total{${globalDefault}}`;
    const before = await metric(name);
    await Promise.all(Array.from({ length: 40 }, () => suite.http.get(`${pods}/a`, { headers: jane })));
    expect((await metric(name)) - before).toBe(40);
    expect(await metric(`apiserver_flowcontrol_current_executing_seats{${globalDefault}}`)).toBe(0);
  });

  test('reports requests in flight once', async () => {
    const text = (await suite.http.get('/metrics')).body.toString();
    expect(text.match(/^apiserver_current_inflight_requests\{.*/gm)).toEqual([
      expect.stringMatching(/request_kind="mutating"\} \d+$/),
      // this request itself
      expect.stringMatching(/request_kind="readOnly"\} [1-9]\d*$/),
    ]);
  });

  test('dumps its priority levels, queues and requests', async () => {
    const folder = '/debug/api_priority_and_fairness';
    const levels = (await suite.http.get(`${folder}/dump_priority_levels`)).body.toString();
    expect(levels).toMatch(/^PriorityLevelName, ActiveQueues, IsIdle, IsQuiescing, /);
    expect(levels).toMatch(/^workload-low, +0, +true, +false, /m);
    expect((await suite.http.get(`${folder}/dump_queues`)).body.toString().split('\n')).toHaveLength(2 + 2 * 64 + 3 * 128 + 16);
    const requests = (await suite.http.get(`${folder}/dump_requests?includeRequestDetails=1`)).body.toString().split('\n');
    expect(requests[1]).toMatch(/^exempt, +exempt, +-1, +-1, .* kubernetes-admin, +get, +\/debug/);
    expect(requests[0].split(/,\s+/)).toHaveLength(18);
    expect((await suite.http.get('/')).json.paths).not.toContain(`${folder}/dump_queues`);
  });
});

describe('identities', () => {
  let server: RunningServer;
  let anonymous: HttpClient;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubeloom-tokens-'));
    const tokenAuthFile = join(folder, 'tokens.csv');
    await writeFile(tokenAuthFile, 'joe-token,joe,1\nroot-token,root,2,"system:masters"\n');
    server = await startServer({ tokenAuthFile, authorizationMode: ['AlwaysAllow'] });
    anonymous = HttpClient.withoutCertificate(server);
  });

  afterAll(async () => {
    anonymous?.close();
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('only administrators may impersonate on a server that authorizes every request', async () => {
    const as = (token: string) => anonymous.get(pods, { headers: { authorization: `Bearer ${token}`, ...jane } });
    const rejected = await as('joe-token');
    expect([rejected.status, rejected.json.message]).toEqual([
      403,
      expect.stringContaining('users "jane" is forbidden: User "joe" cannot impersonate resource "users"'),
    ]);
    expect((await as('root-token')).status).toBe(200);
    const masters = { 'impersonate-user': 'x', 'impersonate-group': 'system:masters' };
    expect((await anonymous.get(pods, { headers: masters })).status).toBe(401);
    // anonymous users may request this path
    expect((await anonymous.get('/version', { headers: masters })).status).toBe(403);
  });
});

describe('a server without priority and fairness', () => {
  test('has no such headers, metrics or dumps, and still serves the objects', async () => {
    const server = await startServer({ priorityAndFairness: false });
    const http = HttpClient.for(server);
    try {
      const schemas = (await http.get('/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas')).json.items;
      expect(schemas).toHaveLength(11);
      // the server does not check that their levels exist
      expect(schemas[0].status).toEqual({});
      expect((await http.get(pods)).headers['x-kubernetes-pf-flowschema-uid']).toBeUndefined();
      expect((await http.get('/debug/api_priority_and_fairness/dump_queues')).status).toBe(404);
      expect((await http.get('/metrics')).body.toString()).not.toContain('apiserver_flowcontrol_');
    } finally {
      http.close();
      await server.close();
    }
  });

  test.each([
    [{ maxRequestsInFlight: -1 }, '--max-requests-inflight can not be negative value'],
    [{ maxMutatingRequestsInFlight: -1 }, '--max-mutating-requests-inflight can not be negative value'],
    [{ maxRequestsInFlight: 0, maxMutatingRequestsInFlight: 0 }, 'they must add up to something positive'],
  ])('%o is rejected', async (options, message) => {
    await expect(startServer(options)).rejects.toThrow(message);
  });
});
