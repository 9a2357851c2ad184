import { describe, expect, test } from '@jest/globals';
import { type Any, WorkloadServer } from './workload-server.ts';

/** Upstream's tests, with their titles. (test/e2e/common/node/init_container.go, pods.go, lifecycle; test/e2e/node/pods.go) */
const server = new WorkloadServer();

const pods = 'api/v1/pods';
const app = { name: 'run1', image: 'busybox:1' };
const init = [
  { name: 'init1', image: 'busybox:1' },
  { name: 'init2', image: 'busybox:1' },
];
const fails = { 'simulation.kubeloom.dev/exit-code.init1': '1' };

async function create(spec: object, annotations: Record<string, string> = {}) {
  const path = await server.namespace();
  await server.post(path(pods), { metadata: { name: 'pod', annotations }, spec: { containers: [app], ...spec } });
  return (holds: (pod: Any) => boolean): Promise<Any> => server.until(path(pods, 'pod'), holds);
}
const condition = ({ status }: Any, type: string): Any => status.conditions?.find((one: Any) => one.type === type);
const statesOf = (statuses: Any[]): string[] => statuses.map(({ state }) => Object.keys(state)[0]);

describe('InitContainer', () => {
  test('should invoke init containers on a RestartNever pod', async () => {
    const until = await create({ restartPolicy: 'Never', initContainers: init });
    const pod = await until(({ status }) => status.phase === 'Succeeded');
    expect(condition(pod, 'Initialized').status).toBe('True');
    for (const { state, ready } of pod.status.initContainerStatuses) {
      expect([state.terminated.exitCode, ready]).toEqual([0, true]);
    }
  });

  test('should invoke init containers on a RestartAlways pod', async () => {
    const until = await create({ initContainers: init });
    const pod = await until(({ status }) => status.phase === 'Running');
    expect(condition(pod, 'Initialized').status).toBe('True');
    expect(statesOf(pod.status.initContainerStatuses)).toEqual(['terminated', 'terminated']);
    expect(statesOf(pod.status.containerStatuses)).toEqual(['running']);
  });

  test('should not start app containers if init containers fail on a RestartAlways pod', async () => {
    const until = await create({ initContainers: init }, fails);
    const pod = await until(({ status }) => status.initContainerStatuses?.[0].restartCount >= 1);
    expect(pod.status.phase).toBe('Pending');
    expect(condition(pod, 'Initialized')).toMatchObject({
      status: 'False',
      reason: 'ContainersNotInitialized',
      message: 'containers with incomplete status: [init1 init2]',
    });
    expect(pod.status.initContainerStatuses[1].state.waiting.reason).toBe('PodInitializing');
    expect(pod.status.containerStatuses[0].state.waiting.reason).toBe('PodInitializing');
  });

  test('should not start app containers and fail the pod if init containers fail on a RestartNever pod', async () => {
    const until = await create({ restartPolicy: 'Never', initContainers: init }, fails);
    const pod = await until(({ status }) => status.phase === 'Failed');
    expect(pod.status.initContainerStatuses[0].state.terminated.exitCode).toBe(1);
    expect(pod.status.containerStatuses[0].state.waiting.reason).toBe('PodInitializing');
  });
});

describe('Pods', () => {
  test('should get a host IP', async () => {
    const until = await create({});
    const { status } = await until((pod) => Boolean(pod.status.hostIP));
    expect(status.hostIPs).toEqual([{ ip: status.hostIP }]);
  });

  test('should be submitted and removed', async () => {
    const path = await server.namespace();
    await server.post(path(pods), { metadata: { name: 'pod' }, spec: { containers: [app] } });
    await server.until(path(pods, 'pod'), ({ status }) => status.phase === 'Running');
    await server.delete(path(pods, 'pod'), { gracePeriodSeconds: 30 });
    expect(await server.untilAll(path(pods), (all) => all.length === 0)).toEqual([]);
  });
});
