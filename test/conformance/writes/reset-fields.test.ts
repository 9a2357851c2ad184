import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WriteFixture } from '../../support/write-fixture.ts';

interface Case {
  /** The path of the collection. */
  readonly path: string;
  readonly object: Record<string, unknown> & { metadata: { name: string } };
  readonly status: Record<string, unknown>;
  /** A write of the status does not change the metadata. */
  readonly keepsMetadata?: boolean;
}

const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const selector = { matchLabels: { a: 'b' } };
const named = (apiVersion: string, kind: string, spec: unknown, name = 'reset') => ({
  apiVersion,
  kind,
  metadata: { name },
  spec,
});

const cases: Case[] = [
  {
    path: '/apis/apps/v1/namespaces/default/daemonsets',
    object: named('apps/v1', 'DaemonSet', { selector, template }),
    status: { numberReady: 3 },
  },
  {
    path: '/apis/apps/v1/namespaces/default/replicasets',
    object: named('apps/v1', 'ReplicaSet', { selector, template }),
    status: { replicas: 3 },
  },
  {
    path: '/apis/batch/v1/namespaces/default/jobs',
    object: named('batch/v1', 'Job', {
      template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } },
    }),
    status: { active: 1 },
  },
  {
    path: '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
    object: named('autoscaling/v2', 'HorizontalPodAutoscaler', {
      maxReplicas: 3,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
    }),
    status: { currentReplicas: 1, desiredReplicas: 2 },
  },
  {
    path: '/api/v1/namespaces/default/services',
    object: named('v1', 'Service', { type: 'LoadBalancer', ports: [{ port: 80 }] }),
    status: { loadBalancer: { ingress: [{ ip: '203.0.113.1' }] } },
  },
  {
    path: '/api/v1/namespaces/default/resourcequotas',
    object: named('v1', 'ResourceQuota', { hard: { pods: '1' } }),
    status: { used: { pods: '1' } },
  },
  {
    path: '/apis/policy/v1/namespaces/default/poddisruptionbudgets',
    object: named('policy/v1', 'PodDisruptionBudget', { minAvailable: 1, selector }),
    status: { currentHealthy: 3, desiredHealthy: 1, disruptionsAllowed: 2, expectedPods: 3 },
  },
  {
    path: '/apis/storage.k8s.io/v1/volumeattachments',
    object: named('storage.k8s.io/v1', 'VolumeAttachment', {
      attacher: 'a.example.com',
      nodeName: 'n',
      source: { persistentVolumeName: 'pv' },
    }),
    status: { attached: true },
    keepsMetadata: true,
  },
];

/** Returns every owned field, as `f:spec`, `f:status`. */
const owned = (object: { metadata: { managedFields: { manager: string; fieldsV1: object }[] } }, manager: string) =>
  object.metadata.managedFields.filter((one) => one.manager === manager).flatMap((one) => Object.keys(one.fieldsV1));

