import { describe, expect, test } from '@jest/globals';
import { ProgramServer } from './program-server.ts';

/* Probes and hooks of programs of this machine are real. */

const server = new ProgramServer((folder) => ({
  programs: [{ image: 'example.com/team/*', command: [process.execPath, 'program.mjs'], cwd: folder, tools: ['true', 'false', 'cat'] }],
}));
const pods = 'api/v1/pods';
const often = { periodSeconds: 1, failureThreshold: 1 };

test.each<[string, object, string[]]>([
  ['HTTP', { httpGet: { path: '/', port: 8091 } }, ['serve', '8091']],
  ['HTTP at a named port', { httpGet: { path: '/', port: 'http' } }, ['serve', '8092']],
  ['TCP', { tcpSocket: { port: 8093 } }, ['serve', '8093']],
  ['exec of a tool', { exec: { command: ['true'] } }, ['stay']],
  ['exec of the program itself', { exec: { command: ['/manager', 'exit', '0'] } }, ['stay']],
])('a pod is ready by %s', async (_, probe, args) => {
  const path = await server.namespace();
  const container = {
    command: ['/manager', ...args],
    readinessProbe: { ...often, ...probe },
    ports: [{ name: 'http', containerPort: 8092 }],
  };
  await server.create(path(pods), container);
  await server.until(path(pods, 'program'), (pod) => pod?.status?.containerStatuses?.[0].ready === true);
});

test.each<[string, object, RegExp]>([
  ['HTTP', { httpGet: { path: '/', port: 8094 } }, /Readiness probe failed: Get "http:\/\/10\..*connection refused/],
  ['TCP', { tcpSocket: { port: 8094 } }, /Readiness probe failed: dial tcp 10\..*connection refused/],
  ['exec', { exec: { command: ['false'] } }, /Readiness probe failed/],
  ['exec of what the map does not name', { exec: { command: ['sh', '-c', 'exit 0'] } }, /errored.*executable file not found in \$PATH/],
])('a pod is not ready by %s', async (_, probe, message) => {
  const path = await server.namespace();
  await server.create(path(pods), { args: ['stay'], readinessProbe: { ...often, ...probe } });
  await server.untilAll(path('api/v1/events'), (events) =>
    events.some((event) => event.reason === 'Unhealthy' && message.test(event.message)),
  );
  expect((await server.get(path(pods, 'program'))).status.containerStatuses[0].ready).toBe(false);
});

test('a program that is not alive is ended and started again', async () => {
  const path = await server.namespace();
  const container = { args: ['graceful', '3'], livenessProbe: { ...often, exec: { command: ['false'] } } };
  await server.create(path(pods), container, { restartPolicy: 'Always' });
  const pod = await server.until(path(pods, 'program'), (one) => one?.status?.containerStatuses?.[0].restartCount === 1);
  // SIGTERM may come before the program handles it
  expect([3, 143]).toContain(pod.status.containerStatuses[0].lastState.terminated.exitCode);
});

describe('hooks', () => {
  const shared = { volumes: [{ name: 'shared', emptyDir: {} }] };
  const volumeMounts = [{ name: 'shared', mountPath: '/data' }];

  test('run the program: postStart', async () => {
    const path = await server.namespace();
    const lifecycle = { postStart: { exec: { command: ['/manager', 'write', '/data/started', 'yes'] } } };
    await server.create(path(pods), { command: ['/manager', 'stay'], lifecycle, volumeMounts }, shared);
    await server.until(path(pods, 'program'), (pod) => pod?.status?.containerStatuses?.[0].started === true);
    expect((await server.exec(path(pods, 'program'), 'cat', 'data/started')).output).toBe('yes');
  });

  test('run before SIGTERM: preStop', async () => {
    const path = await server.namespace();
    // the program ends by itself when the hook has run
    const lifecycle = { preStop: { exec: { command: ['/manager', 'write', '/data/stop', 'yes'] } } };
    await server.create(path(pods), { command: ['/manager', 'until', '/data/stop'], lifecycle, volumeMounts }, shared);
    await server.logLine(path(pods, 'program'), /waiting/);
    const watch = await server.watch(path(pods));
    await server.delete(path(pods, 'program'));
    let last: { exitCode?: number } | undefined;
    for (let event = await watch.next(); event !== undefined && event.type !== 'DELETED'; event = await watch.next()) {
      last = event.object.status.containerStatuses[0].state.terminated ?? last;
    }
    watch.close();
    expect(last?.exitCode).toBe(6);
  });
});
