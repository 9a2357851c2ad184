import { expect, test } from '@jest/globals';
import { agnhost, ProgramCluster } from '../../../support/program-cluster.ts';
import type { TestObject } from '../../../support/test-object.ts';

const suite = ProgramCluster.forSuite();

async function create(container: object, spec: object = {}, annotations: Record<string, string> = {}): Promise<void> {
  const pods = await suite.cluster.stores.of('pods');
  const containers = [{ name: 'c', ...container }];
  await pods.create({ metadata: { name: 'web', annotations }, spec: { nodeName: 'kubeloom-node-0', containers, ...spec } });
  await suite.settle();
}

const pod = async (): Promise<TestObject | undefined> => (await suite.cluster.list('pods'))[0];
/** Whether the container has started and is ready, and its restarts. */
async function health(): Promise<string> {
  const { started, ready, restartCount } = (await pod())?.status.containerStatuses[0] ?? {};
  return [started ? 'started' : '-', ready ? 'ready' : '-', restartCount].join(' ');
}

/** Waits, without time that passes, for what is on its way. */
async function eventually(want: string): Promise<string> {
  for (let turn = 0; turn < 500 && (await health()) !== want; turn++) await suite.cluster.settle();
  return health();
}

/** The events of kinds, without repetitions. */
async function events(...reasons: string[]): Promise<string[]> {
  const all = await suite.cluster.events('Pod');
  return [...new Set(all.filter((event) => reasons.includes(event.split(' ')[1]?.replace(':', '') ?? '')))];
}

const sh = (script: string) => ({ image: 'busybox', command: ['sh', '-c', script] });
const exec = (script: string, more: object = {}) => ({ exec: { command: ['sh', '-c', script] }, periodSeconds: 1, ...more });
const get = (path: string, more: object = {}) => ({ httpGet: { path, port: 8080 }, periodSeconds: 1, ...more });
const forever = 'while true; do sleep 100; done';

