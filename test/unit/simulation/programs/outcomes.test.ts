import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Container } from '../../../../generated/v1.35/core/v1/types.ts';
import { shellProgram } from '../../../../runtime/simulation/programs/container-runs.ts';
import { programNames } from '../../../../runtime/simulation/programs/known-programs.ts';
import { programPlan } from '../../../../runtime/simulation/programs/program-plan.ts';
import { SimulatedKubelets } from '../../../../runtime/simulation/simulated-kubelets.ts';
import { shellPrograms } from '../../../../runtime/simulation/streams/shell/spawn.ts';
import { SimulatedCluster } from '../../../support/simulation.ts';
import type { TestObject } from '../../../support/test-object.ts';

const sh = (script: string): string[] => ['sh', '-c', script];
const lasts = 'lasts';
const runs = 'runs';

test.each<[string, Partial<Container>, string]>([
  ['a pause image', { image: 'registry.k8s.io/pause:3.10' }, lasts],
  ['a web server', { image: 'nginx@sha256:00' }, lasts],
  ['agnhost', { image: 'registry.k8s.io/e2e-test-images/agnhost:2.56' }, lasts],
  ['agnhost with a server', { image: 'agnhost', args: ['netexec', '--http-port=8080'] }, lasts],
  ['agnhost with a command', { image: 'agnhost', args: ['mounttest', '--fs_type=/x'] }, runs],
  ['an image with a shell', { image: 'busybox' }, runs],
  ['a shell at a terminal', { image: 'busybox', tty: true }, lasts],
  ['an image that nobody knows', { image: 'example.com/operator:1' }, 'unknown'],
  ['its own program', { image: 'operator', command: ['/manager', '--leader-elect'] }, 'unknown'],
  ['arguments of a program that nobody knows', { image: 'operator', args: ['--verbose'] }, 'unknown'],
  ['a script in it', { image: 'operator', command: sh('./run; sleep 5') }, runs],
  ['a script as arguments', { image: 'operator', args: sh('echo a') }, runs],
  ['a language image', { image: 'python:3', command: ['python', '-c', 'print(1)'] }, 'unknown'],
  ['a pause', { image: 'busybox', command: ['sleep', '1m'] }, '60000 0'],
  ['a pause in a shell', { image: 'busybox', command: sh('sleep 2.5') }, '2500 0'],
  ['a pause without an end', { image: 'busybox', args: ['sleep', 'infinity'] }, lasts],
  ['false', { image: 'busybox', command: ['/bin/false'] }, '0 1'],
  ['an exit code', { image: 'busybox', command: sh('exit 7') }, '0 7'],
  ['a command that is not there', { image: 'busybox', command: ['notexist'] }, 'missing'],
  ['a command that waits for its input', { image: 'busybox', command: ['cat'], stdin: true }, lasts],
])('%s decides how a container runs', (_, container, want) => {
  const plan = programPlan({ name: 'c', ...container });
  expect(plan.kind === 'ends' ? `${plan.after} ${plan.exitCode}` : plan.kind).toBe(want);
});

test('the programs that are known without the shell are those of the shell', () => {
  expect([...programNames()].sort()).toEqual([...shellPrograms()].sort());
});