describe('a write does not own the fields that it resets', () => {
  let fixture: WriteFixture;

  beforeAll(async () => {
    // so that only the test writes a status
    fixture = await WriteFixture.open({
      controllers: ['*', '-resourcequota-controller', '-validatingadmissionpolicy-status-controller'],
    });
  });
  afterAll(() => fixture.close());

  test.each(cases.map((one) => [one.object.kind, one] as const))('%s', async (_kind, one) => {
    const { path, object, status, keepsMetadata = false } = one;
    const { name } = object.metadata;
    const all = { ...object, metadata: { name, labels: { of: 'all' } }, status };
    const main = await fixture.patch('apply', `${path}/${name}?fieldManager=main`, all);
    expect([main.status, main.json.message]).toEqual([201, undefined]);
    expect(owned(main.json, 'main').sort()).toEqual(['f:metadata', 'f:spec']);

    const labelled = { ...all, metadata: { name, labels: { by: 'status' } } };
    const written = await fixture.patch('apply', `${path}/${name}/status?fieldManager=status`, labelled);
    expect([written.status, written.json.message]).toEqual([200, undefined]);
    expect(owned(written.json, 'status').sort()).toEqual(keepsMetadata ? ['f:status'] : ['f:metadata', 'f:status']);
    expect(written.json.metadata.labels).toEqual(keepsMetadata ? { of: 'all' } : { of: 'all', by: 'status' });
    expect(written.json.status).toMatchObject(status);

    const updated = { ...written.json, metadata: { ...written.json.metadata, annotations: { a: 'b' } }, status: {} };
    const put = await fixture.put(`${path}/${name}?fieldManager=put`, updated);
    expect(put.json.status).toEqual(written.json.status);
    expect(owned(put.json, 'put')).toEqual(['f:metadata']);
  });

  test('updating the status of a deployment resets its labels and generation, not its annotations', async () => {
    const path = '/apis/apps/v1/namespaces/default/deployments';
    await fixture.create(path, named('apps/v1', 'Deployment', { selector, template }, 'd'));
    const change = { metadata: { labels: { l: '1' }, annotations: { a: '1' } }, status: { replicas: 1 } };
    const { json } = await fixture.patch('merge', `${path}/d/status?fieldManager=s`, change);
    expect([json.metadata.labels, json.metadata.annotations, json.metadata.generation]).toEqual([undefined, { a: '1' }, 1]);
    const byStatus = json.metadata.managedFields.find((one: { manager: string }) => one.manager === 's');
    expect(byStatus.fieldsV1['f:metadata']).toEqual({
      'f:annotations': { '.': {}, 'f:a': {} },
    });
    const main = await fixture.patch('merge', `${path}/d`, { metadata: { annotations: { a: '2' } } });
    expect(main.json.metadata.generation).toBe(2);
  });

  test('subresources of a pod own what a write sends, though the strategy resets it', async () => {
    const path = '/api/v1/namespaces/default/pods';
    const container = { name: 'c', image: 'i', resources: { requests: { cpu: '1' } } };
    await fixture.create(path, named('v1', 'Pod', { nodeName: 'n', containers: [container] }, 'p'));
    const debug = { spec: { ephemeralContainers: [{ name: 'debug', image: 'i' }] }, metadata: { labels: { x: 'y' } } };
    await fixture.patch('strategic', `${path}/p/ephemeralcontainers?fieldManager=d`, debug);
    const resize = { spec: { containers: [{ name: 'c', resources: { requests: { cpu: '2' } } }] } };
    const resized = await fixture.patch('strategic', `${path}/p/resize?fieldManager=r`, resize);
    const { json } = await fixture.get(`${path}/p`);
    const sets = Object.fromEntries(
      json.metadata.managedFields.map((one: { manager: string; subresource?: string; fieldsV1: object }) => [
        one.subresource ?? '',
        one.fieldsV1,
      ]),
    );
    expect(Object.keys(sets.ephemeralcontainers)).toEqual(['f:metadata', 'f:spec']);
    expect(sets.ephemeralcontainers['f:metadata']).toEqual({ 'f:labels': { '.': {}, 'f:x': {} } });
    expect(Object.keys(sets.ephemeralcontainers['f:spec'])).toEqual(['f:ephemeralContainers']);
    expect(json.metadata.labels).toBeUndefined();
    expect(resized.status).toBe(200);
    expect(sets.resize).toEqual({
      'f:spec': {
        'f:containers': { 'k:{"name":"c"}': { 'f:resources': { 'f:requests': { 'f:cpu': {} } } } },
      },
    });
  });

  test('a node may be created with its status', async () => {
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' }, status: { capacity: { cpu: '4' } } };
    expect((await fixture.create('/api/v1/nodes', node)).json.status.capacity).toEqual({ cpu: '4' });
    const other = await fixture.patch('merge', '/api/v1/nodes/n', { status: { capacity: { cpu: '8' } } });
    expect(other.json.status.capacity).toEqual({ cpu: '4' });
  });
});
