import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { WebSocket, WebSocketServer } from 'ws';
import { type RunningServer, startServer } from '../../../runtime/index.ts';
import { AggregatedServer, awaitCondition } from '../../support/aggregated-server.ts';
import { HttpClient } from '../../support/http-client.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { RawTls } from '../../support/raw-tls.ts';
import type { TestObject } from '../../support/test-object.ts';
import { TestServer } from '../../support/test-server.ts';
import { http2Get, openSession } from '../../support/test-serving.ts';
import { WatchStream } from '../../support/watch-stream.ts';

const group = 'wardle.example';
const flunders = `/apis/${group}/v1/namespaces/default/flunders`;

describe('requests for an APIService with a service', () => {
  const suite = TestServer.forSuite();
  let remote: AggregatedServer;

  beforeAll(async () => {
    remote = await AggregatedServer.open();
    remote.serveDiscovery(group);
    await remote.register(suite, group);
  });
  beforeEach(() => {
    remote.requests.length = 0;
    remote.answer = (_request, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  afterAll(() => remote.close());

  test.each([
    ['decompressed for clients that did not ask for it', {}, [undefined, '{"kind":"Flunder"}']],
    ['as it is for clients that did', { 'accept-encoding': 'gzip' }, ['gzip', gzipSync('{"kind":"Flunder"}').toString()]],
    ['as it is in part', { range: 'bytes=0-' }, [undefined, 'plain']],
  ] as const)('have a response that comes %s', async (_title, headers, wanted) => {
    remote.answer = (request, response) => {
      const isAsked = request.headers['accept-encoding'] === 'gzip';
      response.writeHead(200, isAsked ? { 'content-encoding': 'gzip' } : {});
      response.end(isAsked ? gzipSync('{"kind":"Flunder"}') : 'plain');
    };
    const response = await suite.http.get(flunders, { headers });
    expect([response.headers['content-encoding'], response.body.toString()]).toEqual(wanted);
  });

  test('go to its server with who makes them, and its response comes back', async () => {
    remote.answer = (_request, response) =>
      response
        .writeHead(201, {
          'content-type': 'application/json',
          'x-own': 'yes',
          'audit-id': 'other',
          'access-control-allow-origin': '*',
        })
        .end('{"kind":"Flunder"}');
    const { status, headers, json } = await suite.http.send('POST', `${flunders}?b=2&a=1%20x`, '{"a":1}', 'application/json', {
      headers: {
        'x-remote-user': 'root',
        'x-remote-extra-a': 'b',
        'x-forwarded-for': '192.0.2.1',
        te: 'trailers',
        connection: 'x-hop, keep-alive',
        'x-hop': '1',
        'x-mine': 'kept',
      },
    });
    expect([status, json]).toEqual([201, { kind: 'Flunder' }]);
    expect(headers).toMatchObject({ 'x-own': 'yes', 'content-type': 'application/json' });
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(headers['audit-id']).toMatch(/^[0-9a-f-]{36}, other$/);
    const [{ request, body }] = remote.requests;
    expect([request.method, request.url, body]).toEqual(['POST', `${flunders}?a=1+x&b=2`, '{"a":1}']);
    expect(request.headers).toMatchObject({
      'x-remote-user': 'kubernetes-admin',
      'x-remote-group': expect.stringContaining('system:masters'),
      'x-forwarded-for': '192.0.2.1, 127.0.0.1',
      'x-forwarded-uri': flunders,
      'x-forwarded-host': `127.0.0.1:${remote.port}`,
      'x-forwarded-proto': 'https',
      host: `127.0.0.1:${remote.port}`,
      te: 'trailers',
      'x-mine': 'kept',
      'audit-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    for (const name of ['x-remote-extra-a', 'x-hop', 'authorization']) expect(request.headers[name]).toBeUndefined();
  });

  test('are streamed both ways, and end when the client goes away', async () => {
    const closed = new Promise<void>((resolve) => {
      remote.answer = (request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('{"type":"ADDED","object":{"metadata":{"name":"a"}}}\n');
        request.socket.on('close', () => resolve());
      };
    });
    const watch = await WatchStream.open(suite.server, `${flunders}?watch=true`);
    expect(await watch.next()).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'a' } } });
    watch.close();
    await closed;
  });

  test('of HTTP/2, with large bodies', async () => {
    remote.answer = (_request, response) => response.writeHead(200).end(Buffer.alloc(5_000_000, 'x'));
    const session = openSession({
      ...suite.server,
      admin: { certificate: suite.server.clientCertificate, key: suite.server.clientKey },
    });
    const stream = session.request({ ':path': flunders, ':method': 'POST' });
    stream.end(Buffer.alloc(5_000_000, 'y'));
    let length = 0;
    for await (const chunk of stream) length += chunk.length;
    session.close();
    expect([length, remote.requests[0].body.length]).toEqual([5_000_000, 5_000_000]);
  });

  test.each([
    ['a path with escapes', `${flunders}/a%20b%2Fc!`, `${flunders}/a%20b/c%21`],
    ['a path below the version', `/apis/${group}/v1/other/deeper/`, `/apis/${group}/v1/other/deeper/`],
  ])('%s', async (_title, asked, received) => {
    await suite.http.get(asked);
    expect(remote.requests.map(({ request }) => request.url)).toEqual([received]);
  });

  test.each([
    [500, 'text/plain', 'oh'],
    [404, 'application/json', '{"kind":"Status"}'],
    [204, '', ''],
    [304, '', ''],
  ])('a %i of the server is passed on', async (code, type, text) => {
    remote.answer = (_request, response) => response.writeHead(code, type === '' ? {} : { 'content-type': type }).end(text);
    const { status, headers, body } = await suite.http.get(flunders);
    expect([status, headers['content-type'] ?? '', body.toString()]).toEqual([code, type, text]);
  });

  test('a redirect is refused', async () => {
    remote.answer = (_request, response) => response.writeHead(302, { location: 'https://192.0.2.1/' }).end();
    const { status, headers, body } = await suite.http.get(flunders);
    expect([status, headers.location, body.toString()]).toEqual([
      502,
      undefined,
      'the backend attempted to redirect this request, which is not permitted',
    ]);
  });

  test('a response that breaks off does so for the client', async () => {
    remote.answer = (request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => request.socket.destroy());
    };
    await expect(suite.http.get(flunders)).rejects.toThrow('aborted');
  });

  test.each([
    ['headers that should come once', 'Content-Type: text/plain\r\nContent-Type: text/html\r\nDate: x\r\nDate: y', 200, 'ok'],
    [
      'two lengths',
      'Content-Length: 3',
      503,
      'error trying to reach service: net/http: HTTP/1.x transport connection broken: http: message cannot contain multiple Content-Length headers; got ["2" "3"]',
    ],
    [
      'a header that is none',
      'no header',
      503,
      'error trying to reach service: net/http: HTTP/1.x transport connection broken: malformed MIME header: missing colon: "no header"',
    ],
    [
      'too many headers',
      Array.from({ length: 40_000 }, (_, at) => `X-${at}: ${'x'.repeat(40)}`).join('\r\n'),
      503,
      'error trying to reach service: net/http: server response headers exceeded 1048576 bytes; aborted',
    ],
  ])('%s of a response are no danger, in HTTP/2 neither', async (_title, headers, code, text) => {
    remote.answer = ({ socket }) => socket.end(`HTTP/1.1 200 OK\r\nContent-Length: 2\r\n${headers}\r\n\r\nok`);
    const { url, caCertificate, clientCertificate: certificate, clientKey: key } = suite.server;
    const answer = await http2Get({ url, caCertificate, admin: { certificate, key } }, flunders);
    expect([answer.status, answer.body.slice(0, text.length)]).toEqual([code, text]);
  });

  test('trailers that HTTP/2 cannot have are no danger', async () => {
    const chunked = 'Transfer-Encoding: chunked\r\nTrailer: Connection\r\n\r\n2\r\nok\r\n0\r\nConnection: x\r\n:a: b\r\n\r\n';
    remote.answer = ({ socket }) => socket.end(`HTTP/1.1 200 OK\r\n${chunked}`);
    const { url, caCertificate, clientCertificate: certificate, clientKey: key } = suite.server;
    const answer = await http2Get({ url, caCertificate, admin: { certificate, key } }, flunders).catch(() => undefined);
    expect(answer?.status ?? 200).toBe(200);
    remote.answer = (_request, response) => response.writeHead(200).end('{}');
    expect((await suite.http.get(flunders)).status).toBe(200);
  });

  test('a server that upgrades unasked is refused', async () => {
    remote.answer = ({ socket }) => socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
    const { status, body } = await suite.http.get(flunders);
    expect([status, body.toString()]).toEqual([503, 'backend tried to switch protocol "x" when "" was requested\n']);
  });

  test('a server that hangs is given the time of the request', async () => {
    const closed = new Promise<void>((resolve) => {
      remote.answer = (request) => request.socket.on('close', () => resolve());
    });
    const { status, json } = await suite.http.get(`${flunders}?timeout=100ms`);
    expect([status, json.reason]).toEqual([504, 'Timeout']);
    await closed;
  });

  test('a response that comes before the end of the body leaves the connection usable', async () => {
    remote.early = (_request, response) => response.writeHead(413).end('too much');
    const { status, body } = await suite.http.send('POST', flunders, Buffer.alloc(3_000_000), 'application/json');
    expect([status, body.toString()]).toEqual([413, 'too much']);
    remote.early = undefined;
    expect((await suite.http.get(flunders)).status).toBe(200);
  });

  test('an idle connection that the server has closed costs a GET nothing', async () => {
    await suite.http.get(flunders);
    remote.answer = (request, response) => {
      remote.answer = (_request, again) => again.writeHead(200).end('again');
      if (remote.requests.length === 2) request.socket.destroy();
      else response.writeHead(200).end('first');
    };
    const { status, body } = await suite.http.get(flunders);
    expect([status, body.toString()]).toEqual([200, 'again']);
  });

  test('need the permission of whoever makes them, and say as whom they act', async () => {
    const headers = {
      'impersonate-user': 'jané',
      'impersonate-uid': '7',
      'impersonate-group': 'a,b',
      'impersonate-extra-example.com%2fscope': 'x',
    };
    const refused = await suite.http.get(flunders, { headers });
    expect([refused.status, remote.requests.length]).toEqual([403, 0]);
    expect(refused.json.message).toContain(`cannot list resource "flunders" in API group "${group}" in the namespace "default"`);
    const role = {
      metadata: { name: 'flunders' },
      rules: [{ apiGroups: [group], resources: ['flunders'], verbs: ['list'] }],
    };
    const binding = {
      metadata: { name: 'flunders' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'flunders' },
      subjects: [{ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'a,b' }],
    };
    const rbac = '/apis/rbac.authorization.k8s.io/v1';
    await suite.http.send('POST', `${rbac}/clusterroles`, JSON.stringify(role), 'application/json');
    await suite.http.send('POST', `${rbac}/clusterrolebindings`, JSON.stringify(binding), 'application/json');
    expect((await suite.http.get(flunders, { headers })).status).toBe(200);
    const [{ request }] = remote.requests;
    expect(request.rawHeaders.filter((name) => /^impersonate/i.test(name))).toEqual([]);
    expect(request.headers).toMatchObject({
      'x-remote-uid': '7',
      'x-remote-extra-example.com%2fscope': 'x',
      'x-remote-group': 'a,b, system:authenticated',
    });
    expect(Buffer.from(String(request.headers['x-remote-user']), 'latin1').toString()).toBe('jané');
  });

  test('count for priority and fairness, and for the limits of the server, like all others', async () => {
    const { headers } = await suite.http.get(flunders);
    expect(headers['x-kubernetes-pf-flowschema-uid']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('are audited with their user and the status of the response, without bodies', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kubeloom-audit-'));
    const [auditPolicyFile, auditLogPath] = [join(folder, 'policy.yaml'), join(folder, 'audit.log')];
    await writeFile(auditPolicyFile, 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{ level: RequestResponse }]\n');
    const server = await startServer({ auditPolicyFile, auditLogPath });
    const http = HttpClient.for(server);
    await remote.register({ http, server }, group);
    remote.answer = (_request, response) => response.writeHead(418).end('{"kind":"Flunder"}');
    const { headers } = await http.send('POST', flunders, '{"a":1}', 'application/json');
    const [auditID] = String(headers['audit-id']).split(', ');
    http.close();
    await server.close();
    const events = (await readFile(auditLogPath, 'utf8')).split('\n').filter((line) => line.includes(auditID));
    const last = JSON.parse(events.at(-1) as string);
    expect(last).toMatchObject({
      stage: 'ResponseComplete',
      verb: 'create',
      responseStatus: { code: 418 },
      user: { username: 'kubernetes-admin' },
      objectRef: { apiGroup: group, resource: 'flunders' },
    });
    expect(last).not.toHaveProperty('requestObject');
    expect(last).not.toHaveProperty('responseObject');
    await rm(folder, { recursive: true });
  });

  describe('that go on with another protocol', () => {
    test('WebSocket messages pass both ways', async () => {
      const echo = new WebSocketServer({ noServer: true });
      remote.upgrade = (request, socket, head) =>
        echo.handleUpgrade(request, socket, head, (opened) => {
          opened.on('message', (data, isBinary) =>
            opened.send(Buffer.concat([Buffer.from('echo '), data as Buffer]), { binary: isBinary }),
          );
          opened.on('close', (code) => opened.close(code));
        });
      const { url, caCertificate: ca, clientCertificate: cert, clientKey: key } = suite.server;
      const client = new WebSocket(`${url.replace('https', 'wss')}${flunders}/a/stream`, ['v5.channel.k8s.io'], {
        ca,
        cert,
        key,
      });
      await once(client, 'open');
      client.send('hello');
      const [message] = await once(client, 'message');
      expect(message.toString()).toBe('echo hello');
      client.close(1000);
      await once(client, 'close');
      echo.close();
    });

    test('bytes of any protocol pass, those sent at once too, and closing one side closes the other', async () => {
      const received: string[] = [];
      const closed = new Promise<void>((resolve) => {
        remote.upgrade = (request, socket, head) => {
          received.push(request.method ?? '', String(request.headers['x-remote-user']), head.toString());
          socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream: 1\r\n\r\nearly');
          socket.on('data', (data) => received.push(data.toString()));
          socket.on('close', () => resolve());
        };
      });
      const raw = await RawTls.open({
        ...suite.server,
        admin: { certificate: suite.server.clientCertificate, key: suite.server.clientKey },
      });
      raw.send(`POST ${flunders}/a/exec HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nContent-Length: 0\r\n\r\n`);
      expect(await raw.until(/early$/)).toMatch(/^HTTP\/1\.1 101 Switching Protocols\r\n[\s\S]*X-Stream: 1\r\n/);
      raw.send('later');
      raw.destroy();
      await closed;
      expect(received.slice(0, 2)).toEqual(['POST', 'kubernetes-admin']);
      expect(received.slice(2).join('')).toBe('later');
    });

    test.each([
      ['a refusal is passed on', 'HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno', 403, 'no'],
      ['another success is an error', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', 503, 'invalid upgrade response: status code 200\n'],
    ])('%s', async (_title, answer, code, text) => {
      remote.upgrade = (_request, socket) => socket.end(answer);
      const { status, body } = await suite.http.get(flunders, {
        headers: { connection: 'Upgrade', upgrade: 'websocket' },
      });
      expect([status, body.toString()]).toEqual([code, text]);
    });
  });
});

describe('a server that cannot be reached', () => {
  const suite = TestServer.forSuite();
  let remote: AggregatedServer;

  beforeAll(async () => {
    remote = await AggregatedServer.open(['other.default.svc', '127.0.0.1']);
    remote.answer = (_request, response) => response.writeHead(200).end('{}');
    for (const name of ['untrusted', 'misnamed', 'trusting', 'garbage']) remote.serveDiscovery(`${name}.example`);
  });
  afterAll(() => remote.close());

  const untrusted = Buffer.from('-----BEGIN CERTIFICATE-----\nnothing\n-----END CERTIFICATE-----\n').toString('base64');

  test.each([
    [
      'untrusted',
      { caBundle: undefined },
      503,
      'error trying to reach service: tls: failed to verify certificate: x509: certificate is valid for other.default.svc, not api.default.svc\n',
    ],
    [
      'misnamed',
      {},
      503,
      'error trying to reach service: tls: failed to verify certificate: x509: certificate is valid for other.default.svc, not api.default.svc\n',
    ],
    ['trusting', { caBundle: undefined, insecureSkipTLSVerify: true }, 200, '{}'],
    ['garbage', { caBundle: untrusted }, 500, 'unable to load root certificates: unable to parse bytes as PEM block\n'],
  ])('%s', async (name, spec, code, text) => {
    await remote.register(suite, `${name}.example`, spec);
    const { status, body, headers } = await suite.http.get(`/apis/${name}.example/v1/flunders`);
    expect([status, body.toString()]).toEqual([code, text]);
    if (code !== 200) expect(headers['x-content-type-options']).toBe('nosniff');
  });

  test('one whose service is gone', async () => {
    await suite.http.send('DELETE', '/api/v1/namespaces/default/services/api');
    await awaitCondition(suite.server, 'v1.trusting.example', 'False', 'ServiceNotFound');
    const { status, body } = await suite.http.get('/apis/trusting.example/v1/flunders');
    expect([status, body.toString()]).toEqual([503, 'service unavailable\n']);
  });
});

describe('with redirects allowed and a client certificate', () => {
  let remote: AggregatedServer;
  let folder: string;
  let server: RunningServer;
  let http: HttpClient;
  let clock: ManualClock;

  beforeAll(async () => {
    remote = await AggregatedServer.open();
    remote.serveDiscovery(group);
    folder = await mkdtemp(join(tmpdir(), 'kubeloom-aggregation-'));
    await writePair('front-proxy');
    clock = new ManualClock();
    server = await startServer({
      clock,
      aggregatorRejectForwardingRedirect: false,
      proxyClientCertFile: join(folder, 'proxy.crt'),
      proxyClientKeyFile: join(folder, 'proxy.key'),
    });
    http = HttpClient.for(server);
    await remote.register({ http, server }, group);
  });
  afterAll(async () => {
    http.close();
    await server.close();
    await remote.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function writePair(name: string): Promise<void> {
    const pair = remote.clientPair(name);
    await writeFile(join(folder, 'proxy.crt'), pair.certificate);
    await writeFile(join(folder, 'proxy.key'), pair.key);
  }

  test('a redirect is passed on, not followed', async () => {
    remote.answer = (_request, response) => response.writeHead(307, { location: '/elsewhere' }).end();
    const { status, headers } = await http.get(flunders);
    expect([status, headers.location, remote.requests.length]).toEqual([307, '/elsewhere', 1]);
    expect(remote.requests[0].proxy).toBe('front-proxy');
  });

  test('a new certificate is used for the next request', async () => {
    await writePair('other-proxy');
    clock.advance(10_000);
    // a check that takes longer than the clock allows is repeated later
    for (; remote.requests.at(-1)?.proxy !== 'other-proxy'; clock.advance(100)) await http.get(flunders);
  });

  test('the resources of a version must be there in five seconds', async () => {
    for (; (await http.get(flunders)).status === 503; clock.advance(100));
    const asked = new Promise<void>((resolve) => {
      remote.onUser = resolve;
    });
    const waiting = http.get(`/apis/${group}/v1`);
    await asked;
    clock.advance(5000);
    const { status, body } = await waiting;
    expect([status, body.toString()]).toEqual([503, 'error trying to reach service: context deadline exceeded\n']);
  });

  test.each([
    [{ proxyClientCertFile: 'a' }, '--proxy-client-cert-file and --proxy-client-key-file must be given together'],
    [{ proxyClientCertFile: 'a', proxyClientKeyFile: 'b' }, /--proxy-client-key-file: ENOENT/],
  ])('a server with %o does not start', async (options, message) => {
    await expect(startServer(options)).rejects.toThrow(message);
  });
});

describe('an APIService of a group that this server has, too', () => {
  const suite = TestServer.forSuite();

  test('takes it over as long as it has a service', async () => {
    const remote = await AggregatedServer.open();
    remote.serveDiscovery('policy');
    remote.answer = (_request, response) => response.writeHead(200).end('{"kind":"Other"}');
    const apiService = '/apis/apiregistration.k8s.io/v1/apiservices/v1.policy';
    const { service, caBundle } = (remote.apiService('policy') as TestObject).spec;
    await remote.createService(suite.http);
    const patch = async (body: object): Promise<void> => {
      await suite.http.send('PATCH', apiService, JSON.stringify(body), 'application/merge-patch+json');
    };
    await patch({ spec: { service, caBundle } });
    await awaitCondition(suite.server, 'v1.policy', 'True', 'Passed');
    expect((await suite.http.get('/apis/policy/v1/poddisruptionbudgets')).json.kind).toBe('Other');
    expect((await suite.http.get('/apis/apps/v1/deployments')).json.kind).toBe('DeploymentList');
    await patch({ spec: { service: null, caBundle: null } });
    await awaitCondition(suite.server, 'v1.policy', 'True', 'Local');
    expect((await suite.http.get('/apis/policy/v1/poddisruptionbudgets')).json.kind).toBe('PodDisruptionBudgetList');
    await remote.close();
  });
});
