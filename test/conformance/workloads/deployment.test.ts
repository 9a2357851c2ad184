import { describe, expect, test } from '@jest/globals';
import { type Any, conditionOf, isComplete, WorkloadServer } from './workload-server.ts';

/** Upstream's conformance tests, with their titles. (test/e2e/apps/deployment.go) */
const server = new WorkloadServer();

const deployments = 'apis/apps/v1/deployments';
const replicaSets = 'apis/apps/v1/replicasets';
const revision = 'deployment.kubernetes.io/revision';

const labels = { name: 'sample-pod' };
const template = (image: string, annotations: object = {}) => ({
  metadata: { labels, annotations },
  spec: { containers: [{ name: 'c', image }] },
});
const deployment = (name: string, spec: object = {}) => ({
  metadata: { name, labels },
  spec: { replicas: 1, selector: { matchLabels: labels }, template: template('i:1'), ...spec },
});
const withImage = (image: string) => ({ spec: { template: template(image) } });
const imageOf = ({ spec }: Any): string => (spec.template ?? { spec }).spec.containers[0].image;

describe('Deployment', () => {
  test('RecreateDeployment should delete old pods and create new ones', async () => {
    const path = await server.namespace();
    const at = path(deployments, 'recreate');
    await server.post(path(deployments), deployment('recreate', { replicas: 3, strategy: { type: 'Recreate' } }));
    await server.until(at, isComplete);
    const watch = await server.watch(path('api/v1/pods'));
    await server.patch(at, withImage('i:2'));
    await server.until(at, isComplete);
    const old = new Set(['1', '2', '3']);
    for (let started = 0; started < 3; ) {
      const { type, object } = (await watch.next()) as Any;
      if (imageOf(object) === 'i:1' && type === 'DELETED') old.delete([...old][0] as string);
      if (imageOf(object) === 'i:2' && type === 'ADDED') started++;
      if (started > 0) expect(old.size).toBe(0);
    }
    watch.close();
  });

  test('RollingUpdateDeployment should delete old pods and create new ones', async () => {
    const path = await server.namespace();
    const set = path(replicaSets, 'adopted');
    await server.post(path(replicaSets), {
      metadata: { name: 'adopted', labels, annotations: { [revision]: '3546343826724305832' } },
      spec: { replicas: 1, selector: { matchLabels: labels }, template: template('i:0') },
    });
    await server.until(set, ({ status }) => status.availableReplicas === 1);
    const { metadata } = await server.post(path(deployments), deployment('rolling'));
    const rolled = await server.until(path(deployments, 'rolling'), isComplete);
    expect(rolled.metadata.annotations[revision]).toBe('3546343826724305833');
    const adopted = await server.get(set);
    expect(adopted.metadata.ownerReferences).toMatchObject([{ uid: metadata.uid, controller: true }]);
    expect(adopted.spec.replicas).toBe(0);
  });

  test('deployment should delete old replica sets', async () => {
    const path = await server.namespace();
    await server.post(path(deployments), deployment('cleanup', { revisionHistoryLimit: 0 }));
    await server.until(path(deployments, 'cleanup'), isComplete);
    await server.patch(path(deployments, 'cleanup'), withImage('i:2'));
    const [left] = await server.untilAll(path(replicaSets), (sets) => sets.length === 1 && imageOf(sets[0]) === 'i:2');
    expect(left.spec.replicas).toBe(1);
  });

  test('deployment should support rollover', async () => {
    const path = await server.namespace();
    const at = path(deployments, 'rollover');
    const strategy = { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } };
    await server.post(path(deployments), deployment('rollover', { replicas: 3, strategy }));
    await server.until(at, isComplete);
    const broken = template('i:broken', { 'simulation.kubeloom.dev/ready-after': 'never' });
    await server.patch(at, { spec: { template: broken } });
    await server.until(at, ({ status }) => status.updatedReplicas === 1 && status.unavailableReplicas === 1);
    await server.patch(at, {
      spec: { template: template('i:3', { 'simulation.kubeloom.dev/ready-after': null } as object) },
    });
    await server.until(at, isComplete);
    const sets = await server.untilAll(path(replicaSets), (all) => all.length === 3);
    expect(Object.fromEntries(sets.map((set) => [imageOf(set), set.spec.replicas]))).toEqual({
      'i:1': 0,
      'i:broken': 0,
      'i:3': 3,
    });
  });

  test('deployment should support proportional scaling', async () => {
    const path = await server.namespace();
    const at = path(deployments, 'proportional');
    const strategy = { rollingUpdate: { maxSurge: 3, maxUnavailable: 2 } };
    await server.post(path(deployments), deployment('proportional', { replicas: 10, strategy }));
    await server.until(at, isComplete);
    await server.patch(at, {
      spec: { template: template('i:404', { 'simulation.kubeloom.dev/fail': 'ImagePullBackOff' }) },
    });
    const sizes = (all: Any[]) => all.map((set) => `${imageOf(set)} ${set.spec.replicas}`).sort();
    const have =
      (...want: string[]) =>
      (all: Any[]) =>
        JSON.stringify(sizes(all)) === JSON.stringify(want);
    await server.untilAll(path(replicaSets), have('i:1 8', 'i:404 5'));
    await server.until(at, ({ status }) => status.availableReplicas === 8 && status.updatedReplicas === 5);
    await server.patch(`${at}/scale`, { spec: { replicas: 30 } });
    await server.untilAll(path(replicaSets), have('i:1 20', 'i:404 13'));
  });

  test('Deployment should have a working scale subresource', async () => {
    const path = await server.namespace();
    const at = path(deployments, 'scaled');
    await server.post(path(deployments), deployment('scaled'));
    await server.until(at, isComplete);
    const scale = await server.get(`${at}/scale`);
    expect(scale).toMatchObject({ kind: 'Scale', spec: { replicas: 1 }, status: { replicas: 1 } });
    expect((await server.put(`${at}/scale`, { ...scale, spec: { replicas: 2 } })).spec.replicas).toBe(2);
    await server.until(at, (one) => isComplete(one) && one.spec.replicas === 2);
    await server.patch(`${at}/scale`, { spec: { replicas: 4 } });
    await server.until(at, (one) => isComplete(one) && one.spec.replicas === 4);
    expect((await server.get(`${at}/scale`)).status).toMatchObject({ replicas: 4, selector: 'name=sample-pod' });
  });

  test('should run the lifecycle of a Deployment', async () => {
    const path = await server.namespace();
    const at = path(deployments, 'lifecycle');
    await server.post(path(deployments), deployment('lifecycle', { replicas: 2 }));
    const made = await server.until(at, isComplete);
    expect(conditionOf(made, 'Available')).toMatchObject({ status: 'True', reason: 'MinimumReplicasAvailable' });
    expect(conditionOf(made, 'Progressing')).toMatchObject({ status: 'True', reason: 'NewReplicaSetAvailable' });
    await server.patch(at, { metadata: { labels: { patched: 'true' } }, spec: { replicas: 1 } });
    await server.until(at, (one) => isComplete(one) && one.spec.replicas === 1);
    const everywhere = await server.get('/apis/apps/v1/deployments?labelSelector=patched%3Dtrue');
    expect(everywhere.items).toHaveLength(1);
    const current = await server.get(at);
    await server.put(at, { ...current, spec: { ...current.spec, template: template('i:2') } });
    await server.until(at, (one) => isComplete(one) && one.metadata.annotations[revision] === '2');
    await server.delete(`${path(deployments)}?labelSelector=patched%3Dtrue`, { propagationPolicy: 'Background' });
    await server.untilAll(path(replicaSets), (sets) => sets.length === 0);
    await server.untilAll(path('api/v1/pods'), (pods) => pods.length === 0);
  });

  test('should validate Deployment Status endpoints', async () => {
    const path = await server.namespace();
    const at = path(deployments, 'status');
    await server.post(path(deployments), deployment('status'));
    await server.until(at, isComplete);
    const condition = { type: 'StatusPatched', status: 'True' };
    const patched = await server.patch(`${at}/status`, { status: { conditions: [condition] } });
    expect(conditionOf(patched, 'StatusPatched')).toMatchObject(condition);
    // the controller keeps conditions of others
    const current = await server.until(at, (one) => conditionOf(one, 'Available') !== undefined);
    expect(conditionOf(current, 'StatusPatched')).toMatchObject(condition);
  });
});
