import { once } from 'node:events';
import { request } from 'node:https';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { type RunningServer, startServer } from '../../runtime/index.ts';
import { runningPod, TestPods } from '../support/handled-pods.ts';
import { HttpClient } from '../support/http-client.ts';

/** A SPDY PING with a client's number. */
const spdyPing = Buffer.from('800300060000000400000001', 'hex');

describe('subresources that stream', () => {
  let server: RunningServer;
  let pods: TestPods;
  let client: HttpClient;
  const all = '/api/v1/namespaces/default/pods';
  beforeAll(async () => {
    pods = await TestPods.open();
    server = await startServer({ pods: pods.handlers });
    client = HttpClient.for(server);
    for (const pod of [runningPod('one', ['a']), runningPod('two', ['a', 'b'])]) await create(pod);
    await create({ metadata: { name: 'nowhere' }, spec: { containers: [{ name: 'a', image: 'i' }] } });
  });
  afterAll(async () => {
    client?.close();
    await server?.close();
    await pods?.close();
  });

  const create = (pod: object) => client.send('POST', all, JSON.stringify(pod), 'application/json');

  test.each([
    ['pods/one/exec?command=who&stdout=true', 400, 'Upgrade request required'],
    ['pods/one/attach?stdout=true', 400, 'Upgrade request required'],
    ['pods/one/portforward', 400, 'Upgrade request required'],
    ['pods/two/exec?command=who&stdout=true', 400, 'a container name must be specified for pod two, choose one of: [a b]'],
    ['pods/two/log', 400, 'a container name must be specified for pod two, choose one of: [a b]'],
    ['pods/one/log?container=c', 400, 'container c is not valid for pod one'],
    ['pods/nowhere/exec?command=who&stdout=true', 400, 'pod nowhere does not have a host assigned'],
    ['pods/nowhere/portforward', 400, 'pod nowhere does not have a host assigned'],
    ['pods/none/log', 404, 'pods "none" not found'],
    ['pods/one/log?sinceTime=x', 400, 'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"'],
    ['pods/one/log?tailLines=x', 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
    [
      'pods/one/log?limitBytes=0&tailLines=-1',
      422,
      'PodLogOptions "one" is invalid: [tailLines: Invalid value: -1: must be greater than or equal to 0, limitBytes: Invalid value: 0: must be greater than 0]',
    ],
    [
      'pods/one/log?sinceSeconds=1&sinceTime=2026-01-01T00:00:00Z',
      422,
      'PodLogOptions "one" is invalid: []: Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified',
    ],
    ['pods/one/log?stream=stdout', 422, 'PodLogOptions "one" is invalid: stream: Forbidden: may not be specified'],
  ])('GET %s: %d %s', async (path, code, message) => {
    const { status, json } = await client.get(`/api/v1/namespaces/default/${path}`);
    expect([status, json.message]).toEqual([code, message]);
  });

  test('the log of a pod without a node is empty', async () => {
    const { status, body } = await client.get(`${all}/nowhere/log`);
    expect([status, body.toString()]).toEqual([204, '']);
  });

  async function upgrade(path: string, headers: Record<string, string>) {
    const { clientCertificate: cert, clientKey: key, caCertificate: ca } = server;
    const sent = request(`${server.url}${all}/${path}`, {
      ca,
      cert,
      key,
      headers: { connection: 'Upgrade', ...headers },
    });
    sent.end();
    const [response] = await Promise.race([once(sent, 'response'), once(sent, 'upgrade')]);
    let body = '';
    if (response.statusCode !== 101) for await (const chunk of response) body += chunk.toString();
    sent.destroy();
    return { status: response.statusCode, headers: response.headers, body };
  }

  const spdy = { upgrade: 'SPDY/3.1', 'x-stream-protocol-version': 'v4.channel.k8s.io' };
  const key = { 'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==', 'sec-websocket-version': '13', upgrade: 'websocket' };

  test.each([
    ['one/exec?command=who', spdy, 400, 'you must specify at least 1 of stdin, stdout, stderr\n'],
    [
      'one/exec?command=who&stdout=true',
      { upgrade: 'SPDY/3.1', 'x-stream-protocol-version': 'v9.channel.k8s.io' },
      403,
      'unable to upgrade: unable to negotiate protocol: client supports [v9.channel.k8s.io], server accepts [v4.channel.k8s.io v3.channel.k8s.io v2.channel.k8s.io channel.k8s.io]\n',
    ],
    [
      'one/portforward',
      spdy,
      403,
      'unable to upgrade: unable to negotiate protocol: client supports [v4.channel.k8s.io], server accepts [portforward.k8s.io]\n',
    ],
    ['one/exec?command=who&stdout=true', { ...spdy, upgrade: 'other' }, 400, 'unable to upgrade: missing upgrade headers in request\n'],
  ])('an upgrade of %s with %j is refused with %d', async (path, headers, code, text) => {
    const { status, body } = await upgrade(path, headers);
    expect([status, body]).toEqual([code, text]);
  });

  test.each(['v4.channel.k8s.io', 'SPDY/3.1+portforward.k8s.io'])(
    'a client that offers %s for the ports of a pod gets it over a WebSocket',
    async (protocol) => {
      const { status, headers } = await upgrade('one/portforward?ports=80', {
        ...key,
        'sec-websocket-protocol': protocol,
      });
      expect([status, headers['sec-websocket-protocol']]).toEqual([101, protocol]);
    },
  );

  test.each([
    ['exec?command=head&command=-n1&stdin=1&stdout=1', 'v4.channel.k8s.io', Buffer.from('\u0000said\n'), 'said\n'],
    ['portforward?ports=7', 'v4.channel.k8s.io', Buffer.from('\u0000said\n'), 'said\n'],
    ['portforward', 'SPDY/3.1+portforward.k8s.io', spdyPing, spdyPing.toString('latin1')],
  ])('a message that comes together with the request for %s over %s is answered', async (path, protocol, sent, want) => {
    const { clientCertificate: cert, clientKey, caCertificate: ca } = server;
    const { hostname, port } = new URL(server.url);
    const socket = connect({ host: hostname, port: Number(port), ca, cert, key: clientKey });
    try {
      const head = Object.entries({ ...key, host: 'x', connection: 'Upgrade', 'sec-websocket-protocol': protocol });
      const lines = [`GET ${all}/one/${path} HTTP/1.1`, ...head.map(([name, value]) => `${name}: ${value}`), '', ''];
      const frame = Buffer.concat([Buffer.from([0x82, 0x80 | sent.length, 0, 0, 0, 0]), sent]);
      socket.write(Buffer.concat([Buffer.from(lines.join('\r\n')), frame]));
      let answer = '';
      for await (const chunk of socket) {
        answer += (chunk as Buffer).toString('latin1');
        if (answer.includes(want)) break;
      }
      expect(answer).toContain(want);
    } finally {
      socket.destroy();
    }
  });

  test.each([
    ['v5.channel.k8s.io', 'v5.channel.k8s.io'],
    ['v9.channel.k8s.io, v4.channel.k8s.io, channel.k8s.io', 'v4.channel.k8s.io'],
    ['base64.channel.k8s.io', 'base64.channel.k8s.io'],
  ])('of the protocols %s of a WebSocket, %s is spoken', async (offered, spoken) => {
    const { status, headers } = await upgrade('one/exec?command=who&stdout=true', {
      ...key,
      'sec-websocket-protocol': offered,
    });
    expect([status, headers['sec-websocket-protocol']]).toEqual([101, spoken]);
  });

  test.each([
    ['v4.channel.k8s.io', (text: string) => Buffer.from(`\u0004${text}`)],
    ['v4.base64.channel.k8s.io', (text: string) => `4${Buffer.from(text).toString('base64')}`],
  ])('a terminal tells its sizes over %s', async (protocol, message) => {
    const { clientCertificate: cert, clientKey: tlsKey, caCertificate: ca } = server;
    const query = 'command=head&command=-n1&stdin=true&stdout=true&tty=true';
    const url = `${server.url.replace('https', 'wss')}${all}/one/exec?${query}`;
    const socket = new WebSocket(url, protocol, { ca, cert, key: tlsKey });
    try {
      await once(socket, 'open');
      pods.sizes.length = 0;
      for (const [width, height] of [
        [80, 24],
        [132, 50],
      ]) {
        socket.send(message(JSON.stringify({ Width: width, Height: height })));
      }
      const input = 'end\n';
      socket.send(protocol.includes('base64') ? `0${Buffer.from(input).toString('base64')}` : `\u0000${input}`);
      await once(socket, 'close');
      expect(pods.sizes).toEqual([
        { width: 80, height: 24 },
        { width: 132, height: 50 },
      ]);
    } finally {
      socket.terminate();
    }
  });

  test('a command whose client goes away is told so', async () => {
    const told = once(pods.gone, 'gone');
    const { clientCertificate: cert, clientKey: tlsKey, caCertificate: ca } = server;
    const url = `${server.url.replace('https', 'wss')}${all}/one/exec?command=wait&stdout=true`;
    const socket = new WebSocket(url, 'v5.channel.k8s.io', { ca, cert, key: tlsKey });
    await once(socket, 'message');
    socket.terminate();
    await told;
  });

  test.each(['one/exec?command=who&stdout=true', 'one/log'])('a WebSocket of %s without a known protocol is refused', async (path) => {
    const { status } = await upgrade(path, { ...key, 'sec-websocket-protocol': 'v9' });
    expect(status).toBe(403);
  });

  test.each([
    ['', true, (message: Buffer) => message.toString()],
    ['binary.k8s.io', true, (message: Buffer) => message.toString()],
    ['base64.binary.k8s.io', false, (message: Buffer) => Buffer.from(message.toString(), 'base64').toString()],
  ])('a log is read over a WebSocket of the protocol %j', async (protocol, binary, decode) => {
    const { clientCertificate: cert, clientKey: tlsKey, caCertificate: ca } = server;
    const url = `${server.url.replace('https', 'wss')}${all}/one/log?limitBytes=6`;
    const socket = new WebSocket(url, protocol || [], { ca, cert, key: tlsKey });
    const seen: [string, boolean][] = [];
    socket.on('message', (data: Buffer, isBinary) => seen.push([decode(data), isBinary]));
    await once(socket, 'close');
    expect([socket.protocol, seen]).toEqual([protocol, ['', 'a 1\n', 'a '].map((text) => [text, binary])]);
  });
});

test('without handlers, no node can be reached', async () => {
  const server = await startServer();
  const client = HttpClient.for(server);
  try {
    const pods = '/api/v1/namespaces/default/pods';
    await client.send('POST', pods, JSON.stringify(runningPod('one', ['a'])), 'application/json');
    const { status, json } = await client.get(`${pods}/one/log`);
    expect([status, json.message]).toEqual([500, 'Internal error occurred: error dialing backend: no connection to node "node"']);
  } finally {
    client.close();
    await server.close();
  }
});
