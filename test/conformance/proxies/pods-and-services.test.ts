import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { request as requestHttps } from 'node:https';
import { deflateRawSync, gunzipSync, gzipSync, inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WebSocket, WebSocketServer } from 'ws';
import { issueCertificate } from '../../../runtime/serving/x509-certificate.ts';
import type { HttpResponse, RequestOptions } from '../../support/http-client.ts';
import { PodNetwork } from '../../support/pod-network.ts';
import { TestServer } from '../../support/test-server.ts';

const network = new PodNetwork();
const suite = TestServer.forSuite({ dial: network.dial });
const root = '/api/v1/namespaces/default';
const verbs = ['DELETE', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'GET', 'HEAD'] as const;

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
/** Responses by path, without the query. Other paths return the request. */
const answers = new Map<string, Answer>();

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const special = answers.get((request.url ?? '').split('?')[0]);
  if (special !== undefined) return special(request, response);
  let body = '';
  for await (const chunk of request) body += chunk;
  const { method, url, headers } = request;
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ method, url, headers, body }));
}

const create = async (resource: string, object: object): Promise<void> => {
  const { status, body } = await suite.http.send('POST', `${root}/${resource}`, JSON.stringify(object), 'application/json');
  if (status !== 201) throw new Error(body.toString());
};

async function createPod(name: string, ip: string | undefined, ports: readonly number[] = []): Promise<void> {
  const container = { name: 'c', image: 'i', ports: ports.map((containerPort) => ({ containerPort })) };
  await create('pods', { metadata: { name }, spec: { containers: [container] } });
  if (ip === undefined) return;
  const patch = JSON.stringify({ status: { podIP: ip, podIPs: [{ ip }] } });
  const { status, body } = await suite.http.send('PATCH', `${root}/pods/${name}/status`, patch, 'application/merge-patch+json');
  if (status !== 200) throw new Error(body.toString());
}

const addressOf = (name: string, ip: string) => ({ ip, targetRef: { kind: 'Pod', namespace: 'default', name } });

beforeAll(async () => {
  const web = await network.serve('192.0.2.1:8080', answer);
  const sockets = new WebSocketServer({ noServer: true });
  web.on('upgrade', (request, socket, head) => {
    if (request.url === '/refused') return socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno');
    sockets.handleUpgrade(request, socket, head, (client) => {
      client.send(`${request.url} ${request.headers.host}`);
      client.on('message', (data) => client.send(data));
    });
  });
  const now = Date.now();
  const own = issueCertificate({ commonName: 'own', use: 'server', from: now - 60_000, until: now + 3_600_000 });
  await network.serve('192.0.2.1:443', answer, { cert: own.certificate, key: own.key });
  await network.serve('2001:db8::1:80', answer);
  await createPod('web', '192.0.2.1', [8080, 9090]);
  await createPod('six', '2001:db8::1');
  await createPod('waiting', undefined);
  for (const [name, ip] of [
    ['loop', '127.0.0.1'],
    ['local', '169.254.169.254'],
    ['loop6', '::1'],
  ]) {
    await createPod(name, ip);
  }
  const ports = [
    { name: 'http', port: 80 },
    { name: 'tls', port: 443 },
  ];
  await create('services', { metadata: { name: 'web' }, spec: { ports } });
  await create('services', { metadata: { name: 'one' }, spec: { ports: [{ port: 81 }] } });
  for (const name of ['bare', 'empty', 'strange']) await create('services', { metadata: { name }, spec: { ports } });
  const http = { name: 'http', port: 8080 };
  await create('endpoints', {
    metadata: { name: 'web' },
    subsets: [
      { addresses: [addressOf('web', '192.0.2.1')], ports: [http, { name: 'tls', port: 443 }] },
      { notReadyAddresses: [addressOf('six', '2001:db8::1')], ports: [http] },
    ],
  });
  await create('endpoints', {
    metadata: { name: 'one' },
    subsets: [{ addresses: [addressOf('web', '192.0.2.1')], ports: [{ port: 8080 }] }],
  });
  await create('endpoints', { metadata: { name: 'empty' } });
  await create('endpoints', {
    metadata: { name: 'strange' },
    subsets: [
      {
        addresses: [
          { ip: '192.0.2.1' },
          addressOf('web', '192.0.2.9'),
          addressOf('gone', '192.0.2.1'),
          { ip: '192.0.2.1', targetRef: { kind: 'Pod', namespace: 'other', name: 'web' } },
        ],
        ports: [http],
      },
    ],
  });
});
afterAll(() => network.close());

