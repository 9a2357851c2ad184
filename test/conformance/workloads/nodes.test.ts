import { describe, expect, test } from '@jest/globals';
import { type Any, conditionOf, WorkloadServer } from './workload-server.ts';

/** Upstream's conformance tests, with their titles. (test/e2e/node/taints.go, pods.go, runtimeclass.go, podtemplates.go; test/e2e/common/node) */
const server = new WorkloadServer();

const pods = 'api/v1/pods';
const containers = [{ name: 'c', image: 'i' }];
const isReady = (pod: Any): boolean => conditionOf(pod, 'Ready')?.status === 'True';

/** Creates a pod in a new namespace. */
async function create(spec: object = {}, metadata: object = {}) {
  const path = await server.namespace();
  const pod = await server.post(path(pods), {
    metadata: { name: 'pod', ...metadata },
    spec: { containers, terminationGracePeriodSeconds: 0, ...spec },
  });
  return { path, pod, at: path(pods, 'pod') };
}

describe('NoExecuteTaintManager', () => {
  const node = '/api/v1/nodes/kubeloom-node-0';
  const evicting = { key: 'kubernetes.io/e2e-evict-taint-key', value: 'evictTaintVal', effect: 'NoExecute' };
  const tolerating = (tolerationSeconds: number) => ({
    nodeName: 'kubeloom-node-0',
    tolerations: [{ ...evicting, operator: 'Equal', tolerationSeconds }],
  });
  const taint = (...taints: object[]): Promise<Any> => server.patch(node, { spec: { taints } });

  test('Single Pod removing taint cancels eviction', async () => {
    const { path, at } = await create(tolerating(300));
    await server.until(at, isReady);
    await taint(evicting);
    await taint();
    const cancelled = `Cancelling deletion of Pod ${path(pods).split('/')[4]}/pod`;
    await server.untilAll(path('api/v1/events'), (all) => all.some(({ message }) => message === cancelled));
    expect((await server.get(at)).metadata.deletionTimestamp).toBeUndefined();
  });

  test('Multiple Pods evicts pods with minTolerationSeconds', async () => {
    const { at } = await create(tolerating(0));
    const other = await create(tolerating(300));
    await server.until(at, isReady);
    await server.until(other.at, isReady);
    await taint(evicting);
    await server.until(at, (pod) => pod === undefined);
    expect((await server.get(other.at)).metadata.deletionTimestamp).toBeUndefined();
    await taint();
  });
});

describe('RuntimeClass', () => {
  const classes = '/apis/node.k8s.io/v1/runtimeclasses';

  test('should reject a Pod requesting a non-existent RuntimeClass', async () => {
    await expect(create({ runtimeClassName: 'nowhere' })).rejects.toThrow('RuntimeClass \\"nowhere\\" not found');
  });

  test('should reject a Pod requesting a deleted RuntimeClass', async () => {
    await server.post(classes, { metadata: { name: 'short' }, handler: 'runc' });
    await server.delete(`${classes}/short`);
    await expect(create({ runtimeClassName: 'short' })).rejects.toThrow('RuntimeClass \\"short\\" not found');
  });

  test('should schedule a Pod requesting a RuntimeClass without PodOverhead', async () => {
    await server.post(classes, { metadata: { name: 'plain' }, handler: 'runc' });
    const { pod, at } = await create({ runtimeClassName: 'plain' });
    expect(pod.spec.overhead).toBeUndefined();
    await server.until(at, ({ spec }) => Boolean(spec.nodeName));
  });

  test('should schedule a Pod requesting a RuntimeClass and initialize its Overhead', async () => {
    const overhead = { podFixed: { cpu: '10m', memory: '1Mi' } };
    await server.post(classes, { metadata: { name: 'heavy' }, handler: 'runc', overhead });
    const { pod, at } = await create({ runtimeClassName: 'heavy' });
    expect(pod.spec.overhead).toEqual(overhead.podFixed);
    await server.until(at, ({ spec }) => Boolean(spec.nodeName));
  });
});

