import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { FaultPlanStatus } from '../../../generated/testing/testing.kubeloom.dev/v1alpha1/types.ts';
import { startServer } from '../../../runtime/index.ts';
import { HttpClient, type HttpResponse } from '../../support/http-client.ts';
import { TestServer } from '../../support/test-server.ts';

const root = '/apis/testing.kubeloom.dev/v1alpha1';
const json = 'application/json';

function create(
  http: HttpClient,
  resource: string,
  spec: object,
  { query = '', headers = {} }: { query?: string; headers?: Record<string, string> } = {},
): Promise<HttpResponse> {
  return http.send('POST', `${root}/${resource}${query}`, JSON.stringify({ spec }), json, { headers });
}

describe('testing.kubeloom.dev', () => {
  const suite = TestServer.forSuite({ testControls: true, clock: 'manual' });

  test('is in discovery and OpenAPI', async () => {
    const { json: discovery } = await suite.http.get(root);
    const verbs = Object.fromEntries(
      discovery.resources.map((one: { name: string; verbs: string[] }) => [one.name, one.verbs]),
    );
    expect(verbs).toMatchObject({ clockadvances: ['create'], requestlogreviews: ['create'] });
    const { json: openapi } = await suite.http.get(`/openapi/v3${root}`);
    const { description } = openapi.components.schemas['dev.kubeloom.testing.v1alpha1.ClockAdvance'];
    expect(description).toMatch(/^ClockAdvance moves the clock/);
  });

  test('refuses whoever is not in system:masters, whatever RBAC says', async () => {
    const { http } = suite;
    const binding = {
      metadata: { name: 'jane-may-everything' },
      subjects: [{ kind: 'User', name: 'jane', apiGroup: 'rbac.authorization.k8s.io' }],
      roleRef: { kind: 'ClusterRole', name: 'cluster-admin', apiGroup: 'rbac.authorization.k8s.io' },
    };
    const bindings = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
    expect((await http.send('POST', bindings, JSON.stringify(binding), json)).status).toBe(201);
    const headers = { 'impersonate-user': 'jane' };
    expect((await http.get('/api/v1/secrets', { headers })).status).toBe(200);
    const refused = await create(http, 'clockadvances', { duration: '1s' }, { headers });
    expect([refused.status, refused.json.message]).toEqual([
      403,
      'clockadvances.testing.kubeloom.dev is forbidden: User "jane" cannot create resource "clockadvances" in API group "testing.kubeloom.dev" at the cluster scope',
    ]);
    const review = {
      spec: {
        user: 'jane',
        resourceAttributes: { group: 'testing.kubeloom.dev', resource: 'faultplans', verb: 'list' },
      },
    };
    const reviews = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
    const answer = await http.send('POST', reviews, JSON.stringify(review), json);
    expect(answer.json.status).toEqual({ allowed: false, denied: true });
    const masters = { ...headers, 'impersonate-group': 'system:masters' };
    expect((await create(http, 'clockadvances', { duration: '1s' }, { headers: masters })).status).toBe(201);
  });

  test('is served whatever webhooks refuse', async () => {
    const { http } = suite;
    const webhooks = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
    const webhook = {
      ...{ name: 'all.example.com', sideEffects: 'None', admissionReviewVersions: ['v1'] },
      clientConfig: { url: 'https://127.0.0.1:1/' },
      rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] }],
    };
    await http.send('POST', webhooks, JSON.stringify({ metadata: { name: 'all' }, webhooks: [webhook] }), json);
    expect((await http.send('POST', '/api/v1/namespaces', '{"metadata":{"name":"refused"}}', json)).status).toBe(500);
    expect((await create(http, 'snapshotrestores', {})).status).toBe(201);
    expect((await http.send('POST', '/api/v1/namespaces', '{"metadata":{"name":"made"}}', json)).status).toBe(201);
  });

  test('a ClockAdvance answers when the time has passed, however long that is', async () => {
    const before = suite.server.clock.now();
    const advanced = await create(suite.http, 'clockadvances', { duration: '1h30m' });
    const now = suite.server.clock.now();
    expect(now - before).toBe(5_400_000);
    expect([advanced.status, Date.parse(advanced.json.status.now)]).toEqual([201, now]);
    expect((await create(suite.http, 'clockadvances', { duration: '1h' }, { query: '?dryRun=All' })).status).toBe(201);
    expect(suite.server.clock.now()).toBe(now);
  });

  test.each([
    ['1x', 'Invalid value: "1x": time: unknown unit "x" in duration "1x"'],
    ['-1s', 'Invalid value: "-1s": must be greater than or equal to 0'],
    ['1.5ms', 'Invalid value: "1.5ms": must be a multiple of 1ms'],
  ])('a ClockAdvance by %s is invalid', async (duration, why) => {
    const { status, json } = await create(suite.http, 'clockadvances', { duration });
    expect([status, json.message]).toEqual([
      422,
      `ClockAdvance.testing.kubeloom.dev "" is invalid: spec.duration: ${why}`,
    ]);
  });

  test('a RequestLogReview has the requests that it matches, and none for the group', async () => {
    const agent = { headers: { 'user-agent': 'seeker/v1' } };
    await suite.http.get('/api/v1/namespaces/default', agent);
    await create(suite.http, 'clockadvances', { duration: '1s' }, agent);
    await suite.http.get('/api/v1/namespaces/absent', agent);
    const match = { userAgents: ['seeker/*'] };
    const all = await create(suite.http, 'requestlogreviews', { match });
    const rows = all.json.status.items.map(({ verb, name, code }: Record<string, unknown>) => [verb, name, code]);
    expect(rows).toEqual([
      ['get', 'default', 200],
      ['get', 'absent', 404],
    ]);
    const { sequence: since } = all.json.status.items[0];
    const later = await create(suite.http, 'requestlogreviews', { match, since });
    expect(later.json.status.items).toEqual(all.json.status.items.slice(1));
    const missing = await create(suite.http, 'requestlogreviews', { match, codes: [404] });
    expect(missing.json.status.items).toEqual(later.json.status.items);
  });
});

