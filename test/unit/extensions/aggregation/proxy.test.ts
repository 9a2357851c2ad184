import type { ClientRequest } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import type { Headers, OutgoingRequest } from '../../../../runtime/client/transport/transport.ts';
import { setAuthProxyHeaders } from '../../../../runtime/extensions/aggregation/proxy/auth-proxy-headers.ts';
import { download } from '../../../../runtime/extensions/aggregation/proxy/download.ts';
import type { ProxyHandler } from '../../../../runtime/extensions/aggregation/proxy/proxy-handler.ts';
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

describe('the headers of a request', () => {
  test('say who makes it, in characters that headers can have', () => {
    const sent = { 'x-remote-user': 'root', 'x-remote-extra-any': 'x', 'x-remote-group': 'g', 'x-other': 'o' };
    const headers: Headers = new Map(Object.entries(sent).map(([name, value]) => [name, [value]]));
    const extra = { 'example.com/a%b': ['1', '2'], Ü: ['ü'], none: [] };
    setAuthProxyHeaders(headers, { name: 'jané', uid: '', groups: ['a', 'b,c'], extra });
    expect(Object.fromEntries(headers)).toEqual({
      'x-other': ['o'],
      'x-remote-user': ['jan\u00c3\u00a9'],
      'x-remote-group': ['a', 'b,c'],
      'x-remote-extra-example.com%2Fa%25b': ['1', '2'],
      'x-remote-extra-%C3%9C': ['\u00c3\u00bc'],
    });
  });
});
