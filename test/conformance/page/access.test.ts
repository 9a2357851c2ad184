import { once } from 'node:events';
import { connect } from 'node:http2';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { asPage, navigation, type OpenPage, ownRequest, PageVisitor } from '../../support/page-visitor.ts';
import { startTestServer, TestServer } from '../../support/test-server.ts';

const tokens = '/api/v1/namespaces/default/configmaps';
const throughPage = `/ui/server${tokens}`;
const configMap = (name: string): string => JSON.stringify({ metadata: { name }, data: { a: '1' } });

describe('a server with a page', () => {
  const suite = TestServer.forSuite({ ui: true });
  let visitor: PageVisitor;
  let opened: OpenPage;
  let origin: string;

  beforeAll(async () => {
    visitor = new PageVisitor(suite.server);
    opened = await visitor.open();
    origin = suite.server.url;
  });
  afterAll(() => visitor.close());

  test('a link becomes a session with a cookie that only this server and its page use', async () => {
    const { status, headers, body } = await visitor.get(visitor.link(), navigation);
    expect(status).toBe(200);
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(
        new RegExp(`^__Secure-kubeloom-${suite.server.port}=[\\w-]{43}; Path=/ui; Max-Age=43200; Secure; HttpOnly; SameSite=Strict$`),
      ),
    ]);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-frame-options': 'DENY' });
    expect(body).toMatch(/^<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=\/ui\/#key=[\w-]{43}">/);
  });

  test('a session reads and writes as its user', async () => {
    const created = await visitor.send('POST', throughPage, configMap('by-page'), asPage(opened, { origin }));
    expect(created.status).toBe(201);
    expect(created.json.metadata.managedFields[0].manager).toBe('kubeloom-page');
    const who = await visitor.send('POST', '/ui/server/apis/authentication.k8s.io/v1/selfsubjectreviews', '{}', asPage(opened, { origin }));
    expect(who.json.status.userInfo).toMatchObject({
      username: 'kubernetes-admin',
      groups: ['system:masters', 'system:authenticated'],
    });
  });

  test('responses of the API are no documents in the origin of the page', async () => {
    const { headers } = await visitor.get(throughPage, asPage(opened));
    expect(headers).toMatchObject({
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
  });

  // the answers without a page: 403 for anonymous users
  const passedOn = 403;
  const key = (): string => opened.key;
  const refusals: readonly (readonly [
    what: string,
    method: string,
    path: string,
    status: number,
    headers: () => Record<string, string>,
  ])[] = [
    ['no cookie', 'GET', '/ui/', passedOn, () => navigation],
    ['no cookie, and a script', 'GET', '/ui/page.js', passedOn, () => ownRequest],
    ['no cookie, and a request to the API', 'GET', throughPage, passedOn, () => ({ ...ownRequest, 'x-kubeloom-page': key() })],
    ['no cookie, and the API itself', 'GET', tokens, passedOn, () => ownRequest],
    ['the cookie at the API itself', 'GET', tokens, passedOn, () => asPage(opened)],
    ['a garbled cookie', 'GET', throughPage, 401, () => asPage({ ...opened, cookie: `${opened.cookie.slice(0, -2)}zz` })],
    ['a garbled cookie, and the page', 'GET', '/ui/', 401, () => ({ ...navigation, cookie: `${opened.cookie.slice(0, -2)}zz` })],
    ['an empty cookie', 'GET', throughPage, 401, () => asPage({ ...opened, cookie: opened.cookie.replace(/=.*/, '=') })],
    [
      'the cookie of another server',
      'GET',
      throughPage,
      passedOn,
      () => asPage({ ...opened, cookie: opened.cookie.replace(/-\d+=/, '-1=') }),
    ],
    ['no key', 'GET', throughPage, 401, () => ({ ...ownRequest, cookie: opened.cookie })],
    ['a wrong key', 'GET', throughPage, 401, () => asPage({ ...opened, key: 'A'.repeat(43) })],
    ['a foreign Host', 'GET', throughPage, 403, () => asPage(opened, { host: 'attacker.example' })],
    ['a foreign Host, and the page', 'GET', '/ui/', 403, () => ({ ...navigation, cookie: opened.cookie, host: 'attacker.example' })],
    ['a Host that begins like a name', 'GET', throughPage, 403, () => asPage(opened, { host: 'localhost.attacker.example' })],
    ['a Host that is no host', 'GET', throughPage, 403, () => asPage(opened, { host: '[::1' })],
    ['a foreign Origin', 'POST', throughPage, 403, () => asPage(opened, { origin: 'https://attacker.example' })],
    ['the Origin null', 'POST', throughPage, 403, () => asPage(opened, { origin: 'null' })],
    ['the Origin of another port', 'POST', throughPage, 403, () => asPage(opened, { origin: 'https://127.0.0.1:1' })],
    ['the Origin of HTTP', 'POST', throughPage, 403, () => asPage(opened, { origin: origin.replace('https', 'http') })],
    ['a cross-site GET', 'GET', throughPage, 403, () => asPage(opened, { 'sec-fetch-site': 'cross-site' })],
    ['a GET of another port', 'GET', throughPage, 403, () => asPage(opened, { 'sec-fetch-site': 'same-site' })],
    ['a cross-site POST', 'POST', throughPage, 403, () => asPage(opened, { 'sec-fetch-site': 'cross-site' })],
    ['a POST that says nothing of its site', 'POST', throughPage, 403, () => ({ cookie: opened.cookie, 'x-kubeloom-page': key() })],
    ['a navigation to the API', 'GET', throughPage, 401, () => ({ ...navigation, cookie: opened.cookie })],
    ['a frame', 'GET', '/ui/', 403, () => ({ ...navigation, cookie: opened.cookie, 'sec-fetch-dest': 'iframe' })],
    ['a cross-site document', 'GET', '/ui/', 403, () => ({ ...navigation, cookie: opened.cookie, 'sec-fetch-site': 'cross-site' })],
    ['a script of another site', 'GET', '/ui/page.js', 403, () => ({ cookie: opened.cookie, 'sec-fetch-site': 'cross-site' })],
    ['a preflight', 'OPTIONS', throughPage, 401, () => ({ cookie: opened.cookie, origin: 'https://attacker.example' })],
    ['a file outside', 'GET', '/ui/../package.json', 404, () => ({ ...ownRequest, cookie: opened.cookie })],
    ['an encoded file outside', 'GET', '/ui/%2e%2e%2fpackage.json', 404, () => ({ ...ownRequest, cookie: opened.cookie })],
    ['a proxied program', 'GET', '/ui/server/api/v1/namespaces/default/services/a/proxy/', 403, () => asPage(opened)],
    ['a logout by another site', 'POST', '/ui/logout', 403, () => asPage(opened, { origin: 'https://attacker.example' })],
  ];
  test.each(refusals)('%s is refused', async (_what, method, path, status, headers) => {
    const response = await visitor.send(method, path, method === 'POST' ? configMap('by-attacker') : undefined, headers());
    expect([response.status, response.headers['access-control-allow-origin']]).toEqual([status, undefined]);
    expect(response.body).not.toContain('"items"');
  });

  test('no refused request wrote anything', async () => {
    expect((await suite.http.get(`${tokens}/by-attacker`)).status).toBe(404);
  });

  const links: readonly (readonly [what: string, headers: Record<string, string>])[] = [
    ['in a frame', { ...navigation, 'sec-fetch-dest': 'iframe' }],
    ['as an image', { ...navigation, 'sec-fetch-dest': 'image' }],
    ['ahead of a click', { ...navigation, 'sec-purpose': 'prefetch' }],
    ['under a foreign Host', { ...navigation, host: 'attacker.example' }],
    ['by a script of another site', { ...ownRequest, origin: 'https://attacker.example' }],
  ];
  test.each(links)('a link that is loaded %s opens nothing, and stays usable', async (_what, headers) => {
    const link = visitor.link();
    const refused = await visitor.get(link, headers);
    expect([refused.status, refused.headers['set-cookie']]).toEqual([passedOn, undefined]);
    expect((await visitor.open(link)).key).toHaveLength(43);
  });

  test.each([
    ['a used link', (used: string) => used],
    ['a garbled link', (used: string) => `${used.slice(0, -2)}zz`],
    ['an empty link', () => '/ui/login?link='],
    ['no link', () => '/ui/login'],
  ])('%s opens nothing', async (_what, path) => {
    const link = visitor.link();
    await visitor.open(link);
    const { status, headers } = await visitor.get(path(link), navigation);
    expect([status, headers['set-cookie']]).toEqual([passedOn, undefined]);
  });

  test('a session ends with its logout', async () => {
    const mine = await visitor.open();
    expect((await visitor.get(throughPage, asPage(mine))).status).toBe(200);
    expect((await visitor.send('POST', '/ui/logout', undefined, asPage(mine, { origin }))).status).toBe(200);
    expect((await visitor.get(throughPage, asPage(mine))).status).toBe(401);
    expect((await visitor.get(throughPage, asPage(opened))).status).toBe(200);
  });

  test.each([
    ['another site', 'https://attacker.example'],
    ['the page', undefined],
  ])('the session opens no WebSocket for %s', async (_who, foreign) => {
    const path = `/ui/server${tokens}?watch=true`;
    const headers = { cookie: opened.cookie, 'x-kubeloom-page': opened.key };
    const socket = new WebSocket(`${origin.replace('https', 'wss')}${path}`, {
      ca: suite.server.caCertificate,
      origin: foreign ?? origin,
      headers,
    });
    socket.on('error', () => undefined);
    const [, response] = await once(socket, 'unexpected-response');
    socket.terminate();
    expect(response.statusCode).toBe(403);
  });

  test.each([
    ['its own name', undefined, 200],
    ['a foreign name', 'attacker.example', 403],
  ])('over HTTP/2 a session is checked under %s', async (_what, authority, status) => {
    const session = connect(origin, { ca: suite.server.caCertificate });
    const named = authority === undefined ? {} : { ':authority': authority };
    const stream = session.request({ ...asPage(opened), ...named, ':path': throughPage });
    const [headers] = await once(stream, 'response');
    session.destroy();
    expect(headers[':status']).toBe(status);
  });

  const user = { 'Impersonate-User': 'jane', 'Impersonate-Group': 'viewers' };
  const asJane = (): Promise<{ status: number }> => suite.http.send('POST', '/ui/links', undefined, undefined, { headers: user });

  test('users other than administrators make links if a role lets them, and have their own rights in the page', async () => {
    expect((await asJane()).status).toBe(403);
    const rbac = '/apis/rbac.authorization.k8s.io/v1';
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'opens-page' };
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'viewers' }];
    const role = { metadata: { name: 'opens-page' }, rules: [{ nonResourceURLs: ['/ui/links'], verbs: ['post'] }] };
    await suite.http.send('POST', `${rbac}/clusterroles`, JSON.stringify(role), 'application/json');
    const binding = { metadata: { name: 'opens-page' }, roleRef, subjects };
    await suite.http.send('POST', `${rbac}/clusterrolebindings`, JSON.stringify(binding), 'application/json');
    const { json } = await suite.http.send('POST', '/ui/links', undefined, undefined, { headers: user });
    const page = await visitor.open(json.path);
    const { status, json: refusal } = await visitor.get(throughPage, asPage(page));
    expect([status, refusal.message]).toEqual([
      403,
      'configmaps is forbidden: User "jane" cannot list resource "configmaps" in API group "" in the namespace "default"',
    ]);
  });

  test('the log of what happened is for administrators, and has neither queries nor the page itself', async () => {
    await suite.http.get(`${tokens}?labelSelector=secret`, { headers: { 'user-agent': 'reader/v1' } });
    const since = async (page: OpenPage): Promise<Awaited<ReturnType<PageVisitor['get']>>> =>
      visitor.get('/ui/server/ui/activity?since=0', asPage(page));
    const { status, json, body } = await since(opened);
    expect(status).toBe(200);
    expect(json.requests).toContainEqual(
      expect.objectContaining({ agent: 'reader/v1', verb: 'list', path: tokens, code: 200, user: 'kubernetes-admin' }),
    );
    expect(body).not.toContain('labelSelector');
    expect(json.requests.filter(({ agent, verb }: Record<string, string>) => agent?.startsWith('kubeloom-page') && verb === 'get')).toEqual(
      [],
    );
    expect((await visitor.get('/ui/activity')).status).toBe(403);
    const jane = await suite.http.send('GET', '/ui/activity', undefined, undefined, { headers: user });
    expect(jane.status).toBe(403);
  });

  test('anonymous users make no links', async () => {
    expect((await visitor.send('POST', '/ui/links', undefined, {})).status).toBe(403);
  });

  test('the key of one session opens no other', async () => {
    const other = await visitor.open();
    expect((await visitor.get(throughPage, asPage({ cookie: opened.cookie, key: other.key }))).status).toBe(401);
  });
});

