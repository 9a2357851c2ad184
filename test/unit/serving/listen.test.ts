import { connect } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { readBody } from '../../../runtime/http/body.ts';
import type { ApiMiddleware } from '../../../runtime/http/context.ts';
import { openWatchStream } from '../../../runtime/http/message-stream.ts';
import { respondText } from '../../../runtime/http/respond.ts';
import type { ServerOptions } from '../../../runtime/options/server-options.ts';
import type { ListenLimits } from '../../../runtime/serving/listen.ts';
import { HttpClient } from '../../support/http-client.ts';
import { frame, frames, getFrame, preface, RawTls } from '../../support/raw-tls.ts';
import { openSession, startTestServing, type TestServing } from '../../support/test-serving.ts';

const get = (path: string, headers = 'Host: x\r\n'): string => `GET ${path} HTTP/1.1\r\n${headers}\r\n`;
const at = (name: string): string => `/api/v1/namespaces/x/pods/${name}`;
const soon = { checkInterval: 20, idle: 200, headers: 200 };

/** The current and the maximum number of requests in process. */
const running = { now: 0, most: 0 };

const endpoints: ApiMiddleware = async (ctx) => {
  const { name, verb } = ctx.state.requestInfo;
  if (verb === 'watch') return void (await openWatchStream(ctx, 'application/json', true))?.write('{}\n');
  if (name === 'body') return respondText(ctx, 200, String((await readBody(ctx)).length));
  if (name === 'large') return respondText(ctx, 200, 'x'.repeat(16 * 1024 * 1024));
  running.most = Math.max(running.most, ++running.now);
  await new Promise((resolve) => setImmediate(resolve));
  running.now--;
  respondText(ctx, 200, `<${name}>`);
};

let serving: TestServing;
const open: { destroy(): void }[] = [];

async function start(limits: Partial<ListenLimits> = {}, options: ServerOptions = {}): Promise<void> {
  serving = await startTestServing(endpoints, options, undefined, limits);
}

async function raw(...rest: Parameters<typeof RawTls.open> extends [unknown, ...infer R] ? R : never): Promise<RawTls> {
  const connection = await RawTls.open(serving, ...rest);
  open.push(connection);
  return connection;
}

const tcp = (): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect(serving.listener.port, '127.0.0.1');
    open.push(socket);
    socket.on('error', () => undefined).on('close', () => resolve());
  });

/** Checks that the server still serves other clients. */
async function isWell(): Promise<void> {
  const client = HttpClient.for(serving);
  expect((await client.get(at('p'))).body.toString()).toBe('<p>');
  client.close();
}

afterEach(async () => {
  for (const one of open.splice(0)) one.destroy();
  await serving?.gracefulShutdown.close();
});

describe('Host', () => {
  const bad = (why = ''): string =>
    `HTTP/1.1 400 Bad Request${why}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n400 Bad Request${why}`;

  test.each([
    ['', bad(': missing required Host header')],
    ['Host: a\r\nhost: a\r\n', bad()],
    ['Host: a b\r\n', bad(': malformed Host header')],
    ['Host: a/b\r\n', bad(': malformed Host header')],
    ['Host: a@b\r\n', bad(': malformed Host header')],
  ])('%j is rejected', async (headers, want) => {
    await start();
    const connection = await raw();
    connection.send(get(at('p'), headers));
    await connection.closed;
    expect(connection.text).toBe(want);
  });

  test.each(['Host: a\r\n', 'Host: \r\n', 'Host: [::1]:6443\r\n', "Host: a-b.c_d~e!$&'()*+,;=%41\r\n"])(
    '%j is accepted',
    async (headers) => {
      await start();
      expect(await (await raw()).send(get(at('p'), headers)).until(/<p>/)).toMatch(/^HTTP\/1.1 200 OK/);
    },
  );

  test('HTTP/1.0 does not need one', async () => {
    await start();
    const connection = await raw();
    connection.send(`GET ${at('p')} HTTP/1.0\r\n\r\n`);
    await connection.closed;
    expect(connection.text).toMatch(/^HTTP\/1.1 200 OK.*<p>$/s);
  });

  test.each<[string, readonly (readonly [string, string])[]]>([
    ['no authority', []],
    [
      'two',
      [
        [':authority', 'a'],
        [':authority', 'b'],
      ],
    ],
    ['a malformed authority', [[':authority', 'a b']]],
  ])('HTTP/2: %s resets the stream', async (_what, pairs) => {
    await start();
    const connection = await raw('h2');
    connection.send(preface).send(getFrame(1, at('p'), pairs));
    // RST_STREAM of stream 1, PROTOCOL_ERROR
    const reset = frame(frames.reset, 0, 1, Buffer.from([0, 0, 0, 1])).toString('latin1');
    while (!connection.text.includes(reset)) await connection.until(/./s).then(() => new Promise((r) => setImmediate(r)));
    await isWell();
  });
});

