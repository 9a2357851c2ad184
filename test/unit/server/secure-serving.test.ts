import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { readBody } from '../../../runtime/http/body.ts';
import type { ApiMiddleware } from '../../../runtime/http/context.ts';
import { openWatchStream } from '../../../runtime/http/message-stream.ts';
import { negotiateInput, negotiateOutput, supportedMediaTypes } from '../../../runtime/http/negotiation.ts';
import { respondBytes, respondObject } from '../../../runtime/http/respond.ts';
import { openStream } from '../../../runtime/http/stream.ts';
import { issueCertificate, type KeyPair } from '../../../runtime/serving/x509-certificate.ts';
import { HttpClient } from '../../support/http-client.ts';
import { http2Get, openSession, startTestServing, type TestServing } from '../../support/test-serving.ts';

const big = Buffer.from(JSON.stringify({ items: 'x'.repeat(200 * 1024) }));
let aborted = '';

/** Responds by the last segment of the path. */
const endpoints: ApiMiddleware = async (ctx) => {
  const { state } = ctx;
  const { parts, verb } = state.requestInfo;
  switch (verb === 'watch' ? 'watch' : parts[0]) {
    case 'whoami':
      return respondObject(ctx, 200, state.user);
    case 'echo': {
      const body = await readBody(ctx);
      return respondObject(ctx, 200, { bytes: body.length, type: negotiateInput(ctx, supportedMediaTypes(ctx)) });
    }
    case 'form':
      return respondObject(ctx, 200, { a: [1] }, negotiateOutput(ctx, supportedMediaTypes(ctx)));
    case 'big':
      return respondBytes(ctx, 200, 'application/json', big);
    case 'biglist': {
      const stream = openStream(ctx, 'application/json', { compress: true });
      for (let at = 0; at < big.length; at += 10_000) {
        if (!stream.write(big.subarray(at, at + 10_000))) await stream.drained();
      }
      return stream.end();
    }
    case 'warn':
      state.addWarnings('old API', 'old API');
      return respondObject(ctx, 200, {});
    case 'crash':
      throw new TypeError('secret detail');
    case 'slow':
      return new Promise((resolve) => {
        state.signal.addEventListener('abort', () => {
          aborted = String(state.signal.reason.message);
          resolve(undefined);
        });
      });
    case 'watch': {
      const stream = await openWatchStream(ctx, 'application/json', true);
      if (stream === undefined) return undefined;
      stream.write('{"type":"ADDED"}\n');
      const end = (): void => stream.end();
      if (state.signal.aborted) return end();
      state.signal.addEventListener('abort', end);
      return undefined;
    }
    default:
      return respondObject(ctx, 404, {});
  }
};

const at = (name: string): string => `/api/v1/${name}`;

