import type { ClientHttp2Session } from 'node:http2';
import { afterEach, describe, expect, test } from '@jest/globals';
import { withProbabilisticGoaway } from '../../../runtime/filters/goaway.ts';
import type { ApiMiddleware } from '../../../runtime/http/context.ts';
import { respondObject } from '../../../runtime/http/respond.ts';
import { notFound } from '../../../runtime/machinery/errors/status.ts';
import type { ServerOptions } from '../../../runtime/options/server-options.ts';
import { HttpClient } from '../../support/http-client.ts';
import { http2Get, openSession, startTestServing, type TestServing } from '../../support/test-serving.ts';

let release = (): void => {};

const endpoints: ApiMiddleware = (ctx) => {
  const { path } = ctx.state.requestInfo;
  if (path === '/missing') throw notFound({ group: '', resource: 'pods' }, 'a');
  if (path !== '/slow') return respondObject(ctx, 200, { path });
  return new Promise<void>((resolve) => {
    release = () => resolve(respondObject(ctx, 200, { path }));
  });
};

let closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.reverse()) await close();
  closers = [];
});

async function open(options: ServerOptions): Promise<{ serving: TestServing; http: HttpClient }> {
  const serving = await startTestServing(endpoints, options);
  closers.push(() => serving.gracefulShutdown.close());
  const http = HttpClient.for(serving);
  closers.push(() => http.close());
  return { serving, http };
}

describe('CORS', () => {
  const options = { corsAllowedOrigins: ['^https://a\\.example$', '//b\\.example(:|$)'] };
  const allowed = {
    'access-control-allow-methods': 'POST, GET, OPTIONS, PUT, DELETE, PATCH',
    'access-control-allow-headers':
      'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since',
    'access-control-expose-headers': 'Date',
    'access-control-allow-credentials': 'true',
  };

  test.each([
    ['https://a.example', true],
    ['http://b.example:8080', true],
    ['https://b.example.org', false],
    ['https://a.example.org', false],
    ['https://xa.example', false],
  ])('allows %s: %s', async (origin, isAllowed) => {
    const { http } = await open(options);
    for (const path of ['/x', '/missing']) {
      const { status, headers } = await http.get(path, { headers: { origin } });
      expect(status).toBe(path === '/x' ? 200 : 404);
      if (isAllowed) expect(headers).toMatchObject({ ...allowed, 'access-control-allow-origin': origin });
      else expect(headers).not.toHaveProperty('access-control-allow-origin');
    }
  });

  test('answers preflight requests of allowed origins, even without credentials', async () => {
    const { serving, http } = await open(options);
    const stranger = HttpClient.withoutCertificate(serving);
    closers.push(() => stranger.close());
    const headers = { origin: 'https://a.example' };
    const preflight = await stranger.send('OPTIONS', '/api/v1/pods', undefined, undefined, { headers });
    expect(preflight.status).toBe(204);
    expect(preflight.headers).toMatchObject({ ...allowed, 'access-control-allow-origin': 'https://a.example' });
    expect(preflight.headers).not.toHaveProperty('content-type');
    expect((await stranger.get('/api/v1/pods', { headers })).status).toBe(401);
    const overHttp2 = await http2Get(serving, '/x', { headers: { ':method': 'OPTIONS', ...headers } });
    expect(overHttp2.status).toBe(204);
    const other = { headers: { origin: 'https://c.example' } };
    expect((await http.send('OPTIONS', '/x', undefined, undefined, other)).status).toBe(200);
  });

  test('is off by default', async () => {
    const { http } = await open({});
    const { headers } = await http.get('/x', { headers: { origin: 'https://a.example' } });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });
});

describe('Strict-Transport-Security', () => {
  test('is in every response', async () => {
    const { serving, http } = await open({
      strictTransportSecurityDirectives: ['max-age=31536000', 'includeSubDomains', 'preload'],
    });
    const value = 'max-age=31536000; includeSubDomains; preload';
    expect((await http.get('/x')).headers['strict-transport-security']).toBe(value);
    expect((await http.get('/missing')).headers['strict-transport-security']).toBe(value);
    const stranger = await http2Get(serving, '/x', { pair: { certificate: '', key: '' } });
    expect([stranger.status, stranger.headers['strict-transport-security']]).toEqual([401, value]);
  });
});