describe('headers', () => {
  test('beyond 20,000 are rejected, and none is dropped', async () => {
    await start();
    const many = (count: number): string => `Host: x\r\n${'a: b\r\n'.repeat(count - 1)}`;
    expect(await (await raw()).send(get(at('p'), many(20_000))).until(/<p>/)).toMatch(/ 200 OK/);
    const connection = await raw();
    connection.send(get(at('p'), many(20_001)));
    await connection.closed;
    expect(connection.text).toMatch(/^HTTP\/1.1 431 Request Header Fields Too Large\r\n/);
  });

  test('beyond 1 MiB are rejected', async () => {
    await start();
    const connection = await raw();
    connection.send(get(at('p'), `Host: x\r\na: ${'b'.repeat(1024 * 1024)}\r\n`));
    await connection.closed;
    expect(connection.text).toMatch(/^HTTP\/1.1 431 /);
  });
});

describe('connections that are closed without waiting for the client', () => {
  test('a connection beyond the limit, before TLS', async () => {
    await start({ connections: 1 });
    await raw();
    await tcp();
  });

  test('one without a handshake', async () => {
    await start(soon);
    await tcp();
    await isWell();
  });

  test('one without a request, and one that never ends its headers', async () => {
    await start(soon);
    const [silent, slow] = [await raw(), await raw()];
    slow.send('GET / HTTP/1.1\r\nHost: x\r\n');
    await Promise.all([silent.closed, slow.closed]);
    expect(silent.text + slow.text).toBe('');
  });

  test('one that was rejected and stays open', async () => {
    await start(soon);
    const connection = await raw('http/1.1', { allowHalfOpen: true } as object);
    connection.send('nonsense\r\n\r\n');
    await connection.until(/400 Bad Request$/);
    await new Promise<void>((resolve) => connection.socket.once('end', resolve));
    await drained();
  });

  test('HTTP/2 that breaks the protocol', async () => {
    await start(soon);
    const connection = await raw('h2');
    // a PING of three bytes
    connection.send(preface).send(frame(frames.ping, 0, 0, Buffer.alloc(3)));
    await connection.closed;
    await drained();
  });

  test('HTTP/2 that breaks the protocol beside a watch, but not a client that acknowledges pings', async () => {
    await start({ checkInterval: 20, pingInterval: 100 });
    const session = openSession(serving);
    open.push(session);
    session.request({ ':path': '/api/v1/pods?watch=1' }).on('error', () => undefined);
    const connection = await raw('h2');
    connection.send(preface).send(getFrame(1, '/api/v1/pods?watch=1'));
    connection.send(frame(frames.ping, 0, 0, Buffer.alloc(3)));
    await connection.closed;
    for (let pings = 0; pings < 3; pings++) await new Promise((resolve) => session.once('ping', resolve));
    expect(session.destroyed).toBe(false);
  });

  test('HTTP/2 that sends a GOAWAY and leaves its watch open', async () => {
    await start({ checkInterval: 20, pingInterval: 100 });
    const connection = await raw('h2');
    connection.send(preface).send(getFrame(1, '/api/v1/pods?watch=1'));
    connection.send(frame(frames.goAway, 0, 0, Buffer.alloc(8)));
    await connection.closed;
  });

  test('HTTP/2 without requests, but not while it has one', async () => {
    await start({ checkInterval: 20, idle: 500 });
    const [idle, busy] = [await raw('h2'), await raw('h2')];
    idle.send(preface);
    busy.send(preface).send(getFrame(1, '/api/v1/pods?watch=1'));
    await idle.closed;
    expect(busy.socket.destroyed).toBe(false);
    busy.destroy();
  });

  test('one whose body trickles', async () => {
    await start({ unreadTime: 50 }, { requestTimeout: 100 });
    const connection = await raw();
    connection.send(`POST ${at('body')} HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nx`);
    await connection.closed;
    expect(connection.text).toMatch(/^HTTP\/1.1 504 /);
  });

  test('a stream whose body trickles', async () => {
    await start({}, { requestTimeout: 100 });
    const session = openSession(serving);
    open.push(session);
    const stream = session.request({ ':path': at('body'), ':method': 'POST' });
    stream.on('error', () => undefined).write('x');
    const status = await new Promise((resolve) => stream.on('response', (headers) => resolve(headers[':status'])));
    stream.resume();
    await new Promise<void>((resolve) => stream.once('close', resolve));
    expect(status).toBe(504);
  });

  test('a response that is not read', async () => {
    await start({}, { requestTimeout: 100 });
    const connection = await raw();
    connection.socket.pause();
    connection.send(get(at('large')));
    await drained();
  });

  /** Resolves when the server has no connections. */
  const drained = async (): Promise<void> => {
    while ((await serving.listener.connections()) > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  };
});

describe('TLS renegotiation', () => {
  test('is rejected', async () => {
    await start();
    const connection = await raw('http/1.1', { maxVersion: 'TLSv1.2' });
    connection.socket.renegotiate({ rejectUnauthorized: false }, () => undefined);
    await connection.closed;
    await isWell();
  });
});

describe('requests that are sent before the last response', () => {
  test('get responses one at a time, in order', async () => {
    await start();
    running.most = 0;
    const count = 500;
    const connection = await raw();
    connection.send(Array.from({ length: count }, (_, n) => get(at(String(n)))).join(''));
    await connection.until(new RegExp(`<${count - 1}>`));
    const responses = [...connection.text.matchAll(/<(\d+)>/g)].map(([, n]) => Number(n));
    expect(responses).toEqual(Array.from({ length: count }, (_, n) => n));
    expect(running.most).toBe(1);
  });

  test.each([
    ['wait behind a watch', 1000, false],
    ['are too many behind a watch, so the connection is closed', 1100, true],
  ])('%s', async (_what, count, isCut) => {
    await start();
    running.most = 0;
    const connection = await raw();
    connection.send(get('/api/v1/pods?watch=1') + get(at('p')).repeat(count));
    if (isCut) await connection.closed;
    else await connection.until(/\{\}/);
    await isWell();
    expect(running.most).toBe(1);
    connection.destroy();
    await serving.waitGroup.wait();
  });
});

describe('bodies', () => {
  test('may arrive in pieces of any size', async () => {
    await start();
    const connection = await raw();
    const sizes = [1, 1, 4095, 4096, 1, 16384, 5, 20000, 3, 4000, 4000, 4000, 4000, 4000, 1];
    const chunks = sizes.map((size) => `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`).join('');
    connection.send(`POST ${at('body')} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    await connection.until(new RegExp(`\r\n\r\n${total}$`));
  });
});

describe('watches', () => {
  test('beyond the limit of their user are 429, until one ends', async () => {
    await start({}, { maxWatchesPerUser: 2 });
    const client = HttpClient.for(serving);
    open.push({ destroy: () => client.close() });
    const watch = async (): Promise<RawTls> => {
      const connection = await raw();
      connection.send(get('/api/v1/pods?watch=1'));
      await connection.until(/\{\}|Too many/);
      return connection;
    };
    const first = await watch();
    await watch();
    const rejected = await watch();
    expect(rejected.text).toMatch(/^HTTP\/1.1 429 Too Many Requests\r\n.*Retry-After: 5\r\n/s);
    expect((await client.get(at('p'))).status).toBe(200);
    const jane = { headers: { 'impersonate-user': 'jane' }, headOnly: true };
    expect((await client.get('/api/v1/pods?watch=1', jane)).status).toBe(200);
    first.destroy();
    while (!(await watch()).text.includes('{}')) await new Promise((resolve) => setImmediate(resolve));
  });

  test('over WebSocket ignore small messages; a large one ends them with 1009', async () => {
    await start();
    const { certificate: cert, key } = serving.admin;
    const url = `${serving.url.replace('https', 'wss')}/api/v1/pods?watch=1`;
    const socket = new WebSocket(url, { origin: serving.url, ca: serving.caCertificate, cert, key });
    open.push({ destroy: () => socket.terminate() });
    const code = new Promise((resolve) => socket.once('close', resolve));
    await new Promise((resolve) => socket.once('message', resolve));
    const pong = new Promise((resolve) => socket.once('pong', resolve));
    socket.send('x'.repeat(60_000));
    socket.ping('here');
    expect(String(await pong)).toBe('here');
    socket.send('x'.repeat(65 * 1024));
    expect(await code).toBe(1009);
  });
});

describe('floods of HTTP/2', () => {
  const ping = frame(frames.ping, 0, 0, Buffer.alloc(8));
  const reset = (stream: number): Buffer => frame(frames.reset, 0, stream, Buffer.from([0, 0, 0, 8]));

  test.each<[string, (round: number) => Buffer]>([
    ['PING', () => Buffer.concat(Array(2000).fill(ping))],
    ['SETTINGS', () => Buffer.concat(Array(2000).fill(frame(frames.settings, 0, 0)))],
    ['empty DATA', () => Buffer.concat(Array(2000).fill(frame(frames.data, 0, 1)))],
    ['WINDOW_UPDATE by zero', () => Buffer.concat(Array(10).fill(frame(frames.windowUpdate, 0, 0, Buffer.alloc(4))))],
    ['CONTINUATION', () => Buffer.concat(Array(100).fill(frame(frames.continuation, 0, 1, Buffer.from([0, 1, 97, 1, 98]))))],
    [
      'streams that are reset',
      (round) =>
        Buffer.concat(
          Array.from({ length: 500 }, (_, n) => {
            const stream = 1 + 2 * (n + 500 * round);
            return Buffer.concat([getFrame(stream, at('p')), reset(stream)]);
          }),
        ),
    ],
  ])('%s ends the connection', async (what, block) => {
    await start({ checkInterval: 20, idle: 200 });
    const connection = await raw('h2');
    connection.send(preface);
    if (what === 'CONTINUATION') connection.send(frame(frames.headers, 1, 1, Buffer.from([0x82])));
    if (what === 'empty DATA') connection.send(frame(frames.headers, 4, 1, getFrame(1, at('body')).subarray(9)));
    for (let round = 0; round < 10 && !connection.socket.destroyed; round++) {
      connection.send(block(round));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await connection.closed;
    await isWell();
  });
});