describe('a Snapshot', () => {
  const suite = TestServer.forSuite({ testControls: true });
  const maps = '/api/v1/namespaces/default/configmaps';
  const snapshots = `${root}/snapshots`;
  const post = (path: string, object: object) => suite.http.send('POST', path, JSON.stringify(object), json);
  const namesOfMaps = async (): Promise<string[]> =>
    (await suite.http.get(maps)).json.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);

  test('comes back, and the state in which the server became ready', async () => {
    await post(maps, { metadata: { name: 'kept' } });
    const before = suite.server.revision();
    const taken = await post(snapshots, { metadata: { name: 'one' } });
    expect([taken.status, taken.json.status]).toEqual([201, { revision: before, objects: expect.any(Number) }]);
    expect(suite.server.revision()).toBe(before);
    await post(maps, { metadata: { name: 'lost' } });
    await suite.http.send('DELETE', `${maps}/kept`, '{}', json);
    const restored = await create(suite.http, 'snapshotrestores', { snapshot: 'one' });
    expect([restored.status, restored.json.status]).toEqual([201, { revision: suite.server.revision() }]);
    expect(await namesOfMaps()).toEqual(['kept', 'kube-root-ca.crt']);
    await create(suite.http, 'snapshotrestores', {});
    expect(await namesOfMaps()).toEqual(['kube-root-ca.crt']);
    expect((await suite.http.get(`${snapshots}/one`)).json.status).toEqual(taken.json.status);
    await create(suite.http, 'snapshotrestores', { snapshot: 'one' });
    expect(await namesOfMaps()).toEqual(['kept', 'kube-root-ca.crt']);
    await create(suite.http, 'snapshotrestores', { snapshot: 'fresh', watches: 'Expire' });
    expect(await namesOfMaps()).toEqual(['kube-root-ca.crt']);
  });

  test('is gone once it is deleted', async () => {
    await post(snapshots, { metadata: { name: 'two' } });
    expect((await suite.http.send('DELETE', `${snapshots}/two`, '{}', json)).status).toBe(200);
    const { status, json: error } = await create(suite.http, 'snapshotrestores', { snapshot: 'two' });
    expect([status, error.message]).toEqual([
      422,
      'SnapshotRestore.testing.kubeloom.dev "" is invalid: spec.snapshot: Not found: "two"',
    ]);
  });

  test('has another name than the state in which the server became ready', async () => {
    const { status, json: error } = await post(snapshots, { metadata: { name: 'fresh' } });
    expect([status, error.details.causes]).toEqual([
      422,
      [{ field: 'metadata.name', reason: 'FieldValueForbidden', message: expect.any(String) }],
    ]);
  });

  test('is not taken by a dry run', async () => {
    expect((await suite.http.send('POST', `${snapshots}?dryRun=All`, '{"metadata":{"name":"dry"}}', json)).status).toBe(
      201,
    );
    expect((await create(suite.http, 'snapshotrestores', { snapshot: 'dry' })).status).toBe(422);
  });
});

