import { once } from 'node:events';
import {
  constants,
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2';
import { createServer as createHttp1Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { HTTPClient, type HTTPResponse } from '../../../../runtime/client/transport/http-client.ts';
import { Transport, type TransportOptions } from '../../../../runtime/client/transport/transport.ts';
import { parseGoURL } from '../../../../runtime/machinery/go/url.ts';
import { issueCertificate, type KeyPair } from '../../../../runtime/serving/x509-certificate.ts';

type Handler = (request: Http2ServerRequest, response: Http2ServerResponse) => void;

const validity = { from: Date.now() - 60_000, until: Date.now() + 3600_000 };
const authority = issueCertificate({ commonName: 'ca', use: 'ca', ...validity });
const pair: KeyPair = issueCertificate({ commonName: 'x', names: ['127.0.0.1'], use: 'server', ...validity }, authority);

/** A server with HTTP/2 and HTTP/1.1, and its sessions. */
class TwoProtocols {
  handle: Handler = (request, response) => void response.end(request.httpVersion);
  readonly sessions: ServerHttp2Session[] = [];
  readonly sockets: TLSSocket[] = [];
  readonly #server: Http2SecureServer;

  constructor(maxConcurrentStreams = 100) {
    const { certificate: cert, key } = pair;
    this.#server = createSecureServer({ cert, key, allowHTTP1: true, settings: { maxConcurrentStreams } });
    this.#server.on('request', (request, response) => this.handle(request, response));
    this.#server.on('session', (session) => this.sessions.push(session.on('error', () => undefined)));
    this.#server.on('secureConnection', (socket) => this.sockets.push(socket));
  }

  get connections(): number {
    return this.sockets.length;
  }

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const session of this.sessions) session.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

let server: TwoProtocols;
let url: string;
let transport: Transport;

const open = (options?: Partial<TransportOptions['tls']>): Transport => new Transport({ tls: { ca: authority.certificate, ...options } });

function send(method: string, path: string, body?: string, signal = AbortSignal.timeout(60_000)): Promise<HTTPResponse> {
  const goUrl = parseGoURL(url + path) as NonNullable<ReturnType<typeof parseGoURL>>;
  const bytes = body === undefined ? undefined : Buffer.from(body);
  return new HTTPClient({ transport }).do({
    method,
    url: goUrl,
    headers: {},
    body: bytes,
    maxResponseBytes: 2 ** 24,
    signal,
  });
}
const text = async (method: string, path: string, body?: string): Promise<string> => String((await send(method, path, body)).body);

beforeEach(async () => {
  server = new TwoProtocols();
  url = await server.listen();
  transport = open();
});
afterEach(async () => {
  transport.close();
  await server.close();
});

describe('a server that speaks HTTP/2', () => {
  test('resets no stream of a response that was read, so that a server with a limit of resets goes on', async () => {
    // Node's servers send GOAWAY after 1,000 resets
    for (let done = 0; done < 1_200; done += 60) {
      const all = Array.from({ length: 60 }, (_, at) => (at % 2 === 0 ? text('GET', '/') : text('POST', '/', 'body')));
      expect(new Set(await Promise.all(all))).toEqual(new Set(['2.0']));
    }
    expect(server.connections).toBe(1);
  });

  test('is asked over one connection, whatever is under way', async () => {
    expect(await text('GET', '/')).toBe('2.0');
    let waiting: (() => void)[] = [];
    server.handle = (_request, response) => {
      waiting.push(() => response.end('all'));
      if (waiting.length < 20) return;
      for (const end of waiting) end();
      waiting = [];
    };
    const all = await Promise.all(Array.from({ length: 20 }, () => text('GET', '/')));
    expect([new Set(all), server.connections]).toEqual([new Set(['all']), 1]);
  });

  test('gets bodies and headers, and its own come back', async () => {
    let seen: unknown;
    server.handle = (request, response) => {
      const { ':authority': authorityHeader, 'content-length': length, connection } = request.headers;
      seen = [request.url, authorityHeader, length, connection];
      response.writeHead(201, { 'X-Twice': 'a', 'set-cookie': ['b', 'c'] });
      request.pipe(response);
    };
    const body = 'x'.repeat(3_000_000);
    const answer = await send('POST', '/a%20b?c', body);
    expect(seen).toEqual(['/a%20b?c', url.replace('https://', ''), '3000000', undefined]);
    expect([answer.status, answer.headers['x-twice'], answer.headers['set-cookie']]).toEqual([201, 'a', ['b', 'c']]);
    expect(String(answer.body) === body).toBe(true);
  });

  test('that has no room on one connection gets another', async () => {
    await server.close();
    server = new TwoProtocols(1);
    url = await server.listen();
    await text('GET', '/');
    const ends: (() => void)[] = [];
    server.handle = (_request, response) => {
      ends.push(() => response.end('both'));
      if (ends.length === 2) for (const end of ends) end();
    };
    // the first response brings the limit
    expect(await Promise.all([text('GET', '/'), text('GET', '/')])).toEqual(['both', 'both']);
    expect(server.connections).toBe(2);
  });

  test('that goes away is asked over a new connection', async () => {
    await text('GET', '/');
    server.sessions[0].goaway();
    expect([await text('POST', '/', 'x'), server.connections]).toEqual(['2.0', 2]);
  });

  test('that goes away answers first what it has begun', async () => {
    server.handle = (_request, response) => {
      server.sessions[0].goaway();
      response.write('be');
      setImmediate(() => response.end('gun'));
    };
    expect(await text('GET', '/')).toBe('begun');
  });

  test('that refuses a stream is asked once more', async () => {
    let count = 0;
    server.handle = ({ stream }, response) => {
      count += 1;
      if (count === 1) stream.close(constants.NGHTTP2_REFUSED_STREAM);
      else response.end('second');
    };
    expect(await text('POST', '/', 'x')).toBe('second');
  });

  test('that does not answer ends when nobody waits any more', async () => {
    const ended = new AbortController();
    let closed: Promise<unknown> | undefined;
    server.handle = ({ stream }) => {
      closed = once(stream, 'close');
      ended.abort();
    };
    await expect(send('GET', '/x', undefined, ended.signal)).rejects.toThrow(`Get "${url}/x": context canceled`);
    await closed;
    server.handle = (_request, response) => void response.end('again');
    expect([await text('GET', '/'), server.connections]).toEqual(['again', 1]);
  });

  const cases: [string, Handler, string][] = [
    [
      'resets a stream',
      ({ stream }) => stream.close(constants.NGHTTP2_INTERNAL_ERROR),
      'stream error: stream ID 1; INTERNAL_ERROR; received from peer',
    ],
    [
      'goes away with an error',
      ({ stream }) => stream.session?.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM),
      'http2: server sent GOAWAY and closed the connection; LastStreamID=1, ErrCode=ENHANCE_YOUR_CALM, debug=""',
    ],
    ['closes the connection', () => void server.sockets[0].destroy(), 'unexpected EOF'],
  ];
  test.each(cases)('that %s fails the request in the words of Go', async (_title, handle, why) => {
    server.handle = handle;
    await expect(send('POST', '/x', 'y')).rejects.toThrow(`Post "${url}/x": ${why}`);
  });

  test('that breaks off its answer says so with the answer', async () => {
    server.handle = (_request, response) => {
      response.writeHead(200);
      response.write('half', () => response.stream.close(constants.NGHTTP2_INTERNAL_ERROR));
    };
    const { body, bodyError } = await send('GET', '/');
    expect([String(body), bodyError?.message]).toEqual(['half', 'stream error: stream ID 1; INTERNAL_ERROR; received from peer']);
  });

  test('is asked over HTTP/1.1 by those who offer nothing else', async () => {
    transport.close();
    transport = open({ nextProtos: ['http/1.1'] });
    expect(await text('GET', '/')).toBe('1.1');
  });

  test('upgrades connections of HTTP/1.1', async () => {
    const { hostname: host, port } = new URL(url);
    const request = transport.request(
      { host, port: Number(port) },
      { method: 'GET', path: '/', headers: new Map([['host', [host]]]), ownConnection: true },
    );
    const version = new Promise((resolve) => request.on('response', ({ httpVersion }) => resolve(httpVersion)));
    request.end();
    expect(await version).toBe('1.1');
  });
});

describe('a server that does not speak HTTP/2', () => {
  const old = createHttp1Server({ cert: pair.certificate, key: pair.key }, (request, response) => {
    request.pipe(response);
  });
  let connections = 0;
  beforeAll(async () => {
    old.on('secureConnection', () => {
      connections += 1;
    });
    old.listen(0, '127.0.0.1');
    await once(old, 'listening');
  });
  afterAll(async () => {
    old.closeAllConnections();
    await new Promise((resolve) => old.close(resolve));
  });

  test('is asked over HTTP/1.1, over the connection that was there', async () => {
    url = `https://127.0.0.1:${(old.address() as AddressInfo).port}`;
    const body = 'y'.repeat(1_000_000);
    expect((await text('POST', '/', body)) === body).toBe(true);
    expect(await text('POST', '/', 'z')).toBe('z');
    expect(await text('GET', '/')).toBe('');
    expect(connections).toBe(1);
  });
});

test('DISABLE_HTTP2 leaves HTTP/1.1', async () => {
  process.env.DISABLE_HTTP2 = '1';
  try {
    transport.close();
    transport = open();
    expect(await text('GET', '/')).toBe('1.1');
  } finally {
    delete process.env.DISABLE_HTTP2;
  }
});

test('bodies are echoed while they are sent', async () => {
  const { hostname: host, port } = new URL(url);
  const request = transport.request({ host, port: Number(port) }, { method: 'POST', path: '/', headers: new Map([['host', [host]]]) });
  request.flushHeaders();
  const received: string[] = [];
  await new Promise<void>((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (incoming) => {
      request.write('one');
      incoming.on('data', (chunk: Buffer) => {
        received.push(String(chunk));
        if (received.length === 1) request.end('two');
      });
      incoming.on('end', resolve);
    });
    server.handle = (incoming, { stream }) => {
      stream.respond({ ':status': 200 });
      incoming.pipe(stream);
    };
  });
  expect(received).toEqual(['one', 'two']);
});