const get = (path: string, options?: RequestOptions): Promise<HttpResponse> => suite.http.get(`${root}/${path}`, options);
const message = ({ status, json }: HttpResponse): unknown => [status, json.reason, json.message];

describe('Proxy version v1', () => {
  test('should proxy through a service and a pod', async () => {
    for (const [path, url] of [
      ['pods/web/proxy/', '/'],
      ['pods/web:8080/proxy/a/b', '/a/b'],
      ['pods/http:web:8080/proxy/a', '/a'],
      ['pods/https:web:443/proxy/a', '/a'],
      ['pods/six/proxy/a', '/a'],
      ['services/web:http/proxy/a', '/a'],
      ['services/web:80/proxy/a', '/a'],
      ['services/http:web:http/proxy/a', '/a'],
      ['services/https:web:tls/proxy/a', '/a'],
      ['services/https:web:443/proxy/', '/'],
      ['services/one/proxy/a', '/a'],
      ['services/one:81/proxy/a', '/a'],
    ]) {
      const { status, json } = await get(path);
      expect([path, status, json.url]).toEqual([path, 200, url]);
    }
  });

  test.each(['pods/web', 'services/web:http'])(
    'A set of valid responses are returned for both pod and service ProxyWithPath: %s',
    async (of) => {
      for (const method of verbs) {
        const body = ['GET', 'HEAD', 'OPTIONS'].includes(method) ? undefined : `body of ${method}`;
        const { status, json } = await suite.http.send(method, `${root}/${of}/proxy/some/path/with/${method}?a=b%20c&d`, body);
        const told = method === 'HEAD' ? undefined : { method, url: `/some/path/with/${method}?a=b%20c&d`, body: body ?? '' };
        expect([method, status, json && { method: json.method, url: json.url, body: json.body }]).toEqual([method, 200, told]);
      }
    },
  );

  test.each(['pods/web', 'services/web:http'])('A set of valid responses are returned for both pod and service Proxy: %s', async (of) => {
    for (const method of verbs) {
      const { status, headers, json } = await suite.http.send(method, `${root}/${of}/proxy?method=${method}`);
      if (method === 'GET' || method === 'HEAD') {
        expect([status, headers.location]).toEqual([301, `${root}/${of}/proxy/?method=${method}`]);
      } else expect([status, json.method, json.url]).toEqual([200, method, `/?method=${method}`]);
    }
  });
});

test.each([
  ['pods/web:8080/proxy/a//b/../c/', '/a/c/'],
  ['pods/web:8080/proxy/a%20b/%C3%BC/%2e%2e/x?q=%2F&q=1', '/a%20b/x?q=%2F&q=1'],
  ['pods/web:8080/proxy//', '/'],
])('the path of %s is %s for the server behind it', async (path, url) => {
  expect((await get(path)).json.url).toBe(url);
});

test('the server behind a proxy hears who asks and for what, but no credentials', async () => {
  const headers = {
    'x-own': '1',
    'x-hop': '2',
    connection: 'x-hop, keep-alive',
    te: 'trailers',
    'accept-encoding': 'br',
    authorization: 'Bearer none',
    'x-forwarded-for': '198.51.100.1',
    host: 'kubernetes:6443',
    cookie: 'c=1',
  };
  const { json } = await get('pods/web/proxy/a/', { headers });
  expect(json.headers).toMatchObject({
    host: 'kubernetes:6443',
    'x-own': '1',
    te: 'trailers',
    'accept-encoding': 'br',
    cookie: 'c=1',
    'x-forwarded-for': '198.51.100.1, 127.0.0.1',
    'x-forwarded-uri': `${root}/pods/web/proxy/a/`,
  });
  const absent = ['authorization', 'x-hop', 'x-remote-user', 'x-forwarded-host', 'x-forwarded-proto'];
  expect(absent.filter((name) => name in json.headers)).toEqual([]);
});

