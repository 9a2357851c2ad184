import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type RunningServer, startServer } from '../../runtime/index.ts';
import { HttpClient } from '../support/http-client.ts';
import { type SentResponse, WebhookServer } from '../support/webhook-server.ts';

const issuer = 'https://kubernetes.default.svc.cluster.local';
const whoAmI = '/apis/authentication.k8s.io/v1/selfsubjectreviews';

describe('the TokenReview webhook', () => {
  let folder: string;
  let webhook: WebhookServer;
  let server: RunningServer;
  let admin: HttpClient;
  let stranger: HttpClient;
  let count = 0;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'webhook-'));
    webhook = await WebhookServer.open(() => ({}));
    const path = join(folder, 'webhook.yaml');
    await writeFile(path, webhook.kubeconfig('/authenticate', { token: 'of-the-apiserver' }));
    server = await startServer({
      authenticationTokenWebhookConfigFile: path,
      authenticationTokenWebhookVersion: 'v1',
    });
    admin = HttpClient.for(server);
    stranger = HttpClient.withoutCertificate(server);
  });
  afterAll(async () => {
    admin?.close();
    stranger?.close();
    await server?.close();
    await webhook.close();
    await rm(folder, { recursive: true });
  });
  beforeEach(() => {
    webhook.requests.length = 0;
  });

  const newToken = (): string => `token-${count++}`;
  const asToken = (token = newToken()) =>
    stranger.send('POST', whoAmI, '{}', 'application/json', { headers: { authorization: `Bearer ${token}` } });
  const respondWith = (status: object, response: SentResponse = {}): void => {
    const apiVersion = 'authentication.k8s.io/v1';
    webhook.respond = () => ({ body: { kind: 'TokenReview', apiVersion, status }, ...response });
  };
  const jane = { username: 'jane', uid: 'u', groups: ['devs'], extra: { 'acme.io/x': ['1'] } };

  test('says who the user is, once for each token', async () => {
    respondWith({ authenticated: true, user: jane });
    const token = newToken();
    const { status, json } = await asToken(token);
    expect([status, json.status.userInfo]).toEqual([201, { ...jane, groups: ['devs', 'system:authenticated'] }]);
    expect((await asToken(token)).status).toBe(201);
    expect(webhook.requests).toHaveLength(1);
    const [{ url, headers, body }] = webhook.requests;
    expect([url, headers.authorization]).toEqual(['/authenticate?timeout=30s', 'Bearer of-the-apiserver']);
    expect(body).toMatchObject({
      kind: 'TokenReview',
      apiVersion: 'authentication.k8s.io/v1',
      spec: { token, audiences: [issuer] },
    });
  });

  test.each<[string, object, SentResponse?]>([
    ['does not know the token', { authenticated: false }],
    ['has an error', { authenticated: false, error: 'expired' }],
    ['says nothing', {}],
    ['accepts the token for other audiences', { authenticated: true, user: jane, audiences: ['vault'] }],
    ['responds with an error', {}, { status: 403, body: 'no' }],
    ['responds with another kind', {}, { body: { kind: 'Status', apiVersion: 'v1', status: { authenticated: true } } }],
    ['responds with no object', {}, { body: '[]' }],
    ['responds with text', {}, { body: 'yes' }],
    ['redirects', {}, { status: 307, headers: { location: '/authenticate' } }],
    ['sends groups that are none', { authenticated: true, user: { username: 'x', groups: 'system:masters' } }],
    ['says so as text', { authenticated: 'true', user: jane }],
  ])('a request is a 401 if the webhook %s', async (...[, status, response]) => {
    respondWith(status, response);
    const { status: code, json } = await asToken();
    expect([code, json.reason]).toEqual([401, 'Unauthorized']);
  });

  test('reviews ask it for their audiences', async () => {
    respondWith({ authenticated: true, user: jane, audiences: ['vault', 'x'] });
    const token = newToken();
    const spec = { token, audiences: ['vault', 'bank'] };
    const review = { kind: 'TokenReview', apiVersion: 'authentication.k8s.io/v1', spec };
    const path = '/apis/authentication.k8s.io/v1/tokenreviews';
    const { json } = await admin.send('POST', path, JSON.stringify(review), 'application/json');
    expect(json.status).toEqual({
      authenticated: true,
      audiences: ['vault'],
      user: { ...jane, groups: ['devs', 'system:authenticated'] },
    });
    expect(webhook.requests[0].body.spec.audiences).toEqual(['vault', 'bank']);
  });

  test('is not asked about certificates and tokens of service accounts', async () => {
    expect((await admin.send('POST', whoAmI, '{}', 'application/json')).status).toBe(201);
    const { json } = await admin.send(
      'POST',
      '/api/v1/namespaces/default/serviceaccounts',
      '{"metadata":{"name":"a"}}',
      'application/json',
    );
    const { json: request } = await admin.send(
      'POST',
      `/api/v1/namespaces/default/serviceaccounts/${json.metadata.name}/token`,
      '{"spec":{}}',
      'application/json',
    );
    expect((await asToken(request.status.token)).status).toBe(201);
    expect(webhook.requests).toEqual([]);
  });

  test.each<[object, string]>([
    [{ authenticationTokenWebhookConfigFile: '/nonexistent' }, '--authentication-token-webhook-config-file: ENOENT'],
    [
      { authenticationTokenWebhookConfigFile: '/nonexistent', authenticationTokenWebhookVersion: 'v2' },
      'unsupported authentication webhook version "v2", supported versions are "v1", "v1beta1"',
    ],
  ])('%j are refused', async (options, why) => {
    await expect(startServer(options)).rejects.toThrow(why);
  });
});
