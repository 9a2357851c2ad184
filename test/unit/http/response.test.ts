import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ApiMiddleware } from '../../../runtime/http/context.ts';
import { respondBytes, sendBytes } from '../../../runtime/http/respond.ts';
import { openStream } from '../../../runtime/http/stream.ts';
import { notFound } from '../../../runtime/machinery/errors/status.ts';
import { HttpClient } from '../../support/http-client.ts';
import { http2Get, startTestServing, type TestServing } from '../../support/test-serving.ts';

/** Stands in for priority and fairness. */
const limits: ApiMiddleware = (ctx, next) => {
  ctx.state.responseHeaders.push('X-Noted', 'by a filter');
  return next();
};

const endpoints: ApiMiddleware = async (ctx) => {
  switch (ctx.state.requestInfo.parts[0]) {
    case 'plain':
      return respondBytes(ctx, 200, 'text/plain', Buffer.from('body'));
    case 'own':
      ctx.res.setHeader('Cache-Control', 'public');
      ctx.res.setHeader('x-noted', 'by the endpoint');
      return respondBytes(ctx, 200, 'text/plain', Buffer.from('body'));
    case 'warned':
      ctx.state.addWarnings('old');
      return respondBytes(ctx, 200, 'text/plain', Buffer.from('body'));
    case 'empty':
      return sendBytes(ctx, 204, 'text/plain', Buffer.alloc(0));
    case 'streamed': {
      const stream = openStream(ctx, 'text/plain');
      stream.write('body');
      return stream.end();
    }
    default:
      throw notFound({ group: '', resource: 'pods' }, 'p');
  }
};

let serving: TestServing;
let admin: HttpClient;

beforeAll(async () => {
  serving = await startTestServing(endpoints, {}, limits);
  admin = HttpClient.for(serving);
});

afterAll(async () => {
  admin?.close();
  await serving?.gracefulShutdown.close();
});

const noted = { 'cache-control': 'no-cache, private', 'x-noted': 'by a filter' };
const text = { 'content-type': 'text/plain' };

describe.each(['HTTP/1.1', 'HTTP/2'])('over %s, headers set by filters', (protocol) => {
  const get = async (resource: string, path = `/api/v1/namespaces/x/${resource}/p`) => {
    const headers = { 'audit-id': 'a-1' };
    return protocol === 'HTTP/2'
      ? http2Get(serving, path, { headers })
      : admin.get(path, { headers }).then(({ body, ...rest }) => ({ ...rest, body: body.toString() }));
  };

  test.each<[string, number, string, object]>([
    ['plain', 200, 'body', { ...noted, ...text, 'content-length': '4' }],
    ['own', 200, 'body', { ...text, 'cache-control': 'public', 'x-noted': 'by the endpoint', 'content-length': '4' }],
    ['warned', 200, 'body', { ...noted, ...text, warning: '299 - "old"', 'content-length': '4' }],
    ['empty', 204, '', { ...noted, ...text }],
    ['streamed', 200, 'body', { ...noted, ...text }],
  ])('are in a response that is %s', async (resource, status, body, headers) => {
    const response = await get(resource);
    expect([response.status, response.body]).toEqual([status, body]);
    expect(response.headers).toMatchObject({ ...headers, 'audit-id': 'a-1' });
  });

  test('are in an error response', async () => {
    const { status, headers } = await get('missing');
    expect(status).toBe(404);
    expect(headers).toMatchObject({ ...noted, 'audit-id': 'a-1', 'content-type': 'application/json' });
  });

  test('except for the audit id are not in the response to a URL without a kind', async () => {
    const { status, headers } = await get('', '/api/v1/watch');
    expect(status).toBe(400);
    expect(headers).toMatchObject({ 'audit-id': 'a-1' });
  });
});
