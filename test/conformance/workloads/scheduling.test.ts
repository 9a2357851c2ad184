import { afterEach, describe, expect, test } from '@jest/globals';
import { type Any, conditionOf, WorkloadServer } from './workload-server.ts';

/** Upstream's conformance tests, with their titles. (test/e2e/scheduling/predicates.go, preemption.go) */
const server = new WorkloadServer();

const pods = 'api/v1/pods';
const [node0, node1] = ['kubeloom-node-0', 'kubeloom-node-1'];

interface Wanted {
  readonly cpu?: string;
  readonly ports?: readonly object[];
  /** More fields of spec. */
  readonly spec?: object;
}

const pod = (name: string, { cpu, ports, spec }: Wanted = {}) => ({
  metadata: { name, labels: { name } },
  spec: {
    terminationGracePeriodSeconds: 0,
    containers: [{ name: 'app', image: 'i', ports, resources: { requests: cpu === undefined ? {} : { cpu } } }],
    ...spec,
  },
});
const on = (node: string, more: object = {}) => ({ nodeSelector: { 'kubernetes.io/hostname': node }, ...more });

let used: string[] = [];
async function namespace() {
  const path = await server.namespace();
  used.push(path(pods));
  return path;
}
afterEach(async () => {
  for (const path of used) {
    await server.delete(path, { gracePeriodSeconds: 0 });
    await server.untilAll(path, (all) => all.length === 0);
  }
  used = [];
});

const isRunning = (object: Any): boolean => object?.status.phase === 'Running';
const isUnschedulable = (object: Any): boolean => object !== undefined && conditionOf(object, 'PodScheduled')?.reason === 'Unschedulable';

describe('[sig-scheduling] SchedulerPredicates [Serial]', () => {
  test('validates resource limits of pods that are allowed to run', async () => {
    const path = await namespace();
    for (const node of [node0, node1]) await server.post(path(pods), pod(node, { cpu: '31', spec: on(node) }));
    await server.untilAll(path(pods), (all) => all.length === 2 && all.every(isRunning));
    await server.post(path(pods), pod('additional', { cpu: '2' }));
    const failed = await server.until(path(pods, 'additional'), isUnschedulable);
    expect(conditionOf(failed, 'PodScheduled').message).toBe(
      '0/2 nodes are available: 2 Insufficient cpu. no new claims to deallocate, preemption: 0/2 nodes are available: 2 No preemption victims found for incoming pod.',
    );
    await server.delete(path(pods, node1));
    expect((await server.until(path(pods, 'additional'), isRunning)).spec.nodeName).toBe(node1);
  });

  test('validates that NodeSelector is respected if not matching', async () => {
    const path = await namespace();
    await server.post(path(pods), pod('restricted', { spec: { nodeSelector: { label: 'nonempty' } } }));
    const failed = await server.until(path(pods, 'restricted'), isUnschedulable);
    expect(conditionOf(failed, 'PodScheduled').message).toContain("2 node(s) didn't match Pod's node affinity/selector");
  });

  test('validates that NodeSelector is respected if matching', async () => {
    const path = await namespace();
    const key = 'kubernetes.io/e2e-key';
    await server.patch(`/api/v1/nodes/${node1}`, { metadata: { labels: { [key]: '42' } } });
    await server.post(path(pods), pod('with-labels', { spec: { nodeSelector: { [key]: '42' } } }));
    expect((await server.until(path(pods, 'with-labels'), isRunning)).spec.nodeName).toBe(node1);
    await server.patch(`/api/v1/nodes/${node1}`, { metadata: { labels: { [key]: null } } });
  });

  test('validates that there is no conflict between pods with same hostPort but different hostIP and protocol', async () => {
    const path = await namespace();
    const port = { containerPort: 8080, hostPort: 54323 };
    const all = [
      { ...port, hostIP: '127.0.0.1', protocol: 'TCP' },
      { ...port, hostIP: '172.16.0.1', protocol: 'TCP' },
      { ...port, hostIP: '172.16.0.1', protocol: 'UDP' },
    ];
    for (const [index, ports] of all.entries()) {
      await server.post(path(pods), pod(`pod${index}`, { ports: [ports], spec: on(node0) }));
    }
    const running = await server.untilAll(path(pods), (list) => list.length === 3 && list.every(isRunning));
    expect(running.map(({ spec }) => spec.nodeName)).toEqual([node0, node0, node0]);
  });

  test('validates that there exists conflict between pods with same hostPort and protocol but one using 0.0.0.0 hostIP', async () => {
    const path = await namespace();
    const port = { containerPort: 8080, hostPort: 54322, protocol: 'TCP' };
    await server.post(path(pods), pod('pod4', { ports: [{ ...port, hostIP: '0.0.0.0' }], spec: on(node0) }));
    await server.until(path(pods, 'pod4'), isRunning);
    await server.post(path(pods), pod('pod5', { ports: [{ ...port, hostIP: '172.16.0.1' }], spec: on(node0) }));
    const failed = await server.until(path(pods, 'pod5'), isUnschedulable);
    expect(conditionOf(failed, 'PodScheduled').message).toContain("1 node(s) didn't have free ports for the requested pod ports");
  });
});