test.each<[string, object, seconds: number, want: string]>([
  ['no probe', sh(forever), 0, 'started ready 0'],
  ['readiness that succeeds', { ...sh(forever), readinessProbe: exec('true') }, 0, 'started ready 0'],
  ['readiness that fails', { ...sh(forever), readinessProbe: exec('false') }, 5, 'started - 0'],
  ['initialDelaySeconds', { ...sh(forever), readinessProbe: exec('true', { initialDelaySeconds: 5 }) }, 4, 'started - 0'],
  ['initialDelaySeconds', { ...sh(forever), readinessProbe: exec('true', { initialDelaySeconds: 5 }) }, 5, 'started ready 0'],
  ['successThreshold', { ...sh(forever), readinessProbe: exec('true', { successThreshold: 3 }) }, 1, 'started - 0'],
  ['successThreshold', { ...sh(forever), readinessProbe: exec('true', { successThreshold: 3 }) }, 2, 'started ready 0'],
  [
    'periodSeconds',
    { ...sh(`sleep 2; touch /ok; ${forever}`), readinessProbe: exec('test -f /ok', { periodSeconds: 4 }) },
    3,
    'started - 0',
  ],
  [
    'periodSeconds',
    { ...sh(`sleep 2; touch /ok; ${forever}`), readinessProbe: exec('test -f /ok', { periodSeconds: 4 }) },
    4,
    'started ready 0',
  ],
  [
    'failureThreshold',
    { ...sh(`touch /ok; sleep 2; rm /ok; ${forever}`), readinessProbe: exec('test -f /ok', { failureThreshold: 3 }) },
    3,
    'started ready 0',
  ],
  [
    'failureThreshold',
    { ...sh(`touch /ok; sleep 2; rm /ok; ${forever}`), readinessProbe: exec('test -f /ok', { failureThreshold: 3 }) },
    5,
    'started - 0',
  ],
  ['a timeout', { ...sh(forever), readinessProbe: exec('sleep 3', { timeoutSeconds: 2 }) }, 10, 'started - 0'],
  ['a longer timeout', { ...sh(forever), readinessProbe: exec('sleep 3', { timeoutSeconds: 4 }) }, 4, 'started ready 0'],
  ['HTTP', { ...agnhost('netexec'), readinessProbe: get('/healthz') }, 0, 'started ready 0'],
  [
    'HTTP at a name',
    { ...agnhost('netexec'), ports: [{ name: 'web', containerPort: 8080 }], readinessProbe: { httpGet: { path: '/', port: 'web' } } },
    0,
    'started ready 0',
  ],
  ['HTTP that fails', { ...agnhost('netexec'), readinessProbe: get('/echo?code=500') }, 2, 'started - 0'],
  ['a redirect', { ...agnhost('netexec'), readinessProbe: get('/redirect?location=/echo%3Fcode%3D500') }, 2, 'started - 0'],
  [
    'a redirect elsewhere',
    { ...agnhost('netexec'), readinessProbe: get('/redirect?location=http%3A%2F%2F0.0.0.0%2F') },
    2,
    'started ready 0',
  ],
  ['TCP', { ...agnhost('netexec'), readinessProbe: { tcpSocket: { port: 8080 } } }, 0, 'started ready 0'],
  ['TCP that is refused', { ...agnhost('netexec'), readinessProbe: { tcpSocket: { port: 81 }, periodSeconds: 1 } }, 2, 'started - 0'],
  ['gRPC', { ...agnhost('grpc-health-checking'), readinessProbe: { grpc: { port: 5000 } } }, 0, 'started ready 0'],
  [
    'gRPC that is unhealthy',
    { ...agnhost('grpc-health-checking', '--delay-unhealthy-sec=0'), readinessProbe: { grpc: { port: 5000 } } },
    1,
    'started - 0',
  ],
  [
    'gRPC of another service',
    { ...agnhost('grpc-health-checking'), readinessProbe: { grpc: { port: 5000, service: 'a' } } },
    1,
    'started - 0',
  ],
  [
    'startup that waits',
    { ...sh(`sleep 3; touch /ok; ${forever}`), startupProbe: exec('test -f /ok', { failureThreshold: 60 }) },
    2,
    '- - 0',
  ],
  [
    'startup that succeeds',
    { ...sh(`sleep 3; touch /ok; ${forever}`), startupProbe: exec('test -f /ok', { failureThreshold: 60 }) },
    4,
    'started ready 0',
  ],
  ['liveness that succeeds', { ...sh(forever), livenessProbe: exec('true') }, 60, 'started ready 0'],
  [
    'liveness that fails',
    { ...agnhost('netexec'), livenessProbe: exec('false', { failureThreshold: 1, initialDelaySeconds: 2 }) },
    3,
    'started ready 1',
  ],
  [
    'a server that becomes unhealthy',
    { ...agnhost('liveness'), livenessProbe: get('/healthz', { failureThreshold: 1 }) },
    13,
    'started ready 1',
  ],
  [
    'startup before liveness',
    { ...agnhost('netexec'), livenessProbe: exec('false', { failureThreshold: 1 }), startupProbe: exec('false', { failureThreshold: 60 }) },
    30,
    '- - 0',
  ],
  ['startup that fails', { ...agnhost('netexec'), startupProbe: exec('false', { failureThreshold: 2 }) }, 2, '- - 1'],
  [
    'a program that nobody knows',
    { image: 'web', readinessProbe: get('/'), livenessProbe: exec('false', { failureThreshold: 1 }) },
    5,
    'started ready 0',
  ],
])('%s: %#', async (_, container, seconds, want) => {
  await create(container);
  await suite.pass(seconds);
  expect(await eventually(want)).toBe(want);
});

