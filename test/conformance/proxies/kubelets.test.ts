import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { startServer } from '../../../runtime/index.ts';
import { onNameServer } from '../../../runtime/machinery/go/no-such-host.ts';
import type { HttpResponse } from '../../support/http-client.ts';
import { KubeletFixture } from '../../support/kubelet-fixture.ts';
import { ManualClock } from '../../support/manual-clock.ts';

let fixture: KubeletFixture;
const root = '/api/v1/namespaces/default/pods';

beforeAll(async () => {
  fixture = await KubeletFixture.open();
  await fixture.createPod('two', 'node', { containers: ['a', 'b'] });
  await fixture.createPod('lost', 'gone');
  const address = (type: string, value: string) => ({ type, address: value });
  await fixture.createNode('far', [address('Other', 'y')]);
  await fixture.createPod('far', 'far');
  await fixture.createNode('impostor', [address('ExternalIP', '192.0.2.66'), address('InternalIP', '192.0.2.11')]);
  await fixture.createPod('impostor', 'impostor');
  await fixture.createNode('down', [address('InternalIP', '192.0.2.10')], 10_251);
  await fixture.createPod('down', 'down');
  await fixture.createPod('refused', 'node', { containers: ['400', '404', '403', '429', '500', '502'] });
  await fixture.createPod('moved', 'node');
  await fixture.createNode('local', [address('Hostname', 'localhost')]);
  await fixture.createNode('nameless', [address('Hostname', 'none.invalid')]);
});
afterAll(() => fixture?.close());
beforeEach(() => {
  fixture.kubelet.requests.length = 0;
});

const get = (path: string): Promise<HttpResponse> => fixture.http.get(path);
const answer = ({ status, json, body }: HttpResponse): unknown => [status, json?.message ?? body.toString()];

describe('logs', () => {
  test('are those of the kubelet, which is asked for what the client asks for', async () => {
    const query = 'timestamps=true&follow=1&previous=true&tailLines=5&limitBytes=100&sinceSeconds=60&insecureSkipTLSVerifyBackend=false';
    const { status, headers, body } = await get(`${root}/two/log?container=b&${query}`);
    expect([status, headers['content-type'], body.toString()]).toEqual([200, 'text/plain', 'log of b\nmore\n']);
    await get(`${root}/one/log?sinceTime=2026-01-02T03:04:05%2B01:00`);
    expect(fixture.kubelet.requests).toEqual([
      'GET /containerLogs/default/two/b?follow=true&limitBytes=100&previous=true&sinceSeconds=60&tailLines=5&timestamps=true',
      'GET /containerLogs/default/one/a?sinceTime=2026-01-02T02%3A04%3A05Z',
    ]);
  });

  test.each([
    ['refused', '400', 400, 'no 400'],
    ['refused', '404', 404, 'the server could not find the requested resource ( pods/log refused)'],
    ['refused', '403', 403, 'no 403 ( pods/log refused)'],
    ['refused', '429', 429, 'the server has received too many requests and has asked us to try again later ( pods/log refused)'],
    ['refused', '500', 500, 'Internal error occurred: no 500'],
    ['refused', '502', 502, 'an error on the server ("no 502") has prevented the request from succeeding ( pods/log refused)'],
    ['moved', 'a', 500, 'Get "https://192.0.2.10:10250/containerLogs/default/moved/a": redirects forbidden'],
    ['lost', 'a', 404, 'nodes "gone" not found'],
    ['far', 'a', 500, 'no preferred addresses found; known addresses: [{Other y}]'],
    [
      'impostor',
      'a',
      500,
      'Get "https://192.0.2.11:10250/containerLogs/default/impostor/a": tls: failed to verify certificate: x509: certificate is valid for 192.0.2.10, not 192.0.2.11',
    ],
    [
      'down',
      'a',
      500,
      'Get "https://192.0.2.10:10251/containerLogs/default/down/a": dial tcp 192.0.2.10:10251: connect: connection refused',
    ],
  ] as [string, string, number, string][])('of %s/%s: %d %s', async (pod, container, code, message) => {
    expect(answer(await get(`${root}/${pod}/log?container=${container}`))).toEqual([code, message]);
  });

  test('of a kubelet whose certificate is wrong are there for who does not mind', async () => {
    expect((await get(`${root}/impostor/log?insecureSkipTLSVerifyBackend=true`)).body.toString()).toBe('log of a\n');
  });
});

