import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ServerOptions, startServer } from '../../../runtime/index.ts';
import { AggregatedServer } from '../../support/delegating-server.ts';
import { HttpClient, type HttpResponse } from '../../support/http-client.ts';
import { WebhookServer } from '../../support/webhook-server.ts';

const books = '/apis/library.example.com/v1/namespaces/books/books';
const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/books';
const aBook = JSON.stringify({
  apiVersion: 'library.example.com/v1',
  kind: 'Book',
  metadata: { name: 'emma' },
  spec: { title: 'Emma', isbn: '9780141439587' },
});
const json = 'application/json';

describe('what users may do at an aggregated server', () => {
  let folder: string;
  let pair: AggregatedServer;
  let proxy: HttpClient;
  let stranger: HttpClient;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tokens-'));
    const tokenAuthFile = join(folder, 'tokens.csv');
    await writeFile(tokenAuthFile, 'secret,jane,u1\nadmin,root,u2,"system:masters"\n');
    pair = await AggregatedServer.start({ tokenAuthFile });
    proxy = pair.as('front-proxy');
    stranger = pair.client(HttpClient.withoutCertificate(pair.server));
    await pair.create(`${rbac}/roles`, {
      metadata: { name: 'reader' },
      rules: [{ apiGroups: ['library.example.com'], resources: ['books'], verbs: ['get', 'list'] }],
    });
  });
  afterAll(async () => {
    await pair?.close();
    await rm(folder, { recursive: true });
  });

  const as = (user: string, method = 'GET', body?: string): Promise<HttpResponse> =>
    proxy.send(method, books, body, body && json, { headers: { 'x-remote-user': user } });
  const bind = (name: string, user: string, role = 'reader'): Promise<HttpResponse> =>
    pair.create(`${rbac}/rolebindings`, {
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: role },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
    });

  test('is what the delegate says', async () => {
    await bind('jane', 'jane');
    expect((await as('jane')).status).toBe(200);
    const { status, json: refused } = await as('jane', 'POST', aBook);
    expect([status, refused.reason, refused.message]).toEqual([
      403,
      'Forbidden',
      'books.library.example.com is forbidden: User "jane" cannot create resource "books" in API group "library.example.com" in the namespace "books"',
    ]);
    expect((await stranger.get(books, { headers: { authorization: 'Bearer secret' } })).status).toBe(200);
    const { status: anonymous, json: why } = await stranger.get('/apis');
    expect([anonymous, why.message]).toEqual([403, 'forbidden: User "system:anonymous" cannot get path "/apis"']);
  });

  test('is asked again for a write that turns out to create', async () => {
    await pair.create(`${rbac}/roles`, {
      metadata: { name: 'changer' },
      rules: [{ apiGroups: ['library.example.com'], resources: ['books'], verbs: ['get', 'patch', 'update'] }],
    });
    await bind('ann', 'ann', 'changer');
    const apply = 'application/apply-patch+yaml';
    const { status, json: refused } = await proxy.send('PATCH', `${books}/emma?fieldManager=ann`, aBook, apply, {
      headers: { 'x-remote-user': 'ann' },
    });
    expect([status, refused.message]).toEqual([
      403,
      'books.library.example.com "emma" is forbidden: User "ann" cannot create resource "books" in API group "library.example.com" in the namespace "books"',
    ]);
  });

  test('is asked in requests that metrics count', async () => {
    const { body } = await pair.client(HttpClient.for(pair.server)).get('/metrics');
    const text = body.toString();
    expect(text).toMatch(/^apiserver_delegated_authn_request_total\{code="201"\} 1$/m);
    expect(text).toMatch(/^apiserver_delegated_authz_request_duration_seconds_bucket\{code="201",le="10"\} [1-9]/m);
  });

  test('is remembered for ten seconds', async () => {
    await bind('eve', 'eve');
    expect((await as('eve')).status).toBe(200);
    expect((await as('joe')).status).toBe(403);
    expect((await pair.admin.send('DELETE', `${rbac}/rolebindings/eve`)).status).toBe(200);
    await bind('joe', 'joe');
    pair.clock.putForward(9_000);
    expect([(await as('eve')).status, (await as('joe')).status]).toEqual([200, 403]);
    pair.clock.putForward(1_001);
    expect([(await as('eve')).status, (await as('joe')).status]).toEqual([403, 200]);
  });

  describe('while the delegate is down', () => {
    let down: string;
    beforeAll(async () => {
      const closed = await WebhookServer.open(() => 'reset');
      down = join(folder, 'down');
      await writeFile(down, closed.kubeconfig('/', { token: 'of-the-server' }));
      await closed.close();
    });

    test('is everything for system:masters, health for everybody, and a failure for others', async () => {
      const server = await pair.startAnother({ authorizationKubeconfig: down });
      const front = pair.as('front-proxy', pair.proxyCA, server);
      try {
        const masters = { 'x-remote-user': 'root', 'x-remote-group': 'system:masters' };
        const jane = { 'x-remote-user': 'jane' };
        expect((await front.get(books, { headers: masters })).status).toBe(200);
        expect((await front.get('/healthz', { headers: jane })).status).toBe(200);
        const { status, body } = await front.get(books, { headers: jane });
        expect([status, body.toString()]).toEqual([
          500,
          expect.stringMatching(
            /^Internal Server Error: .*\/subjectaccessreviews\?timeout=10s.*: dial tcp .*: connect: connection refused\n$/,
          ),
        ]);
      } finally {
        await server.close();
      }
    });

    test('is nothing for those whose tokens are not known, and needs CAs to start', async () => {
      const lost = { authenticationKubeconfig: down };
      await expect(pair.startAnother(lost)).rejects.toThrow(
        /^unable to load configmap based request-header-client-ca-file: .*connection refused/,
      );
      const server = await pair.startAnother({ ...lost, authenticationTolerateLookupFailure: true });
      const client = pair.client(HttpClient.withoutCertificate(server));
      try {
        expect((await client.get(books, { headers: { authorization: 'Bearer secret' } })).status).toBe(401);
        expect((await client.get('/livez')).status).toBe(200);
        expect((await pair.as('front-proxy', pair.proxyCA, server).get(books)).status).toBe(401);
      } finally {
        await server.close();
      }
    });
  });

  test('can be decided by files of CAs, and without any lookup', async () => {
    const requestHeaderClientCaFile = join(folder, 'proxy-ca');
    await writeFile(requestHeaderClientCaFile, pair.proxyCA.certificate);
    const server = await pair.startAnother({ authenticationSkipLookup: true, requestHeaderClientCaFile });
    try {
      const front = pair.as('any-name', pair.proxyCA, server);
      const headers = { 'x-remote-user': 'root', 'x-remote-group': 'system:masters' };
      expect((await front.get(books, { headers })).status).toBe(200);
    } finally {
      await server.close();
    }
  });
});

describe('a server with a delegate is refused', () => {
  test.each<[ServerOptions, string]>([
    [{ authenticationKubeconfig: '/nonexistent' }, 'failed to get delegated authentication kubeconfig: ENOENT: no such file or directory'],
    [
      { authorizationKubeconfig: '' },
      'failed to get delegated authentication kubeconfig: unable to load in-cluster configuration, KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined',
    ],
    [{ authenticationKubeconfig: '', builtin: true }, 'need --no-builtin'],
  ])('with %j', async (options, why) => {
    await expect(startServer(options)).rejects.toThrow(why);
  });

  test('with a path that has a * in its middle', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'delegate-'));
    const webhook = await WebhookServer.open(() => ({ status: 404, body: {} }));
    try {
      const authenticationKubeconfig = join(folder, 'kubeconfig');
      await writeFile(authenticationKubeconfig, webhook.kubeconfig());
      const options = { authenticationKubeconfig, authorizationAlwaysAllowPaths: ['/a*b'] };
      await expect(startServer(options)).rejects.toThrow('only trailing * allowed in "a*b"');
    } finally {
      await webhook.close();
      await rm(folder, { recursive: true });
    }
  });
});
