import { describe, expect, test } from '@jest/globals';
import { type Any, conditionOf, WorkloadServer } from './workload-server.ts';

/** Upstream's conformance tests, with their titles. (test/e2e/apps/disruption.go) */
const server = new WorkloadServer();

const pods = 'api/v1/pods';
const budgets = 'apis/policy/v1/poddisruptionbudgets';
const labels = { foo: 'bar' };
const budget = (minAvailable: number | string, name = 'foo') => ({
  metadata: { name, labels },
  spec: { minAvailable, selector: { matchLabels: labels } },
});
const isReady = (pod: Any): boolean => conditionOf(pod, 'Ready')?.status === 'True';

/** Creates a namespace with ready pods. */
async function podsThatRun(count: number) {
  const path = await server.namespace();
  for (let i = 0; i < count; i++) {
    const spec = { containers: [{ name: 'c', image: 'i' }], terminationGracePeriodSeconds: 0 };
    await server.post(path(pods), { metadata: { name: `pod-${i}`, labels }, spec });
  }
  await server.untilAll(path(pods), (all) => all.length === count && all.every(isReady));
  return path;
}
const counted =
  (wanted: object) =>
  (object: Any): boolean =>
    object?.status?.observedGeneration === object?.metadata.generation &&
    Object.entries(wanted).every(([field, value]) => object.status[field] === value);

describe('DisruptionController', () => {
  test('should create a PodDisruptionBudget', async () => {
    const path = await server.namespace();
    expect((await server.post(path(budgets), budget('1%'))).spec.minAvailable).toBe('1%');
    await server.until(path(budgets, 'foo'), counted({ expectedPods: 0 }));
    await server.patch(path(budgets, 'foo'), { spec: { minAvailable: '2%' } });
    expect((await server.until(path(budgets, 'foo'), counted({}))).spec.minAvailable).toBe('2%');
    await server.delete(path(budgets, 'foo'));
    expect((await server.get(path(budgets))).items).toEqual([]);
  });

  test('should observe PodDisruptionBudget status updated', async () => {
    const path = await podsThatRun(3);
    await server.post(path(budgets), budget(1));
    const { status } = await server.until(path(budgets, 'foo'), counted({ disruptionsAllowed: 2 }));
    expect(status).toMatchObject({ currentHealthy: 3, desiredHealthy: 1, expectedPods: 3 });
  });

  test('should update/patch PodDisruptionBudget status', async () => {
    const path = await podsThatRun(1);
    await server.post(path(budgets), budget(1));
    const current = await server.until(path(budgets, 'foo'), counted({ currentHealthy: 1 }));
    const at = `${path(budgets, 'foo')}/status`;
    current.status.disruptedPods = { pod: '2026-01-01T00:00:00Z' };
    expect((await server.put(at, current)).status.disruptedPods).toEqual({ pod: '2026-01-01T00:00:00Z' });
    // the controller forgets absent pods
    await server.until(path(budgets, 'foo'), ({ status }) => !status.disruptedPods);
    const patched = await server.patch(at, { status: { disruptedPods: { 'pod-0': '2026-01-01T00:00:00Z' } } });
    expect(patched.status.disruptedPods).toEqual({ 'pod-0': '2026-01-01T00:00:00Z' });
  });

  test('should block an eviction until the PDB is updated to allow it', async () => {
    const path = await podsThatRun(3);
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'pod-0' } };
    const evict = (): Promise<Any> => server.post(`${path(pods, 'pod-0')}/eviction`, eviction);
    await server.post(path(budgets), budget(3));
    await server.until(path(budgets, 'foo'), counted({ currentHealthy: 3 }));
    await expect(evict()).rejects.toThrow('429 {"kind":"Status"');
    await server.patch(path(budgets, 'foo'), { spec: { minAvailable: 2 } });
    await server.until(path(budgets, 'foo'), counted({ disruptionsAllowed: 1 }));
    await evict();
    await server.untilAll(path(pods), (all) => all.length === 2);
    await server.until(path(budgets, 'foo'), counted({ currentHealthy: 2, disruptionsAllowed: 0 }));
  });

  test('Listing PodDisruptionBudgets for all namespaces should list and delete a collection of PodDisruptionBudgets', async () => {
    const [first, second] = [await server.namespace(), await server.namespace()];
    await server.post(first(budgets), budget('1%', 'foo'));
    await server.post(first(budgets), budget('1%', 'foo2'));
    await server.post(second(budgets), budget('1%', 'foo3'));
    const all = await server.get('/apis/policy/v1/poddisruptionbudgets?labelSelector=foo%3Dbar');
    const names = all.items.map(({ metadata }: Any) => metadata.name);
    expect(names).toEqual(expect.arrayContaining(['foo', 'foo2', 'foo3']));
    await server.delete(`${first(budgets)}?labelSelector=foo%3Dbar`);
    expect((await server.get(first(budgets))).items).toEqual([]);
    expect((await server.get(second(budgets))).items).toHaveLength(1);
  });
});