describe('a ServerFork', () => {
  const suite = TestServer.forSuite({ testControls: true });
  const forks = `${root}/serverforks`;
  const maps = '/api/v1/namespaces/default/configmaps';
  const post = (http: HttpClient, path: string, object: object) =>
    http.send('POST', path, JSON.stringify(object), json);
  const fork = (name: string, spec?: object) => post(suite.http, forks, { metadata: { name }, spec });
  const clientOf = ({ json: { status } }: HttpResponse): HttpClient => {
    const { caCertificate, clientCertificate, clientKey } = suite.server;
    return HttpClient.for({ url: status.server, caCertificate, clientCertificate, clientKey });
  };
  const remove = (name: string) => suite.http.send('DELETE', `${forks}/${name}`, '{}', json);

  test('is a server of its own until it is deleted, with the state of a Snapshot', async () => {
    await post(suite.http, `${root}/snapshots`, { metadata: { name: 'empty' } });
    await post(suite.http, maps, { metadata: { name: 'shared' } });
    const [now, before] = [await fork('now'), await fork('before', { snapshot: 'empty' })];
    expect([now.status, now.json.status]).toEqual([
      201,
      { server: expect.any(String), kubeconfig: expect.any(String) },
    ]);
    expect(now.json.status.kubeconfig).toContain(now.json.status.server);
    const [one, other] = [clientOf(now), clientOf(before)];
    try {
      expect((await one.get(`${maps}/shared`)).status).toBe(200);
      expect((await other.get(`${maps}/shared`)).status).toBe(404);
      expect((await post(one, maps, { metadata: { name: 'own' } })).status).toBe(201);
      expect((await suite.http.get(`${maps}/own`)).status).toBe(404);
      // its controls are its own
      expect((await one.get(forks)).json.items).toEqual([]);
      await create(one, 'snapshotrestores', {});
      expect((await one.get(`${maps}/own`)).status).toBe(404);
      expect((await suite.http.get(`${maps}/shared`)).status).toBe(200);
      expect((await remove('now')).status).toBe(200);
      await expect(one.get(maps)).rejects.toThrow();
      expect((await other.get(maps)).status).toBe(200);
    } finally {
      one.close();
      other.close();
    }
  });

  test.each([
    [
      'with an unknown Snapshot is invalid',
      () => fork('lost', { snapshot: 'absent' }),
      'spec.snapshot: Not found: "absent"',
    ],
    [
      'keeps its spec',
      async () => {
        await fork('kept');
        const patch = JSON.stringify({ spec: { snapshot: 'other' } });
        return suite.http.send('PATCH', `${forks}/kept`, patch, 'application/merge-patch+json');
      },
      'field is immutable',
    ],
  ])('%s', async (_, write, why) => {
    const { status, json: error } = await write();
    expect([status, error.message]).toEqual([422, expect.stringContaining(why)]);
  });
});

