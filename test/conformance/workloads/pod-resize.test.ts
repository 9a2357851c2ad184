import { afterEach, describe, expect, test } from '@jest/globals';
import { type Any, conditionOf, WorkloadServer } from './workload-server.ts';

/**
 * Upstream's conformance tests, with their titles, and requirements of its other tests.
 * (test/e2e/common/node/pod_resize.go)
 */
const server = new WorkloadServer({ nodes: 1, nodeCapacity: { cpu: '2', memory: '4Gi', pods: '20' } });

const pods = 'api/v1/pods';

interface Resources {
  readonly cpu?: string;
  readonly cpuLimit?: string;
  readonly memory?: string;
  readonly memoryLimit?: string;
}

const [cpu, lessCPU, moreCPU] = ['20m', '15m', '25m'];
const [memory, lessMemory, moreMemory] = ['35Mi', '30Mi', '40Mi'];
const guaranteed = (cpuOfBoth: string, memoryOfBoth: string): Resources => ({
  cpu: cpuOfBoth,
  cpuLimit: cpuOfBoth,
  memory: memoryOfBoth,
  memoryLimit: memoryOfBoth,
});

/** Returns the resources in a pod's form, without absent fields. */
function resourcesOf({ cpu: cpuRequest, cpuLimit, memory: memoryRequest, memoryLimit }: Resources): Any {
  const lists = {
    requests: { cpu: cpuRequest, memory: memoryRequest },
    limits: { cpu: cpuLimit, memory: memoryLimit },
  };
  const { requests, limits } = JSON.parse(JSON.stringify(lists));
  return Object.keys(limits).length === 0 ? { requests } : { requests, limits };
}

const containersWith = (all: readonly Resources[]): object[] =>
  all.map((one, index) => ({ name: `c${index + 1}`, image: 'i', resources: resourcesOf(one) }));

/** Collections with pods, which are deleted from the node after each test. */
let used: string[] = [];
afterEach(async () => {
  for (const path of used) {
    await server.delete(path, { gracePeriodSeconds: 0 });
    await server.untilAll(path, (all) => all.length === 0);
  }
  used = [];
});

/** Creates a running pod whose containers have the resources. */
async function create(spec: object, annotations: object = {}) {
  const path = await server.namespace();
  const at = path(pods, 'resized');
  used.push(path(pods));
  await server.post(path(pods), {
    metadata: { name: 'resized', annotations },
    spec: { terminationGracePeriodSeconds: 0, ...spec },
  });
  const pod = await server.until(at, (one) => conditionOf(one, 'Ready')?.status === 'True');
  return { path, at, pod };
}

const has = ({ status }: Any, all: readonly Resources[]): boolean =>
  status.containerStatuses.every(
    ({ resources, allocatedResources }: Any, index: number) =>
      JSON.stringify(resources) === JSON.stringify(sorted(resourcesOf(all[index]))) &&
      JSON.stringify(allocatedResources) === JSON.stringify(resources.requests),
  );

/** Sorts members into the servers' order. */
const sorted = ({ limits, requests }: Any): Any => ({ ...(limits ? { limits } : {}), requests });

/** Resolves when the kubelet has completed the resize. */
const resized = (at: string, all: readonly Resources[]): Promise<Any> =>
  server.until(
    at,
    (pod) =>
      has(pod, all) &&
      conditionOf(pod, 'PodResizePending') === undefined &&
      conditionOf(pod, 'PodResizeInProgress') === undefined &&
      conditionOf(pod, 'Ready').status === 'True',
  );

const resize = (at: string, all: readonly Resources[]): Promise<Any> =>
  server.patch(`${at}/resize`, { spec: { containers: containersWith(all) } }, 'strategic-merge');

const isDone = (events: Any[]): boolean => events.some(({ reason }) => reason === 'ResizeCompleted');

const eventsOf = async (path: (resource: string) => string, count: number): Promise<string[]> => {
  const isResize = ({ reason }: Any): boolean => reason.startsWith('Resize');
  const events = await server.untilAll(path('api/v1/events'), (all) => all.filter(isResize).length >= count);
  const number = ({ metadata }: Any): number => Number(metadata.resourceVersion);
  return events
    .filter(isResize)
    .sort((a, b) => number(a) - number(b))
    .map(({ type, reason, message }) => `${type} ${reason} ${message}`);
};

