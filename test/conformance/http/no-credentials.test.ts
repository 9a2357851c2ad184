import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Authorizer } from '../../../runtime/authorization/authorizer.ts';
import { type RunningServer, type ServerOptions, startServer } from '../../../runtime/index.ts';
import { everyVersion } from '../../support/every-version.ts';
import { HttpClient } from '../../support/http-client.ts';
import { http2Get } from '../../support/test-serving.ts';

type Route = readonly [method: string, path: string];

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];
const health = ['/healthz', '/livez', '/readyz'];
const checks = ['/healthz/ping', '/livez/ping', '/livez/etcd', '/readyz/shutdown'];

/** Paths in no document: fixed routes, and paths without a route. */
const others: readonly Route[] = [
  '/',
  '/index.html',
  '/metrics',
  '/api',
  '/api/',
  '/apis',
  '/apis/apps',
  '/apis/apps/v1',
  '/api/v1',
  '/openapi/v2',
  '/openapi/v3',
  '/openapi/v3/api/v1',
  '/openapi/v3/apis/apps/v1',
  '/.well-known/openid-configuration',
  '/openid/v1/jwks',
  ...['queues', 'requests', 'priority_levels'].map((dump) => `/debug/api_priority_and_fairness/dump_${dump}`),
  '/api/v1/watch/pods',
  '/api/v1/pods?watch=1',
  '/apis/no.such.group/v1/things',
  '/api/v1/nothings',
  '/api/v9',
  '/nowhere',
  '/healthz/ping/more',
  '/healthzz',
  '/versions',
  '/version/x',
  '//version',
  '/%2e%2e/version/..',
  '/livez/../api/v1/pods',
  '/healthz%2F..%2Fapi',
  '/HEALTHZ',
  '/api/v1/%zz?x',
].map((path) => ['GET', path]);

const body = (method: string): string | undefined => (['PUT', 'POST', 'PATCH', 'DELETE'].includes(method) ? '{}' : undefined);