describe('options', () => {
  test.each<[ServerOptions, string]>([
    [{ goawayChance: 0.03 }, '--goaway-chance can not be less than 0 or greater than 0.02'],
    [{ goawayChance: Number.NaN }, '--goaway-chance can not be less than 0 or greater than 0.02'],
    [{ strictTransportSecurityDirectives: [' '] }, 'empty value in strict-transport-security-directives'],
    [{ strictTransportSecurityDirectives: ['max-age'] }, '--strict-transport-security-directives invalid, allowed values'],
    [{ corsAllowedOrigins: [''] }, 'empty value in --cors-allowed-origins, help: '],
    [{ corsAllowedOrigins: ['^a('] }, '--cors-allowed-origins has an invalid regular expression: error parsing regexp: '],
    [
      { corsAllowedOrigins: ['a.example$'] },
      '--cors-allowed-origins has an invalid regular expression: regular expression does not pin to start/end of host in the origin header',
    ],
    [{ corsAllowedOrigins: ['^a.example'] }, 'regular expression does not pin to start/end of host in the origin header'],
  ])('%j are refused', async (options, message) => {
    await expect(open(options)).rejects.toThrow(message);
  });
});

/** Resolves when the server ends the connection. */
const goaway = (session: ClientHttp2Session): Promise<number> =>
  new Promise((resolve) => {
    session.on('goaway', resolve);
  });

const statusOf = (session: ClientHttp2Session, path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const stream = session.request({ ':path': path });
    stream.on('response', (headers) => resolve(headers[':status'] as number));
    stream.on('error', reject);
    stream.resume();
  });

describe('GOAWAY', () => {
  test('ends a connection by chance, and not its other requests', async () => {
    let random = 1;
    const filter = withProbabilisticGoaway(0.01, () => random);
    const serving = await startTestServing((ctx, next) => filter(ctx, () => endpoints(ctx, next)));
    closers.push(() => serving.gracefulShutdown.close());
    const session = openSession(serving);
    const slow = statusOf(session, '/slow');
    expect(await statusOf(session, '/x')).toBe(200);
    expect(session.closed).toBe(false);
    random = 0.005;
    const ended = goaway(session);
    expect(await statusOf(session, '/x')).toBe(200);
    expect(await ended).toBe(0);
    release();
    expect(await slow).toBe(200);
    const http = HttpClient.for(serving);
    closers.push(() => http.close());
    expect((await http.get('/x')).headers).not.toHaveProperty('connection');
  });

  test.each([
    ['invalid credentials', { authorization: 'Bearer no' }, '/x', 401],
    ['no credentials', {}, '/x', 401],
    ['no credentials, on a path for all', {}, '/healthz', 200],
  ])('ends a connection with %s after one request', async (_, headers, path, status) => {
    const { serving } = await open({});
    const session = openSession(serving, { certificate: '', key: '' });
    const ended = goaway(session);
    const stream = session.request({ ':path': path, ...headers });
    const sent = new Promise((resolve) => stream.on('response', (got) => resolve(got[':status'])));
    stream.resume();
    expect(await sent).toBe(status);
    expect(await ended).toBe(0);
  });

  test('leaves such connections open without UnauthenticatedHTTP2DOSMitigation', async () => {
    const { serving } = await open({ featureGates: ['UnauthenticatedHTTP2DOSMitigation=false'] });
    const session = openSession(serving, { certificate: '', key: '' });
    expect([await statusOf(session, '/x'), await statusOf(session, '/x')]).toEqual([401, 401]);
    session.close();
  });
});

describe('a server that drains', () => {
  test('asks new requests to try again, on new connections too, and finishes running ones', async () => {
    const { serving, http } = await open({ shutdownSendRetryAfter: true });
    const slow = http.get('/slow');
    while ((await http.get('/x')).status !== 200 || serving.waitGroup.size === 0);
    const session = openSession(serving);
    expect(await statusOf(session, '/x')).toBe(200);
    const closed = serving.gracefulShutdown.close();
    await Promise.resolve();
    const fresh = HttpClient.for(serving);
    closers.push(() => fresh.close());
    const refused = await fresh.get('/x');
    expect(refused.status).toBe(429);
    expect(refused.body.toString()).toBe('The apiserver is shutting down, please try again later.\n');
    expect(refused.headers).toMatchObject({
      'retry-after': '5',
      connection: 'close',
      'content-type': 'text/plain; charset=utf-8',
    });
    const ended = goaway(session);
    expect(await statusOf(session, '/x')).toBe(429);
    expect(await ended).toBe(0);
    expect((await fresh.get('/readyz')).status).toBe(200);
    expect((await fresh.get('/x', { headers: { 'user-agent': 'kube-apiserver/v1' } })).status).toBe(200);
    release();
    expect((await slow).status).toBe(200);
    await closed;
  });
});