describe('Pod InPlace Resize Container', () => {
  const three = [guaranteed(cpu, memory), guaranteed('21m', '36Mi'), guaranteed('22m', '37Mi')];
  test.each<{ title: string; before: readonly Resources[]; after: readonly Resources[]; isOneWay?: true }>([
    {
      title:
        'guaranteed pods with multiple containers 3 containers - increase cpu & mem on c1, c2, decrease cpu & mem on c3 - net increase',
      before: three,
      after: [guaranteed(moreCPU, moreMemory), guaranteed('26m', '41Mi'), guaranteed('17m', '32Mi')],
    },
    {
      title:
        'guaranteed pods with multiple containers 3 containers - increase cpu & mem on c1, decrease cpu & mem on c2, c3 - net decrease',
      before: three,
      after: [guaranteed(moreCPU, moreMemory), guaranteed('16m', '31Mi'), guaranteed('17m', '32Mi')],
    },
    {
      title: 'guaranteed pods with multiple containers 3 containers - increase: CPU (c1,c3), memory (c2, c3) ; decrease: CPU (c2)',
      before: three,
      after: [guaranteed(moreCPU, memory), guaranteed('16m', '41Mi'), guaranteed('27m', '42Mi')],
    },
    {
      title: 'burstable pods - extended 6 containers - various operations performed (including adding limits and requests)',
      before: [{ cpu }, { memory }, { cpu, memory }, { cpu }, { memory }],
      after: [
        { cpu: moreCPU, cpuLimit: '35m' },
        { memory: lessMemory, memoryLimit: '50Mi' },
        { cpu, memory: lessMemory },
        { cpu: lessCPU, memory },
        { cpu, memory: moreMemory },
      ],
      isOneWay: true,
    },
    {
      title: 'burstable pods - extended resize with equivalents',
      before: [{ cpu: '2m', cpuLimit: '10m' }],
      after: [{ cpu: '1m', cpuLimit: '5m' }],
    },
  ])('$title', async ({ before, after, isOneWay }) => {
    const { at, pod } = await create({ containers: containersWith(before) });
    expect(pod.spec.containers[0].resizePolicy).toBeUndefined();
    expect(has(pod, before)).toBe(true);
    for (const wanted of isOneWay ? [after] : [after, before]) {
      const patched = await resize(at, wanted);
      expect(patched.spec.containers.map(({ resources }: Any) => resources)).toEqual(wanted.map(resourcesOf));
      const { status } = await resized(at, wanted);
      expect(status.containerStatuses.map(({ restartCount }: Any) => restartCount)).toEqual(wanted.map(() => 0));
    }
  });

  test('resize pod via the replace endpoint', async () => {
    const { path, at, pod } = await create({ containers: containersWith([{ cpu, memory }]) });
    expect(pod.metadata.generation).toBe(1);
    pod.spec.containers[0].resources = resourcesOf({ cpu: moreCPU, memory: moreMemory });
    await server.put(`${at}/resize`, pod);
    expect((await server.get(at)).metadata.generation).toBe(2);
    const after = await resized(at, [{ cpu: moreCPU, memory: moreMemory }]);
    expect(await server.get(`${at}/resize`)).toMatchObject(after);
    const summary = '{"containers":[{"name":"c1","resources":{"requests":{"cpu":"25m","memory":"40Mi"}}}],"generation":2}';
    expect(await eventsOf(path, 2)).toEqual([
      `Normal ResizeStarted Pod resize started: ${summary}`,
      `Normal ResizeCompleted Pod resize completed: ${summary}`,
    ]);
  });

  test('is in progress until containers have their resources', async () => {
    const { path, at } = await create({ containers: containersWith([{ cpu }]) });
    const watch = await server.watch(path(pods));
    await resize(at, [{ cpu: moreCPU }]);
    const seen: string[] = [];
    while (!seen.at(-1)?.startsWith(`${moreCPU} ${moreCPU}`)) {
      const { status } = ((await watch.next()) as Any).object;
      const [{ resources, allocatedResources }] = status.containerStatuses;
      const { observedGeneration } = conditionOf({ status }, 'PodResizeInProgress') ?? {};
      seen.push(`${allocatedResources.cpu} ${resources.requests.cpu} ${observedGeneration ?? ''}`);
    }
    watch.close();
    expect(seen).toEqual([`${cpu} ${cpu} `, `${moreCPU} ${cpu} 2`, `${moreCPU} ${moreCPU} `]);
  });

  test.each([
    ['cpu', { cpu: moreCPU, memory }, 1],
    ['cpu', { cpu, memory: moreMemory }, 0],
    ['memory', { cpu, memory: moreMemory }, 1],
  ])('containers that have to restart for %s do so for %j %d times', async (resourceName, wanted, restarts) => {
    const resizePolicy = [{ resourceName, restartPolicy: 'RestartContainer' }];
    const containers = [{ ...containersWith([{ cpu, memory }])[0], resizePolicy }];
    const sidecar = { ...containers[0], name: 'sidecar', restartPolicy: 'Always' };
    const { path, at } = await create({ containers, initContainers: [sidecar] });
    await resize(at, [wanted]);
    const { status } = await resized(at, [wanted]);
    expect(status.containerStatuses[0].restartCount).toBe(restarts);
    expect(status.initContainerStatuses[0]).toMatchObject({ restartCount: 0, resources: resourcesOf({ cpu, memory }) });
    const events = await server.untilAll(path('api/v1/events'), isDone);
    const killings = events.filter(({ reason }) => reason === 'Killing').map(({ message }) => message);
    expect(killings).toEqual(Array(restarts).fill('Container c1 resize requires restart'));
  });

  test('what a node never has is infeasible, and containers stay as they are, also when they restart', async () => {
    const annotations = { 'simulation.kubeloom.dev/run-for': '1s' };
    const { path, at } = await create({ containers: containersWith([{ cpu }]) }, annotations);
    await resize(at, [{ cpu: '3' }]);
    const pod = await server.until(at, (one) => conditionOf(one, 'PodResizePending') !== undefined);
    const message = "Node didn't have enough capacity: cpu, requested: 3000, capacity: 2000";
    expect(conditionOf(pod, 'PodResizePending')).toMatchObject({
      status: 'True',
      reason: 'Infeasible',
      message,
      observedGeneration: 2,
    });
    expect(await eventsOf(path, 1)).toEqual([
      'Warning ResizeInfeasible Pod resize Infeasible: ' +
        `{"containers":[{"name":"c1","resources":{"requests":{"cpu":"3"}}}],"generation":2,"error":"${message}"}`,
    ]);
    const restarted = await server.until(
      at,
      ({
        status: {
          containerStatuses: [one],
        },
      }) => one.restartCount === 1 && one.state.running,
    );
    expect(has(restarted, [{ cpu }])).toBe(true);
    await resize(at, [{ cpu }]);
    await server.until(at, (one) => conditionOf(one, 'PodResizePending') === undefined);
  });

  test('what a node does not have now is deferred until another pod has gone', async () => {
    const other = await create({ containers: containersWith([{ cpu: '1' }]) });
    const { path, at } = await create({ containers: containersWith([{ cpu: '500m' }]) });
    await resize(at, [{ cpu: '1500m' }]);
    const pod = await server.until(at, (one) => conditionOf(one, 'PodResizePending') !== undefined);
    expect(conditionOf(pod, 'PodResizePending')).toMatchObject({
      reason: 'Deferred',
      message: "Node didn't have enough resource: cpu, requested: 1500, used: 1000, capacity: 2000",
    });
    await server.delete(other.at);
    await resized(at, [{ cpu: '1500m' }]);
    expect((await eventsOf(path, 3)).map((one) => one.split(' ')[1])).toEqual(['ResizeDeferred', 'ResizeStarted', 'ResizeCompleted']);
  });

  test('of two that are deferred, the one of the higher priority comes first, and the other waits on', async () => {
    await server.post('/apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name: 'urgent' }, value: 1000 });
    const other = await create({ containers: containersWith([{ cpu: '1' }]) });
    const containers = containersWith([{ cpu: '100m' }]);
    const [usual, urgent] = [await create({ containers }), await create({ containers, priorityClassName: 'urgent' })];
    for (const { at } of [usual, urgent]) {
      await resize(at, [{ cpu: '1200m' }]);
      await server.until(at, (pod) => conditionOf(pod, 'PodResizePending')?.reason === 'Deferred');
    }
    await server.delete(other.at);
    await resized(urgent.at, [{ cpu: '1200m' }]);
    const waiting = await server.until(usual.at, (pod) => conditionOf(pod, 'PodResizePending').message.includes('used: 1200'));
    expect(has(waiting, [{ cpu: '100m' }])).toBe(true);
  });
});
