import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CoreV1Api, KubeConfig, makeInformer } from '@kubernetes/client-node';
import { type RunningServer, startServer } from '../../../runtime/index.ts';
import { startTestServer } from '../../support/test-server.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await startTestServer({ testControls: true, clock: 'manual' });
});
afterAll(() => server.close());

const fault = { status: { code: 503 } };

describe('a misspelt option is refused, and the intended one suggested', () => {
  test.each<[call: string, given: object, want: string]>([
    ['startServer', { clokc: 'manual' }, 'unknown option "clokc": did you mean "clock"?'],
    ['startServer', { simulate: { nodes: -1 } }, 'option "simulate.nodes": -1 is not a whole number between 0 and 5000'],
    ['startServer', { port: 70_000 }, 'option "port": 70000 is not a whole number between 0 and 65535'],
    ['settled', { controller: ['a'] }, 'unknown option "controller": did you mean "controllers"?'],
    ['requests', { userAgents: 'a' }, 'unknown option "userAgents": did you mean "userAgent"?'],
    ['requests', { verb: ['craete'] }, 'option "verb": a list is not'],
    ['requests', { code: 418 }, 'option "code": 418 is not'],
    ['fork', { listn: true }, 'unknown option "listn": did you mean "listen"?'],
    ['reset', { watches: 'expire' }, 'option "watches": "expire" is not "Continue" or "Expire"'],
    ['fault', { match: { verb: ['create'] }, fault }, 'spec.match.verb: Forbidden: unknown field: did you mean "verbs"?'],
    ['fault', { match: { verbs: ['craete'] }, fault }, 'spec.match.verbs[0]: Unsupported value: "craete": supported'],
    ['fault', { fault: { status: { code: 418 } } }, 'spec.fault.status.code: Invalid value: 418'],
  ])('%s %j', async (call, given, want) => {
    const calls: Record<string, (options: never) => unknown> = {
      startServer,
      settled: server.settled,
      requests: server.requests,
      fork: server.fork,
      reset: server.reset,
      fault: (spec) => server.faults.add(spec),
    };
    const wrong = want.startsWith('option "verb"') ? /verb.*craete/ : want;
    await expect((async () => calls[call](given as never))()).rejects.toThrow(wrong);
  });

  test.each<[resource: string, kind: string, spec: object, code: number, want: string]>([
    [
      'requestlogreviews',
      'RequestLogReview',
      { match: { verb: ['get'] } },
      422,
      'spec.match.verb: Forbidden: unknown field: did you mean \\"verbs\\"?',
    ],
    ['requestlogreviews', 'RequestLogReview', { match: { verbs: ['craete'] } }, 422, 'spec.match.verbs[0]: Unsupported'],
    ['requestlogreviews', 'RequestLogReview', { codes: [418] }, 422, 'spec.codes[0]: Invalid value: 418'],
    [
      'faultplans',
      'FaultPlan',
      { match: { users: ['a'], verb: ['get'] }, fault },
      422,
      'spec.match.verb: Forbidden: unknown field: did you mean \\"verbs\\"?',
    ],
    ['faultplans', 'FaultPlan', { match: { verbs: ['craete'] }, fault }, 422, 'spec.match.verbs[0]: Unsupported'],
    [
      'settledreviews',
      'SettledReview',
      { controller: ['a'] },
      422,
      'spec.controller: Forbidden: unknown field: did you mean \\"controllers\\"?',
    ],
    ['clockadvances', 'ClockAdvance', { duraiton: '1s' }, 422, 'did you mean \\"duration\\"?'],
    ['snapshotrestores', 'SnapshotRestore', { snapshto: 'a' }, 422, 'did you mean \\"snapshot\\"?'],
    ['serverforks', 'ServerFork', { snapshto: 'a' }, 422, 'did you mean \\"snapshot\\"?'],
    ['snapshots', 'Snapshot', { name: 'a' }, 422, 'unknown field'],
    ['faultplans', 'FaultPlan', { fault, ocurrence: {} }, 422, 'did you mean \\"occurrence\\"?'],
    ['faultplans', 'FaultPlan', { fault: { status: { code: 503, reasn: 'x' } } }, 422, 'spec.fault.status.reasn'],
  ])('over the wire: %s %s %j', async (resource, kind, spec, code, want) => {
    const body = JSON.stringify({
      apiVersion: 'testing.kubeloom.dev/v1alpha1',
      kind,
      spec,
      metadata: resource === 'faultplans' ? { name: 'a' } : {},
    });
    for (const query of ['', '?fieldValidation=Ignore', '?fieldValidation=Warn']) {
      const path = `/apis/testing.kubeloom.dev/v1alpha1/${resource}${query}`;
      const response = await server.fetch(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      const text = await response.text();
      expect([response.status, text]).toEqual([code, expect.stringContaining(want)]);
    }
  });
});

/** A match, and its error in faults, reviews and requests; undefined if it is valid. */
const matches: [match: object, want: string | undefined][] = [
  [{ resources: ['pod'] }, 'resources[0]: Invalid value: "pod": must be the plural of a served resource: did you mean "pods"?'],
  [{ resources: ['Pod'] }, 'must be the plural of a served resource: did you mean "pods"?'],
  [{ resources: ['po'] }, 'must be the plural of a served resource: did you mean "pods"?'],
  [{ resources: ['podz'] }, 'must be the plural of a served resource: did you mean "pods"?'],
  [
    { resources: ['pods', 'deploy'] },
    'resources[1]: Invalid value: "deploy": must be the plural of a served resource: did you mean "deployments"?',
  ],
  [{ resources: ['pod/status'] }, 'did you mean "pods/status"?'],
  [{ resources: ['pods/stauts'] }, 'must be a subresource of pods: did you mean "pods/status"?'],
  [{ resources: ['*/sacle'] }, 'must be a subresource of any resource: did you mean "*/scale"?'],
  [{ resources: ['pods/a/b'] }, 'must be a resource, or a resource and a subresource'],
  [{ resources: ['po*'] }, 'must be the plural of a resource, or * for all'],
  [{ resources: [''] }, 'must be the plural of a served resource'],
  [{ resources: [] }, 'resources: Invalid value: []: must not be empty: without it, any'],
  [{ resources: ['widgets'] }, 'apiGroups must name the group of one that is served later'],
  [{ resources: ['deploymnets'], apiGroups: ['apps', 'example.com'] }, 'did you mean "deployments"?'],
  [{ resources: ['pods'], apiGroups: ['apps'] }, 'must be of one of apiGroups: pods are of the group ""'],
  [{ resources: ['Widget'], apiGroups: ['example.com'] }, 'must be the plural of a served resource'],
  [{ apiGroups: ['aps'] }, 'apiGroups[0]: Invalid value: "aps": must be a served group: did you mean "apps"?'],
  [{ apiGroups: ['core'] }, 'must be a served group: did you mean ""?'],
  [{ apiGroups: ['apps/v1'] }, 'must be a group without its version: did you mean "apps"?'],
  [{ apiGroups: ['rbac.authorisation.k8s.io'] }, 'did you mean "rbac.authorization.k8s.io"?'],
  [{ apiGroups: ['nothing'] }, 'must be a served group, or one with a dot'],
  [{ apiGroups: ['zz*'] }, 'must be what a served group begins with'],
  [{ apiGroups: [] }, 'must not be empty'],
  [{ verbs: [] }, 'verbs: Invalid value: []: must not be empty: without it, any'],
  [{ namespaces: ['Default'] }, 'a lowercase RFC 1123 label'],
  [{ namespaces: ['a*b'] }, 'a lowercase RFC 1123 label'],
  [{ namespaces: [] }, 'must not be empty'],
  [{ names: ['a/b'] }, 'must be a name'],
  [{ users: [''] }, 'must be the name of a user'],
  [{ groups: [''] }, 'must be the name of a group of users'],
  [{ userAgents: [] }, 'must not be empty'],
  [{ nonResourceURLs: ['readyz'] }, 'must be a path'],
  [{ nonResourceURLs: ['/api/v1/pods'] }, 'must be a path that names no resource'],
  [{ nonResourceURLs: ['/apis/apps/v1/deployments/*'] }, 'must be a path that names no resource'],
  ...[
    { resources: ['pods', 'pods/status', 'pods/*', '*', '*/scale', '*/*', 'pods/exec', 'pods/eviction'] },
    { resources: ['deployments', 'horizontalpodautoscalers/status'] },
    { resources: ['nodes/proxy', 'services/proxy', 'serviceaccounts/token', 'tokenreviews'] },
    { resources: ['widgets', 'widgets/status'], apiGroups: ['example.com'] },
    { resources: ['events'], apiGroups: ['', 'events.k8s.io'] },
    { resources: ['deployments'], apiGroups: ['app*'] },
    { apiGroups: ['', '*', 'apps', 'example.com', 'example.*'] },
    { verbs: ['get', 'delete*', '*'], namespaces: ['', 'kube-*', 'a-*', '*'], names: ['', 'system:node', 'a*'] },
    { users: ['*', 'system:serviceaccount:*'], groups: ['system:*'], userAgents: ['', 'my-operator/*'] },
    { nonResourceURLs: ['*', '/readyz', '/api', '/apis/apps', '/apis/apps/v1', '/api/v1', '/api*', '/livez/*'] },
  ].map((match): [object, undefined] => [match, undefined]),
];

test('a client that asks for strict decoding reads what kube-apiserver says of unknown fields', async () => {
  const body = JSON.stringify({
    apiVersion: 'testing.kubeloom.dev/v1alpha1',
    kind: 'RequestLogReview',
    spec: { match: { verb: ['get'] } },
  });
  const path = '/apis/testing.kubeloom.dev/v1alpha1/requestlogreviews?fieldValidation=Strict';
  const response = await server.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  expect([response.status, (await response.json()) as unknown]).toEqual([
    400,
    expect.objectContaining({
      message:
        'RequestLogReview in version "v1alpha1" cannot be handled as a RequestLogReview: strict decoding error: unknown field "spec.match.verb"',
    }),
  ]);
});

describe('what no request has is refused in matches', () => {
  test.each(matches)('of faults: %j', async (match, want) => {
    const adding = server.faults.add({ match, fault: { cut: {} } } as never);
    if (want !== undefined) await expect(adding).rejects.toMatchObject({ status: { code: 422 }, message: expect.stringContaining(want) });
    else (await adding).remove();
  });

  test.each(matches)('of requests: %j', (match, want) => {
    const filter = Object.fromEntries(Object.entries(match).map(([key, value]) => [key.slice(0, -1), value]));
    const ask = () => server.requests(filter as never);
    if (want === undefined) expect(ask).not.toThrow();
    else expect(ask).toThrow(/^option "/);
  });

  test.each(matches)('over the wire: %j', async (match, want) => {
    for (const [resource, kind, spec] of [
      ['faultplans', 'FaultPlan', { match, fault: { cut: {} } }],
      ['requestlogreviews', 'RequestLogReview', { match }],
    ] as const) {
      const body = JSON.stringify({
        apiVersion: 'testing.kubeloom.dev/v1alpha1',
        kind,
        spec,
        metadata: { name: 'a' },
      });
      const path = `/apis/testing.kubeloom.dev/v1alpha1/${resource}?dryRun=All`;
      const response = await server.fetch(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      const { code = 201, message = '', details } = (await response.json()) as { code?: number; message?: string; details?: object };
      expect([code, message]).toEqual(want === undefined ? [201, ''] : [422, expect.stringContaining(want)]);
      const field = expect.stringMatching(/^spec\.match\./);
      if (want !== undefined) expect(details).toMatchObject({ causes: [{ field }] });
    }
  });

  test('a custom resource is known from the moment it is served', async () => {
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'gadgets.example.org' },
      spec: {
        group: 'example.org',
        scope: 'Namespaced',
        names: { kind: 'Gadget', plural: 'gadgets', shortNames: ['gd'] },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    };
    expect(() => server.requests({ resource: 'gadgets' })).toThrow('option "resource": "gadgets" must be the plural');
    const client = await server.client();
    await client.apiextensions.v1.customresourcedefinitions.create(definition as never);
    await server.eventually(
      { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', name: 'gadgets.example.org' },
      (crd: { status?: { conditions?: { type: string; status: string }[] } } | undefined) =>
        crd?.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True'),
    );
    expect(server.requests({ resource: 'gadgets' })).toEqual([]);
    expect(() => server.requests({ resource: 'gd' })).toThrow('did you mean "gadgets"?');
    expect(() => server.requests({ resource: 'gadget', apiGroup: 'example.org' })).toThrow('did you mean "gadgets"?');
    expect(server.requests({ resource: 'others', apiGroup: 'example.org' })).toEqual([]);
  });
});

test('types forbid what is misspelt', () => {
  const check = (_: () => unknown): void => undefined;
  // @ts-expect-error a misspelt verb
  check(() => server.faults.add({ match: { verbs: ['craete'] }, fault: { cut: {} } }));
  // @ts-expect-error a misspelt member
  check(() => server.faults.add({ match: { verb: ['create'] }, fault: { cut: {} } }));
  // @ts-expect-error a misspelt fault
  check(() => server.faults.add({ fault: { ctu: {} } }));
  // @ts-expect-error a code that is none
  check(() => server.faults.add({ fault: { status: { code: 418 } } }));
  // @ts-expect-error a code without an error
  check(() => server.faults.add({ fault: { status: { code: 200 } } }));
  // @ts-expect-error a time that is none
  check(() => server.faults.add({ fault: { drop: { when: 'Before' } } }));
  // @ts-expect-error a misspelt action
  check(() => server.faults.add({ fault: { watch: { action: 'stall' } } }));
  // @ts-expect-error a misspelt member
  check(() => server.settled({ controller: ['a'] }));
  // @ts-expect-error a misspelt member
  check(() => server.requests({ userAgents: 'a' }));
  // @ts-expect-error a misspelt verb
  check(() => server.requests({ verb: ['craete'] }));
  // @ts-expect-error a code that is none
  check(() => server.requests({ code: 418 }));
  // @ts-expect-error a misspelt option
  check(() => startServer({ clokc: 'manual' }));
  // @ts-expect-error a misspelt storage
  check(() => startServer({ storage: 'memroy' }));
  // @ts-expect-error a misspelt history
  check(() => startServer({ history: 'some' }));
  // @ts-expect-error a clock that is none
  check(() => startServer({ clock: 'manaul' }));
  // @ts-expect-error a level that is none
  check(() => startServer({ logLevel: 'verbose' }));
  // @ts-expect-error watches that are none
  check(() => server.reset({ watches: 'expire' }));
  check(() => server.faults.add({ match: { verbs: ['delete*'] }, fault: { status: { code: 409 } } }));
  check(() => server.requests({ verb: '*', code: [200, 404] }));
});

test('a recording from the start is replayed from the ready mark on, when an informer lists', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'kubeloom-ready-'));
  const file = join(dir, 'run.jsonl');
  try {
    const recorded = await startTestServer({ record: file });
    const client = await recorded.client();
    const maps = client.core.v1.configmaps.namespace('default');
    for (const name of ['a', 'b', 'c']) await maps.create({ metadata: { name } });
    await maps.delete('b');
    await recorded.close();
    const replay = await startTestServer({ replay: { file, speed: 'max', paused: true } });
    const config = new KubeConfig();
    config.loadFromString(replay.kubeconfig);
    const core = config.makeApiClient(CoreV1Api);
    const seen: string[] = [];
    const informer = makeInformer(config, '/api/v1/namespaces/default/configmaps', () =>
      core.listNamespacedConfigMap({ namespace: 'default' }),
    );
    const end = new Promise<void>((resolve) => {
      informer.on('add', ({ metadata }) => void seen.push(`add ${metadata?.name}`));
      informer.on('delete', ({ metadata }) => {
        seen.push(`delete ${metadata?.name}`);
        if (metadata?.name === 'b') resolve();
      });
    });
    await informer.start();
    await end;
    await informer.stop();
    await replay.close();
    expect(seen.filter((one) => !one.includes('kube-root'))).toEqual(['add a', 'add b', 'add c', 'delete b']);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});