describe('Pods', () => {
  test('should be updated', async () => {
    const { path, at } = await create({}, { labels: { time: '1' } });
    await server.until(at, isReady);
    await server.patch(at, { metadata: { labels: { time: '2' } } });
    expect((await server.get(`${path(pods)}?labelSelector=time%3D2`)).items).toHaveLength(1);
  });

  test('should allow activeDeadlineSeconds to be updated', async () => {
    const { at } = await create();
    await server.until(at, isReady);
    await server.patch(at, { spec: { activeDeadlineSeconds: 1 } });
    const pod = await server.until(at, ({ status }) => status.phase === 'Failed');
    expect(pod.status.reason).toBe('DeadlineExceeded');
  });

  test('should patch a pod status', async () => {
    const { at } = await create();
    await server.until(at, isReady);
    const conditions = [{ type: 'StatusPatched', status: 'True' }];
    await server.patch(`${at}/status`, { metadata: { labels: { patched: 'yes' } }, status: { conditions } }, 'strategic-merge');
    const pod = await server.get(`${at}/status`);
    expect(conditionOf(pod, 'StatusPatched')).toMatchObject({ status: 'True' });
  });

  test('should delete a collection of pods', async () => {
    const { path } = await create({}, { name: 'one', labels: { type: 'Testing' } });
    const more = { labels: { type: 'Testing' } };
    await server.post(path(pods), { metadata: { name: 'two', ...more }, spec: { containers } });
    await server.untilAll(path(pods), (all) => all.every(isReady));
    await server.delete(`${path(pods)}?labelSelector=type%3DTesting`, { gracePeriodSeconds: 0 });
    await server.untilAll(path(pods), (all) => all.length === 0);
  });

  test('should run through the lifecycle of Pods and PodStatus', async () => {
    const { path, at } = await create({}, { labels: { 'test-pod-static': 'true' } });
    const watch = await server.watch(path(pods), '?labelSelector=test-pod-static%3Dtrue');
    await server.until(at, isReady);
    const spec = { containers: [{ name: 'c', image: 'i:2' }] };
    await server.patch(at, { metadata: { labels: { 'test-pod': 'patched' } }, spec }, 'strategic-merge');
    const current = await server.until(at, ({ status }) => status.containerStatuses?.[0].image.endsWith('i:2'));
    const conditions = current.status.conditions.map((one: Any) => (one.type === 'Ready' ? { ...one, status: 'False' } : one));
    const replaced = await server.put(`${at}/status`, { ...current, status: { ...current.status, conditions } });
    expect(conditionOf(replaced, 'Ready').status).toBe('False');
    await server.delete(at);
    for (let event = await watch.next(); event?.type !== 'DELETED'; event = await watch.next())
      expect(event?.type).toMatch(/^(?:ADDED|MODIFIED)$/);
    watch.close();
  });
});

