import { once } from 'node:events';
import { request } from 'node:https';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import type { RunningServer } from '../../../runtime/index.ts';
import { noSuchHost, onNameServer } from '../../../runtime/machinery/go/no-such-host.ts';
import { HttpClient } from '../../support/http-client.ts';
import { startTestServer } from '../../support/test-server.ts';

/* Nodes report their kubelets' addresses, which may be anything. Messages of logs are kube-apiserver's. */

let server: RunningServer;
let http: HttpClient;
beforeAll(async () => {
  server = await startTestServer({ kubeletPort: 10_250 });
  http = HttpClient.for(server);
});
afterAll(async () => {
  http?.close();
  await server?.close();
});

const pods = '/api/v1/namespaces/default/pods';
/** The name server in Go's message. */
const resolver = onNameServer();

const parse = (url: string, why: string): string => `parse "https://${url}": ${why}`;
const constructed = (url: string, why: string): string => `failed to construct request for https://${url}, got ${parse(url, why)}`;

let created = 0;
async function podOnNodeAt(address: string, port?: number): Promise<string> {
  const name = `n${created++}`;
  const status = { addresses: [{ type: 'InternalIP', address }], daemonEndpoints: { kubeletEndpoint: { Port: port } } };
  const spec = { nodeName: name, containers: [{ name: 'c', image: 'i' }] };
  for (const [path, object] of [
    ['/api/v1/nodes', { metadata: { name }, status }],
    [pods, { metadata: { name }, spec }],
  ] as const) {
    expect((await http.send('POST', path, JSON.stringify(object), 'application/json')).status).toBe(201);
  }
  return name;
}

/** Returns the response to an upgrade. */
function upgrade(path: string, protocol: string): Promise<{ code: number | undefined; message: string }> {
  const { port, caCertificate: ca, clientCertificate: cert, clientKey: key } = server;
  const headers = { connection: 'Upgrade', upgrade: 'SPDY/3.1', 'x-stream-protocol-version': protocol };
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path, ca, cert, key, headers });
    outgoing.on('response', async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve({ code: response.statusCode, message: JSON.parse(text).message });
    });
    outgoing.on('error', reject).end();
  });
}

/** Returns the result of a WebSocket client's command. */
async function ending(path: string): Promise<string> {
  const { url, caCertificate: ca, clientCertificate: cert, clientKey: key } = server;
  const socket = new WebSocket(`${url.replace('https', 'wss')}${path}`, 'v5.channel.k8s.io', { ca, cert, key });
  let status = '';
  socket.on('message', (data: Buffer) => {
    if (data[0] === 3) status += data.subarray(1).toString();
  });
  await once(socket, 'close');
  return JSON.parse(status).message;
}

const escaped = (sequence: string): string => `invalid URL escape "${sequence}"`;

test.each<[address: string, host: string, why: string]>([
  ['127.0.0.1:30400/x?', '[127.0.0.1:30400%2Fx%3F]', escaped('%2F')],
  ['a b', 'a%20b', escaped('%20')],
  ['127.0.0.1/', '127.0.0.1%2F', escaped('%2F')],
  ['user@h', 'user%40h', escaped('%40')],
  ['[::1]', '[[::1]]', 'invalid IP-literal'],
  ['a:b', '[a:b]', 'invalid host: ParseAddr("a:b"): address string too short'],
])('a kubelet at %j is asked for nothing, and clients are told why', async (address, host, why) => {
  const name = await podOnNodeAt(address);
  const log = await http.get(`${pods}/${name}/log`);
  expect([log.status, log.json.reason]).toEqual([500, undefined]);
  expect(log.json.message).toBe(constructed(`${host}:10250/containerLogs/default/${name}/c`, why));
  const url = `${host}:10250/exec/default/${name}/c?command=x&output=1`;
  expect(await upgrade(`${pods}/${name}/exec?command=x&stdout=1`, 'v4.channel.k8s.io')).toEqual({
    code: 500,
    message: `error dialing backend: ${parse(url, why)}`,
  });
  expect(await ending(`${pods}/${name}/exec?command=x&stdout=1`)).toBe(
    `Internal error occurred: error creating request: ${parse(url, why)}`,
  );
  const proxied = await http.get(`/api/v1/nodes/${name}/proxy/healthz`);
  expect([proxied.status, proxied.json.message]).toEqual([400, noSuchHost(address)]);
});

test.each<[address: string, port: number | undefined, host: string, why: string]>([
  ['127.0.0.2', 70_000, '127.0.0.2:70000', 'dial tcp: address 70000: invalid port'],
  ['127.0.0.2', 2 ** 31 - 1, '127.0.0.2:2147483647', 'dial tcp: address 2147483647: invalid port'],
  ['0x7f.1', undefined, '0x7f.1:10250', `dial tcp: lookup 0x7f.1${resolver}: no such host`],
  ['2130706433', undefined, '2130706433:10250', 'dial tcp: lookup 2130706433: no such host'],
  ['256.1.1.1', undefined, '256.1.1.1:10250', 'dial tcp: lookup 256.1.1.1: no such host'],
  ['1.2.3.4.5', undefined, '1.2.3.4.5:10250', 'dial tcp: lookup 1.2.3.4.5: no such host'],
])('a kubelet at %j, port %p, cannot be reached', async (address, port, host, why) => {
  const name = await podOnNodeAt(address, port);
  const log = await http.get(`${pods}/${name}/log`);
  expect([log.status, log.json.message]).toEqual([500, `Get "https://${host}/containerLogs/default/${name}/c": ${why}`]);
  const { code, message } = await upgrade(`${pods}/${name}/exec?command=x&stdout=1`, 'v4.channel.k8s.io');
  expect([code, message]).toEqual([500, `error dialing backend: ${why}`]);
  expect(await ending(`${pods}/${name}/exec?command=x&stdout=1`)).toBe(
    `Internal error occurred: error sending request: Post "https://${host}/exec/default/${name}/c?command=x&output=1": ${why}`,
  );
});
