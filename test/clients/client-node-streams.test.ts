import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Attach, CoreV1Api, Exec, KubeConfig, Log, PortForward, type V1Status } from '@kubernetes/client-node';
import { type RunningServer, startServer } from '../../runtime/index.ts';
import { runningPod, TestPods } from '../support/handled-pods.ts';

describe('@kubernetes/client-node streams', () => {
  let server: RunningServer;
  let pods: TestPods;
  const config = new KubeConfig();
  beforeAll(async () => {
    pods = await TestPods.open();
    server = await startServer({ pods: pods.handlers });
    config.loadFromString(server.kubeconfig);
    await config.makeApiClient(CoreV1Api).createNamespacedPod({ namespace: 'default', body: runningPod('one', ['a']) });
  });
  afterAll(async () => {
    await server?.close();
    await pods?.close();
  });

  async function exec(command: string[], input: Readable | null = null) {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const outputs = Promise.all([text(stdout), text(stderr)]);
    const status = await new Promise<V1Status>((resolve, reject) => {
      new Exec(config).exec('default', 'one', 'a', command, stdout, stderr, input, false, resolve).catch(reject);
    });
    stdout.end();
    stderr.end();
    return { status, outputs: await outputs };
  }

  test('exec', async () => {
    expect(await exec(['sh', '-c', 'echo o; echo e >&2; exit 7'])).toEqual({
      status: expect.objectContaining({
        status: 'Failure',
        reason: 'NonZeroExitCode',
        details: { causes: [{ reason: 'ExitCode', message: '7' }] },
      }),
      outputs: ['o\n', 'e\n'],
    });
    expect((await exec(['true'])).status.status).toBe('Success');
  });

  test('exec sends input', async () => {
    const { outputs } = await exec(['head', '-n', '2'], Readable.from(['first\nsecond\nthird\n']));
    expect(outputs[0]).toBe('first\nsecond\n');
  });

  test('attach', async () => {
    const stdout = new PassThrough();
    const socket = await new Attach(config).attach('default', 'one', 'a', stdout, null, null, false);
    expect(String((await once(stdout, 'data'))[0])).toBe('attached\n');
    socket.close();
  });

  test('port-forward', async () => {
    const local = createServer((socket) => {
      void new PortForward(config).portForward('default', 'one', [80], socket, null, socket);
    }).listen(0, '127.0.0.1');
    await once(local, 'listening');
    const socket = connect((local.address() as { port: number }).port, '127.0.0.1');
    try {
      socket.write('hello');
      expect(String((await once(socket, 'data'))[0])).toBe('hello');
    } finally {
      socket.destroy();
      await new Promise((resolve) => local.close(resolve));
    }
  });

  test('logs', async () => {
    const log = new PassThrough();
    const read = text(log);
    await new Log(config).log('default', 'one', 'a', log, { follow: true, tailLines: 2 });
    expect(await read).toBe('a 2\na 3\na more\n');
  });
});
