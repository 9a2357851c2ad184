import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseGoURL } from '../../../runtime/machinery/go/url.ts';
import { HTTPClient } from '../../../runtime/transport/http-client.ts';
import { parseProxy, proxyFromEnvironment } from '../../../runtime/transport/proxy-environment.ts';
import { Transport } from '../../../runtime/transport/transport.ts';
import { WebhookServer } from '../../support/webhook-server.ts';

describe('the proxy of a URL', () => {
  const proxies = { HTTPS_PROXY: 'https://secure:1', http_proxy: 'plain:2' };
  test.each([
    ['https://a.example/', '', 'https://secure:1'],
    ['http://a.example/', '', 'http://plain:2'],
    ['https://localhost/', '', undefined],
    ['https://127.0.0.9:1/', '', undefined],
    ['https://[::1]:1/', '', undefined],
    ['https://a.example/', '*', undefined],
    ['https://a.example/', 'example', undefined],
    ['https://a.example/', 'a.example', undefined],
    ['https://b.a.example/', 'a.example', undefined],
    ['https://a.example/', '.a.example', 'https://secure:1'],
    ['https://b.a.example/', ' .A.example ', undefined],
    ['https://b.a.example/', '*.a.example', undefined],
    ['https://ba.example/', 'a.example', 'https://secure:1'],
    ['https://a.example/', 'a.example:443', undefined],
    ['https://a.example:8443/', 'a.example:443', 'https://secure:1'],
    ['https://10.1.2.3/', '10.0.0.0/8', undefined],
    ['https://11.1.2.3/', '10.0.0.0/8,', 'https://secure:1'],
    ['https://10.1.2.3/', '10.1.2.3', undefined],
    ['https://10.1.2.3:5/', '10.1.2.3:6', 'https://secure:1'],
    ['https://[2001:db8::1]:5/', 'x,[2001:db8::1]:5', undefined],
    ['https://[2001:db8::1]/', '2001:db8::/32', undefined],
    ['ftp://a.example/', '', undefined],
  ])('%s without %j is %s', (text, NO_PROXY, wanted) => {
    const url = parseGoURL(text) as NonNullable<ReturnType<typeof parseGoURL>>;
    const found = proxyFromEnvironment({ ...proxies, NO_PROXY })(url);
    expect(found && `${found.scheme}://${found.host}`).toBe(wanted);
  });

  test('is none for http in a CGI environment', () => {
    expect(proxyFromEnvironment({ ...proxies, REQUEST_METHOD: 'GET' })({ scheme: 'http', host: 'a' })).toBeUndefined();
  });
});

describe('requests through a proxy', () => {
  let server: WebhookServer;
  let proxy: Server;
  let asked: (string | undefined)[];
  let refuses = false;

  beforeAll(async () => {
    server = await WebhookServer.open(() => ({ body: { ok: true } }));
    proxy = createServer((request, response) => {
      asked.push(request.url, request.headers['proxy-authorization']);
      response.end('plain');
    });
    proxy.on('connect', (request, client) => {
      asked.push(request.url, request.headers['proxy-authorization']);
      if (refuses) return client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      const upstream = connect(Number(new URL(server.url).port), '127.0.0.1', () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n');
        client.pipe(upstream).pipe(client);
      });
      upstream.on('error', () => client.destroy());
      client.on('error', () => upstream.destroy());
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    proxy.closeAllConnections();
    await new Promise((resolve) => proxy.close(resolve));
    await server.close();
  });

  async function get(text: string, proxyText?: string): Promise<string> {
    asked = [];
    const { port } = proxy.address() as AddressInfo;
    const through = parseProxy(proxyText ?? `http://user:p%40ss@127.0.0.1:${port}`);
    const tls = { ca: server.authority.certificate, serverName: '127.0.0.1' };
    const transport = new Transport({ tls, proxy: () => through });
    const url = parseGoURL(text) as NonNullable<ReturnType<typeof parseGoURL>>;
    const client = new HTTPClient({ transport });
    try {
      const signal = AbortSignal.timeout(30_000);
      const { body } = await client.do({ method: 'GET', url, headers: {}, maxResponseBytes: 1000, signal });
      return body.toString();
    } finally {
      transport.close();
    }
  }
  const basic = `Basic ${Buffer.from('user:p@ss').toString('base64')}`;

  test('are tunnelled for https, with the credentials of its URL', async () => {
    expect(await get('https://a.example:8443/x')).toBe('{"ok":true}');
    expect(asked).toEqual(['a.example:8443', basic]);
  });

  test('name the whole URL for http', async () => {
    expect(await get('http://a.example/x?y=z')).toBe('plain');
    expect(asked).toEqual(['http://a.example/x?y=z', basic]);
  });

  test('that it refuses fail with its words', async () => {
    refuses = true;
    await expect(get('https://a.example/x')).rejects.toThrow(
      'Get "https://a.example/x": Proxy Authentication Required',
    );
    refuses = false;
  });

  test('say that it cannot be reached', async () => {
    const why = 'Get "https://a.example/x": proxyconnect tcp: dial tcp 127.0.0.1:1: connect: connection refused';
    await expect(get('https://a.example/x', '127.0.0.1:1')).rejects.toThrow(why);
  });
});
