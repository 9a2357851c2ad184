import { once } from 'node:events';
import { get } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { describeKubectl, Kubectl } from '../support/kubectl.ts';
import { KubeletFixture } from '../support/kubelet-fixture.ts';

const protocols = [
  ['WebSockets', { KUBECTL_REMOTE_COMMAND_WEBSOCKETS: 'true', KUBECTL_PORT_FORWARD_WEBSOCKETS: 'true' }],
  ['SPDY', { KUBECTL_REMOTE_COMMAND_WEBSOCKETS: 'false', KUBECTL_PORT_FORWARD_WEBSOCKETS: 'false' }],
] as const;

describeKubectl('kubectl reaches kubelets and services through the server', () => {
  let fixture: KubeletFixture;
  let kubectl: Kubectl;

  beforeAll(async () => {
    fixture = await KubeletFixture.open();
    kubectl = await Kubectl.for(fixture.server.kubeconfig);
    await fixture.network.serve('192.0.2.1:8080', (request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<a href="/next">${request.url}</a>`);
    });
    await fixture.createPod('web', 'node', { podIP: '192.0.2.1' });
    const services = '/api/v1/namespaces/default/services';
    await fixture.create(services, { metadata: { name: 'web' }, spec: { ports: [{ port: 80 }] } });
    const targetRef = { kind: 'Pod', namespace: 'default', name: 'web' };
    await fixture.create('/api/v1/namespaces/default/endpoints', {
      metadata: { name: 'web' },
      subsets: [{ addresses: [{ ip: '192.0.2.1', targetRef }], ports: [{ port: 8080 }] }],
    });
  });
  afterAll(async () => {
    await kubectl?.close();
    await fixture?.close();
  });

  test.each([
    [['logs', 'one'], 'log of a\n'],
    [['logs', 'one', '-f', '--tail=1'], 'log of a\nmore\n'],
    [['logs', 'one', '--insecure-skip-tls-verify-backend'], 'log of a\n'],
  ])('%j', async (args, log) => {
    expect(await kubectl.ok(args)).toBe(log);
  });

  describe.each(protocols)('over %s', (_name, env) => {
    test.each([
      [['exec', 'one', '--', 'echo', 'a b'], undefined, { code: 0, stdout: 'a b\n', stderr: '' }],
      [['exec', '-i', 'one', '--', 'cat'], 'line\n'.repeat(50_000), { code: 0, stdout: 'line\n'.repeat(50_000), stderr: '' }],
      [['exec', 'one', '--', 'warn', 'w'], undefined, { code: 0, stdout: '', stderr: 'w\n' }],
      [['exec', 'one', '--', 'exit', '3'], undefined, { code: 3, stdout: '', stderr: 'command terminated with exit code 3\n' }],
      [['attach', '-i', 'one'], 'typed\n', expect.objectContaining({ code: 0, stdout: 'typed\n' })],
    ])('%j', async (args, stdin, result) => {
      expect(await kubectl.run(args, { stdin, env })).toEqual(result);
    });

    test('port-forward connects, and tells why it cannot', async () => {
      const forward = kubectl.start(['port-forward', 'pod/one', ':80', ':81'], env);
      const output = text(forward.stderr as NodeJS.ReadableStream);
      try {
        const ports = await forwardedPorts(forward.stdout as NodeJS.ReadableStream, 2);
        expect(await exchange(ports[0], 'hello')).toBe('hello');
        expect(await exchange(ports[1], 'refused')).toBe('');
      } finally {
        forward.kill();
      }
      expect(await output).toContain('connection refused');
    });
  });

  test.each([
    ['/api/v1/namespaces/default/services/web:80/proxy/', '/'],
    ['/api/v1/namespaces/default/pods/web:8080/proxy/a?b=c', '/a?b=c'],
  ])('get --raw %s', async (path, url) => {
    const [prefix] = path.split(/(?<=proxy)\//);
    expect(await kubectl.ok(['get', '--raw', path])).toBe(`<a href="${prefix}/next">${url}</a>`);
  });

  test('get --raw of a node', async () => {
    const path = '/api/v1/nodes/node/proxy/pods';
    expect(await kubectl.ok(['get', '--raw', path])).toBe('<a href="/api/v1/nodes/node/proxy/logs/">GET /pods</a>');
  });

  test('proxy leads to services', async () => {
    const proxy = kubectl.start(['proxy', '--port=0']);
    try {
      const [said] = await once(proxy.stdout as NodeJS.ReadableStream, 'data');
      const [address] = /127\.0\.0\.1:\d+/.exec(String(said)) ?? [];
      const [response] = await once(get(`http://${address}/api/v1/namespaces/default/services/web:80/proxy/x`), 'response');
      expect(await text(response)).toBe('<a href="/api/v1/namespaces/default/services/web:80/proxy/next">/x</a>');
    } finally {
      proxy.kill();
    }
  });
});

/** Returns the local ports that kubectl reports. kubectl must be able to write more. */
function forwardedPorts(output: NodeJS.ReadableStream, count: number): Promise<number[]> {
  let said = '';
  return new Promise((resolve, reject) => {
    output.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const ports = [...said.matchAll(/127\.0\.0\.1:(\d+) ->/g)].map(([, port]) => Number(port));
      if (ports.length === count) resolve(ports);
    });
    output.on('end', () => reject(new Error(`kubectl ended: ${said}`)));
  });
}

/** Sends a message. Returns the bytes received, up to the message's length or the end of the connection. */
async function exchange(port: number, message: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined).write(message);
  let answer = '';
  for await (const chunk of socket) {
    answer += chunk.toString();
    if (answer.length >= message.length) break;
  }
  return answer;
}