describe('[sig-scheduling] SchedulerPreemption [Serial]', () => {
  async function priorityClass(name: string, value: number): Promise<void> {
    await server.post('/apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name }, value });
  }

  test('validates basic preemption works', async () => {
    const path = await namespace();
    await priorityClass('low', 1);
    await priorityClass('high', 1000);
    await priorityClass('higher', 2000);
    const full = (priorityClassName: string, node: string) => ({ cpu: '30', spec: on(node, { priorityClassName }) });
    await server.post(path(pods), pod('pod0-low', full('low', node0)));
    await server.post(path(pods), pod('pod1-high', full('high', node1)));
    await server.untilAll(path(pods), (all) => all.length === 2 && all.every(isRunning));
    const { metadata } = await server.post(path(pods), pod('preemptor', { cpu: '30', spec: { priorityClassName: 'higher' } }));
    expect((await server.until(path(pods, 'preemptor'), isRunning)).spec.nodeName).toBe(node0);
    const left = await server.untilAll(path(pods), (all) => all.length === 2);
    expect(left.map((one) => one.metadata.name).sort()).toEqual(['pod1-high', 'preemptor']);
    const isPreempted = ({ reason }: Any): boolean => reason === 'Preempted';
    const events = await server.untilAll(path('apis/events.k8s.io/v1/events'), (all) => all.some(isPreempted));
    expect(events.find(isPreempted)).toMatchObject({
      regarding: { name: 'pod0-low' },
      note: `Preempted by pod ${metadata.uid} on node ${node0}`,
    });
  });

  test('validates lower priority pod preemption by critical pod', async () => {
    const path = await namespace();
    const full = (node: string) => ({ cpu: '30', spec: on(node) });
    for (const node of [node0, node1]) await server.post(path(pods), pod(node, full(node)));
    await server.untilAll(path(pods), (all) => all.length === 2 && all.every(isRunning));
    const critical = pod('critical-pod', { cpu: '30', spec: { priorityClassName: 'system-cluster-critical' } });
    await server.post(path(pods), critical);
    const running = await server.until(path(pods, 'critical-pod'), isRunning);
    const left = await server.untilAll(path(pods), (all) => all.length === 2);
    expect(left.map(({ metadata }) => metadata.name)).not.toContain(running.spec.nodeName);
  });

  test('PreemptionExecutionPath runs ReplicaSets to verify preemption running path', async () => {
    const path = await namespace();
    const fake = 'example.com/fakecpu';
    const node = `/api/v1/nodes/${node0}/status`;
    await server.patch(node, { status: { capacity: { [fake]: '1000' }, allocatable: { [fake]: '1000' } } });
    for (const value of [1, 2, 3, 4]) await priorityClass(`p${value}`, value);
    const wanting = (name: string, amount: string, priorityClassName: string) => {
      const { metadata, spec } = pod(name, { spec: on(node0, { priorityClassName }) });
      const resources = { requests: { [fake]: amount }, limits: { [fake]: amount } };
      return { metadata, spec: { ...spec, containers: [{ ...spec.containers[0], resources }] } };
    };
    const watch = await server.watch(path(pods));
    for (const [name, amount, priority] of [
      ['pod1', '200', 'p1'],
      ['pod2', '300', 'p2'],
      ['pod3', '450', 'p3'],
    ]) {
      const template = wanting(name, amount, priority);
      const spec = { replicas: 1, selector: { matchLabels: { name } }, template };
      await server.post(path('apis/apps/v1/replicasets'), { metadata: { name: `rs-${name}` }, spec });
    }
    await server.untilAll(path(pods), (all) => all.length === 3 && all.every(isRunning));
    await server.post(path(pods), wanting('pod4', '500', 'p4'));
    await server.until(path(pods, 'pod4'), isRunning);
    // the victims' replacements have no room, and preempt no pods
    const left = (all: Any[]): boolean => all.length === 4 && all.filter(isUnschedulable).length === 2;
    await server.untilAll(path(pods), left);
    await server.post(path(pods), { metadata: { name: 'last' }, spec: { containers: [{ name: 'c', image: 'i' }] } });
    const seen: string[] = [];
    for (let event = await watch.next(); event?.object.metadata.name !== 'last'; event = await watch.next()) {
      if (event?.type === 'ADDED') seen.push((event.object as Any).metadata.labels.name);
    }
    watch.close();
    expect(seen.sort()).toEqual(['pod1', 'pod1', 'pod2', 'pod2', 'pod3', 'pod4']);
    for (const name of ['pod1', 'pod2', 'pod3']) await server.delete(path('apis/apps/v1/replicasets', `rs-${name}`));
    await server.patch(node, { status: { capacity: { [fake]: null }, allocatable: { [fake]: null } } });
  });

  test('validates pod disruption condition is added to the preempted pod', async () => {
    const path = await namespace();
    await priorityClass('victims', 1);
    const victim = pod('victim', { cpu: '30', spec: on(node0, { priorityClassName: 'victims' }) });
    // the finalizer keeps the pod, so that its status can be read
    Object.assign(victim.metadata, { finalizers: ['example.com/test-finalizer'] });
    await server.post(path(pods), victim);
    await server.until(path(pods, 'victim'), isRunning);
    const preemptor = { cpu: '30', spec: on(node0, { priorityClassName: 'system-cluster-critical' }) };
    await server.post(path(pods), pod('preemptor', preemptor));
    const found = await server.until(path(pods, 'victim'), ({ metadata }) => metadata.deletionTimestamp !== undefined);
    expect(conditionOf(found, 'DisruptionTarget')).toMatchObject({ status: 'True', reason: 'PreemptionByScheduler' });
    await server.patch(path(pods, 'victim'), { metadata: { finalizers: null } });
  });
});