describe('secure serving', () => {
  let folder: string;
  let serving: TestServing;
  let admin: HttpClient;
  let anonymous: HttpClient;
  const clients: HttpClient[] = [];

  const clientOf = (pair?: KeyPair): HttpClient => {
    const client = HttpClient.for({ url: serving.url, caCertificate: serving.caCertificate, admin: pair });
    clients.push(client);
    return client;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubeloom-serving-'));
    const tokenAuthFile = join(folder, 'tokens.csv');
    await writeFile(tokenAuthFile, 'sesame,jane,u1,"devs,ops"\n');
    serving = await startTestServing(endpoints, {
      certDir: join(folder, 'certs'),
      tokenAuthFile,
      requestTimeout: 60_000,
    });
    admin = clientOf(serving.admin);
    anonymous = clientOf();
  });

  afterAll(async () => {
    for (const client of clients) client.close();
    await serving?.gracefulShutdown.close();
    await rm(folder, { recursive: true, force: true });
  });

  describe('authentication', () => {
    test('by certificate, over HTTP/1.1 and HTTP/2', async () => {
      const want = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };
      expect((await admin.get(at('whoami'))).json).toMatchObject(want);
      expect(JSON.parse((await http2Get(serving, at('whoami'))).body)).toMatchObject(want);
    });

    test('anonymous without credentials: health and version only', async () => {
      expect((await anonymous.get('/livez/ping')).status).toBe(404);
      const response = await anonymous.get(at('whoami'));
      expect([response.status, response.json.message]).toEqual([401, 'Unauthorized']);
    });

    test('by a static token', async () => {
      const response = await anonymous.get(at('whoami'), { headers: { authorization: 'Bearer sesame' } });
      expect(response.json).toEqual({
        name: 'jane',
        uid: 'u1',
        groups: ['devs', 'ops', 'system:authenticated'],
        extra: {},
      });
    });

    test('fails with an unknown token', async () => {
      const response = await anonymous.get(at('whoami'), { headers: { authorization: 'Bearer nope' } });
      expect(response.status).toBe(401);
      expect(response.json).toEqual({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'Unauthorized',
        reason: 'Unauthorized',
        code: 401,
      });
    });

    test('fails with a certificate of another authority', async () => {
      const stranger = issueCertificate({
        commonName: 'eve',
        use: 'client',
        from: Date.now(),
        until: Date.now() + 1e7,
      });
      expect((await clientOf(stranger).get(at('whoami'))).status).toBe(401);
    });

    test('of another user by impersonation', async () => {
      const headers = {
        'impersonate-user': 'bob',
        'impersonate-group': 'a, b',
        'impersonate-extra-acme.com%2fTeam': 'x',
      };
      expect((await admin.get(at('whoami'), { headers })).json).toEqual({
        name: 'bob',
        uid: '',
        groups: ['a, b', 'system:authenticated'],
        extra: { 'acme.com/team': ['x'] },
      });
      const alone = await admin.get(at('whoami'), { headers: { 'impersonate-group': 'a' } });
      expect(alone.status).toBe(400);
    });
  });

  describe('bodies', () => {
    test('up to 3 MiB are read, and larger ones are rejected, declared or not', async () => {
      const limit = 3 * 1024 * 1024;
      expect((await admin.send('POST', at('echo'), Buffer.alloc(limit))).json.bytes).toBe(limit);
      const framings: Record<string, string>[] = [{ 'content-length': String(limit + 1) }, { 'transfer-encoding': 'chunked' }];
      for (const headers of framings) {
        const response = await clientOf(serving.admin).send('POST', at('echo'), Buffer.alloc(limit + 1), undefined, {
          headers,
        });
        expect([response.status, response.json.reason, response.json.message]).toEqual([
          413,
          'RequestEntityTooLarge',
          'Request entity too large: limit is 3145728',
        ]);
      }
    });

    test('are read as they are, whatever their Content-Encoding', async () => {
      const headers = { 'content-encoding': 'gzip' };
      expect((await admin.send('POST', at('echo'), '{"a":1}', 'application/json', { headers })).json.bytes).toBe(7);
    });

    test('of an unknown media type are 415', async () => {
      const response = await admin.send('POST', at('echo'), '<a/>', 'application/xml');
      expect([response.status, response.json.reason]).toEqual([415, 'UnsupportedMediaType']);
    });
  });

  describe('responses', () => {
    test.each([
      ['application/json', 200, 'application/json', '{"a":[1]}\n'],
      ['application/yaml', 200, 'application/yaml', expect.stringMatching(/^a:\n *- 1\n$/)],
      ['text/html;q=0.9, */*;q=0.1', 200, 'application/json', '{"a":[1]}\n'],
    ])('to Accept: %s', async (accept, status, type, body) => {
      const response = await admin.get(at('form'), { headers: { accept } });
      expect([response.status, response.headers['content-type'], response.body.toString()]).toEqual([status, type, body]);
    });

    test('to an unknown media type are 406 and JSON', async () => {
      const response = await admin.get(at('form'), { headers: { accept: 'text/html' } });
      expect([response.status, response.json.reason]).toEqual([406, 'NotAcceptable']);
    });

    test('are indented if asked for', async () => {
      const indented = '{\n  "a": [\n    1\n  ]\n}';
      expect((await admin.get(`${at('form')}?pretty=true`)).body.toString()).toBe(indented);
      const headers = { 'user-agent': 'curl/8', accept: '*/*' };
      expect((await admin.get(at('form'), { headers })).body.toString()).toBe(indented);
      expect((await admin.get(`${at('form')}?pretty=0`, { headers })).body.toString()).toBe('{"a":[1]}\n');
    });

    test.each(['big', 'biglist'])('that are large are compressed for clients that accept it: %s', async (name) => {
      const packed = await admin.get(at(name), { headers: { 'accept-encoding': 'deflate, gzip' } });
      expect(packed.headers['content-encoding']).toBe('gzip');
      expect(packed.headers.vary).toBe('Accept-Encoding');
      expect(gunzipSync(packed.body).equals(big)).toBe(true);
      const plain = await admin.get(at(name));
      expect(plain.headers['content-encoding']).toBeUndefined();
      expect(plain.body.equals(big)).toBe(true);
    });

    test('have warnings and an audit id, and may not be cached', async () => {
      const response = await admin.get(at('warn'), { headers: { 'audit-id': 'mine' } });
      expect(response.headers).toMatchObject({
        warning: '299 - "old API"',
        'audit-id': 'mine',
        'cache-control': 'no-cache, private',
      });
    });

    test('to a crash contain no details', async () => {
      const response = await admin.get(at('crash'));
      expect([response.status, response.json.reason]).toEqual([500, 'InternalError']);
      expect(response.body.toString()).not.toMatch(/secret|TypeError|\.ts/);
    });

    test('to a URL that cannot be parsed are 400', async () => {
      expect((await admin.get('/api/v1/%zz')).status).toBe(400);
    });
  });

  describe('a timeout', () => {
    test('is a 504, and aborts the work', async () => {
      const response = await admin.get(`${at('slow')}?timeout=30ms`);
      expect([response.status, response.json.reason, response.json.message]).toEqual([
        504,
        'Timeout',
        'Timeout: request did not complete within the allotted timeout',
      ]);
      expect(aborted).toMatch(/allotted timeout/);
    });

    test('that cannot be parsed is rejected', async () => {
      const response = await admin.get(`${at('slow')}?timeout=soon`);
      expect([response.status, response.json.message]).toEqual([
        400,
        'invalid timeout specified in the request URL - time: invalid duration "soon"',
      ]);
    });
  });

  test('a watch may use WebSocket, with the token as a subprotocol', async () => {
    const token = Buffer.from('sesame').toString('base64url');
    const socket = new WebSocket(
      `${serving.url.replace('https', 'wss')}${at('pods')}?watch=1`,
      [`base64url.bearer.authorization.k8s.io.${token}`, 'k8s'],
      { origin: serving.url, ca: serving.caCertificate },
    );
    const [message, binary] = await new Promise<[string, boolean]>((resolve, reject) => {
      socket.on('message', (data, isBinary) => resolve([data.toString(), isBinary]));
      socket.on('error', reject);
    });
    expect([message, binary]).toEqual(['{"type":"ADDED"}\n', false]);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    expect(serving.waitGroup.size).toBe(1);
    socket.close();
    await closed;
    await serving.waitGroup.wait();
  });

  test('an invalid WebSocket handshake is rejected', async () => {
    const headers = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
    expect((await admin.send('GET', `${at('pods')}?watch=1`, undefined, undefined, { headers })).status).toBe(400);
    await serving.waitGroup.wait();
  });

  test('an upgrade to another protocol gets a plain HTTP response', async () => {
    const headers = { connection: 'Upgrade', upgrade: 'SPDY/3.1' };
    expect((await admin.send('POST', at('nothing'), undefined, undefined, { headers })).status).toBe(404);
  });

  test('requests are counted', async () => {
    await admin.get(at('whoami'));
    expect(serving.metrics.render(true)).toMatch(
      /apiserver_request_total\{code="200",component="apiserver",dry_run="",group="",resource="whoami",scope="cluster",subresource="",verb="LIST",version="v1"\} \d+/,
    );
  });
});

