import { type ClientRequest, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { download } from '../../../../runtime/extensions/aggregation/proxy/download.ts';
import {
  removeHopByHop,
  requestHeaders,
  setAuthProxyHeaders,
} from '../../../../runtime/extensions/aggregation/proxy/headers.ts';
import { encodeQuery, escapePath } from '../../../../runtime/extensions/aggregation/proxy/location.ts';
import type { ProxyHandler } from '../../../../runtime/extensions/aggregation/proxy/proxy-handler.ts';
import type { OutgoingRequest } from '../../../../runtime/extensions/aggregation/proxy/transport.ts';
import { parseQuery } from '../../../../runtime/http/query-string.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

describe('a download', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1:8443'],
    ['2001:db8::1', '[2001:db8::1]:8443'],
  ])('from %s is asked of the host %s', async (host, want) => {
    let asked: OutgoingRequest | undefined;
    const request = (_: unknown, outgoing: OutgoingRequest): ClientRequest => {
      asked = outgoing;
      throw new Error('unreachable');
    };
    const handler = { transport: { request }, address: () => ({ host, port: 8443 }) } as unknown as ProxyHandler;
    const user = { name: 'u', groups: [] };
    const limits = { timeout: 1, maxBytes: 1, clock: new ManualClock(), signal: new AbortController().signal };
    await expect(download(handler, { path: '/apis', accept: '', user, ...limits })).rejects.toThrow('unreachable');
    expect(asked?.headers.get('host')).toEqual([want]);
  });
});

describe('paths and queries are written as Go writes them', () => {
  test.each([
    ['/apis/a/v1', '/apis/a/v1'],
    ['/a b/ü?#%', '/a%20b/%C3%BC%3F%23%25'],
    ["/$&+,/:;=@!'()*~", '/$&+,/:;=@%21%27%28%29%2A~'],
    ['/[x]"<>', '/%5Bx%5D%22%3C%3E'],
  ])('the path %s becomes %s', (path, want) => expect(escapePath(path)).toBe(want));

  test.each([
    ['', ''],
    ['b=2&a=1', '?a=1&b=2'],
    ['a=2&b&a=1', '?a=2&a=1&b='],
    ["x=%20%2B/!'()*~,:", '?x=+%2B%2F%21%27%28%29%2A~%2C%3A'],
  ])('the query %s becomes %s', (query, want) => expect(encodeQuery(parseQuery(query))).toBe(want));
});

function request(...rawHeaders: string[]): IncomingMessage {
  const message = new IncomingMessage(new Socket());
  message.rawHeaders = rawHeaders;
  for (let at = 0; at < rawHeaders.length; at += 2) message.headers[rawHeaders[at].toLowerCase()] = rawHeaders[at + 1];
  return message;
}

describe('the headers of a request', () => {
  test('are passed on as often as they come, without credentials and what filters have removed', () => {
    const sent = request(
      'Accept',
      'a',
      'accept',
      'b',
      'Authorization',
      'Bearer x',
      'Gone',
      '1',
      ':path',
      '/',
      'Host',
      'x',
      'Sec-WebSocket-Protocol',
      'secret, v5',
    );
    sent.headers.gone = undefined;
    sent.headers['sec-websocket-protocol'] = 'v5';
    expect([...requestHeaders(sent)]).toEqual([
      ['accept', ['a', 'b']],
      ['sec-websocket-protocol', ['v5']],
    ]);
  });

  test.each([
    [['Connection', 'X-A , close', 'X-A', '1', 'X-B', '2'], [['x-b', ['2']]]],
    [['TE', 'gzip, trailers', 'Keep-Alive', '5', 'Proxy-Authorization', 'x'], [['te', ['trailers']]]],
    [['Te', 'gzip', 'Trailer', 'x', 'Upgrade', 'h2c', 'Transfer-Encoding', 'chunked'], []],
  ])('%j that are about the connection are not', (sent, want) => {
    const headers = requestHeaders(request(...sent));
    removeHopByHop(headers);
    expect([...headers]).toEqual(want);
  });

  test('say who makes it, in characters that headers can have', () => {
    const headers = requestHeaders(
      request('X-Remote-User', 'root', 'X-Remote-Extra-Any', 'x', 'X-Remote-Group', 'g', 'X-Other', 'o'),
    );
    const extra = { 'example.com/a%b': ['1', '2'], Ü: ['ü'], none: [] };
    setAuthProxyHeaders(headers, { name: 'jané', uid: '', groups: ['a', 'b,c'], extra });
    expect(Object.fromEntries(headers)).toEqual({
      ...{ 'x-other': ['o'], 'x-remote-user': ['jan\u00c3\u00a9'], 'x-remote-group': ['a', 'b,c'] },
      ...{ 'x-remote-extra-example.com%2Fa%25b': ['1', '2'], 'x-remote-extra-%C3%9C': ['\u00c3\u00bc'] },
    });
  });
});
