import { beforeEach, describe, expect, test } from '@jest/globals';
import { TestServer } from '../../support/test-server.ts';
import { type Amounts, podOf, QuotaNamespace, withoutOwnObjects } from '../admission/quota-fixture.ts';

/** Upstream's conformance tests of quotas, with their titles. (test/e2e/apimachinery/resource_quota.go) */

const hard: Amounts = {
  pods: '5',
  services: '10',
  'services.nodeports': '1',
  'services.loadbalancers': '1',
  replicationcontrollers: '10',
  resourcequotas: '1',
  cpu: '1',
  memory: '500Mi',
  configmaps: '10',
  secrets: '10',
  persistentvolumeclaims: '10',
  'requests.storage': '10Gi',
  'ephemeral-storage': '50Gi',
  'gold.storageclass.storage.k8s.io/persistentvolumeclaims': '10',
  'gold.storageclass.storage.k8s.io/requests.storage': '10Gi',
  'count/replicasets.apps': '5',
  'requests.example.com/dongle': '3',
};

const template = {
  metadata: { labels: { name: 'pause' } },
  spec: { containers: [{ name: 'pause', image: 'pause' }] },
};
const workload = (kind: string, apiVersion: string, selector: object) => ({
  apiVersion,
  kind,
  metadata: { name: 'test' },
  spec: { replicas: 0, selector, template },
});
const service = (name: string, type: string, nodePorts = true) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: {
    type,
    ports: [{ port: 80, targetPort: 80 }],
    ...(nodePorts ? {} : { allocateLoadBalancerNodePorts: false }),
  },
});
const plain = (kind: string) => ({ apiVersion: 'v1', kind, metadata: { name: 'test' }, data: { a: 'Yg==' } });

