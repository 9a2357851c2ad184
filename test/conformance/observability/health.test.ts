import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RunningServer, startServer } from '../../../runtime/index.ts';
import { HttpClient } from '../../support/http-client.ts';
import { ManualClock } from '../../support/manual-clock.ts';

/** This server's checks, with kube-apiserver's names and order. */
const hooks = [
  'start-apiserver-admission-initializer',
  'generic-apiserver-start-informers',
  'priority-and-fairness-config-consumer',
  'priority-and-fairness-filter',
  'storage-object-count-tracker-hook',
  'start-apiextensions-informers',
  'start-apiextensions-controllers',
  'crd-informer-synced',
  'start-system-namespaces-controller',
  'start-cluster-authentication-info-controller',
  'start-kube-apiserver-identity-lease-controller',
  'start-kube-apiserver-identity-lease-garbage-collector',
  'start-legacy-token-tracking-controller',
  'start-service-ip-repair-controllers',
  'rbac/bootstrap-roles',
  'scheduling/bootstrap-system-priority-classes',
  'priority-and-fairness-config-producer',
  'bootstrap-controller',
  'start-kubernetes-service-cidr-controller',
  'start-kube-aggregator-informers',
  'apiservice-status-local-available-controller',
  'apiservice-status-remote-available-controller',
  'apiservice-registration-controller',
  'apiservice-discovery-controller',
  'kube-apiserver-autoregistration',
  'autoregister-completion',
  'apiservice-openapi-controller',
  'apiservice-openapiv3-controller',
].map((name) => (name === 'autoregister-completion' ? name : `poststarthook/${name}`));
const live = ['ping', 'log', 'etcd', ...hooks];
const ready = ['ping', 'log', 'etcd', 'etcd-readiness', 'informer-sync', ...hooks, 'shutdown'];

const report = (names: readonly string[], changes: Readonly<Record<string, string>> = {}): string =>
  names.map((name) => changes[name] ?? `[+]${name} ok\n`).join('');

describe('health', () => {
  let server: RunningServer;
  let http: HttpClient;

  beforeAll(async () => {
    server = await startServer();
    http = HttpClient.for(server);
  });

  afterAll(async () => {
    http?.close();
    await server?.close();
  });

  const text = async (path: string): Promise<string> => (await http.get(path)).body.toString();

  test.each([
    ['/healthz', 'ok'],
    ['/livez', 'ok'],
    ['/readyz', 'ok'],
    ['/livez?verbose', `${report(live)}livez check passed\n`],
    ['/healthz?verbose=1', `${report(live)}healthz check passed\n`],
    ['/readyz?verbose', `${report(ready)}readyz check passed\n`],
    ['/readyz?exclude=etcd', 'ok'],
    [
      '/livez?verbose&exclude=etcd&exclude=ping',
      `${report(live, { ping: '[+]ping excluded: ok\n', etcd: '[+]etcd excluded: ok\n' })}livez check passed\n`,
    ],
    [
      '/readyz?verbose&exclude=storage&exclude="a"',
      `${report(ready)}warn: some health checks cannot be excluded: no matches for "\\"a\\"","storage"\nreadyz check passed\n`,
    ],
  ])('%s', async (path, want) => {
    const { status, body, headers } = await http.get(path);
    expect([status, body.toString()]).toEqual([200, want]);
    expect(headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache, private',
    });
  });

  test('each check has its own path', async () => {
    for (const [root, names] of [
      ['healthz', live],
      ['livez', live],
      ['readyz', ready],
    ] as const) {
      for (const name of names) expect([name, await text(`/${root}/${name}`)]).toEqual([name, 'ok']);
    }
    for (const path of ['/livez/shutdown', '/livez/storage', '/readyz/poststarthook', '/livez/poststarthook/x']) {
      expect([path, (await http.get(path)).status]).toEqual([path, 404]);
    }
  });

  test('all paths are listed', async () => {
    const { paths } = (await http.get('/')).json;
    expect(paths).toEqual(expect.arrayContaining(['/metrics/slis', ...live.map((name) => `/livez/${name}`), '/readyz/shutdown']));
  });
});

test('a server that shuts down is live but not ready', async () => {
  const clock = new ManualClock();
  const server = await startServer({ clock, shutdownDelay: 1000 });
  const http = HttpClient.for(server);
  const closed = server.close();
  try {
    expect((await http.get('/livez')).status).toBe(200);
    const { status, body } = await http.get('/readyz');
    const want = report(ready, { shutdown: '[-]shutdown failed: reason withheld\n' });
    expect([status, body.toString()]).toEqual([500, `${want}readyz check failed\n`]);
    const one = await http.get('/readyz/shutdown');
    expect([one.status, one.body.toString()]).toEqual([500, 'internal server error: process is shutting down\n']);
    const slis = (await http.get('/metrics/slis')).body.toString();
    expect(slis).toContain('kubernetes_healthcheck{name="shutdown",type="readyz"} 0\n');
    expect(slis).toContain('kubernetes_healthchecks_total{name="shutdown",status="error",type="readyz"} 1\n');
  } finally {
    http.close();
    clock.advance(20_000);
    await closed;
  }
});
