import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RunningServer, startServer } from '../../../runtime/index.ts';
import { HttpClient } from '../../support/http-client.ts';
import { type Family, parseMetrics } from '../../support/prometheus.ts';
import { quietNamespaces } from '../../support/quiet-namespaces.ts';
import { startTestServer } from '../../support/test-server.ts';
import { WatchStream } from '../../support/watch-stream.ts';
import { definition, definitions, version } from '../custom-resources/definition-fixture.ts';

const json = 'application/json';
const maps = '/api/v1/namespaces/default/configmaps';
const map = (name: string): string => JSON.stringify({ metadata: { name } });

const requestLabels = ['component', 'group', 'resource', 'scope', 'subresource', 'verb', 'version'];
const latencyBuckets = '0.005 0.025 0.05 0.1 0.2 0.4 0.6 0.8 1 1.25 1.5 2 3 4 5 6 8 10 15 20 30 45 60 +Inf';
const sliBuckets = '0.05 0.1 0.2 0.4 0.6 0.8 1 1.25 1.5 2 3 4 5 6 8 10 15 20 30 45 60 +Inf';
const sizeBuckets = '1000 10000 100000 1e+06 1e+07 1e+08 1e+09 +Inf';
const eventBuckets = '1024 2048 4096 8192 16384 32768 65536 131072 +Inf';
const waitBuckets = '0 0.005 0.02 0.05 0.1 0.2 0.5 1 2 5 10 15 30 +Inf';
const celBuckets = '0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 5 10 +Inf';
const flow = ['flow_schema', 'priority_level'];
const buildLabels = ['build_date', 'compiler', 'git_commit', 'git_tree_state', 'git_version', 'go_version', 'major'];

/**
 * Name, type, stability, labels and buckets: the metrics of test/instrumentation/testdata/stable-metrics-list.yaml that
 * apply here, and others that dashboards use.
 */
const expected: readonly (readonly [string, string, string, readonly string[], string?])[] = [
  ['apiserver_request_total', 'counter', 'STABLE', [...requestLabels, 'code', 'dry_run']],
  ['apiserver_request_duration_seconds', 'histogram', 'STABLE', [...requestLabels, 'dry_run'], latencyBuckets],
  ['apiserver_request_sli_duration_seconds', 'histogram', 'ALPHA', requestLabels, sliBuckets],
  ['apiserver_response_sizes', 'histogram', 'STABLE', requestLabels, sizeBuckets],
  ['apiserver_longrunning_requests', 'gauge', 'STABLE', requestLabels],
  ['apiserver_current_inflight_requests', 'gauge', 'STABLE', ['request_kind']],
  ['apiserver_requested_deprecated_apis', 'gauge', 'STABLE', ['group', 'removed_release', 'resource', 'subresource', 'version']],
  ['apiserver_storage_objects', 'gauge', 'STABLE', ['resource']],
  ['apiserver_resource_objects', 'gauge', 'ALPHA', ['group', 'resource']],
  ['apiserver_watch_events_total', 'counter', 'ALPHA', ['group', 'resource', 'version']],
  ['apiserver_watch_events_sizes', 'histogram', 'ALPHA', ['group', 'resource', 'version'], eventBuckets],
  ['apiserver_flowcontrol_current_executing_requests', 'gauge', 'BETA', flow],
  ['apiserver_flowcontrol_current_executing_seats', 'gauge', 'BETA', flow],
  ['apiserver_flowcontrol_current_inqueue_requests', 'gauge', 'BETA', flow],
  ['apiserver_flowcontrol_dispatched_requests_total', 'counter', 'BETA', flow],
  ['apiserver_flowcontrol_nominal_limit_seats', 'gauge', 'BETA', ['priority_level']],
  ['apiserver_flowcontrol_request_wait_duration_seconds', 'histogram', 'BETA', ['execute', ...flow], waitBuckets],
  ['apiserver_watch_cache_resource_version', 'gauge', 'ALPHA', ['group', 'resource']],
  ['apiserver_tls_handshake_errors_total', 'counter', 'ALPHA', []],
  ['authenticated_user_requests', 'counter', 'ALPHA', ['username']],
  ['authentication_attempts', 'counter', 'ALPHA', ['result']],
  ['authorization_attempts_total', 'counter', 'ALPHA', ['result']],
  ['apiserver_cel_compilation_duration_seconds', 'histogram', 'BETA', [], celBuckets],
  ['apiserver_cel_evaluation_duration_seconds', 'histogram', 'BETA', [], celBuckets],
  ['apiserver_audit_event_total', 'counter', 'ALPHA', []],
  ['apiserver_audit_requests_rejected_total', 'counter', 'ALPHA', []],
  ['apiserver_validation_declarative_validation_mismatch_total', 'counter', 'BETA', []],
  ['apiserver_validation_declarative_validation_panic_total', 'counter', 'BETA', []],
  ['kubernetes_build_info', 'gauge', 'ALPHA', [...buildLabels, 'minor', 'platform']],
  ['kubernetes_feature_enabled', 'gauge', 'BETA', ['name', 'stage']],
  ['version_info', 'gauge', 'ALPHA', ['binary', 'component', 'emulation', 'min_compat']],
  ['registered_metrics_total', 'counter', 'BETA', ['deprecated_version', 'stability_level']],
  ['disabled_metrics_total', 'counter', 'BETA', []],
  ['hidden_metrics_total', 'counter', 'BETA', []],
];