describe('upgraded connections', () => {
  const open = (path: string, protocol: string): WebSocket => {
    const { url, caCertificate: ca, clientCertificate: cert, clientKey: key } = fixture.server;
    return new WebSocket(`${url.replace('https', 'wss')}${root}/${path}`, protocol, { ca, cert, key });
  };

  /** Returns each channel's data up to the end of the connection. */
  async function read(socket: WebSocket): Promise<Record<number, string>> {
    const channels: Record<number, string> = {};
    socket.on('message', (data: Buffer) => {
      channels[data[0]] = (channels[data[0]] ?? '') + data.subarray(1).toString();
    });
    await once(socket, 'close');
    return channels;
  }

  test("of older WebSocket protocols are the kubelet's", async () => {
    const channels = await read(open('one/exec?command=x&stdout=true&stderr=true', 'v4.channel.k8s.io'));
    expect(channels).toEqual({ 1: 'over v4.channel.k8s.io', 3: '{"status":"Success"}' });
    expect(fixture.kubelet.requests).toEqual(['GET /exec/default/one/a?command=x&error=1&output=1']);
  });

  test.each([
    ['exec?command=echo&command=a&command=b%20c&stdout=true', { 1: 'a b c\n' }, { status: 'Success' }],
    ['exec?command=warn&command=w&stdout=true&stderr=true', { 1: '', 2: 'w\n' }, { status: 'Success' }],
    [
      'exec?command=exit&command=3&stdout=true',
      { 1: '' },
      {
        status: 'Failure',
        reason: 'NonZeroExitCode',
        message: 'command terminated with non-zero exit code: command terminated with exit code 3',
        details: { causes: [{ reason: 'ExitCode', message: '3' }] },
      },
    ],
    [
      'exec?command=fail&stdout=true',
      { 1: '' },
      { status: 'Failure', reason: 'InternalError', message: 'Internal error occurred: no such command', code: 500 },
    ],
  ])('of v5.channel.k8s.io are translated to SPDY: %s', async (path, outputs, status) => {
    const { 3: told, ...channels } = await read(open(`one/${path}`, 'v5.channel.k8s.io'));
    expect(channels).toEqual(outputs);
    expect(JSON.parse(told)).toMatchObject(status);
    expect(fixture.kubelet.requests[0]).toMatch(/^POST \/exec\/default\/one\/a\?command=/);
  });

  test('of v5.channel.k8s.io end the input of a command, and tell the sizes of terminals', async () => {
    fixture.kubelet.sizes.length = 0;
    const socket = open('one/attach?stdin=true&stdout=true&tty=true', 'v5.channel.k8s.io');
    const channels = read(socket);
    await once(socket, 'open');
    socket.send(Buffer.from('\u0004{"Width":80,"Height":24}'));
    socket.send(Buffer.from('\u0000typed'));
    socket.send(Buffer.from([255, 0]));
    expect((await channels)[1]).toBe('typed');
    expect(fixture.kubelet.sizes.join('')).toBe('{"Width":80,"Height":24}');
    expect(fixture.kubelet.requests).toEqual(['POST /attach/default/one/a?input=1&output=1&tty=1']);
  });

  test('of v5.channel.k8s.io tell why there is no connection to the kubelet', async () => {
    const { 3: told } = await read(open('down/exec?command=x&stdout=true', 'v5.channel.k8s.io'));
    expect(JSON.parse(told)).toMatchObject({
      status: 'Failure',
      message:
        'Internal error occurred: error sending request: Post "https://192.0.2.10:10251/exec/default/down/a?command=x&output=1": dial tcp 192.0.2.10:10251: connect: connection refused',
    });
  });

  test.each([
    ['one/exec?command=x&stdout=true', 400, 'Upgrade request required'],
    ['one/portforward', 400, 'Upgrade request required'],
  ])('are required for %s', async (path, code, message) => {
    expect(answer(await get(`${root}/${path}`))).toEqual([code, message]);
  });

  test.each([
    ['down/exec?command=x&stdout=true', 'error dialing backend: dial tcp 192.0.2.10:10251: connect: connection refused'],
    [
      'impostor/attach?stdout=true',
      'error dialing backend: tls: failed to verify certificate: x509: certificate is valid for 192.0.2.10, not 192.0.2.11',
    ],
    ['far/portforward', 'no preferred addresses found; known addresses: [{Other y}]'],
  ])('of %s fail: %s', async (path, message) => {
    const headers = { connection: 'Upgrade', upgrade: 'SPDY/3.1', 'x-stream-protocol-version': 'v4.channel.k8s.io' };
    expect(answer(await fixture.http.get(`${root}/${path}`, { headers }))).toEqual([500, message]);
  });
});

