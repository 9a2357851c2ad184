import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket, type Server as TcpServer } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ProxyTransports } from '../../../../runtime/client/proxy/transport.ts';
import type { Dial } from '../../../../runtime/client/transport/dial.ts';
import { HTTPClient } from '../../../../runtime/client/transport/http-client.ts';
import { parseProxy, proxyFromEnvironment } from '../../../../runtime/client/transport/proxy-environment.ts';
import { Transport } from '../../../../runtime/client/transport/transport.ts';
import type { APIServiceSpec } from '../../../../runtime/extensions/aggregation/api-service.ts';
import { ServiceTransport } from '../../../../runtime/extensions/aggregation/proxy/transport.ts';
import { parseGoURL } from '../../../../runtime/machinery/go/url.ts';
import { KubeletClient, type KubeletClientOptions } from '../../../../runtime/streaming/kubelet/kubelet-client.ts';
import { WebhookServer } from '../../../support/webhook-server.ts';

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

describe('the proxies of the environment', () => {
  const environment = { ...process.env };
  beforeEach(() => {
    process.env.HTTPS_PROXY = 'http://proxy:3128';
    process.env.NO_PROXY = '10.1.0.0/16';
  });
  afterEach(() => {
    process.env = { ...environment };
  });

  const kubelets = (dial?: Dial): Transport => {
    const options = { dial, timeout: undefined, transports: new ProxyTransports(dial) };
    const credentials = { certificate: undefined, key: undefined, certificateAuthority: undefined };
    return new KubeletClient(options as unknown as KubeletClientOptions, credentials).transport;
  };
  test.each<[string, () => Transport]>([
    ['aggregated servers', () => new ServiceTransport({} as APIServiceSpec, undefined)],
    ['kubelets', () => kubelets()],
    ['pods, services and nodes', () => new ProxyTransports().https],
  ])('%s are asked through them', (_title, open) => {
    const transport = open();
    const proxyOf = (host: string): string | undefined => transport.proxyFor({ host, port: 443 })?.host;
    expect([proxyOf('10.0.0.1'), proxyOf('10.1.0.1')]).toEqual(['proxy:3128', undefined]);
  });

  const simulated: Dial = () => {
    throw new Error('nobody is asked');
  };
  test.each<[string, () => Transport]>([
    ['kubelets', () => kubelets(simulated)],
    ['pods', () => new ProxyTransports(simulated).https],
  ])('%s of a simulated network are asked without them', (_title, open) => {
    expect(open().proxyFor({ host: '10.0.0.1', port: 443 })).toBeUndefined();
  });
});

/**
 * Responds to one connection like a SOCKS5 proxy. If it grants the request, it connects the client to a port of
 * 127.0.0.1.
 */
function serveSocks(client: Socket, asked: unknown[], reply: number, targetPort: number): void {
  const steps = [
    (data: Buffer): void => {
      asked.push(`methods ${[...data.subarray(2)]}`);
      client.write(Buffer.from([5, data.includes(2, 2) ? 2 : 0]));
      if (!data.includes(2, 2)) steps.shift();
    },
    (data: Buffer): void => {
      const nameLength = data[1];
      asked.push(`${data.subarray(2, 2 + nameLength)}:${data.subarray(3 + nameLength)}`);
      client.write(Buffer.from([1, 0]));
    },
    (data: Buffer): void => {
      asked.push(data[3] === 3 ? `${data.subarray(5, 5 + data[4])}:${data.readUInt16BE(5 + data[4])}` : data[3]);
      client.write(Buffer.from([5, reply, 0, 1, 0, 0, 0, 0, 0, 0]));
      if (reply !== 0) return;
      const upstream = connect(targetPort, '127.0.0.1');
      client.pipe(upstream).pipe(client);
      upstream.on('error', () => client.destroy());
    },
  ];
  client.on('error', () => undefined);
  client.on('data', (data: Buffer) => steps.shift()?.(data));
}

describe('requests through a SOCKS5 proxy', () => {
  let server: WebhookServer;
  let proxy: TcpServer;
  let asked: unknown[];
  let reply = 0;

  beforeAll(async () => {
    server = await WebhookServer.open(() => ({ body: { ok: true } }));
    const { port } = new URL(server.url);
    proxy = createTcpServer((client) => serveSocks(client, asked, reply, Number(port)));
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    await new Promise((resolve) => proxy.close(resolve));
    await server.close();
  });

  async function get(userinfo: string): Promise<string> {
    asked = [];
    const through = parseProxy(`socks5://${userinfo}127.0.0.1:${(proxy.address() as AddressInfo).port}`);
    const tls = { ca: server.authority.certificate, serverName: '127.0.0.1' };
    const transport = new Transport({ tls, proxy: () => through });
    const url = parseGoURL('https://a.example:8443/x') as NonNullable<ReturnType<typeof parseGoURL>>;
    try {
      const signal = AbortSignal.timeout(30_000);
      const request = { method: 'GET', url, headers: {}, maxResponseBytes: 1000, signal };
      return String((await new HTTPClient({ transport }).do(request)).body);
    } finally {
      transport.close();
    }
  }

  test('name the server, which the proxy looks up', async () => {
    expect(await get('')).toBe('{"ok":true}');
    expect(asked).toEqual(['methods 0', 'a.example:8443']);
  });

  test('show the credentials of its URL', async () => {
    expect(await get('me:p%40ss@')).toBe('{"ok":true}');
    expect(asked).toEqual(['methods 0,2', 'me:p@ss', 'a.example:8443']);
  });

  test.each([
    [1, 'general SOCKS server failure'],
    [2, 'connection not allowed by ruleset'],
    [4, 'host unreachable'],
    [5, 'connection refused'],
  ])('that it refuses with %d fail in the words of Go', async (code, why) => {
    reply = code;
    const { port } = proxy.address() as AddressInfo;
    await expect(get('')).rejects.toThrow(
      `Get "https://a.example:8443/x": socks connect tcp 127.0.0.1:${port}->a.example:8443: unknown error ${why}`,
    );
    reply = 0;
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
    await expect(get('https://a.example/x')).rejects.toThrow('Get "https://a.example/x": Proxy Authentication Required');
    refuses = false;
  });

  test('say that it cannot be reached', async () => {
    const why = 'Get "https://a.example/x": proxyconnect tcp: dial tcp 127.0.0.1:1: connect: connection refused';
    await expect(get('https://a.example/x', '127.0.0.1:1')).rejects.toThrow(why);
  });

  test('say that they do not speak TLS', async () => {
    const { port } = proxy.address() as AddressInfo;
    const why = 'Get "https://a.example/x": proxyconnect tcp: tls: first record does not look like a TLS handshake';
    await expect(get('https://a.example/x', `https://127.0.0.1:${port}`)).rejects.toThrow(why);
  });
});
