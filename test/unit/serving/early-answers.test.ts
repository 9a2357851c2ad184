import { once } from 'node:events';
import { constants } from 'node:http2';
import { connect, type TLSSocket } from 'node:tls';
import { afterEach, describe, expect, test } from '@jest/globals';
import { readBody } from '../../../runtime/http/body.ts';
import type { ApiMiddleware } from '../../../runtime/http/context.ts';
import { respondText } from '../../../runtime/http/respond.ts';
import type { ListenLimits } from '../../../runtime/serving/listen.ts';
import { openSession, startTestServing, type TestServing } from '../../support/test-serving.ts';

const mebibyte = 2 ** 20;
const at = (name: string): string => `/api/v1/namespaces/x/pods/${name}`;

/** Responds by path, without the body or after reading it. */
const endpoints: ApiMiddleware = async (ctx) => {
  const { name } = ctx.state.requestInfo;
  if (name === 'read') return respondText(ctx, 200, `${(await readBody(ctx)).length} bytes`);
  respondText(ctx, Number(name), 'early');
};

let serving: TestServing;
const open: { destroy(): void }[] = [];
async function start(limits: Partial<ListenLimits> = {}): Promise<void> {
  serving = await startTestServing(endpoints, {}, undefined, limits);
}
afterEach(async () => {
  for (const one of open.splice(0)) one.destroy();
  await serving.listener.close();
});

interface Exchanged {
  readonly text: string;
  /** Errors of reading and writing. */
  readonly errors: readonly string[];
  /** The written bytes of the body. */
  readonly sent: number;
}

async function dial(credentials = true): Promise<TLSSocket> {
  const { caCertificate: ca, admin, listener } = serving;
  const own = credentials ? { cert: admin.certificate, key: admin.key } : {};
  const socket = connect({ port: listener.port, host: '127.0.0.1', ca, ...own, ALPNProtocols: ['http/1.1'] });
  open.push(socket);
  await once(socket, 'secureConnect');
  return socket;
}

/**
 * Sends a request like a client that reads only after writing the whole body, as most single-threaded clients do.
 *
 * @param until the text of the response that ends the exchange. Default: the end of the connection
 */
async function exchange(
  socket: TLSSocket,
  head: string,
  body: number,
  chunked: boolean,
  until?: RegExp,
  filling = 'x',
): Promise<Exchanged> {
  const errors: string[] = [];
  let text = '';
  socket.on('error', ({ message }) => errors.push(message)).pause();
  const closed = once(socket, 'close').catch(() => undefined);
  socket.write(head);
  const piece = Buffer.alloc(65_536, filling);
  let sent = 0;
  while (sent < body && !socket.destroyed) {
    const part = piece.subarray(0, Math.min(piece.length, body - sent));
    const framed = chunked ? Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]) : part;
    await new Promise<void>((resolve) => {
      socket.write(framed, () => resolve());
    });
    if (!socket.destroyed) sent += part.length;
  }
  if (chunked && !socket.destroyed) socket.write('0\r\n\r\n');
  const found = new Promise<void>((resolve) => {
    socket.on('data', (data) => {
      text += data;
      if (until?.test(text)) resolve();
    });
  });
  socket.resume();
  await Promise.race([closed, found]);
  return { text, errors, sent };
}

const head = (name: string, ...headers: string[]): string =>
  [`POST ${at(name)} HTTP/1.1`, 'Host: x', 'Content-Type: application/json', ...headers, '', ''].join('\r\n');
const size = 5 * mebibyte;
const declared = `Content-Length: ${size}`;
const chunked = 'Transfer-Encoding: chunked';

describe('a client that is still sending 5 MiB reads the answer, and is not reset', () => {
  test.each([
    ['too large, as its length says', 'read', declared, '413 Payload Too Large'],
    ['too large, as is found while reading', 'read', chunked, '413 Payload Too Large'],
  ])('that it is %s, after which the connection ends', async (_what, name, framing, want) => {
    await start();
    const { text, errors, sent } = await exchange(await dial(), head(name, framing), size, framing === chunked);
    expect([text.split('\r\n')[0], errors, sent]).toEqual([`HTTP/1.1 ${want}`, [], size]);
    expect(text).toMatch(/\r\nConnection: close\r\n/i);
    expect(text).toContain('Request entity too large: limit is 3145728');
  });

  test.each([401, 403, 404, 415, 429, 500].flatMap((code) => [declared, chunked].map((framing) => [code, framing] as const)))(
    'of %d to a body with %s, after which the connection can be used again',
    async (code, framing) => {
      await start();
      const socket = await dial();
      const { text, errors, sent } = await exchange(socket, head(String(code), framing), size, framing === chunked, /early/);
      expect([Number(text.split(' ')[1]), errors, sent]).toEqual([code, [], size]);
      const again = await exchange(socket, head('read', 'Content-Length: 2'), 2, false, /2 bytes/);
      expect([again.text.split('\r\n')[0], again.errors]).toEqual(['HTTP/1.1 200 OK', []]);
    },
  );

  test('that its headers are too large', async () => {
    await start();
    const { text, errors, sent } = await exchange(await dial(), `${head('read').slice(0, -2)}X: `, size, false);
    expect([text.split('\r\n')[0], errors, sent]).toEqual(['HTTP/1.1 431 Request Header Fields Too Large', [], size]);
  });

  test('that it has no credentials', async () => {
    await start();
    const { text, errors, sent } = await exchange(await dial(false), head('read', declared), size, false, /\r\n\r\n/);
    expect([text.split('\r\n')[0], errors, sent]).toEqual(['HTTP/1.1 401 Unauthorized', [], size]);
  });

  test.each([
    ['its length', { 'content-length': String(size) }],
    ['nothing of its length', {}],
  ])('over HTTP/2, with %s', async (_what, headers) => {
    await start();
    const session = openSession(serving);
    open.push(session);
    const stream = session.request({ ':path': at('read'), ':method': 'POST', ...headers });
    const errors: Error[] = [];
    stream.on('error', (error) => errors.push(error));
    const response = once(stream, 'response');
    for (let sent = 0; sent < size && !stream.destroyed; sent += 65_536) stream.write(Buffer.alloc(65_536));
    stream.end();
    const [{ ':status': status }] = await response;
    stream.resume();
    if (!stream.closed) await once(stream, 'close');
    expect([status, errors, stream.rstCode]).toEqual([413, [], constants.NGHTTP2_NO_ERROR]);
  });
});

