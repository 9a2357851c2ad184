import { describe, expect, test } from '@jest/globals';
import { type Any, WorkloadServer } from './workload-server.ts';

/** Upstream's conformance tests, with their titles. (test/e2e/apps/statefulset.go) */
const server = new WorkloadServer();

type Path = Awaited<ReturnType<typeof server.namespace>>;

const sets = 'apis/apps/v1/statefulsets';
const pods = 'api/v1/pods';
const claims = 'api/v1/persistentvolumeclaims';
const labels = { foo: 'bar', baz: 'blah' };
/** Kubelets wait for this condition, which the tests set. */
const gates = { readinessGates: [{ conditionType: 'healthy' }] };
const template = (spec: object = {}) => ({
  metadata: { labels },
  spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'c', image: 'i:1' }], ...spec },
});
const statefulSet = (spec: object = {}) => ({
  metadata: { name: 'ss', labels },
  spec: { replicas: 3, serviceName: 'test', selector: { matchLabels: labels }, template: template(), ...spec },
});
const claimTemplate = {
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } } },
};
const parallel = { podManagementPolicy: 'Parallel' };
const withImage = (image: string) => ({ spec: { template: { spec: { containers: [{ name: 'c', image }] } } } });

const imagesOf = (all: Any[]): string[] => sorted(all).map(({ spec }) => spec.containers[0].image);
const namesOf = (all: Any[]): string[] => sorted(all).map(({ metadata }) => metadata.name);
const sorted = (all: Any[]): Any[] => [...all].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
const present = (all: Any[]): Any[] => all.filter(({ metadata }) => !metadata.deletionTimestamp);
const isReady = ({ status }: Any): boolean =>
  status.conditions?.some(({ type, status: value }: Any) => type === 'Ready' && value === 'True') === true;

async function create(spec: object = {}): Promise<Path> {
  const path = await server.namespace();
  await server.post(path(sets), statefulSet(spec));
  return path;
}

/** Resolves when exactly these pods, by name or image, exist and are ready. */
const untilReady = (path: Path, want: string[], what: (all: Any[]) => string[] = namesOf): Promise<Any[]> =>
  server.untilAll(path(pods), (all) => all.every(isReady) && what(all).join() === want.join());

const untilStatus = (path: Path, holds: (status: Any, set: Any) => boolean): Promise<Any> =>
  server.until(path(sets, 'ss'), (set) => set.status.observedGeneration >= set.metadata.generation && holds(set.status, set));

async function setHealth(path: Path, name: string, healthy: boolean): Promise<void> {
  const condition = { type: 'healthy', status: healthy ? 'True' : 'False' };
  await server.patch(`${path(pods, name)}/status`, { status: { conditions: [condition] } }, 'strategic-merge');
  await server.until(path(pods, name), (pod) => isReady(pod) === healthy);
}