test.each<[string, object, want: string[]]>([
  [
    'exec',
    { ...agnhost('netexec'), livenessProbe: exec('echo no; exit 1', { failureThreshold: 1 }) },
    ['Warning Unhealthy: Liveness probe failed: no\n', 'Normal Killing: Container c failed liveness probe, will be restarted'],
  ],
  [
    'a timeout',
    { ...sh(forever), readinessProbe: exec('sleep 9') },
    ['Warning Unhealthy: Readiness probe failed: command timed out: "sh -c sleep 9" timed out after 1s'],
  ],
  [
    'a missing command',
    { ...sh(forever), readinessProbe: { exec: { command: ['nothing'] } } },
    [
      expect.stringMatching(
        /^Warning Unhealthy: Readiness probe errored and resulted in unknown state: rpc error: code = Unknown .*exec: "nothing": executable file not found in \$PATH$/,
      ) as never,
    ],
  ],
  [
    'HTTP',
    { ...agnhost('netexec'), startupProbe: get('/echo?code=404', { failureThreshold: 9 }) },
    ['Warning Unhealthy: Startup probe failed: HTTP probe failed with statuscode: 404'],
  ],
  [
    'a closed port',
    { ...sh(forever), readinessProbe: get('/') },
    ['Warning Unhealthy: Readiness probe failed: Get "http://10.128.0.2:8080/": dial tcp 10.128.0.2:8080: connect: connection refused'],
  ],
  [
    'a redirect',
    { ...agnhost('netexec'), readinessProbe: get('/redirect?location=http%3A%2F%2F0.0.0.0%2F') },
    [expect.stringMatching(/^Warning ProbeWarning: Readiness probe warning: Probe terminated redirects, Response body: /) as never],
  ],
  [
    'TCP',
    { ...sh(forever), readinessProbe: { tcpSocket: { port: 81 } } },
    ['Warning Unhealthy: Readiness probe failed: dial tcp 10.128.0.2:81: connect: connection refused'],
  ],
  [
    'gRPC',
    { ...agnhost('grpc-health-checking', '--delay-unhealthy-sec=0'), readinessProbe: { grpc: { port: 5000 } } },
    ['Warning Unhealthy: Readiness probe failed: service unhealthy (responded with "NOT_SERVING")'],
  ],
  [
    'gRPC of another service',
    { ...agnhost('grpc-health-checking'), readinessProbe: { grpc: { port: 5000, service: 'a' } } },
    ['Warning Unhealthy: Readiness probe failed: error: health rpc probe failed: rpc error: code = NotFound desc = unknown service'],
  ],
])('%s tells why it failed', async (_, container, want) => {
  await create(container);
  await suite.pass(2);
  expect(await events('Unhealthy', 'Killing', 'ProbeWarning')).toEqual(want);
});

test.each<[string, { grace?: number; image: string }, object, seconds: number, want: string]>([
  ['a program that ignores SIGTERM', sh(forever), {}, 29, 'started ready 0'],
  ['a program that ignores SIGTERM', sh(forever), {}, 32, 'started ready 1'],
  ['the grace period of the pod', sh(forever), { terminationGracePeriodSeconds: 5 }, 7, 'started ready 1'],
  ['the grace period of the probe', { ...sh(forever), grace: 5 }, { terminationGracePeriodSeconds: 500 }, 7, 'started ready 1'],
  ['a trap', sh(`trap "exit 0" TERM; ${forever.replace('100', '1')}`), { terminationGracePeriodSeconds: 500 }, 2, 'started ready 1'],
])('%s bounds how long an unhealthy container stops: %#', async (_, { grace, ...container }, spec, seconds, want) => {
  const livenessProbe = exec('false', {
    failureThreshold: 1,
    initialDelaySeconds: 1,
    periodSeconds: 100,
    terminationGracePeriodSeconds: grace,
  });
  await create({ ...container, livenessProbe }, spec);
  await suite.pass(seconds);
  expect(await eventually(want)).toBe(want);
});

test('a pod that is never restarted fails with its liveness', async () => {
  await create({ ...agnhost('netexec'), livenessProbe: exec('false', { failureThreshold: 1 }) }, { restartPolicy: 'Never' });
  await suite.pass(2);
  expect((await pod())?.status).toMatchObject({ phase: 'Succeeded', containerStatuses: [{ restartCount: 0 }] });
  expect(await events('Killing')).toEqual(['Normal Killing: Container c failed liveness probe']);
});

test('annotations are before probes', async () => {
  await create({ ...sh(forever), readinessProbe: exec('false') }, {}, { 'simulation.kubeloom.dev/ready-after': '2s' });
  await suite.pass(3);
  expect(await eventually('started ready 0')).toBe('started ready 0');
});

test('an answer in an annotation lets a program that nobody knows be probed', async () => {
  const annotations = { 'simulation.kubeloom.dev/exec': 'check: {exitCode: 1}' };
  await create({ image: 'web', readinessProbe: { exec: { command: ['check'] } } }, {}, annotations);
  await suite.pass(1);
  expect(await health()).toBe('started - 0');
});