describe('ResourceQuota', () => {
  const suite = TestServer.forSuite({ controllers: withoutOwnObjects });
  let namespace: QuotaNamespace;
  beforeEach(async () => {
    namespace = await QuotaNamespace.create(suite);
  });

  test('should create a ResourceQuota and ensure its status is promptly calculated.', async () => {
    await namespace.quota('test-quota', hard);
    await namespace.uses('test-quota', { resourcequotas: '1' });
    const { hard: bounded, used = {} } = await namespace.status('test-quota');
    expect(bounded).toEqual(hard);
    expect(Object.keys(used).sort()).toEqual(Object.keys(hard).sort());
  });

  test('should create a ResourceQuota and capture the life of a service.', async () => {
    await namespace.quota('test-quota', hard);
    await namespace.created('services', service('test-service', 'ClusterIP'));
    await namespace.created('services', service('test-service-np', 'NodePort'));
    expect(await namespace.refusal('services', service('test-service-lb', 'LoadBalancer'))).toBe(
      'services "test-service-lb" is forbidden: exceeded quota: test-quota, requested: services.nodeports=1, used: services.nodeports=1, limited: services.nodeports=1',
    );
    await namespace.created('services', service('without-ports', 'LoadBalancer', false));
    await namespace.uses('test-quota', { services: '3', 'services.nodeports': '1', 'services.loadbalancers': '1' });
    for (const name of ['test-service', 'test-service-np', 'without-ports']) await namespace.remove('services', name);
    await namespace.uses('test-quota', { services: '0', 'services.nodeports': '0', 'services.loadbalancers': '0' });
  });

  test.each([
    { title: 'capture the life of a secret.', resource: 'secrets', object: plain('Secret'), counted: 'secrets' },
    {
      title: 'capture the life of a configMap.',
      resource: 'configmaps',
      object: plain('ConfigMap'),
      counted: 'configmaps',
    },
    {
      title: 'capture the life of a replication controller.',
      resource: 'replicationcontrollers',
      object: workload('ReplicationController', 'v1', { name: 'pause' }),
      counted: 'replicationcontrollers',
    },
    {
      title: 'capture the life of a replica set.',
      resource: 'apps/v1/replicasets',
      object: workload('ReplicaSet', 'apps/v1', { matchLabels: { name: 'pause' } }),
      counted: 'count/replicasets.apps',
    },
  ])('should create a ResourceQuota and $title', async ({ resource, object, counted }) => {
    const before = (await namespace.send('GET', namespace.path(resource))).json.items.length;
    await namespace.quota('test-quota', hard);
    await namespace.uses('test-quota', { [counted]: String(before) });
    await namespace.created(resource, object);
    await namespace.uses('test-quota', { [counted]: String(before + 1) });
    await namespace.remove(resource, 'test');
    await namespace.uses('test-quota', { [counted]: String(before) });
  });

  test('should create a ResourceQuota and capture the life of a pod.', async () => {
    await namespace.quota('test-quota', hard);
    const dongles = { 'example.com/dongle': '2' };
    const requests = { cpu: '500m', memory: '252Mi', 'ephemeral-storage': '30Gi', ...dongles };
    await namespace.created('pods', podOf('test-pod', { requests, limits: dongles }));
    const used = {
      pods: '1',
      cpu: '500m',
      memory: '252Mi',
      'ephemeral-storage': '30Gi',
      'requests.example.com/dongle': '2',
    };
    await namespace.uses('test-quota', used);
    const tooMuch = podOf('fail-pod', { requests: { cpu: '600m', memory: '100Mi' } });
    expect(await namespace.refusal('pods', tooMuch)).toBe(
      'pods "fail-pod" is forbidden: exceeded quota: test-quota, requested: cpu=600m, used: cpu=500m, limited: cpu=1',
    );
    const extended = { cpu: '500m', memory: '100Mi', 'ephemeral-storage': '20Gi', ...dongles };
    expect(await namespace.refusal('pods', podOf('fail-extended', { requests: extended, limits: dongles }))).toContain(
      'requested: requests.example.com/dongle=2, used: requests.example.com/dongle=2, limited: requests.example.com/dongle=3',
    );
    const change = {
      spec: { containers: [{ name: 'pause', image: 'pause', resources: { requests: { cpu: '100m' } } }] },
    };
    expect((await namespace.patch('pods', 'test-pod', change)).status).toBe(422);
    await namespace.uses('test-quota', used);
    await namespace.remove('pods', 'test-pod');
    await namespace.uses('test-quota', {
      pods: '0',
      cpu: '0',
      memory: '0',
      'ephemeral-storage': '0',
      'requests.example.com/dongle': '0',
    });
  });

  const computeHard = {
    pods: '5',
    'requests.cpu': '1',
    'requests.memory': '500Mi',
    'limits.cpu': '2',
    'limits.memory': '1Gi',
  };
  const resources = { requests: { cpu: '500m', memory: '200Mi' }, limits: { cpu: '1', memory: '400Mi' } };
  const compute: Amounts = {
    pods: '1',
    'requests.cpu': '500m',
    'requests.memory': '200Mi',
    'limits.cpu': '1',
    'limits.memory': '400Mi',
  };
  const nothing = Object.fromEntries(Object.keys(compute).map((name) => [name, '0']));

  test('should verify ResourceQuota with terminating scopes.', async () => {
    await namespace.quota('terminating', computeHard, { scopes: ['Terminating'] });
    await namespace.quota('not-terminating', computeHard, { scopes: ['NotTerminating'] });
    for (const [deadline, counting, other] of [
      [{}, 'not-terminating', 'terminating'],
      [{ activeDeadlineSeconds: 3600 }, 'terminating', 'not-terminating'],
    ] as const) {
      await namespace.created('pods', podOf('pod', resources, deadline));
      await namespace.uses(counting, compute);
      await namespace.uses(other, nothing);
      await namespace.remove('pods', 'pod');
      await namespace.uses(counting, nothing);
    }
  });

  test('should verify ResourceQuota with best effort scope.', async () => {
    await namespace.quota('best-effort', { pods: '5' }, { scopes: ['BestEffort'] });
    await namespace.quota('not-best-effort', { pods: '5' }, { scopes: ['NotBestEffort'] });
    for (const [amounts, counting, other] of [
      [{}, 'best-effort', 'not-best-effort'],
      [resources, 'not-best-effort', 'best-effort'],
    ] as const) {
      await namespace.created('pods', podOf('pod', amounts));
      await namespace.uses(counting, { pods: '1' });
      await namespace.uses(other, { pods: '0' });
      await namespace.remove('pods', 'pod');
      await namespace.uses(counting, { pods: '0' });
    }
  });

  test('should be able to update and delete ResourceQuota.', async () => {
    const path = namespace.path('resourcequotas', 'test-quota');
    await namespace.quota('test-quota', { cpu: '1', memory: '500Mi' });
    const made = (await namespace.send('GET', path)).json;
    expect(made.spec.hard).toEqual({ cpu: '1', memory: '500Mi' });
    const updated = await namespace.send('PUT', path, { ...made, spec: { hard: { cpu: '2', memory: '1Gi' } } });
    expect(updated.json.spec.hard).toEqual({ cpu: '2', memory: '1Gi' });
    await namespace.usage('test-quota', ({ hard: bounded }) => bounded?.cpu === '2');
    expect(await namespace.status('test-quota')).toEqual({
      hard: { cpu: '2', memory: '1Gi' },
      used: { cpu: '0', memory: '0' },
    });
    await namespace.remove('resourcequotas', 'test-quota');
    expect((await namespace.send('GET', path)).status).toBe(404);
  });
});
