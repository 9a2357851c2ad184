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
      'autoscaling.alpha.kubernetes.io/metrics': '[{"type":"Resource","resource":{"name":"memory","targetAverageValue":"1Gi"}}]',
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
      'external by value',
      v2({
        metrics: [{ type: 'External', external: { metric: { name: 'q', selector }, target: { type: 'Value', value: '30' } } }],
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
          currentMetrics: [{ type: 'Resource', resource: { name: 'cpu', current: { averageValue: '10m', averageUtilization: 7 } } }],
          conditions: [{ type: 'AbleToScale', status: 'True', lastTransitionTime: null, reason: 'Ready', message: 'ok' }],
        },
      ),
    ],
  ])('%s', (_, object) => {
    const through = conversion.toStorage(structuredClone(conversion.fromStorage(structuredClone(object))));
    expect(through).toEqual(object);
  });
});

describe('upstream loses', () => {
  test('that the target of an object has an average only', () => {
    const object = { describedObject: { kind: 'Ingress', name: 'x' }, metric: { name: 'hits' } };
    const metric = (target: object) => ({ type: 'Object', object: { ...object, target } });
    const through: TestObject = conversion.toStorage(
      conversion.fromStorage(v2({ metrics: [metric({ type: 'AverageValue', averageValue: '2k' })] })),
    );
    expect(through.spec.metrics).toEqual([metric({ type: 'AverageValue', value: '0', averageValue: '2k' })]);
  });

  test('that a status has a utilization only', () => {
    const cpuStatus = (current: object) => ({ type: 'Resource', resource: { name: 'cpu', current } });
    const status = { desiredReplicas: 1, currentMetrics: [cpuStatus({ averageUtilization: 7 })] };
    const through: TestObject = conversion.toStorage(conversion.fromStorage(v2({ metrics: [cpu(1)] }, status)));
    expect(through.status.currentMetrics).toEqual([cpuStatus({ averageValue: '0', averageUtilization: 7 })]);
  });
});

describe('annotations of version 1', () => {
  const name = (last: string): string => `autoscaling.alpha.kubernetes.io/${last}`;

  test('have all current metrics, and the behavior as the fields of a Go struct', () => {
    const current = {
      type: 'Resource',
      resource: { name: 'cpu', current: { averageValue: '1', averageUtilization: 7 } },
    };
    const behavior = { scaleUp: { selectPolicy: 'Max', policies: [{ type: 'Pods', value: 4, periodSeconds: 15 }] } };
    const object = v2({ metrics: [cpu(1)], behavior }, { desiredReplicas: 1, currentMetrics: [current] });
    const v1: TestObject = conversion.fromStorage(object);
    expect(v1.metadata.annotations).toEqual({
      [name('current-metrics')]: '[{"type":"Resource","resource":{"name":"cpu","currentAverageUtilization":7,"currentAverageValue":"1"}}]',
      [name('behavior')]:
        '{"ScaleUp":{"StabilizationWindowSeconds":null,"SelectPolicy":"Max","Policies":[{"Type":"Pods","Value":4,"PeriodSeconds":15}],"Tolerance":null},"ScaleDown":null}',
    });
    expect(v1.status.currentCPUUtilizationPercentage).toBe(7);
  });

  test.each([
    ['metrics', '[{"type":5}]'],
    ['metrics', '[{"type":"Resource","resource":{"name":"cpu","targetAverageUtilization":"5"}}]'],
    ['metrics', '[{"type":"Pods","pods":{"targetAverageValue":"many"}}]'],
    ['metrics', '{"type":"Resource"}'],
    ['metrics', '[{"object":{"selector":{"matchExpressions":{}}}}]'],
    ['behavior', '{"scaleUp":7}'],
    ['behavior', '{"scaleUp":null}'],
    ['current-metrics', '7'],
    ['conditions', '[{"lastTransitionTime":"yesterday"}]'],
    ['scale-up-tolerance', '1'],
  ])('%s as %s are ignored, and dropped', (last, text) => {
    const given = { metadata: { annotations: { [name(last)]: text } }, spec: { targetCPUUtilizationPercentage: 10 } };
    const stored: TestObject = conversion.toStorage(given);
    expect(stored).toEqual({
      apiVersion: 'autoscaling/v2',
      metadata: {},
      spec: { metrics: [cpu(10)] },
      status: { desiredReplicas: 0, currentMetrics: null },
    });
  });

  test('absent, and without a target, mean 80 % of the CPU', () => {
    const stored: TestObject = conversion.toStorage({ metadata: {} });
    expect(stored.spec.metrics).toEqual([cpu(80)]);
  });
});