test.each([
  ['pods/web:80:80:80/proxy/', 400, 'BadRequest', 'invalid pod request "web:80:80:80"'],
  ['pods/ftp:web:80/proxy/', 400, 'BadRequest', 'invalid pod request "ftp:web:80"'],
  ['pods/http::80/proxy/', 400, 'BadRequest', 'invalid pod request "http::80"'],
  ['pods/web:http/proxy/', 400, 'BadRequest', 'invalid pod request "web:http"'],
  ['pods/none:80/proxy/', 404, 'NotFound', 'pods "none" not found'],
  ['pods/waiting/proxy/', 400, 'BadRequest', 'address not allowed'],
  ['pods/loop:6443/proxy/', 400, 'BadRequest', 'address not allowed'],
  ['pods/loop6/proxy/', 400, 'BadRequest', 'address not allowed'],
  ['pods/local/proxy/latest/meta-data', 400, 'BadRequest', 'address not allowed'],
  [
    'pods/web:9090/proxy/',
    503,
    'ServiceUnavailable',
    'error trying to reach service: dial tcp 192.0.2.1:9090: connect: connection refused',
  ],
  ['pods/web:65536/proxy/', 503, 'ServiceUnavailable', 'error trying to reach service: dial tcp: address 65536: invalid port'],
  ['services/ftp:web:80/proxy/', 400, 'BadRequest', 'invalid service request "ftp:web:80"'],
  ['services/none:80/proxy/', 404, 'NotFound', 'services "none" not found'],
  ['services/none/proxy/', 404, 'NotFound', 'services "none" not found'],
  ['services/bare:80/proxy/', 404, 'NotFound', 'services "bare" not found'],
  ['services/web:82/proxy/', 503, 'ServiceUnavailable', 'no service port 82 found for service "web"'],
  ['services/empty:80/proxy/', 503, 'ServiceUnavailable', 'no endpoints available for service "empty"'],
  ['services/web:other/proxy/', 503, 'ServiceUnavailable', 'no endpoints available for service "web:other"'],
  ['services/web/proxy/', 503, 'ServiceUnavailable', 'no endpoints available for service "web"'],
  ['services/http:strange:80/proxy/', 503, 'ServiceUnavailable', 'no endpoints available for service "http:strange:80"'],
  ['pods/web/proxy/?dryRun=All', 400, 'BadRequest', 'dryRun is not supported'],
])('GET %s: %d %s %s', async (path, code, reason, text) => {
  expect(message(await get(path))).toEqual([code, reason, text]);
});