describe('a container follows its command', () => {
  let cluster: SimulatedCluster;

  beforeAll(() => shellProgram());
  beforeEach(async () => {
    cluster = await SimulatedCluster.open((context) => [new SimulatedKubelets(context, {})]);
    await (await cluster.stores.of('namespaces')).create({ metadata: { name: 'kube-node-lease' } });
  });
  afterEach(() => cluster.close());

  const create = async (spec: object): Promise<void> => {
    await (await cluster.stores.of('pods')).create({ metadata: { name: 'web' }, spec: { nodeName: 'kubeloom-node-0', ...spec } });
    // programs take turns of the event loop, in which nothing is written
    for (let turn = 0; turn < 10; turn++) await cluster.settle();
  };
  const status = async (): Promise<TestObject['status']> => (await cluster.list('pods'))[0].status;
  const own = async (): Promise<TestObject> => (await status()).containerStatuses[0];
  /** The phase, and the state of the container with its reason, exit code and restarts. */
  const state = async (): Promise<string> => {
    const { phase } = await status();
    const { state: current, restartCount } = await own();
    const [name = ''] = Object.keys(current);
    const { reason = '', exitCode = '' } = current[name];
    return [phase, name, reason, exitCode, restartCount].join(' ').replace(/ +/g, ' ');
  };

  test.each<[restartPolicy: string, command: string[], seconds: number, want: string]>([
    ['Never', sh('echo a; exit 3'), 0, 'Failed terminated Error 3 0'],
    ['Never', sh('echo a'), 0, 'Succeeded terminated Completed 0 0'],
    ['Never', ['false'], 1, 'Failed terminated Error 1 0'],
    ['Never', ['sleep', '5'], 4, 'Running running 0'],
    ['Never', ['sleep', '5'], 5, 'Succeeded terminated Completed 0 0'],
    ['Never', sh('for i in 1 2 3; do echo $i; sleep 2; done'), 5, 'Running running 0'],
    ['Never', sh('for i in 1 2 3; do echo $i; sleep 2; done'), 7, 'Succeeded terminated Completed 0 0'],
    ['Never', sh('while true; do date; sleep 1; done'), 60, 'Running running 0'],
    ['Never', sh('nothing'), 0, 'Failed terminated Error 127 0'],
    ['Never', ['notexist'], 0, 'Failed terminated StartError 128 0'],
    ['Never', [], 0, 'Succeeded terminated Completed 0 0'],
    ['OnFailure', sh('exit 1'), 5, 'Running waiting CrashLoopBackOff 1'],
    ['OnFailure', sh('sleep 1'), 2, 'Succeeded terminated Completed 0 0'],
    ['Always', sh('sleep 1'), 5, 'Running waiting CrashLoopBackOff 1'],
    ['Always', sh('exit 1'), 15, 'Running waiting CrashLoopBackOff 2'],
    ['Always', sh('exit 1'), 40, 'Running waiting CrashLoopBackOff 3'],
    ['Always', ['notexist'], 5, 'Running waiting CrashLoopBackOff 1'],
    ['Always', sh('while :; do :; done'), 20, 'Running running 0'],
  ])('%s %j after %d s: %s', async (restartPolicy, command, seconds, want) => {
    await create({ restartPolicy, containers: [{ name: 'c', image: 'busybox', command }] });
    await cluster.pass(seconds);
    expect(await state()).toBe(want);
  });

  test('a command that is not there is told as containerd does', async () => {
    await create({ restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command: ['notexist'] }] });
    const { terminated } = (await own()).state;
    expect(terminated).toMatchObject({
      reason: 'StartError',
      startedAt: '1970-01-01T00:00:00Z',
      message: expect.stringContaining('exec: "notexist": executable file not found in $PATH'),
    });
  });

  /** (test/e2e/common/node/runtime.go) */
  test.each<[script: string, container: object, want: string | undefined]>([
    ['echo -n DONE > /dev/termination-log', {}, 'DONE'],
    ['echo -n DONE > /dev/custom', { terminationMessagePath: '/dev/custom' }, 'DONE'],
    ['echo -n DONE; exit 1', { terminationMessagePolicy: 'FallbackToLogsOnError' }, 'DONE\n'],
    ['echo -n DONE', { terminationMessagePolicy: 'FallbackToLogsOnError' }, undefined],
    ['echo log; echo -n OK > /dev/termination-log; exit 1', { terminationMessagePolicy: 'FallbackToLogsOnError' }, 'OK'],
    ['exit 1', { terminationMessagePolicy: 'FallbackToLogsOnError' }, undefined],
    ['echo nothing', {}, undefined],
  ])('%s with %j leaves the message %j', async (script, container, want) => {
    await create({ restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command: sh(script), ...container }] });
    expect((await own()).state.terminated.message).toBe(want);
  });

  test.each<[restartPolicy: string, want: string]>([
    ['Never', 'Failed'],
    ['OnFailure', 'Pending'],
    ['Always', 'Pending'],
  ])('with %s, an init container that fails makes the pod %s', async (restartPolicy, want) => {
    const containers = [{ name: 'c', image: 'busybox', command: sh('sleep 1') }];
    await create({ restartPolicy, initContainers: [{ name: 'i', image: 'busybox', command: sh('echo a; exit 2') }], containers });
    await cluster.pass(3);
    const {
      phase,
      initContainerStatuses: [init],
    } = await status();
    const { terminated = init.lastState.terminated } = init.state;
    expect([phase, terminated.exitCode]).toEqual([want, 2]);
  });

  test('init containers run one after the other, for as long as their commands', async () => {
    const container = (name: string, script: string) => ({ name, image: 'busybox', command: sh(script) });
    const initContainers = [container('a', 'echo a; sleep 2'), container('b', 'sleep 2')];
    await create({ initContainers, containers: [container('c', 'sleep 100')] });
    const running = async () => {
      const { initContainerStatuses: init, containerStatuses: main } = await status();
      return [...init, ...main].filter((one: TestObject) => one.state.running).map(({ name }: TestObject) => name);
    };
    expect(await running()).toEqual(['a']);
    await cluster.pass(3);
    expect(await running()).toEqual(['b']);
    await cluster.pass(2);
    expect(await running()).toEqual(['c']);
  });

  test('a program that handles the signal to stop decides how it ends', async () => {
    const script = 'trap "echo bye; sleep 3; exit 5" TERM; while :; do sleep 1; done';
    await create({ terminationGracePeriodSeconds: 30, containers: [{ name: 'c', image: 'busybox', command: sh(script) }] });
    const pods = await cluster.stores.of('pods');
    await pods.delete('web');
    await cluster.settle();
    await cluster.pass(2);
    expect((await own()).state.running).toBeDefined();
    await cluster.pass(3);
    expect(await cluster.list('pods')).toEqual([]);
  });

  test('what ignores the signal is killed after the grace period', async () => {
    const script = 'trap "" TERM; while :; do sleep 1; done';
    await create({ terminationGracePeriodSeconds: 5, containers: [{ name: 'c', image: 'busybox', command: sh(script) }] });
    const pods = await cluster.stores.of('pods');
    await pods.delete('web');
    await cluster.settle();
    await cluster.pass(4);
    expect((await own()).state.running).toBeDefined();
    await cluster.pass(2);
    expect(await cluster.list('pods')).toEqual([]);
  });
});
