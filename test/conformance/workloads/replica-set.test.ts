import { describe, expect, test } from '@jest/globals';
import { conditionOf, WorkloadServer } from './workload-server.ts';

/** Upstream's conformance tests of two kinds, with their titles. (test/e2e/apps/replica_set.go and rc.go) */
const server = new WorkloadServer();

const labels = { name: 'sample-pod' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i:1' }] } };
const pods = 'api/v1/pods';

const kinds = [
  {
    kind: 'ReplicaSet',
    resource: 'apis/apps/v1/replicasets',
    selector: { matchLabels: labels },
    titles: {
      serve: 'should serve a basic image on each replica with a public image',
      quota: 'should surface a failure condition on a common issue like exceeded quota',
      adopt: 'should adopt matching pods on creation and release no longer matching pods',
      release: 'a pod that is released is replaced',
      scale: 'Replicaset should have a working scale subresource',
      lifecycle: 'Replace and Patch tests',
      collection: 'should list and delete a collection of ReplicaSets',
      status: 'should validate Replicaset Status endpoints',
    },
  },
  {
    kind: 'ReplicationController',
    resource: 'api/v1/replicationcontrollers',
    selector: labels,
    titles: {
      serve: 'should serve a basic image on each replica with a public image',
      quota: 'should surface a failure condition on a common issue like exceeded quota',
      adopt: 'should adopt matching pods on creation',
      release: 'should release no longer matching pods',
      scale: 'should get and update a ReplicationController scale',
      lifecycle: 'should test the lifecycle of a ReplicationController',
      collection: 'a collection of ReplicationControllers can be deleted',
      status: 'has a status that clients can write',
    },
  },
] as const;

describe.each(kinds)('$kind', ({ kind, resource, selector, titles }) => {
  const make = (name: string, replicas = 1, more: object = {}) => ({
    metadata: { name, labels },
    spec: { replicas, selector, template, ...more },
  });
  const hasAvailable =
    (replicas: number) =>
    ({ status }: { status: { availableReplicas?: number } }) =>
      status.availableReplicas === replicas;

  test(titles.serve, async () => {
    const path = await server.namespace();
    await server.post(path(resource), make('basic', 2));
    await server.until(path(resource, 'basic'), hasAvailable(2));
    const { items } = await server.get(path(pods));
    for (const pod of items) {
      expect(pod.status).toMatchObject({ phase: 'Running', podIP: expect.any(String) });
      expect(pod.spec.nodeName).toMatch(/^kubeloom-node-[01]$/);
    }
  });

  test(titles.quota, async () => {
    const path = await server.namespace();
    await server.post(path('api/v1/resourcequotas'), { metadata: { name: 'two' }, spec: { hard: { pods: '2' } } });
    await server.until(path('api/v1/resourcequotas', 'two'), ({ status }) => status.hard?.pods === '2');
    await server.post(path(resource), make('limited', 3));
    const failed = await server.until(path(resource, 'limited'), (one) => conditionOf(one, 'ReplicaFailure'));
    const message = /^pods "limited-.*" is forbidden: exceeded quota: two, requested: pods=1, used: pods=2, limited: pods=2$/;
    expect(conditionOf(failed, 'ReplicaFailure')).toMatchObject({
      status: 'True',
      reason: 'FailedCreate',
      message: expect.stringMatching(message),
    });
    await server.patch(path(resource, 'limited'), { spec: { replicas: 2 } });
    await server.until(path(resource, 'limited'), (one) => !conditionOf(one, 'ReplicaFailure'));
  });

  test(titles.adopt, async () => {
    const path = await server.namespace();
    await server.post(path(pods), { ...template, metadata: { name: 'adoption', labels } });
    const { metadata } = await server.post(path(resource), make('adopting'));
    const isOwned = (pod: { metadata: { ownerReferences?: object[] } }) => pod.metadata.ownerReferences !== undefined;
    const adopted = await server.until(path(pods, 'adoption'), isOwned);
    expect(adopted.metadata.ownerReferences).toMatchObject([{ kind, uid: metadata.uid }]);
    await server.patch(path(pods, 'adoption'), { metadata: { labels: { name: 'not-matching-name' } } });
    await server.until(path(pods, 'adoption'), (pod) => !isOwned(pod));
  });

  test(titles.release, async () => {
    const path = await server.namespace();
    await server.post(path(resource), make('releasing'));
    const [pod] = await server.untilAll(path(pods), (all) => all.length === 1);
    const { name } = pod.metadata;
    await server.patch(path(pods, name), { metadata: { labels: { name: 'not-matching-name' } } });
    const all = await server.untilAll(path(pods), (both) => both.length === 2);
    const released = await server.until(path(pods, name), (one) => one.metadata.ownerReferences === undefined);
    expect(all.map(({ metadata }) => metadata.name)).toContain(released.metadata.name);
  });

  test(titles.scale, async () => {
    const path = await server.namespace();
    const at = path(resource, 'scaled');
    await server.post(path(resource), make('scaled'));
    await server.until(at, hasAvailable(1));
    const scale = await server.get(`${at}/scale`);
    expect(scale).toMatchObject({ spec: { replicas: 1 }, status: { replicas: 1, selector: 'name=sample-pod' } });
    await server.put(`${at}/scale`, { ...scale, spec: { replicas: 2 } });
    await server.until(at, hasAvailable(2));
    await server.patch(`${at}/scale`, { spec: { replicas: 4 } });
    await server.until(at, hasAvailable(4));
  });

  test(titles.lifecycle, async () => {
    const path = await server.namespace();
    const at = path(resource, 'changed');
    await server.post(path(resource), make('changed'));
    await server.until(at, hasAvailable(1));
    await server.patch(at, { metadata: { labels: { patched: 'true' } }, spec: { replicas: 3 } });
    await server.until(at, hasAvailable(3));
    const current = await server.get(at);
    await server.put(at, { ...current, spec: { ...current.spec, replicas: 2 } });
    await server.until(at, hasAvailable(2));
    await server.untilAll(path(pods), (all) => all.length === 2);
    await server.delete(at, { propagationPolicy: 'Foreground' });
    await server.until(at, (one) => one === undefined);
    await server.untilAll(path(pods), (all) => all.length === 0);
  });

  test(titles.collection, async () => {
    const path = await server.namespace();
    for (const name of ['a', 'b', 'c']) await server.post(path(resource), make(name));
    const { items } = await server.get(`${path(resource)}?labelSelector=name%3Dsample-pod`);
    expect(items).toHaveLength(3);
    await server.delete(`${path(resource)}?labelSelector=name%3Dsample-pod`, { propagationPolicy: 'Background' });
    await server.untilAll(path(pods), (all) => all.length === 0);
  });

  test(titles.status, async () => {
    const path = await server.namespace();
    const at = path(resource, 'status');
    await server.post(path(resource), make('status'));
    await server.until(at, hasAvailable(1));
    const condition = { type: 'StatusPatched', status: 'True' };
    const patched = await server.patch(`${at}/status`, { status: { conditions: [condition] } });
    expect(conditionOf(patched, 'StatusPatched')).toMatchObject(condition);
  });
});