describe('Pods Extended', () => {
  test('Pods Set QOS Class should be set on Pods with matching resource requests and limits for memory and cpu', async () => {
    const resources = { cpu: '100m', memory: '100Mi' };
    const { pod } = await create({
      containers: [{ ...containers[0], resources: { requests: resources, limits: resources } }],
    });
    expect(pod.status.qosClass).toBe('Guaranteed');
  });

  test('Pod Generation pod generation should start at 1 and increment per update', async () => {
    const { pod, at } = await create();
    expect(pod.metadata.generation).toBe(1);
    const updates: [object, number][] = [
      [{ metadata: { labels: { a: 'b' } } }, 1],
      [{ spec: { activeDeadlineSeconds: 5000 } }, 2],
      [{ spec: { tolerations: [{ key: 'k', operator: 'Exists' }, ...pod.spec.tolerations] } }, 3],
    ];
    for (const [change, generation] of updates) expect((await server.patch(at, change)).metadata.generation).toBe(generation);
    await server.until(at, ({ status }) => status.observedGeneration === 3);
  });

  test('Pod Generation custom-set generation on new pods and graceful delete', async () => {
    const annotations = { 'simulation.kubeloom.dev/stop-after': '1m' };
    const { pod, at } = await create({ terminationGracePeriodSeconds: 60 }, { generation: 100, annotations });
    expect(pod.metadata.generation).toBe(1);
    await server.until(at, isReady);
    const deleted = await server.delete(at);
    expect(deleted.metadata).toMatchObject({ generation: 2, deletionGracePeriodSeconds: 60 });
    await server.delete(at, { gracePeriodSeconds: 0 });
  });

  test('Pod Generation issue 500 podspec updates and verify generation and observedGeneration eventually converge', async () => {
    const { at } = await create();
    for (let i = 0; i < 500; i++) await server.patch(at, { spec: { activeDeadlineSeconds: 5000 - i } });
    const pod = await server.until(at, ({ metadata, status }) => status.observedGeneration === metadata.generation);
    expect(pod.metadata.generation).toBe(501);
  });
});

describe('Ephemeral Containers', () => {
  const ephemeral = (name: string) => ({
    name,
    image: 'busybox',
    command: ['/bin/sh', '-c', 'while true; do sleep 5; done'],
  });
  const isRunning =
    (name: string) =>
    ({ status }: Any): boolean =>
      status.ephemeralContainerStatuses?.find((one: Any) => one.name === name)?.state.running !== undefined;

  test('will start an ephemeral container in an existing pod', async () => {
    const { at } = await create();
    await server.until(at, isReady);
    await server.patch(`${at}/ephemeralcontainers`, { spec: { ephemeralContainers: [ephemeral('debugger')] } }, 'strategic-merge');
    await server.until(at, isRunning('debugger'));
  });

  test('should update the ephemeral containers in an existing pod', async () => {
    const { at } = await create();
    await server.until(at, isReady);
    for (const name of ['debugger', 'debugger2']) {
      await server.patch(`${at}/ephemeralcontainers`, { spec: { ephemeralContainers: [ephemeral(name)] } }, 'strategic-merge');
      await server.until(at, isRunning(name));
    }
  });
});

test('Sysctls should reject invalid sysctls', async () => {
  const sysctls = [
    { name: 'foo-', value: 'bar' },
    { name: 'bar..', value: '42' },
    { name: 'safe-and-unsafe', value: '100' },
  ];
  const refused = create({ securityContext: { sysctls } });
  await expect(refused).rejects.toThrow(/Invalid value: \\"foo-\\".*Invalid value: \\"bar\.\.\\"/);
});

test.each([
  ['ConfigMap should fail to create ConfigMap with empty key', 'api/v1/configmaps', 'value'],
  ['Secrets should fail to create secret due to empty secret key', 'api/v1/secrets', 'dmFsdWU='],
])('%s', async (_title, resource, value) => {
  const path = await server.namespace();
  await expect(server.post(path(resource), { metadata: { name: 'bad' }, data: { '': value } })).rejects.toThrow('422');
});

describe('PodTemplates', () => {
  const templates = 'api/v1/podtemplates';
  const template = (name: string) => ({
    metadata: { name, labels: { set: 'true' } },
    template: { spec: { containers } },
  });

  test('should delete a collection of pod templates', async () => {
    const path = await server.namespace();
    for (const name of ['a', 'b', 'c']) await server.post(path(templates), template(name));
    await server.delete(`${path(templates)}?labelSelector=set%3Dtrue`);
    expect((await server.get(path(templates))).items).toEqual([]);
  });

  test('should replace a pod template', async () => {
    const path = await server.namespace();
    const created = await server.post(path(templates), template('a'));
    created.metadata.annotations = { updated: 'true' };
    expect((await server.put(path(templates, 'a'), created)).metadata.annotations).toEqual({ updated: 'true' });
  });
});
