import { describe, expect, test } from '@jest/globals';
import { horizontalPodAutoscalerV1 as conversion } from '../../../../../runtime/kinds/autoscaling/horizontal-pod-autoscaler/conversion.ts';
import type { TestObject, TestValue } from '../../../../support/test-object.ts';

const cpu = (averageUtilization: number): TestValue => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});
const memory = {
  type: 'Resource',
  resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } },
};

function v2(spec: TestValue, status?: TestValue): TestObject {
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'web' },
    spec: { scaleTargetRef, maxReplicas: 5, ...spec },
    status: status ?? { desiredReplicas: 0, currentMetrics: null },
  };
}

describe('version 1 shows CPU utilization in its field and the rest in annotations', () => {
  test('CPU alone needs no annotation', () => {
    const v1: TestObject = conversion.fromStorage(v2({ metrics: [cpu(80)] }));
    expect(v1.apiVersion).toBe('autoscaling/v1');
    expect(v1.spec.targetCPUUtilizationPercentage).toBe(80);
    expect(v1.spec.metrics).toBeUndefined();
    expect(v1.metadata.annotations).toBeUndefined();
  });

  test('other metrics become annotations', () => {
    const v1: TestObject = conversion.fromStorage(v2({ metrics: [memory, cpu(50)] }));
    expect(v1.spec.targetCPUUtilizationPercentage).toBe(50);
    expect(v1.metadata.annotations).toEqual({
      'autoscaling.alpha.kubernetes.io/metrics':
        '[{"type":"Resource","resource":{"name":"memory","targetAverageValue":"1Gi"}}]',
    });
  });

  test('broken annotations are ignored', () => {
    const annotations = { 'autoscaling.alpha.kubernetes.io/metrics': '{', other: 'kept' };
    const object = { metadata: { annotations }, spec: { maxReplicas: 1, targetCPUUtilizationPercentage: 10 } };
    const stored: TestObject = conversion.toStorage(object);
    expect(stored.spec.metrics).toEqual([cpu(10)]);
    expect(stored.metadata.annotations).toEqual({ other: 'kept' });
  });
});

describe('converting to version 1 and back loses nothing', () => {
  const selector = { matchLabels: { a: 'b' } };
  test.each<[what: string, object: TestObject]>([
    ['CPU', v2({ metrics: [cpu(80)] })],
    ['memory, then CPU', v2({ metrics: [memory, cpu(80)] })],
    [
      'pods',
      v2({
        metrics: [
          {
            type: 'Pods',
            pods: { metric: { name: 'rps', selector }, target: { type: 'AverageValue', averageValue: '10' } },
          },
        ],
      }),
    ],
    [
      'an object by value',
      v2({
        metrics: [
          {
            type: 'Object',
            object: {
              describedObject: { kind: 'Ingress', name: 'x' },
              target: { type: 'Value', value: '2k' },
              metric: { name: 'hits' },
            },
          },
        ],
      }),
    ],
    [
      'an object by average',
      v2({
        metrics: [
          {
            type: 'Object',
            object: {
              describedObject: { kind: 'Ingress', name: 'x' },
              target: { type: 'AverageValue', averageValue: '2k' },
              metric: { name: 'hits' },
            },
          },
        ],
      }),
    ],
    [
      'external by value',
      v2({
        metrics: [
          { type: 'External', external: { metric: { name: 'q', selector }, target: { type: 'Value', value: '30' } } },
        ],
      }),
    ],
    [
      'external by average',
      v2({
        metrics: [
          {
            type: 'External',
            external: { metric: { name: 'q' }, target: { type: 'AverageValue', averageValue: '30' } },
          },
        ],
      }),
    ],
    [
      'a container',
      v2({
        metrics: [
          {
            type: 'ContainerResource',
            containerResource: {
              name: 'cpu',
              target: { type: 'Utilization', averageUtilization: 60 },
              container: 'app',
            },
          },
        ],
      }),
    ],
    [
      'behavior',
      v2({
        metrics: [cpu(1)],
        behavior: {
          scaleUp: { stabilizationWindowSeconds: 0, policies: [{ type: 'Pods', value: 4, periodSeconds: 15 }] },
        },
      }),
    ],
    [
      'status',
      v2(
        { metrics: [cpu(1)] },
        {
          currentReplicas: 1,
          desiredReplicas: 2,
          currentMetrics: [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 7 } } }],
          conditions: [{ type: 'AbleToScale', status: 'True', reason: 'Ready', message: 'ok' }],
        },
      ),
    ],
  ])('%s', (_, object) => {
    const through = conversion.toStorage(structuredClone(conversion.fromStorage(structuredClone(object))));
    expect(through).toEqual(object);
  });
});