describe('a client that goes on after the answer', () => {
  test.each([
    ['more bytes than are dropped', { unreadBytes: mebibyte }],
    ['for a longer time', { unreadTime: 50 }],
  ])('with %s is reset, and the server goes on', async (_what, limits) => {
    await start(limits);
    const { sent } = await exchange(await dial(), head('401', 'Content-Length: 99999999999'), 99_999_999_999, false);
    expect(sent).toBeGreaterThan(0);
    const next = await exchange(await dial(), head('read', 'Content-Length: 2'), 2, false, /2 bytes/);
    expect(next.errors).toEqual([]);
  });

  test('over HTTP/2 has its stream reset without an error', async () => {
    await start({ unreadBytes: mebibyte });
    const session = openSession(serving);
    open.push(session);
    const stream = session.request({ ':path': at('429'), ':method': 'POST' });
    const errors: Error[] = [];
    stream.on('error', (error) => errors.push(error)).resume();
    const closed = once(stream, 'close');
    const write = (): void => {
      if (!stream.destroyed) stream.write(Buffer.alloc(65_536), write);
    };
    write();
    const [{ ':status': status }] = await once(stream, 'response');
    await closed;
    expect([status, errors, stream.rstCode]).toEqual([429, [], constants.NGHTTP2_NO_ERROR]);
  });

  test('with another request, after the last one of the connection, is not heard', async () => {
    await start();
    const next = head('read', 'Content-Length: 0').repeat(100);
    // the next requests contain the end of the body and more
    const { text, errors } = await exchange(await dial(), head('read', declared), size + 65_536, false, undefined, next);
    expect([text.match(/HTTP\/1.1 .*/g), errors]).toEqual([['HTTP/1.1 413 Payload Too Large'], []]);
  });
});

describe('a client that expects 100 (Continue)', () => {
  const expectation = 'Expect: 100-continue';

  test.each([
    ['read', 413],
    ['401', 401],
    ['415', 415],
  ])('is answered at once by %s, without 100, and the connection ends', async (name, code) => {
    await start();
    const { text, errors } = await exchange(await dial(), head(name, expectation, declared), 0, false);
    expect([Number(text.split(' ')[1]), errors]).toEqual([code, []]);
    expect(text).toMatch(/\r\nConnection: close\r\n/i);
  });

  test.each([
    ['is sent anyway', 5 * mebibyte],
    ['is sent in part', mebibyte],
  ])('and whose body %s reads the answer', async (_what, body) => {
    await start({ unreadTime: 500 });
    const { text, errors } = await exchange(await dial(), head('read', expectation, declared), body, false, /limit is/);
    expect([text.split('\r\n')[0], errors]).toEqual(['HTTP/1.1 413 Payload Too Large', []]);
  });

  test('gets it when its body is read, and keeps the connection', async () => {
    await start();
    const socket = await dial();
    for (let round = 0; round < 2; round += 1) {
      const request = head('read', expectation, 'Content-Length: 2');
      const { text } = await exchange(socket, request, 0, false, /100 Continue\r\n\r\n/);
      expect(text).toBe('HTTP/1.1 100 Continue\r\n\r\n');
      const answer = await exchange(socket, '', 2, false, /2 bytes/);
      expect(answer.text).toMatch(/^HTTP\/1.1 200 OK\r\n/);
      expect(answer.text).not.toMatch(/\r\nConnection: close\r\n/i);
    }
  });

  test.each([
    ['read', '2', '100 200'],
    ['read', String(size), '413'],
    ['401', '2', '401'],
  ])('over HTTP/2 gets what it should: %s with a length of %s', async (name, length, want) => {
    await start();
    const session = openSession(serving);
    open.push(session);
    const headers = { ':path': at(name), ':method': 'POST', expect: '100-continue', 'content-length': length };
    const stream = session.request(headers);
    const codes: (number | undefined)[] = [];
    stream.on('continue', () => codes.push(100));
    stream.on('continue', () => stream.end('ab'));
    stream.on('error', () => undefined);
    const [{ ':status': status }] = await once(stream, 'response');
    codes.push(status);
    expect(codes.join(' ')).toBe(want);
  });
});