describe('a FaultPlan', () => {
  const suite = TestServer.forSuite({ testControls: true, clock: 'manual' });
  const plans = `${root}/faultplans`;
  const maps = '/api/v1/namespaces/default/configmaps';
  const post = (name: string, spec: object, query = '') =>
    suite.http.send('POST', `${plans}${query}`, JSON.stringify({ metadata: { name }, spec }), json);
  const fault = { status: { code: 503 } };
  const match = { verbs: ['list'], resources: ['configmaps'] };
  const list = async (): Promise<number> => (await suite.http.get(maps)).status;
  const remove = (name: string) => suite.http.send('DELETE', `${plans}/${name}`, '{}', json);
  /** Waits for a status by a watch. */
  const status = async (name: string, isWanted: (status: FaultPlanStatus) => boolean): Promise<FaultPlanStatus> => {
    const plan = { apiVersion: 'testing.kubeloom.dev/v1alpha1', kind: 'FaultPlan', name };
    const found = await suite.server.eventually<{ status: FaultPlanStatus }>(
      plan,
      (one) => one && isWanted(one.status),
    );
    return found.status;
  };

  test('is in force from its creation to its deletion', async () => {
    expect(await list()).toBe(200);
    const made = await post('unavailable', { match, fault });
    expect([made.status, made.json.status]).toEqual([
      201,
      {
        ...{ observedGeneration: 1, matches: 0, hits: 0 },
        conditions: [
          {
            ...{ type: 'Active', status: 'True', reason: 'InForce', message: 'the plan is in force' },
            ...{ observedGeneration: 1, lastTransitionTime: '2026-01-01T00:00:00Z' },
          },
        ],
      },
    ]);
    expect(await list()).toBe(503);
    expect((await remove('unavailable')).status).toBe(200);
    expect(await list()).toBe(200);
  });

  test('has a status that follows its hits', async () => {
    await post('twice', { match, occurrence: { skip: 1, count: 1 }, fault });
    expect([await list(), await list(), await list()]).toEqual([200, 503, 200]);
    const { conditions, ...counts } = await status('twice', ({ matches }) => matches === 3);
    expect(counts).toEqual({ observedGeneration: 1, matches: 3, hits: 1 });
    expect(conditions).toMatchObject([{ type: 'Active', status: 'False', reason: 'Exhausted' }]);
    await remove('twice');
  });

  test('begins again when its spec changes, and only then', async () => {
    await post('changing', { match, fault });
    const patch = (change: object) =>
      suite.http.send('PATCH', `${plans}/changing`, JSON.stringify(change), 'application/merge-patch+json');
    expect(await list()).toBe(503);
    await patch({ metadata: { labels: { a: 'b' } } });
    expect(await list()).toBe(503);
    expect(await status('changing', ({ hits }) => hits === 2)).toMatchObject({ observedGeneration: 1, matches: 2 });
    await patch({ spec: { fault: { status: { code: 429 } } } });
    expect(await status('changing', ({ observedGeneration }) => observedGeneration === 2)).toMatchObject({ hits: 0 });
    expect(await list()).toBe(429);
    await remove('changing');
    expect(await list()).toBe(200);
  });

  test('does not hit the requests by which it is removed, whatever it matches', async () => {
    await post('everything', { fault: { drop: {} } });
    await expect(list()).rejects.toThrow();
    expect((await remove('everything')).status).toBe(200);
    expect(await list()).toBe(200);
  });

  test('stays in force when the other objects are restored', async () => {
    await post('lasting', { match, fault });
    await create(suite.http, 'snapshotrestores', {});
    expect(await list()).toBe(503);
    await remove('lasting');
  });

  test.each<[object, string]>([
    [{}, 'spec.fault: Required value'],
    [{ fault: {} }, 'spec.fault: Required value: must specify one of: '],
    [{ fault: { status: { code: 200 } } }, 'spec.fault.status.code: Invalid value: 200: '],
    [
      { fault: { delay: { duration: 'long' } } },
      'spec.fault.delay.duration: Invalid value: "long": time: invalid duration',
    ],
    [{ fault, occurrence: { probability: '2' } }, 'spec.occurrence.probability: Invalid value: "2": '],
  ])('with the spec %j is invalid', async (spec, why) => {
    const { status: code, json: error } = await post('bad', spec);
    expect([code, error.message]).toEqual([422, expect.stringContaining(why)]);
    expect(await list()).toBe(200);
  });

  test('is not in force after a dry run', async () => {
    expect((await post('dry', { match, fault }, '?dryRun=All')).status).toBe(201);
    expect(await list()).toBe(200);
  });
});

test('a SettledReview says whether the server has settled, and what is under way', async () => {
  const server = await startServer({ testControls: true, clock: 'manual' });
  const http = HttpClient.for(server);
  try {
    const calm = await create(http, 'settledreviews', { quiet: '10ms' });
    expect(calm.json.status).toEqual({ settled: true });
    const unknown = await create(http, 'settledreviews', { controllers: ['absent/*'], quiet: '10ms', timeout: '30ms' });
    expect(unknown.json.status).toEqual({ settled: false, reason: expect.stringContaining('absent/*') });
    const bad = await create(http, 'settledreviews', { quiet: 'long' });
    expect(bad.json.message).toContain('spec.quiet: Invalid value: "long": time: invalid duration "long"');
  } finally {
    http.close();
    await server.close();
  }
});

test('a server without test controls knows no testing.kubeloom.dev', async () => {
  const server = await startServer();
  const http = HttpClient.for(server);
  try {
    expect((await create(http, 'clockadvances', { duration: '1s' })).status).toBe(404);
    const { json: groups } = await http.get('/apis');
    expect(groups.groups.map(({ name }: { name: string }) => name)).not.toContain('testing.kubeloom.dev');
  } finally {
    http.close();
    await server.close();
  }
});

test('a store that keeps no snapshots cannot be forked', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kubeloom-test-group-'));
  const server = await startServer({ testControls: true, storage: 'lmdb', dataDir: folder });
  const http = HttpClient.for(server);
  try {
    for (const resource of ['snapshots', 'serverforks']) {
      const refused = await http.send('POST', `${root}/${resource}`, '{"metadata":{"name":"one"}}', json);
      expect([refused.status, refused.json.message]).toEqual([400, expect.stringContaining('need --storage=memory')]);
    }
    const restored = await create(http, 'snapshotrestores', {});
    expect([restored.status, restored.json.message]).toEqual([400, expect.stringContaining('need --storage=memory')]);
  } finally {
    http.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
});

test('a clock that goes by itself cannot be advanced', async () => {
  const server = await startServer({ testControls: true });
  const http = HttpClient.for(server);
  try {
    const { status, json } = await create(http, 'clockadvances', { duration: '1s' });
    expect([status, json.message]).toEqual([
      400,
      "only the clock of a server that was started with clock: 'manual' can be advanced",
    ]);
  } finally {
    http.close();
    await server.close();
  }
});
