import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RunningServer, startServer } from '../../runtime/index.ts';
import { runningPod, TestPods } from '../support/handled-pods.ts';
import { HttpClient } from '../support/http-client.ts';
import { describeKubectl, Kubectl } from '../support/kubectl.ts';
import { testUnless } from '../support/skipping.ts';

const versions = ['1.35', '1.32'] as const;
const protocols = [
  ['WebSockets', { KUBECTL_REMOTE_COMMAND_WEBSOCKETS: 'true', KUBECTL_PORT_FORWARD_WEBSOCKETS: 'true' }],
  ['SPDY', { KUBECTL_REMOTE_COMMAND_WEBSOCKETS: 'false', KUBECTL_PORT_FORWARD_WEBSOCKETS: 'false' }],
] as const;
/** Runs a command in its own terminal. */
const script = '/usr/bin/script';

describeKubectl('kubectl streams to and from pods', () => {
  let server: RunningServer;
  let pods: TestPods;
  let folder: string;
  beforeAll(async () => {
    pods = await TestPods.open();
    server = await startServer({ pods: pods.handlers });
    folder = await mkdtemp(join(tmpdir(), 'kubeloom-streams-'));
    const client = HttpClient.for(server);
    const all = '/api/v1/namespaces/default/pods';
    const send = (method: string, path: string, body: object) =>
      client.send(method, path, JSON.stringify(body), method === 'PATCH' ? 'application/merge-patch+json' : undefined);
    for (const pod of [runningPod('one', ['a']), runningPod('two', ['a', 'b'])]) {
      await send('POST', all, pod);
      await send('PATCH', `${all}/${pod.metadata.name}/status`, { status: { phase: 'Running' } });
    }
    await send('POST', all, { metadata: { name: 'nowhere' }, spec: { containers: [{ name: 'a', image: 'i' }] } });
    client.close();
  });
  afterAll(async () => {
    await server?.close();
    await pods?.close();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  describe.each(versions)('version %s', (version) => {
    let kubectl: Kubectl;
    beforeAll(async () => {
      kubectl = await Kubectl.for(server.kubeconfig, version);
    });
    afterAll(() => kubectl?.close());

    describe.each(protocols)('over %s', (_name, env) => {
      const run = (args: string[], stdin?: string) => kubectl.run(args, { stdin, env });

      test.each([
        ['its container', ['exec', 'one', '--', 'who'], { code: 0, stdout: 'one/a\n', stderr: '' }],
        ['a named one', ['exec', 'two', '-c', 'b', '--', 'who'], { code: 0, stdout: 'two/b\n', stderr: '' }],
        ['both outputs', ['exec', 'one', '--', 'sh', '-c', 'echo o; echo e >&2'], { code: 0, stdout: 'o\n', stderr: 'e\n' }],
        [
          'an exit code',
          ['exec', 'one', '--', 'sh', '-c', 'exit 3'],
          { code: 3, stdout: '', stderr: 'command terminated with exit code 3\n' },
        ],
        [
          'a failure',
          ['exec', 'one', '--', 'fail'],
          {
            code: 1,
            stdout: '',
            stderr: 'error: Internal error occurred: error executing command in container: no such command\n',
          },
        ],
        [
          'an unknown container',
          ['exec', 'two', '-c', 'c', '--', 'who'],
          { code: 1, stdout: '', stderr: 'Error from server (BadRequest): container c is not valid for pod two\n' },
        ],
        [
          'no node',
          ['exec', 'nowhere', '--', 'who'],
          {
            code: 1,
            stdout: '',
            stderr: 'Error from server (BadRequest): pod nowhere does not have a host assigned\n',
          },
        ],
      ])('exec: %s', async (_what, args, result) => {
        expect(await run(args)).toEqual(result);
      });

      test('exec sends input to its end, of any size', async () => {
        const input = 'line of input\n'.repeat(100_000);
        const { stdout, stderr, code } = await run(['exec', '-i', 'one', '--', 'cat'], input);
        expect([code, stderr, stdout === input]).toEqual([0, '', true]);
      });

      test('attach', async () => {
        expect((await run(['attach', '-i', 'one'], 'input\n')).stdout).toBe('attached\ninput\n');
      });

      test('cp, to a pod and back', async () => {
        const [from, remote, to] = ['from', 'remote', 'to'].map((name) => join(folder, `${name}-${version}-${_name}`));
        await writeFile(from, Buffer.alloc(200_000, 'content'));
        expect(await run(['cp', from, `one:${remote}`])).toMatchObject({ code: 0, stderr: '' });
        expect(await run(['cp', `one:${remote}`, to])).toMatchObject({ code: 0 });
        expect((await readFile(to)).equals(await readFile(from))).toBe(true);
      });

      test('port-forward connects, and tells why it cannot', async () => {
        const forward = kubectl.start(['port-forward', 'pod/one', ':80', ':81'], env);
        const output = text(forward.stderr as NodeJS.ReadableStream);
        try {
          const ports = await forwardedPorts(forward.stdout as NodeJS.ReadableStream, 2);
          expect(await exchange(ports[0], 'hello')).toBe('hello');
          expect(await exchange(ports[0], 'again')).toBe('again');
          expect(await exchange(ports[1], 'refused')).toBe('');
        } finally {
          forward.kill();
        }
        expect(await output).toContain('error forwarding port 81 to pod one, uid ');
      });

      testUnless(existsSync(script) ? undefined : `${script} is missing`)('exec -it has a terminal', async () => {
        const command = ['exec', '-it', 'one', '--', 'head', '-n1'];
        expect(await kubectl.inTerminal(script, command, { env, input: 'typed\n' })).toContain('typed');
      });
    });

    test.each([
      [['logs', 'one'], 'a 1\na 2\na 3\n'],
      [['logs', 'one', '--tail=1'], 'a 3\n'],
      [['logs', 'one', '--limit-bytes=6'], 'a 1\na '],
      [['logs', 'one', '-f'], 'a 1\na 2\na 3\na more\n'],
      [['logs', 'two', '-c', 'b'], 'b 1\nb 2\nb 3\n'],
      [['logs', 'nowhere'], ''],
    ])('%j', async (args, log) => {
      expect(await kubectl.ok(args)).toBe(log);
    });

    test.each([
      [['logs', 'one', '-c', 'x'], 'error: container x is not valid for pod one\n'],
      [['logs', 'one', '-p'], 'Error from server (BadRequest): previous terminated container "a" in pod "one" not found\n'],
    ])('%j', async (args, error) => {
      expect(await kubectl.run(args)).toEqual({ code: 1, stdout: '', stderr: error });
    });
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
