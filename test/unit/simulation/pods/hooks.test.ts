import { expect, test } from '@jest/globals';
import { agnhost, ProgramCluster } from '../../../support/program-cluster.ts';
import type { TestObject } from '../../../support/test-object.ts';

const suite = ProgramCluster.forSuite();

const sh = (script: string) => ({ image: 'busybox', command: ['sh', '-c', script] });
const exec = (script: string) => ({ exec: { command: ['sh', '-c', script] } });
const forever = 'while true; do sleep 1; done';
const trap = `trap "exit 7" TERM; ${forever}`;

async function create(container: object, spec: object = {}): Promise<void> {
  const pods = await suite.cluster.stores.of('pods');
  const containers = [{ name: 'c', ...container }];
  // a finalizer keeps the pod, so that its last status can be read
  await pods.create({ metadata: { name: 'web', finalizers: ['a.io/b'] }, spec: { nodeName: 'kubeloom-node-0', containers, ...spec } });
  await suite.settle();
}

async function remove(gracePeriodSeconds?: number): Promise<void> {
  await (await suite.cluster.stores.of('pods')).delete('web', gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds });
  await suite.settle();
}

const pod = async (): Promise<TestObject> => (await suite.cluster.list('pods'))[0];
const container = async (): Promise<TestObject> => (await pod()).status.containerStatuses[0];
/** `running`, or the exit code. */
const end = async (): Promise<string | number> =>
  (await container()).state.terminated?.exitCode ?? Object.keys((await container()).state).join();
const events = async (): Promise<string[]> => (await suite.cluster.events('Pod')).filter((event) => /Hook|Killing/.test(event));

test.each<[string, object, object, seconds: number, want: string | number]>([
  ['a program that nobody knows', { image: 'web' }, {}, 0, 0],
  ['a server', agnhost('netexec'), {}, 0, 0],
  ['a pause', agnhost('pause'), {}, 0, 2],
  ['a server in Go', agnhost('porter'), {}, 0, 2],
  ['nginx', { image: 'nginx' }, {}, 0, 0],
  ['--delay-shutdown', agnhost('netexec', '--delay-shutdown=5'), {}, 4, 'running'],
  ['--delay-shutdown', agnhost('netexec', '--delay-shutdown=5'), {}, 5, 0],
  ['a script that ignores SIGTERM', sh(forever), {}, 29, 'running'],
  ['a script that ignores SIGTERM', sh(forever), {}, 30, 137],
  ['sleep', { image: 'busybox', command: ['sleep', '1000'] }, {}, 29, 'running'],
  ['sleep', { image: 'busybox', command: ['sleep', '1000'] }, {}, 30, 137],
  ['a sleep that ends', { image: 'busybox', command: ['sleep', '10'] }, {}, 10, 0],
  ['a trap', sh(trap), {}, 1, 7],
  ['a shorter grace period', sh(forever), { terminationGracePeriodSeconds: 5 }, 5, 137],
  ['the least grace period', sh(forever), { terminationGracePeriodSeconds: 1 }, 1, 'running'],
  ['the least grace period', sh(forever), { terminationGracePeriodSeconds: 1 }, 2, 137],
  ['a hook', { ...agnhost('netexec'), lifecycle: { preStop: exec('sleep 3') } }, {}, 2, 'running'],
  ['a hook', { ...agnhost('netexec'), lifecycle: { preStop: exec('sleep 3') } }, {}, 3, 0],
  ['a hook that sleeps', { image: 'web', lifecycle: { preStop: { sleep: { seconds: 4 } } } }, {}, 3, 'running'],
  ['a hook that sleeps', { image: 'web', lifecycle: { preStop: { sleep: { seconds: 4 } } } }, {}, 4, 0],
  ['a hook within the grace period', { ...sh(forever), lifecycle: { preStop: exec('sleep 20') } }, {}, 29, 'running'],
  ['a hook within the grace period', { ...sh(forever), lifecycle: { preStop: exec('sleep 20') } }, {}, 30, 137],
  [
    'a hook that is too long',
    { ...sh(trap), lifecycle: { preStop: exec('sleep 99') } },
    { terminationGracePeriodSeconds: 5 },
    5,
    'running',
  ],
  ['a hook that is too long', { ...sh(trap), lifecycle: { preStop: exec('sleep 99') } }, { terminationGracePeriodSeconds: 5 }, 6, 7],
  ['a hook that fails', { ...agnhost('netexec'), lifecycle: { preStop: exec('false') } }, {}, 0, 0],
])('%s ends after SIGTERM as in a cluster: %#', async (_, given, spec, seconds, want) => {
  await create(given, spec);
  await remove();
  await suite.pass(seconds);
  expect(await end()).toBe(want);
});

