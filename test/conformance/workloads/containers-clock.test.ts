import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { SimulatedKubelets } from '../../../runtime/simulation/simulated-kubelets.ts';
import { SimulatedCluster } from '../../support/simulation.ts';
import type { TestObject } from '../../support/test-object.ts';

/**
 * Upstream's conformance tests of containers that take minutes, with their titles, on a manual clock.
 * (test/e2e/common/node/runtime.go, expansion.go)
 */
let cluster: SimulatedCluster;

beforeEach(async () => {
  cluster = await SimulatedCluster.open((context) => [new SimulatedKubelets(context, {})]);
  await (await cluster.stores.of('namespaces')).create({ metadata: { name: 'kube-node-lease' } });
});
afterEach(() => cluster.close());

/** Seconds: longer than a kubelet's first retry delay. */
const pause = 12;

const behaviour = (runFor: string, exitCode: number): Record<string, string> => ({
  'simulation.kubeloom.dev/run-for': runFor,
  'simulation.kubeloom.dev/exit-code': String(exitCode),
});

test.each([
  { restartPolicy: 'Always', phase: 'Running', state: 'running', restartCount: 2, ready: 'True' },
  { restartPolicy: 'OnFailure', phase: 'Succeeded', state: 'terminated', restartCount: 1, ready: 'False' },
  { restartPolicy: 'Never', phase: 'Failed', state: 'terminated', restartCount: 0, ready: 'False' },
])(
  'Container Runtime blackbox test when starting a container that exits should run with the expected status: $restartPolicy',
  async ({ restartPolicy, ...want }) => {
    const pods = await cluster.stores.of('pods');
    const annotate = (...next: Parameters<typeof behaviour>) =>
      pods.update('exits', ({ metadata }) => {
        metadata.annotations = behaviour(...next);
      });
    // a container that fails, then succeeds, then runs
    await pods.create({
      metadata: { name: 'exits', annotations: behaviour('1s', 1) },
      spec: { nodeName: 'kubeloom-node-0', restartPolicy, containers: [{ name: 'c', image: 'busybox' }] },
    });
    await cluster.settle();
    await cluster.pass(1);
    await annotate('1s', 0);
    await cluster.pass(1);
    await annotate('forever', 0);
    await cluster.pass(pause);
    const { status } = pods.get('exits') as TestObject;
    const [{ restartCount, state }] = status.containerStatuses;
    const ready = status.conditions.find(({ type }: TestObject) => type === 'Ready').status;
    expect({ phase: status.phase, state: Object.keys(state)[0], restartCount, ready }).toEqual(want);
    await pods.delete('exits');
    await cluster.settle();
    expect(await cluster.list('pods')).toEqual([]);
  },
);

test('Variable Expansion should verify that a failing subpath expansion can be modified during the lifecycle of a container', async () => {
  const pods = await cluster.stores.of('pods');
  const env = [
    { name: 'POD_NAME', value: 'foo' },
    { name: 'ANNOTATION', valueFrom: { fieldRef: { fieldPath: "metadata.annotations['mysubpath']" } } },
  ];
  const volumeMounts = [
    { name: 'workdir1', mountPath: '/subpath_mount', subPathExpr: '$(ANNOTATION)/$(POD_NAME)' },
    { name: 'workdir1', mountPath: '/volume_mount' },
  ];
  await pods.create({
    metadata: { name: 'mounts', annotations: { notmysubpath: 'mypath' } },
    spec: {
      nodeName: 'kubeloom-node-0',
      containers: [{ name: 'c', image: 'busybox', env, volumeMounts }],
      volumes: [{ name: 'workdir1', emptyDir: {} }],
    },
  });
  await cluster.settle();
  await cluster.pass(60);
  expect((pods.get('mounts') as TestObject).status.phase).toBe('Pending');
  await pods.update('mounts', ({ metadata }) => {
    metadata.annotations = { mysubpath: 'mypath' };
  });
  await cluster.pass(pause);
  expect((pods.get('mounts') as TestObject).status.phase).toBe('Running');
});
