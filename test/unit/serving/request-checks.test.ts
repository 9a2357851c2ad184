import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ApiMiddleware } from '../../../runtime/http/context.ts';
import { respondText } from '../../../runtime/http/respond.ts';
import { frame, frames, getFrame, preface, RawTls } from '../../support/raw-tls.ts';
import { startTestServing, type TestServing } from '../../support/test-serving.ts';

/** Responds with the path and query that the server understood. */
const endpoints: ApiMiddleware = (ctx) => respondText(ctx, 200, `<${ctx.req.url}>`);

let serving: TestServing;
beforeAll(async () => {
  serving = await startTestServing(endpoints);
});
afterAll(() => serving?.gracefulShutdown.close());

/** Returns the status line and the body of the response. */
async function responseTo(request: string): Promise<string> {
  const connection = await RawTls.open(serving);
  connection.send(request);
  await connection.closed;
  const [head = '', body = ''] = connection.text.split('\r\n\r\n');
  return `${head.split('\r\n')[0]?.replace('HTTP/1.1 ', '')}: ${body}`;
}

const lines = (...all: string[]): string => `${all.join('\r\n')}\r\n\r\n`;
const closing = ['Host: x', 'Connection: close'];
const bad = '400 Bad Request: 400 Bad Request';

describe('the target of a request', () => {
  test.each([
    { target: '/api?a=b', want: '200 OK: </api?a=b>' },
    { target: 'https://x/api', want: '200 OK: </api>' },
    { target: 'http://x:80/api?a=%zz', want: '200 OK: </api?a=%zz>' },
    { target: 'HTTP://user@[::1]:80/api', want: '200 OK: </api>' },
    { target: 'http:///api', want: '200 OK: </api>' },
    { target: 'http://[x/api', want: bad },
    { target: 'api', want: bad },
    { target: '/api/%zz', want: bad },
    { target: 'http://x/%', want: bad },
  ])('$target: $want', async ({ target, want }) => {
    expect(await responseTo(lines(`GET ${target} HTTP/1.1`, ...closing))).toBe(want);
  });

  test('OPTIONS * has an empty response', async () => {
    expect(await responseTo(lines('OPTIONS * HTTP/1.1', ...closing))).toBe('200 OK: ');
  });

  test('HTTP/2: an invalid escape resets the stream', async () => {
    const connection = await RawTls.open(serving, 'h2');
    connection.send(preface).send(getFrame(1, '/api/%zz', [[':authority', 'a']]));
    const reset = frame(frames.reset, 0, 1, Buffer.from([0, 0, 0, 1])).toString('latin1');
    while (!connection.text.includes(reset)) await connection.until(/./s).then(() => new Promise((r) => setImmediate(r)));
    connection.destroy();
  });
});

describe('the version of HTTP', () => {
  const unsupported = '505 HTTP Version Not Supported: unsupported protocol version';
  test.each([
    { version: ' HTTP/1.0', want: '200 OK: </>' },
    { version: ' HTTP/2.0', want: `${unsupported}: ${unsupported}` },
    { version: ' HTTP/9.9', want: `${unsupported}: ${unsupported}` },
    { version: ' HTTP/1', want: bad },
    { version: ' HTTP/1.11', want: bad },
    { version: ' HTTP/x.1', want: bad },
    { version: '', want: bad },
  ])('GET /$version: $want', async ({ version, want }) => {
    expect(await responseTo(lines(`GET /${version}`, ...closing))).toBe(want);
  });
});

describe('the transfer of a body', () => {
  const unsupported = '501 Not Implemented: Unsupported transfer encoding';
  test.each([
    { headers: ['Transfer-Encoding: Chunked'], want: '200 OK: </>' },
    { headers: ['Transfer-Encoding: gzip'], want: unsupported },
    { headers: ['Transfer-Encoding: identity'], want: unsupported },
    { headers: ['Transfer-Encoding:'], want: unsupported },
    { headers: ['Transfer-Encoding: gzip, chunked'], want: unsupported },
    { headers: ['Transfer-Encoding: chunked, chunked'], want: unsupported },
    { headers: ['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'], want: unsupported },
    { headers: ['Transfer-Encoding: xchunked'], want: unsupported },
    { headers: ['Transfer-Encoding: chunked', 'Trailer: X-Sum'], want: '200 OK: </>' },
    { headers: ['Transfer-Encoding: chunked', 'Trailer: X-Sum, Content-Length'], want: bad },
    { headers: ['Content-Length: 5', 'Transfer-Encoding: chunked'], want: bad },
    { headers: ['Transfer-Encoding: chunked', 'Content-Length: 5'], want: bad },
    { headers: ['Expect: cake'], want: '417 Expectation Failed: ' },
  ])('$headers: $want', async ({ headers, want }) => {
    const body = headers.some((line) => line.includes('hunked')) ? '0\r\n\r\n' : '';
    expect(await responseTo(lines('POST / HTTP/1.1', ...closing, ...headers) + body)).toBe(want);
  });
});