describe('proxies of nodes', () => {
  test.each([
    ['node/proxy/logs/', '/logs/'],
    ['node:10250/proxy/pods?x=1', '/pods?x=1'],
    ['https:node:10250/proxy/', '/'],
  ])('%s leads to the kubelet', async (path, url) => {
    const prefix = `/api/v1/nodes/${path.split('/')[0]}/proxy`;
    expect(answer(await get(`/api/v1/nodes/${path}`))).toEqual([200, `<a href="${prefix}/logs/">GET ${url}</a>`]);
  });

  test.each([
    ['node:9/proxy/', 503, 'error trying to reach service: dial tcp 192.0.2.10:9: connect: connection refused'],
    ['node:a/proxy/', 400, 'invalid node request "node:a"'],
    ['ftp:node:1/proxy/', 400, 'invalid node request "ftp:node:1"'],
    ['none/proxy/', 404, 'nodes "none" not found'],
    ['far/proxy/', 500, 'no preferred addresses found; known addresses: [{Other y}]'],
    ['local/proxy/', 400, 'address not allowed'],
    ['nameless/proxy/', 400, `lookup none.invalid${onNameServer()}: no such host`],
    [
      'impostor/proxy/',
      503,
      'error trying to reach service: tls: failed to verify certificate: x509: certificate is valid for 192.0.2.10, not 192.0.2.11',
    ],
  ] as [string, number, string][])('%s: %d %s', async (path, code, message) => {
    expect(answer(await get(`/api/v1/nodes/${path}`))).toEqual([code, message]);
  });
});

test.each([
  [{ kubeletClientCertificate: '/none' }, '--kubelet-client-certificate and --kubelet-client-key must be given together'],
  [{ kubeletCertificateAuthority: '/none' }, '--kubelet-certificate-authority: ENOENT'],
])('the options %j are refused', async (options, message) => {
  await expect(startServer(options)).rejects.toThrow(message);
});

test('a new client certificate is used for the next request', async () => {
  const clock = new ManualClock();
  const other = await KubeletFixture.open({ clock });
  try {
    const log = (): Promise<HttpResponse> => other.http.get(`${root}/one/log`);
    expect((await log()).status).toBe(200);
    // a certificate of another CA
    await other.changeCertificate(fixture.kubelet.clientPair());
    let refused = await log();
    for (; refused.status === 200; refused = await log()) clock.advance(10_000);
    expect(answer(refused)).toEqual([401, 'the server has asked for the client to provide credentials ( pods/log one)']);
  } finally {
    await other.close();
  }
});

test('a log that breaks off ends where it did', async () => {
  fixture.kubelet.breaksOff = true;
  try {
    expect(answer(await get(`${root}/one/log`))).toEqual([200, 'log of a\n']);
  } finally {
    fixture.kubelet.breaksOff = false;
  }
});