describe('metrics', () => {
  let server: RunningServer;
  let http: HttpClient;
  let watch: WatchStream;
  let metrics: Map<string, Family>;

  beforeAll(async () => {
    server = await startTestServer({ authorizationMode: ['AlwaysAllow'], ...quietNamespaces });
    http = HttpClient.for(server);
    watch = await WatchStream.open(server, `${maps}?watch=1`);
    await http.send('POST', maps, map('kept'), json);
    await http.send('POST', `${maps}?dryRun=All&dryRun=All`, map('dry'), json);
    await http.send('POST', `${maps}?dryRun=some`, map('dry'), json);
    const applied = JSON.stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'kept' },
      data: { a: 'b' },
    });
    await http.send('PATCH', `${maps}/kept?fieldManager=a`, applied, 'application/apply-patch+yaml');
    await http.get(`${maps}/kept`);
    await http.get(maps);
    await http.get('/api/v1/configmaps');
    await http.get('/api/v1/endpoints');
    await http.send('DELETE', '/api/v1/namespaces/kube-public/configmaps', '', json);
    const custom = definition({ versions: [version('v1', { deprecated: true })] });
    await http.send('POST', definitions, JSON.stringify(custom), json);
    await http.get(`/apis/${custom.spec.group}/v1/${custom.spec.names.plural}`);
    await http.get(maps, { headers: { 'impersonate-user': 'jane', 'impersonate-group': 'people' } });
    await http.get('/livez');
    await watch.take(2);
    await http.get('/metrics');
    metrics = parseMetrics((await http.get('/metrics')).body.toString());
  });

  afterAll(async () => {
    watch?.close();
    http?.close();
    await server?.close();
  });

  const findValue = (name: string, labels: Readonly<Record<string, string>> = {}): number | undefined =>
    [...metrics.values()]
      .flatMap(({ samples }) => samples)
      .find((one) => one.name === name && Object.entries(labels).every(([key, value]) => one.labels[key] === value))?.value;

  test.each(expected.map((row) => [row[0], row] as const))('%s', (name, [, type, stability, labels, buckets]) => {
    const family = metrics.get(name);
    expect(family?.type).toBe(type);
    expect(family?.help).toMatch(new RegExp(`^\\[${stability}\\] `));
    const [sample] = family?.samples ?? [];
    const { le: _, ...rest } = sample.labels;
    expect(Object.keys(rest).sort()).toEqual([...labels].sort());
    if (buckets === undefined) return;
    const bounds = (family?.samples ?? []).flatMap((one) => one.labels.le ?? []);
    expect(bounds.slice(0, buckets.split(' ').length).join(' ')).toBe(buckets);
  });

  test.each([
    ['apiserver_request_total', { verb: 'GET', resource: 'configmaps', scope: 'resource', code: '200' }, 1],
    ['apiserver_request_total', { verb: 'LIST', resource: 'configmaps', scope: 'namespace', code: '200' }, 2],
    ['apiserver_request_total', { verb: 'LIST', resource: 'configmaps', scope: 'cluster', code: '200' }, 1],
    ['apiserver_request_total', { verb: 'POST', resource: 'configmaps', dry_run: '', code: '201' }, 1],
    ['apiserver_request_total', { verb: 'POST', resource: 'configmaps', dry_run: 'All', code: '201' }, 1],
    ['apiserver_request_total', { verb: 'POST', resource: 'configmaps', dry_run: 'invalid', code: '422' }, 1],
    ['apiserver_request_total', { verb: 'APPLY', resource: 'configmaps', code: '200' }, 1],
    ['apiserver_request_total', { verb: 'DELETE', resource: 'configmaps', scope: 'namespace', code: '200' }, 1],
    ['apiserver_request_total', { verb: 'GET', subresource: '/livez', code: '200' }, 1],
    ['apiserver_longrunning_requests', { verb: 'WATCH', resource: 'configmaps', scope: 'namespace' }, 1],
    ['apiserver_request_sli_duration_seconds_count', { verb: 'POST', resource: 'configmaps' }, 1],
    ['apiserver_response_sizes_count', { verb: 'LIST', resource: 'configmaps', scope: 'namespace' }, 2],
    ['apiserver_response_sizes_count', { verb: 'POST', resource: 'configmaps' }, undefined],
    ['apiserver_watch_events_total', { resource: 'configmaps', version: 'v1' }, 2],
    ['apiserver_requested_deprecated_apis', { resource: 'endpoints', version: 'v1', removed_release: '' }, 1],
    ['apiserver_requested_deprecated_apis', { resource: 'foos', version: 'v1', removed_release: '' }, 1],
    ['apiserver_requested_deprecated_apis', { resource: 'configmaps' }, undefined],
    ['apiserver_resource_objects', { group: '', resource: 'namespaces' }, 4],
    ['apiserver_resource_objects', { group: 'apps', resource: 'deployments' }, 0],
    ['apiserver_storage_objects', { resource: 'deployments.apps' }, 0],
    ['apiserver_storage_objects', { resource: 'configmaps' }, 3],
    ['kubernetes_feature_enabled', { name: 'APIResponseCompression', stage: 'BETA' }, 1],
    ['kubernetes_feature_enabled', { name: 'ComponentStatusz', stage: 'ALPHA' }, 0],
    ['kubernetes_build_info', { major: '1', minor: '35' }, 1],
    ['registered_metrics_total', { stability_level: 'STABLE', deprecated_version: '1.34.0' }, 1],
  ])('%s of %j is %j', (name, labels, value) => {
    expect(findValue(name, labels)).toBe(value);
  });

  test('the sizes of responses are those of their bodies', async () => {
    const { body } = await http.get('/api/v1/namespaces/default');
    const after = parseMetrics((await http.get('/metrics')).body.toString());
    const { value } = (after.get('apiserver_response_sizes')?.samples ?? []).find(
      ({ name, labels }) => name.endsWith('_sum') && labels.resource === 'namespaces' && labels.verb === 'GET',
    ) ?? { value: 0 };
    expect(value).toBe(body.length);
  });

  test('evaluations and compilations of CEL rules are counted', async () => {
    const counts = async (): Promise<(number | undefined)[]> => {
      const now = parseMetrics((await http.get('/metrics')).body.toString());
      return ['compilation', 'evaluation'].map((name) => now.get(`apiserver_cel_${name}_duration_seconds`)?.samples.at(-1)?.value);
    };
    const schema = { type: 'object', 'x-kubernetes-validations': [{ rule: 'self.metadata.name != "bad"' }] };
    const ruled = definition({ versions: [version('v1', { schema: { openAPIV3Schema: schema } })] });
    await http.send('POST', definitions, JSON.stringify(ruled), json);
    const before = await counts();
    const { group, names } = ruled.spec;
    const body = { apiVersion: `${group}/v1`, kind: names.kind, metadata: { name: 'bad' } };
    const path = `/apis/${group}/v1/namespaces/default/${names.plural}`;
    expect((await http.send('POST', path, JSON.stringify(body), json)).status).toBe(422);
    const after = await counts();
    expect(after).toEqual([expect.any(Number), (before[1] ?? NaN) + 1]);
    expect(after[0]).toBeGreaterThan(0);
  });

  test('handshakes, authentications and authorizations are counted', async () => {
    const counts = async (): Promise<readonly (number | undefined)[]> => {
      const now = parseMetrics((await http.get('/metrics')).body.toString());
      const count = (name: string, value: string): number =>
        now.get(name)?.samples.find(({ labels }) => Object.values(labels).join('') === value)?.value ?? 0;
      return [
        count('apiserver_tls_handshake_errors_total', ''),
        count('authenticated_user_requests', 'other'),
        ...['success', 'failure', 'error'].map((result) => count('authentication_attempts', result)),
        count('authorization_attempts_total', 'allowed'),
      ];
    };
    const before = await counts();
    const stranger = HttpClient.for({ url: server.url, caCertificate: server.caCertificate });
    expect((await stranger.get('/api/v1/pods')).status).toBe(401);
    const headers = { authorization: 'Bearer wrong' };
    expect((await stranger.get('/livez', { headers })).status).toBe(401);
    stranger.close();
    const socket = connect(server.port, '127.0.0.1', () => socket.end('not a handshake'));
    await once(socket.resume(), 'close');
    const after = await counts();
    expect(after.map((count, at) => (count ?? 0) - (before[at] ?? 0))).toEqual([1, 1, 1, 1, 1, 1]);
    // unauthenticated requests are not part of this metric
    const all = parseMetrics((await http.get('/metrics')).body.toString()).get('apiserver_request_total')?.samples;
    expect(all?.filter(({ labels }) => labels.code === '401')).toEqual([]);
  });

  test('are sorted by name', () => {
    const names = [...metrics.keys()];
    expect(names).toEqual([...names].sort());
  });

  test('those that v1.35 hides are not there', () => {
    for (const name of ['apiserver_request_slo_duration_seconds', 'apiserver_flowcontrol_request_concurrency_limit']) {
      expect(metrics.has(name)).toBe(false);
    }
  });

  test('of health are at /metrics/slis', async () => {
    const slis = parseMetrics((await http.get('/metrics/slis')).body.toString());
    expect([...slis.values()].map(({ name, type }) => [name, type])).toEqual([
      ['kubernetes_healthcheck', 'gauge'],
      ['kubernetes_healthchecks_total', 'counter'],
      ['process_start_time_seconds', 'gauge'],
    ]);
    expect(slis.get('kubernetes_healthcheck')?.samples).toContainEqual({
      name: 'kubernetes_healthcheck',
      labels: { name: 'etcd', type: 'livez' },
      value: 1,
    });
    expect(slis.get('kubernetes_healthchecks_total')?.samples).toContainEqual({
      name: 'kubernetes_healthchecks_total',
      labels: { name: 'etcd', status: 'success', type: 'livez' },
      value: 1,
    });
  });
});

test('a server on disk has the size of its store, and one without priority and fairness its requests', async () => {
  const { mkdtemp, rm } = await import('node:fs/promises');
  const folder = await mkdtemp('/tmp/kubeloom-metrics-');
  const server = await startServer({
    storage: 'lmdb',
    dataDir: folder,
    unsafeNoFsync: true,
    priorityAndFairness: false,
  });
  const http = HttpClient.for(server);
  try {
    const metrics = parseMetrics((await http.get('/metrics')).body.toString());
    const [size] = metrics.get('apiserver_storage_size_bytes')?.samples ?? [];
    expect(size).toMatchObject({ labels: { storage_cluster_id: 'etcd-0' } });
    expect(size.value).toBeGreaterThan(4096);
    expect(metrics.get('apiserver_current_inflight_requests')?.samples.map(({ labels }) => labels.request_kind)).toEqual([
      'mutating',
      'readOnly',
    ]);
  } finally {
    http.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
});