describe('shutdown', () => {
  test('ends watches normally, lets other requests finish, and accepts no new ones', async () => {
    let finish = (): void => {};
    const entered = new Promise<void>((isEntered) => {
      finish = isEntered;
    });
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const serving = await startTestServing(async (ctx, next) => {
      if (ctx.state.requestInfo.resource !== 'held') return endpoints(ctx, next);
      finish();
      await held;
      return respondObject(ctx, 200, { done: true });
    });
    const session = openSession(serving);
    const watch = session.request({ ':path': `${at('pods')}?watch=1` });
    const seen: string[] = [];
    watch.setEncoding('utf8').on('data', (text) => seen.push(text));
    const ended = new Promise<void>((resolve, reject) => {
      watch.on('end', resolve);
      watch.on('error', reject);
    });
    await new Promise((resolve) => watch.once('data', resolve));
    const client = HttpClient.for(serving);
    const response = client.get(at('held'));
    await entered;
    const closed = serving.gracefulShutdown.close();
    await ended;
    expect(serving.gracefulShutdown.isShuttingDown).toBe(true);
    release();
    expect((await response).json).toEqual({ done: true });
    await closed;
    expect(seen.join('')).toBe('{"type":"ADDED"}\n');
    await expect(client.get(at('whoami'))).rejects.toThrow();
    client.close();
    session.destroy();
  });

  test('ends watches over WebSocket normally, too', async () => {
    const serving = await startTestServing(endpoints);
    const socket = new WebSocket(`${serving.url.replace('https', 'wss')}${at('pods')}?watch=1`, {
      origin: serving.url,
      ca: serving.caCertificate,
      cert: serving.admin.certificate,
      key: serving.admin.key,
    });
    const code = new Promise((resolve) => socket.once('close', resolve));
    await new Promise((resolve) => socket.once('message', resolve));
    await serving.gracefulShutdown.close();
    expect(await code).toBe(1000);
  });

  test('aborts what does not finish in time', async () => {
    const serving = await startTestServing(endpoints, { drainTimeout: 50 });
    const client = HttpClient.for({
      ...serving,
      clientCertificate: serving.admin.certificate,
      clientKey: serving.admin.key,
    });
    const response = client.get(at('slow')).then(
      () => 'response',
      () => 'cut',
    );
    while (serving.waitGroup.size === 0) await new Promise((resolve) => setImmediate(resolve));
    await serving.gracefulShutdown.close();
    expect(await response).toBe('cut');
    client.close();
  });
});