test('a pause of agnhost says why it ended', async () => {
  await create(agnhost('pause'));
  await remove();
  expect((await container()).state.terminated.message).toBe('exiting because of signal "terminated"\n');
});

test('a hook runs in its container before SIGTERM', async () => {
  const script = `trap "cat /said; exit 0" TERM; ${forever}`;
  await create({ ...sh(script), terminationMessagePath: '/said', lifecycle: { preStop: exec('echo stopping > /said') } });
  await remove();
  await suite.pass(1);
  expect((await container()).state.terminated.message).toBe('stopping\n');
});

test('a server is not ready while it shuts down', async () => {
  const readinessProbe = { httpGet: { path: '/readyz', port: 8080 }, periodSeconds: 1, failureThreshold: 1 };
  await create({ ...agnhost('netexec', '--delay-shutdown=9'), readinessProbe });
  // a probe may come before the server listens
  while (!(await container()).ready) await suite.pass(1);
  await remove();
  await suite.pass(2);
  const { status } = await pod();
  expect([status.containerStatuses[0].ready, status.conditions.find(({ type }: TestObject) => type === 'Ready').status]).toEqual([
    false,
    'False',
  ]);
});

test.each<[string, object, seconds: number, want: string]>([
  ['a hook', exec('sleep 3'), 2, '- -'],
  ['a hook', exec('sleep 3'), 3, 'started ready'],
  ['a hook over HTTP', { httpGet: { path: '/echo', port: 8080 } }, 0, 'started ready'],
  ['a hook that sleeps', { sleep: { seconds: 2 } }, 1, '- -'],
  ['a hook that sleeps', { sleep: { seconds: 2 } }, 2, 'started ready'],
])('%s is before the start of a container: %#', async (_, postStart, seconds, want) => {
  await create({ ...agnhost('netexec'), lifecycle: { postStart } });
  await suite.pass(seconds);
  const { started, ready } = await container();
  expect([started ? 'started' : '-', ready ? 'ready' : '-'].join(' ')).toBe(want);
});

test.each([
  ['exec', exec('false')],
  ['a closed port', { httpGet: { port: 81 } }],
])('%s after the start ends the container', async (_, postStart) => {
  await create({ ...agnhost('netexec'), lifecycle: { postStart } }, { restartPolicy: 'Never' });
  expect([await end(), ...(await events())]).toEqual([
    0,
    'Warning FailedPostStartHook: PostStartHook failed',
    'Normal Killing: FailedPostStartHook',
  ]);
});

test('a hook before the end that fails has an event', async () => {
  await create({ ...agnhost('netexec'), lifecycle: { preStop: exec('false') } });
  await remove();
  expect((await events()).sort()).toEqual(['Normal Killing: Stopping container c', 'Warning FailedPreStopHook: PreStopHook failed']);
});

test('sidecars get SIGTERM after the others have ended', async () => {
  const initContainers = [{ name: 's', restartPolicy: 'Always', ...sh(`trap "date +%s > /dev/termination-log; exit 0" TERM; ${forever}`) }];
  await create(sh(`trap "sleep 5; date +%s > /dev/termination-log; exit 0" TERM; ${forever}`), { initContainers });
  await remove();
  await suite.pass(10);
  const { initContainerStatuses, containerStatuses } = (await pod()).status;
  const [sidecar, main] = [initContainerStatuses[0], containerStatuses[0]].map(({ state }) => Number(state.terminated.message));
  expect([sidecar >= main, main > 0]).toEqual([true, true]);
});