describe('responses lead through the proxy', () => {
  const place = `${root}/pods/web:8080/proxy`;

  test.each([
    ['/next?a=b#c', `${place}/next?a=b#c`],
    ['/dir/', `${place}/dir/`],
    ['http://192.0.2.1:8080/next', `${place}/next`],
    [`https://kubernetes.default${place}/x`, `https://kubernetes.default${place}/x`],
    ['https://kubernetes.default/x', `https://kubernetes.default${place}/x`],
    [`${place}/x`, `${place}/x`],
    ['next', 'next'],
    ['https://elsewhere.example/x', 'https://elsewhere.example/x'],
  ])('the Location %s becomes %s', async (location, want) => {
    answers.set('/moved', (_request, response) => response.writeHead(302, { location }).end('moved'));
    const { status, headers, body } = await get('pods/web:8080/proxy/moved', {
      headers: { host: 'kubernetes.default' },
    });
    expect([status, headers.location, body.toString()]).toEqual([302, want, 'moved']);
  });

  test('a Location that is no URL is an error', async () => {
    answers.set('/lost', (_request, response) => response.writeHead(302, { location: 'http://[/' }).end());
    expect(message(await get('pods/web:8080/proxy/lost'))).toEqual([
      500,
      'InternalError',
      'Internal error occurred: error trying to parse Location header: parse "http://[/": invalid URL',
    ]);
  });

  const page = '<html><a href="/x?a=b&amp;c">x</a><img src=y.png><script>"<a href=/no>"</script><p>\xe9</html>';
  const rewritten = page.replace('"/x', `"${place}/x`).replace('src=y.png', 'src="y.png"');
  const codings = {
    none: { coding: {}, encode: (bytes: Buffer) => bytes, decode: (bytes: Buffer) => bytes },
    gzip: { coding: { 'content-encoding': 'gzip' }, encode: gzipSync, decode: gunzipSync },
    deflate: { coding: { 'content-encoding': 'deflate' }, encode: deflateRawSync, decode: inflateRawSync },
  };

  test.each(Object.entries(codings))('links in pages do, with the content coding %s', async (_name, { coding, encode, decode }) => {
    const sent = encode(Buffer.from(page, 'latin1'));
    answers.set('/page', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': sent.length, ...coding }).end(sent);
    });
    const { headers, body } = await get('pods/web:8080/proxy/page');
    expect(decode(body).toString('latin1')).toBe(rewritten);
    expect(headers).not.toHaveProperty('content-length');
  });

  test.each([
    ['text/plain', {}],
    ['text/html', { 'content-encoding': 'br' }],
    ['application/xhtml+xml', {}],
  ])('%s with %j stays as it is', async (type, more) => {
    answers.set('/plain', (_request, response) => response.writeHead(200, { 'content-type': type, ...more }).end(page, 'latin1'));
    const { headers, body } = await get('pods/web:8080/proxy/plain');
    expect([headers['content-type'], body.toString('latin1')]).toEqual([type, page]);
  });

  test.each([
    ['HEAD', 200],
    ['GET', 304],
  ])('%s of a page that is answered with %d has no links', async (method, code) => {
    const headers = { 'content-type': 'text/html', 'content-encoding': 'gzip' };
    answers.set('/empty', (_request, response) => response.writeHead(code, headers).end());
    const { status, headers: told } = await suite.http.send(method, `${root}/pods/web:8080/proxy/empty`);
    expect([status, told]).toEqual([code, expect.objectContaining(headers)]);
  });

  test('a page whose coding is broken breaks off', async () => {
    answers.set('/broken', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end('no gzip');
    });
    await expect(get('pods/web:8080/proxy/broken')).rejects.toThrow('aborted');
  });

  test('what browsers are told about origins is the business of this server', async () => {
    const cors = { 'access-control-allow-origin': '*', 'access-control-allow-credentials': 'true' };
    answers.set('/cors', (_request, response) => response.writeHead(200, { ...cors, 'x-other': '1' }).end());
    const { headers } = await get('pods/web:8080/proxy/cors');
    expect(headers).toMatchObject({ 'x-other': '1', 'audit-id': expect.any(String) });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });
});

test('bodies are streamed both ways', async () => {
  let received = Promise.resolve<unknown>(undefined);
  answers.set('/stream', (request, response) => {
    response.flushHeaders();
    received = once(request, 'data').then(([chunk]) => response.end(`got ${chunk} for ${request.headers.host}`));
    request.resume();
  });
  const { url, caCertificate: ca, clientCertificate: cert, clientKey: key } = suite.server;
  const session = connectHttp2(url, { ca, cert, key });
  const stream = session.request({ ':method': 'POST', ':path': `${root}/pods/web/proxy/stream` });
  const [headers] = await once(stream, 'response');
  stream.write('part');
  await received;
  let body = '';
  for await (const chunk of stream) body += chunk;
  stream.end();
  session.destroy();
  expect([headers[':status'], body]).toEqual([200, `got part for ${new URL(url).host}`]);
});