describe('StatefulSet', () => {
  test('should provide basic identity', async () => {
    const path = await create();
    const all = await untilReady(path, ['ss-0', 'ss-1', 'ss-2']);
    for (const { metadata, spec } of all) {
      expect([spec.hostname, spec.subdomain]).toEqual([metadata.name, 'test']);
      expect(metadata.labels['apps.kubernetes.io/pod-index']).toBe(metadata.name.slice('ss-'.length));
    }
  });

  test('should adopt matching orphans and release non-matching pods', async () => {
    const path = await create({ replicas: 1 });
    await untilReady(path, ['ss-0']);
    const ownerOf = (pod: Any): Any => pod?.metadata.ownerReferences?.[0]?.uid;
    await server.patch(path(pods, 'ss-0'), { metadata: { ownerReferences: null } });
    await server.until(path(pods, 'ss-0'), (pod) => ownerOf(pod) !== undefined);
    await server.patch(path(pods, 'ss-0'), { metadata: { labels: { foo: null } } });
    await server.until(path(pods, 'ss-0'), (pod) => ownerOf(pod) === undefined);
    await server.patch(path(pods, 'ss-0'), { metadata: { labels } });
    await server.until(path(pods, 'ss-0'), (pod) => ownerOf(pod) !== undefined);
  });

  test("should not deadlock when a pod's predecessor fails", async () => {
    const path = await create({ replicas: 2, template: template(gates) });
    await server.until(path(pods, 'ss-0'), (pod) => pod?.status.phase === 'Running');
    await setHealth(path, 'ss-0', true);
    await server.until(path(pods, 'ss-1'), (pod) => pod?.status.phase === 'Running');
    await setHealth(path, 'ss-0', false);
    await server.delete(path(pods, 'ss-1'));
    const again = server.until(path(pods, 'ss-1'), (pod) => pod?.status.phase === 'Running');
    await setHealth(path, 'ss-0', true);
    await again;
    await setHealth(path, 'ss-1', true);
    await untilReady(path, ['ss-0', 'ss-1']);
  });

  test('should perform rolling updates and roll backs of template modifications', async () => {
    const path = await create();
    await untilReady(path, ['ss-0', 'ss-1', 'ss-2']);
    const first = (await untilStatus(path, ({ readyReplicas }) => readyReplicas === 3)).status.currentRevision;
    const watch = await server.watch(path(pods));
    await server.patch(path(sets, 'ss'), withImage('i:2'));
    const updated = await untilStatus(
      path,
      ({ updatedReplicas, currentRevision, updateRevision }) => updatedReplicas === 3 && currentRevision === updateRevision,
    );
    expect(updated.status.currentRevision).not.toBe(first);
    const started: string[] = [];
    while (started.length < 3) {
      const { type, object } = (await watch.next()) as Any;
      if (type === 'ADDED') started.push(object.metadata.name);
    }
    watch.close();
    expect(started).toEqual(['ss-2', 'ss-1', 'ss-0']);
    await server.patch(path(sets, 'ss'), withImage('i:1'));
    await untilReady(path, ['i:1', 'i:1', 'i:1'], imagesOf);
    await untilStatus(path, ({ currentRevision, updateRevision }) => currentRevision === first && updateRevision === first);
  });

  test('should perform canary updates and phased rolling updates of template modifications', async () => {
    const partitioned = (partition: number) => ({ type: 'RollingUpdate', rollingUpdate: { partition } });
    const path = await create({ updateStrategy: partitioned(3) });
    await untilReady(path, ['ss-0', 'ss-1', 'ss-2']);
    await server.patch(path(sets, 'ss'), withImage('i:2'));
    const { status } = await untilStatus(path, ({ currentRevision, updateRevision }) => currentRevision !== updateRevision);
    expect(status).toMatchObject({ currentReplicas: 3 });
    await server.patch(path(sets, 'ss'), { spec: { updateStrategy: partitioned(2) } });
    await untilReady(path, ['i:1', 'i:1', 'i:2'], imagesOf);
    for (const name of ['ss-0', 'ss-2']) await server.delete(path(pods, name));
    await untilReady(path, ['i:1', 'i:1', 'i:2'], imagesOf);
    await server.patch(path(sets, 'ss'), { spec: { updateStrategy: partitioned(1) } });
    await untilReady(path, ['i:1', 'i:2', 'i:2'], imagesOf);
    await server.patch(path(sets, 'ss'), { spec: { updateStrategy: partitioned(0) } });
    await untilReady(path, ['i:2', 'i:2', 'i:2'], imagesOf);
    await untilStatus(path, ({ currentRevision, updateRevision }) => currentRevision === updateRevision);
  });

  test('should implement legacy replacement when the update strategy is OnDelete', async () => {
    const path = await create({ replicas: 2, updateStrategy: { type: 'OnDelete' } });
    await untilReady(path, ['ss-0', 'ss-1']);
    await server.patch(path(sets, 'ss'), withImage('i:2'));
    await untilStatus(path, ({ currentRevision, updateRevision }) => currentRevision !== updateRevision);
    expect(imagesOf((await server.get(path(pods))).items)).toEqual(['i:1', 'i:1']);
    for (const name of ['ss-0', 'ss-1']) await server.delete(path(pods, name));
    await untilReady(path, ['i:2', 'i:2'], imagesOf);
  });

  test('Scaling should happen in predictable order and halt if any stateful pod is unhealthy', async () => {
    const path = await create({ replicas: 1, template: template(gates) });
    const watch = await server.watch(path(pods));
    await server.patch(path(sets, 'ss'), { spec: { replicas: 3 } });
    for (const name of ['ss-0', 'ss-1', 'ss-2']) {
      await server.until(path(pods, name), (pod) => pod?.status.phase === 'Running');
      expect(namesOf((await server.get(path(pods))).items).at(-1)).toBe(name);
      await setHealth(path, name, true);
    }
    for (const name of ['ss-0', 'ss-1', 'ss-2']) await setHealth(path, name, false);
    await server.patch(path(sets, 'ss'), { spec: { replicas: 0 } });
    await untilStatus(path, ({ readyReplicas = 0 }) => readyReplicas === 0);
    expect(present((await server.get(path(pods))).items)).toHaveLength(3);
    for (const name of ['ss-0', 'ss-1']) await setHealth(path, name, true);
    await server.untilAll(path(pods), (all) => all.length === 0);
    const seen: string[] = [];
    while (seen.length < 6) {
      const { type, object } = (await watch.next()) as Any;
      if (type !== 'MODIFIED') seen.push(`${type} ${object.metadata.name}`);
    }
    watch.close();
    const ordinals = [0, 1, 2];
    const [added, deleted] = [ordinals.map((n) => `ADDED ss-${n}`), ordinals.map((n) => `DELETED ss-${n}`).reverse()];
    expect(seen.filter((one) => added.slice(1).includes(one))).toEqual(added.slice(1));
    expect(seen.filter((one) => deleted.includes(one)).slice(-3)).toEqual(deleted);
  });

  test('Burst scaling should run to completion even with unhealthy pods', async () => {
    const path = await create({ replicas: 1, ...parallel, template: template(gates) });
    await server.patch(path(sets, 'ss'), { spec: { replicas: 3 } });
    await server.untilAll(path(pods), (all) => all.filter(({ status }) => status.phase === 'Running').length === 3);
    await server.patch(path(sets, 'ss'), { spec: { replicas: 0 } });
    await server.untilAll(path(pods), (all) => all.length === 0);
    await untilStatus(path, ({ replicas }) => replicas === 0);
  });

  test('should have a working scale subresource', async () => {
    const path = await create({ replicas: 1 });
    await untilReady(path, ['ss-0']);
    // a later status write would make the read scale stale
    await untilStatus(path, ({ availableReplicas }) => availableReplicas === 1);
    const scale = await server.get(`${path(sets, 'ss')}/scale`);
    expect([scale.spec.replicas, scale.status.replicas]).toEqual([1, 1]);
    await server.put(`${path(sets, 'ss')}/scale`, { ...scale, spec: { replicas: 2 } });
    await untilReady(path, ['ss-0', 'ss-1']);
    await server.patch(`${path(sets, 'ss')}/scale`, { spec: { replicas: 3 } });
    await untilReady(path, ['ss-0', 'ss-1', 'ss-2']);
  });

  test('Should recreate evicted statefulset', async () => {
    const path = await create({ replicas: 1 });
    const [{ metadata }] = (await untilReady(path, ['ss-0'])) as [Any];
    await server.patch(`${path(pods, 'ss-0')}/status`, { status: { phase: 'Failed', reason: 'Evicted' } });
    await server.until(path(pods, 'ss-0'), (pod) => pod !== undefined && pod.metadata.uid !== metadata.uid && isReady(pod));
  });

  test('should list, patch and delete a collection of StatefulSets', async () => {
    const path = await create({ replicas: 1 });
    await untilReady(path, ['ss-0']);
    await server.patch(
      path(sets, 'ss'),
      {
        metadata: { labels: { patched: 'true' } },
        ...withImage('i:2'),
        spec: { ...withImage('i:2').spec, replicas: 2 },
      },
      'strategic-merge',
    );
    await untilReady(path, ['i:2', 'i:2'], imagesOf);
    const { items } = await server.get('/apis/apps/v1/statefulsets?labelSelector=patched%3Dtrue');
    expect(items).toHaveLength(1);
    await server.delete(`${path(sets)}?labelSelector=patched%3Dtrue`);
    await server.untilAll(path(sets), (all) => all.length === 0);
    await server.untilAll(path(pods), (all) => all.length === 0);
  });

  test('should validate Statefulset Status endpoints', async () => {
    const path = await create({ replicas: 1 });
    await untilReady(path, ['ss-0']);
    const at = `${path(sets, 'ss')}/status`;
    const conditions = [{ type: 'StatusUpdate', status: 'True', reason: 'E2E', message: 'Set from e2e test' }];
    const set = await untilStatus(path, ({ readyReplicas }) => readyReplicas === 1);
    const updated = await server.put(at, { ...set, status: { ...set.status, conditions } });
    expect(updated.status.conditions).toMatchObject(conditions);
    const patched = await server.patch(at, { status: { conditions: [{ type: 'StatusPatched', status: 'True' }] } });
    expect(patched.status.conditions).toMatchObject([{ type: 'StatusPatched', status: 'True' }]);
  });

  test('AvailableReplicas should get updated accordingly when MinReadySeconds is enabled', async () => {
    const path = await create({ replicas: 2, ...parallel, minReadySeconds: 3600 });
    await untilStatus(path, ({ readyReplicas, availableReplicas }) => readyReplicas === 2 && availableReplicas === 0);
    await server.patch(path(sets, 'ss'), { spec: { minReadySeconds: 0 } });
    await untilStatus(path, ({ availableReplicas }) => availableReplicas === 2);
  });

  test('PVC should be recreated when pod is pending due to missing PVC', async () => {
    const nowhere = template({ nodeSelector: { nowhere: 'true' } });
    const path = await create({ replicas: 1, template: nowhere, volumeClaimTemplates: [claimTemplate] });
    const [before] = await server.untilAll(path(claims), (all) => all.length === 1);
    await server.until(path(pods, 'ss-0'), (pod) => pod?.status.phase === 'Pending');
    await server.delete(path(claims, 'data-ss-0'));
    await server.patch(path(pods, 'ss-0'), { metadata: { annotations: { again: 'true' }, labels: { again: 'true' } } });
    await server.until(path(claims, 'data-ss-0'), (claim) => claim !== undefined && claim.metadata.uid !== before.metadata.uid);
  });

  describe('Non-retain StatefulSetPersistentVolumeClaimPolicy', () => {
    const withPolicy = (persistentVolumeClaimRetentionPolicy: object) =>
      create({ ...parallel, persistentVolumeClaimRetentionPolicy, volumeClaimTemplates: [claimTemplate] });

    test('should delete PVCs with a WhenDeleted policy', async () => {
      const path = await withPolicy({ whenDeleted: 'Delete' });
      await server.untilAll(path(claims), (all) => all.filter(({ metadata }) => metadata.ownerReferences).length === 3);
      await server.delete(path(sets, 'ss'));
      await server.untilAll(path(claims), (all) => all.length === 0);
    });

    test('should delete PVCs with a OnScaledown policy', async () => {
      const path = await withPolicy({ whenScaled: 'Delete' });
      await server.untilAll(path(claims), (all) => all.length === 3);
      await server.patch(path(sets, 'ss'), { spec: { replicas: 2 } });
      await server.untilAll(path(claims), (all) => namesOf(all).join() === 'data-ss-0,data-ss-1');
    });
  });

  describe('Scaling StatefulSetStartOrdinal', () => {
    test.each([
      ['Setting .spec.ordinals.start', undefined, { start: 2 }, ['ss-2', 'ss-3']],
      ['Increasing .spec.ordinals.start', { start: 1 }, { start: 2 }, ['ss-2', 'ss-3']],
      ['Decreasing .spec.ordinals.start', { start: 3 }, { start: 2 }, ['ss-2', 'ss-3']],
      ['Removing .spec.ordinals', { start: 3 }, null, ['ss-0', 'ss-1']],
    ])('%s', async (_title, before, after, want) => {
      const path = await create({ replicas: 2, ...(before && { ordinals: before }) });
      const start = before?.start ?? 0;
      await untilReady(path, [`ss-${start}`, `ss-${start + 1}`]);
      await server.patch(path(sets, 'ss'), { spec: { ordinals: after } });
      await untilReady(path, want);
    });
  });
});
