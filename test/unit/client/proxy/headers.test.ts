import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { removeHopByHop, requestHeaders } from '../../../../runtime/client/proxy/headers.ts';
import { encodeQuery, escapePath } from '../../../../runtime/client/proxy/location.ts';
import { parseQuery } from '../../../../runtime/http/query-string.ts';

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
});