test('no option, no page: its paths are those of a server that knows none of them', async () => {
  const server = await startTestServer();
  const visitor = new PageVisitor(server);
  try {
    expect(server.ui).toBeUndefined();
    for (const path of ['/ui', '/ui/', '/ui/login?link=a', '/ui/server/api', '/ui/page.js']) {
      const { status, json } = await visitor.get(path, navigation);
      expect([status, json.message]).toEqual([403, expect.stringContaining('User "system:anonymous" cannot get path')]);
      expect((await server.fetch(path)).status).toBe(404);
    }
    expect((await server.fetch('/ui/links', { method: 'POST' })).status).toBe(404);
  } finally {
    visitor.close();
    await server.close();
  }
});

test('a fork has no session of its origin', async () => {
  const server = await startTestServer({ ui: true });
  const visitor = new PageVisitor(server);
  const opened = await visitor.open();
  const fork = await server.fork();
  const other = new PageVisitor(fork);
  try {
    const cookie = opened.cookie.replace(/-\d+=/, `-${fork.port}=`);
    expect((await other.get(throughPage, asPage({ ...opened, cookie }))).status).toBe(401);
    expect((await other.get(throughPage, asPage(await other.open()))).status).toBe(200);
  } finally {
    visitor.close();
    other.close();
    await fork.close();
    await server.close();
  }
});
