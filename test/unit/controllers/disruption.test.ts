import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { DisruptionController } from '../../../runtime/controllers/disruption/disruption-controller.ts';
import type { OwnerReference } from '../../../runtime/machinery/object.ts';
import { SimulatedCluster } from '../../support/simulation.ts';
import type { TestObject } from '../../support/test-object.ts';

const budgets = 'policy/poddisruptionbudgets';

describe('a disruption budget', () => {
  let cluster: SimulatedCluster;

  beforeEach(async () => {
    cluster = await SimulatedCluster.open((context) => [new DisruptionController(context)]);
  });

  afterEach(() => cluster.close());

  const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const selector = { matchLabels: { app: 'web' } };

  async function createOwner(resource: string, replicas: number, ownerReferences: OwnerReference[] = []): Promise<OwnerReference> {
    const owners = await cluster.stores.of(resource);
    const spec = {
      replicas,
      selector: resource === 'replicationcontrollers' ? selector.matchLabels : selector,
      template,
    };
    const { metadata } = await owners.create({ metadata: { name: 'web', ownerReferences }, spec });
    const apiVersion = resource.startsWith('apps/') ? 'apps/v1' : 'v1';
    return { apiVersion, kind: owners.definition.kind, name: 'web', uid: metadata.uid ?? '', controller: true };
  }

  async function createPods(count: number, ready: number, owner?: OwnerReference): Promise<void> {
    const pods = await cluster.stores.of('pods');
    for (let index = 0; index < count; index++) {
      const metadata = { name: `p${index}`, labels: { app: 'web' }, ownerReferences: owner ? [owner] : [] };
      await pods.create({ metadata, spec: template.spec });
      await cluster.run(`p${index}`, index < ready);
    }
  }

  async function createBudget(spec: object): Promise<TestObject['status']> {
    await (await cluster.stores.of(budgets)).create({ metadata: { name: 'web' }, spec: { selector, ...spec } });
    return statusOf();
  }

  async function statusOf(): Promise<TestObject['status']> {
    await cluster.settle();
    return (await cluster.list(budgets))[0].status;
  }

  const counts = ({ currentHealthy, desiredHealthy, expectedPods, disruptionsAllowed }: TestObject['status']) => [
    currentHealthy,
    desiredHealthy,
    expectedPods,
    disruptionsAllowed,
  ];

  test.each([
    ['minAvailable 2 of the pods that there are', { minAvailable: 2 }, [4, 2, 5, 2]],
    ['minAvailable 50%, rounded up, of the scale', { minAvailable: '50%' }, [4, 4, 7, 0]],
    ['maxUnavailable 1 of the scale', { maxUnavailable: 1 }, [4, 6, 7, 0]],
    ['maxUnavailable 50%, rounded up', { maxUnavailable: '50%' }, [4, 3, 7, 1]],
    ['maxUnavailable beyond the scale', { maxUnavailable: 9 }, [4, 0, 7, 4]],
  ])('%s', async (_name, spec, want) => {
    await createPods(5, 4, await createOwner('apps/replicasets', 7));
    expect(counts(await createBudget(spec))).toEqual(want);
  });

  test.each(['apps/statefulsets', 'replicationcontrollers'])('knows the scale of %s', async (resource) => {
    await createPods(1, 1, await createOwner(resource, 3));
    expect(counts(await createBudget({ maxUnavailable: 1 }))).toEqual([1, 2, 3, 0]);
  });

  test('knows the scale of the deployment that a ReplicaSet belongs to', async () => {
    const deployment = await createOwner('apps/deployments', 4);
    await createPods(2, 2, await createOwner('apps/replicasets', 1, [deployment]));
    expect(counts(await createBudget({ maxUnavailable: 1 }))).toEqual([2, 3, 4, 0]);
  });

  test('knows the scale of a ReplicaSet whose deployment is gone', async () => {
    const gone = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'u', controller: true };
    await createPods(2, 2, await createOwner('apps/replicasets', 3, [gone]));
    expect(counts(await createBudget({ maxUnavailable: 1 }))).toEqual([2, 2, 3, 0]);
  });

  test('says in its condition whether pods may go, and since when', async () => {
    await createPods(2, 1);
    const status = await createBudget({ minAvailable: 1 });
    const time = '2026-01-01T00:00:00Z';
    const condition = { type: 'DisruptionAllowed', observedGeneration: 1, lastTransitionTime: time, message: '' };
    expect(status.conditions).toEqual([{ ...condition, status: 'False', reason: 'InsufficientPods' }]);
    await cluster.pass(5);
    await cluster.run('p1');
    const { conditions, observedGeneration } = await statusOf();
    const later = { ...condition, lastTransitionTime: '2026-01-01T00:00:05Z' };
    expect([conditions, observedGeneration]).toEqual([[{ ...later, status: 'True', reason: 'SufficientPods' }], 1]);
  });

  test('allows nothing if the controller of a pod has no scale, or is gone', async () => {
    await createPods(1, 1, { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'd', uid: 'u', controller: true });
    const { disruptionsAllowed, conditions } = await createBudget({ maxUnavailable: 1 });
    expect([disruptionsAllowed, conditions[0].reason, conditions[0].message]).toEqual([
      0,
      'SyncFailed',
      'daemonsets.apps does not implement the scale subresource',
    ]);
    expect(await cluster.events('PodDisruptionBudget')).toEqual([
      'Warning CalculateExpectedPodCountFailed: Failed to calculate the number of expected pods: ' +
        'daemonsets.apps does not implement the scale subresource',
    ]);
    const pods = await cluster.stores.of('pods');
    await pods.update('p0', ({ metadata }) => {
      const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'r', uid: 'u', controller: true }];
      Object.assign(metadata, { ownerReferences });
    });
    expect((await statusOf()).conditions[0].message).toBe('found no controllers for pod "p0"');
  });

  test('tells of pods without controllers, of none, and of pods with two budgets', async () => {
    expect(counts(await createBudget({ maxUnavailable: 1 }))).toEqual([0, 0, 0, 0]);
    await createPods(1, 1);
    await cluster.settle();
    await (await cluster.stores.of(budgets)).create({ metadata: { name: 'two' }, spec: { selector: {} } });
    await cluster.run('p0', false);
    await cluster.settle();
    const events = await cluster.events();
    expect(events).toContain('Normal NoPods: No matching pods found');
    expect(events.find((event) => event.includes('UnmanagedPods'))).toContain(
      '(selector: &LabelSelector{MatchLabels:map[string]string{app: web,},MatchExpressions:[]LabelSelectorRequirement{},})',
    );
    expect(events).toContainEqual(expect.stringContaining('Pod "default"/"p0" matches multiple PodDisruptionBudgets.  Chose '));
  });

  test('forgets an eviction after two minutes, and counts the pod until then as gone', async () => {
    await createPods(2, 2);
    await createBudget({ minAvailable: 1 });
    const stored = await cluster.stores.of(budgets);
    await stored.update(
      'web',
      ({ status }) => {
        status.disruptedPods = { p0: '2026-01-01T00:00:00Z' };
      },
      { part: 'status' },
    );
    expect(counts(await statusOf())).toEqual([1, 1, 2, 0]);
    cluster.clock.advance(120_000);
    expect(counts(await statusOf())).toEqual([2, 1, 2, 1]);
    cluster.clock.advance(1);
    const status = await statusOf();
    expect([counts(status), status.disruptedPods]).toEqual([[2, 1, 2, 1], undefined]);
    expect(await cluster.events('Pod')).toEqual([
      "Warning NotDeleted: Pod was expected by PDB default/default to be deleted but it wasn't",
    ]);
  });

  test('a pod that should go and is not deleted loses its condition after two minutes', async () => {
    await createPods(1, 1);
    const pods = await cluster.stores.of('pods');
    await pods.update(
      'p0',
      ({ status }) => {
        const condition = { type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI' };
        status.conditions.push({ ...condition, lastTransitionTime: '2026-01-01T00:00:00Z' });
      },
      { part: 'status' },
    );
    const condition = () => pods.get('p0')?.status.conditions.find(({ type }: TestObject) => type === 'DisruptionTarget').status;
    cluster.clock.advance(119_000);
    await cluster.settle();
    expect(condition()).toBe('True');
    cluster.clock.advance(1000);
    await cluster.settle();
    expect(condition()).toBe('False');
  });
});