describe('without credentials', () => {
  let server: RunningServer;
  let admin: HttpClient;
  let anonymous: HttpClient;
  let routes: Route[];

  beforeAll(async () => {
    server = await startServer(everyVersion);
    admin = HttpClient.for(server);
    anonymous = HttpClient.withoutCertificate(server);
    routes = [...(await documented(admin)), ...others];
  });

  afterAll(async () => {
    admin?.close();
    anonymous?.close();
    await server?.close();
  });

  test('OpenAPI names every operation', () => expect(routes.length).toBeGreaterThan(963));

  test.each<[string, number, Record<string, string>]>([
    ['no headers', 403, {}],
    ['an unknown token', 401, { authorization: 'Bearer nope' }],
    ['a forged service account token', 401, { authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' }],
    ['another scheme', 403, { authorization: 'Basic YWRtaW46YWRtaW4=' }],
    ['a name in serving-proxy headers', 403, { 'x-remote-user': 'admin', 'x-remote-group': 'system:masters' }],
  ])('with %s, every route except health and version is %i', async (_what, code, headers) => {
    const wrong: string[] = [];
    for (const [method, path] of routes) {
      const response = await anonymous.send(method, path, body(method), 'application/json', { headers });
      // a URL that cannot be parsed is refused before any handler
      const isParsed = !path.includes('%zz');
      const isStatus = !isParsed || method === 'HEAD' || response.json?.kind === 'Status';
      if (response.status !== (isParsed ? code : 400) || !isStatus) wrong.push(`${method} ${path}: ${response.status}`);
    }
    expect(wrong).toEqual([]);
  });

  test('health and version are served', async () => {
    for (const path of health) {
      const response = await anonymous.get(path);
      expect([path, response.status, response.body.toString()]).toEqual([path, 200, 'ok']);
    }
    for (const path of ['/version', '/version/']) expect((await anonymous.get(path)).json.major).toBe('1');
  });

  test('a single health check is 403', async () => {
    for (const path of checks) expect([path, (await anonymous.get(path)).status]).toEqual([path, 403]);
  });

  test('health and version are 401 for bad credentials', async () => {
    for (const path of [...health, '/version']) {
      expect([path, (await anonymous.get(path, { headers: { authorization: 'Bearer nope' } })).status]).toEqual([path, 401]);
    }
  });

  test('anonymous users cannot impersonate', async () => {
    const headers = { 'impersonate-user': 'admin', 'impersonate-group': 'system:masters' };
    for (const path of ['/api', '/version']) expect((await anonymous.get(path, { headers })).status).toBe(403);
  });

  test('the same holds over HTTP/2', async () => {
    const stranger = { pair: { certificate: '', key: '' } };
    const place = { ...server, admin: { certificate: server.clientCertificate, key: server.clientKey } };
    for (const [path, status] of [
      ['/api/v1/pods', 403],
      ['/livez', 200],
    ] as const) {
      expect((await http2Get(place, path, stranger)).status).toBe(status);
      expect((await http2Get(place, path)).status).toBe(200);
    }
  });
});

describe('--anonymous-auth', () => {
  const asked: string[] = [];
  const authorizer: Authorizer = {
    authorize({ user, path }) {
      asked.push(user.name);
      return { decision: path === '/api' ? 'allow' : 'deny', reason: '' };
    },
  };

  test.each<[string, ServerOptions, Record<string, number>]>([
    [
      'true with AlwaysAllow: health and version are served',
      { authorizationMode: ['AlwaysAllow'] },
      { '/livez': 200, '/livez/ping': 200, '/version': 200, '/api': 401, '/api/v1/pods': 401, '/metrics': 401 },
    ],
    ['true with an authorizer: the authorizer decides', { authorizer }, { '/api': 200, '/apis': 403, '/livez': 403 }],
    ['false: every request is rejected', { anonymousAuth: false }, { '/api': 401, '/livez': 401, '/version': 401 }],
    ['false with an authorizer', { anonymousAuth: false, authorizer }, { '/api': 401, '/livez': 401 }],
  ])('%s', async (_title, options, want) => {
    const server = await startServer({ builtin: false, ...options });
    const anonymous = HttpClient.withoutCertificate(server);
    try {
      const got = await Promise.all(Object.keys(want).map(async (path) => [path, (await anonymous.get(path)).status]));
      expect(Object.fromEntries(got)).toEqual(want);
    } finally {
      anonymous.close();
      await server.close();
    }
  });

  test('the authorizer decides about system:anonymous', () => expect(new Set(asked)).toEqual(new Set(['system:anonymous'])));

  test('a static token is accepted everywhere', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kubeloom-tokens-'));
    const tokenAuthFile = join(folder, 'tokens.csv');
    await writeFile(tokenAuthFile, 'sesame,jane,u1\n');
    const server = await startServer({ builtin: false, tokenAuthFile });
    const jane = HttpClient.withoutCertificate(server);
    try {
      expect((await jane.get('/api', { headers: { authorization: 'Bearer sesame' } })).status).toBe(200);
    } finally {
      jane.close();
      await server.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});

/** Returns every operation of the OpenAPI documents that the server serves to its administrator. */
async function documented(admin: HttpClient): Promise<Route[]> {
  const { paths } = (await admin.get('/openapi/v3')).json as { paths: Record<string, { serverRelativeURL: string }> };
  const routes: Route[] = [];
  for (const { serverRelativeURL } of Object.values(paths)) {
    const document = (await admin.get(serverRelativeURL)).json as { paths: Record<string, object> };
    for (const [path, item] of Object.entries(document.paths)) {
      if (/^\/(healthz|livez|readyz|version)(\/|$)/.test(path)) continue;
      for (const method of methods) if (method in item) routes.push([method.toUpperCase(), path.replace(/\{[^}]+\}/g, 'x')]);
    }
  }
  return routes;
}