test('a client that expects 100 (Continue) sends its body when it is told so', async () => {
  const { url, caCertificate: ca, clientCertificate: cert, clientKey: key } = suite.server;
  for (let round = 0; round < 2; round += 1) {
    const request = requestHttps(`${url}${root}/pods/web/proxy/echo`, {
      method: 'POST',
      ca,
      cert,
      key,
      headers: { expect: '100-continue', 'content-length': '4' },
    });
    request.flushHeaders();
    await once(request, 'continue');
    request.end('body');
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    let body = '';
    for await (const chunk of response) body += chunk;
    expect([response.statusCode, JSON.parse(body).body]).toEqual([200, 'body']);
  }
});

describe('connections that go on with another protocol', () => {
  const open = (path: string): WebSocket => {
    const { url, caCertificate: ca, clientCertificate: cert, clientKey: key } = suite.server;
    return new WebSocket(`${url.replace('https', 'wss')}${root}/${path}`, {
      ca,
      cert,
      key,
      headers: { host: 'kubernetes' },
    });
  };

  test.each([
    ['pods/web:8080/proxy/ws', '/ws'],
    ['services/web:http/proxy/ws/', '/ws/'],
    ['pods/web:8080/proxy', '/'],
  ])('WebSocket messages of %s pass both ways', async (path, url) => {
    const socket = open(path);
    const [greeting] = await once(socket, 'message');
    expect(String(greeting)).toBe(`${url} kubernetes`);
    socket.send('hello');
    expect(String((await once(socket, 'message'))[0])).toBe('hello');
    socket.close();
    await once(socket, 'close');
  });

  test.each([
    ['pods/web:8080/proxy/refused', 403, 'no'],
    ['pods/web:9090/proxy/ws', 500, 'error dialing backend: dial tcp 192.0.2.1:9090: connect: connection refused'],
  ])('%s is answered with %d', async (path, code, text) => {
    const { status, body, json } = await get(path, { headers: { connection: 'Upgrade', upgrade: 'websocket' } });
    expect([status, json?.message ?? body.toString()]).toEqual([code, text]);
  });
});

test('a proxy needs the permission to use it, and no other', async () => {
  const as = { headers: { 'impersonate-user': 'jane' } };
  const refused = await get('pods/http:web:8080/proxy/a', as);
  expect(message(refused)).toEqual([
    403,
    'Forbidden',
    'pods "http:web:8080" is forbidden: User "jane" cannot get resource "pods/proxy" in API group "" in the namespace "default"',
  ]);
  const rules = [{ apiGroups: [''], resources: ['pods/proxy'], resourceNames: ['http:web:8080'], verbs: ['get'] }];
  const role = { metadata: { name: 'proxy' }, rules };
  const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
  await suite.http.send('POST', `${rbac}/roles`, JSON.stringify(role), 'application/json');
  const binding = {
    metadata: { name: 'proxy' },
    subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'jane' }],
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'proxy' },
  };
  await suite.http.send('POST', `${rbac}/rolebindings`, JSON.stringify(binding), 'application/json');
  expect((await get('pods/http:web:8080/proxy/a', as)).status).toBe(200);
  expect((await suite.http.send('POST', `${root}/pods/http:web:8080/proxy/a`, '', 'text/plain', as)).status).toBe(403);
});

test('admission sees the path behind a proxy', async () => {
  const admission = '/apis/admissionregistration.k8s.io/v1';
  const policy = {
    metadata: { name: 'paths' },
    spec: {
      matchConstraints: {
        resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CONNECT'], resources: ['pods/proxy'] }],
      },
      validations: [{ expression: "object.path != '/secret/'", message: 'not this one' }],
    },
  };
  const binding = { metadata: { name: 'paths' }, spec: { policyName: 'paths', validationActions: ['Deny'] } };
  for (const [resource, object] of Object.entries({ policies: policy, policybindings: binding })) {
    const path = `${admission}/validatingadmission${resource}`;
    await suite.http.send('POST', path, JSON.stringify(object), 'application/json');
  }
  expect((await get('pods/web/proxy/secret/')).json.message).toContain('not this one');
  expect((await get('pods/web/proxy/secret')).status).toBe(200);
});
