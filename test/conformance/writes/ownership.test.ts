import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { storages } from '../../support/object-fixture.ts';
import { ownersOf, WriteFixture } from '../../support/write-fixture.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const scalers = (version: string): string => `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`;
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

const map = (name: string, data: object, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
});
const deployment = (name: string, spec: object) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    ...spec,
  },
});
const scaler = (version: string, name: string, spec: object) => ({
  apiVersion: `autoscaling/${version}`,
  kind: 'HorizontalPodAutoscaler',
  metadata: { name },
  spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }, ...spec },
});
const cpu = (averageUtilization: number) => [
  { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } },
];

describe.each(storages)('ownership, %s', (storage) => {
  let fixture: WriteFixture;

  beforeAll(async () => {
    fixture = await WriteFixture.open({ storage });
  });
  afterAll(() => fixture.close());

  const apply = (path: string, config: { metadata: { name: string } }, query: string) =>
    fixture.patch('apply', `${path}/${config.metadata.name}?${query}`, config);

  test('elements of lists by index are returned as they were sent', async () => {
    const fieldsV1 = { 'f:data': { 'i:0': {}, 'i:7': { '.': {}, 'f:a': {} }, 'f:b': {} } };
    const entry = { manager: 'm', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1 };
    const time = '2026-01-01T00:00:00Z';
    const made = await fixture.create(maps, map('indexed', { b: '1' }, { managedFields: [{ ...entry, time }] }));
    expect([made.status, made.json.message]).toEqual([201, undefined]);
    const found = made.json.metadata.managedFields.find(({ manager }: { manager: string }) => manager === 'm');
    expect(found.fieldsV1['f:data']).toMatchObject({ 'i:0': {}, 'i:7': { '.': {}, 'f:a': {} } });
  });

  describe('of an object that kubectl applied client-side', () => {
    const configured = (name: string, replicas: number) => {
      const config = deployment(name, { replicas, minReadySeconds: 5 });
      const annotations = { [lastApplied]: JSON.stringify(config) };
      return { ...config, metadata: { name, annotations } };
    };
    const create = (name: string) => fixture.create(`${deployments}?fieldManager=kubectl-client-side-apply`, configured(name, 1));

    test('kubectl takes over its earlier fields without a conflict, and updates its annotation', async () => {
      await create('upgraded');
      const config = deployment('upgraded', { replicas: 2 });
      const applied = await apply(deployments, config, 'fieldManager=kubectl');
      expect([applied.status, applied.json.message]).toEqual([200, undefined]);
      expect(applied.json.spec.replicas).toBe(2);
      expect(ownersOf(applied.json).sort()).toEqual(['kubectl Apply', 'kubectl-client-side-apply Update']);
      const { replicas } = JSON.parse(applied.json.metadata.annotations[lastApplied]).spec;
      expect(replicas).toBe(2);
    });

    test('other managers conflict', async () => {
      await create('held');
      const rejected = await apply(deployments, deployment('held', { replicas: 2 }), 'fieldManager=other');
      expect([rejected.status, rejected.json.message]).toEqual([
        409,
        expect.stringMatching(
          /^Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using apps\/v1(.*): \.spec\.replicas$/,
        ),
      ]);
    });
  });

  describe('across two versions of a kind', () => {
    test('a conflict is found at the version at which the field is owned', async () => {
      await apply(scalers('v2'), scaler('v2', 'fought', { maxReplicas: 3 }), 'fieldManager=two');
      const config = scaler('v1', 'fought', { maxReplicas: 4 });
      const rejected = await apply(scalers('v1'), config, 'fieldManager=one');
      expect([rejected.status, rejected.json.message]).toEqual([
        409,
        'Apply failed with 1 conflict: conflict with "two": .spec.maxReplicas',
      ]);
      const forced = await apply(scalers('v1'), config, 'fieldManager=one&force=true');
      expect([forced.status, forced.json.spec.maxReplicas]).toEqual([200, 4]);
      const entries = forced.json.metadata.managedFields.map(
        ({ manager, apiVersion, fieldsV1 }: { manager: string; apiVersion: string; fieldsV1: object }) => [
          manager,
          apiVersion,
          JSON.stringify(fieldsV1).includes('f:maxReplicas'),
        ],
      );
      expect(entries.sort()).toEqual([
        ['one', 'autoscaling/v1', true],
        ['two', 'autoscaling/v2', false],
      ]);
    });

    test('a field with another name at another version is the same field', async () => {
      await apply(scalers('v2'), scaler('v2', 'renamed', { maxReplicas: 3, metrics: cpu(50) }), 'fieldManager=two');
      const config = scaler('v1', 'renamed', { maxReplicas: 3, targetCPUUtilizationPercentage: 80 });
      const rejected = await apply(scalers('v1'), config, 'fieldManager=one');
      expect([rejected.status, rejected.json.message]).toEqual([409, 'Apply failed with 1 conflict: conflict with "two": .spec.metrics']);
      const forced = await apply(scalers('v1'), config, 'fieldManager=one&force=true');
      expect((await fixture.get(`${scalers('v2')}/renamed`)).json.spec.metrics).toEqual(cpu(80));
      expect(forced.json.spec.targetCPUUtilizationPercentage).toBe(80);
    });

    test('a manager that continues at another version has one entry, and releases fields that it omits', async () => {
      const first = scaler('v2', 'moved', { minReplicas: 2, maxReplicas: 3 });
      await apply(scalers('v2'), first, 'fieldManager=mover');
      const moved = await apply(scalers('v1'), scaler('v1', 'moved', { maxReplicas: 3 }), 'fieldManager=mover');
      expect([moved.status, moved.json.spec.minReplicas]).toEqual([200, 1]);
      expect(moved.json.metadata.managedFields).toEqual([
        expect.objectContaining({ manager: 'mover', operation: 'Apply', apiVersion: 'autoscaling/v1' }),
      ]);
    });
  });
});
