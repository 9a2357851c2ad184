import { describe, expect, test } from '@jest/globals';
import {
  validateHorizontalPodAutoscalerSpec,
  validationOptions,
} from '../../../../../runtime/kinds/autoscaling/horizontal-pod-autoscaler/validation.ts';
import { Field } from '../../../../../runtime/machinery/validation/field.ts';
import { type FieldError, fieldErrorMessage } from '../../../../../runtime/machinery/validation/field-error.ts';
import { FieldPath } from '../../../../../runtime/machinery/validation/field-path.ts';
import type { TestValue } from '../../../../support/test-object.ts';

function messages(now: TestValue, old: TestValue): string[] {
  const errors: FieldError[] = [];
  validateHorizontalPodAutoscalerSpec(now, Field.at(FieldPath.of('spec'), errors), validationOptions(now, old));
  return errors.map(fieldErrorMessage);
}

const resource = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
};
const objectMetric = (apiVersion: string): TestValue => ({
  type: 'Object',
  object: {
    describedObject: { apiVersion, kind: 'Service', name: 's' },
    metric: { name: 'm' },
    target: { type: 'Value', value: '1' },
  },
});
const spec = (metric: TestValue, more: TestValue = {}): TestValue => ({
  maxReplicas: 5,
  scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
  metrics: [metric],
  ...more,
});

describe('updates of autoscalers that another server stored', () => {
  test('one that scales to zero may go on, with a metric that needs no pods', () => {
    const zero = { minReplicas: 0 };
    expect(messages(spec(objectMetric('v1'), zero), spec(resource, zero))).toEqual([]);
    expect(messages(spec(resource, zero), spec(resource, zero))).toEqual([
      'spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas',
    ]);
    expect(messages(spec(resource, { minReplicas: -1 }), spec(resource, zero))).toEqual([
      'spec.minReplicas: Invalid value: -1: must be greater than or equal to 0',
    ]);
  });

  test('a reference without a group may stay', () => {
    const reference = (name: string): TestValue => ({ scaleTargetRef: { kind: 'Deployment', name } });
    expect(messages(spec(resource, reference('b')), spec(resource, reference('a')))).toEqual([]);
    expect(messages(spec(resource, reference('b')), spec(resource))).toEqual([
      'spec.scaleTargetRef.apiVersion: Invalid value: "": apiVersion must specify API group',
    ]);
  });

  test('the version of an object may be wrong if one was', () => {
    expect(messages(spec(objectMetric('a/b/c')), spec(objectMetric('x/y/z')))).toEqual([]);
    expect(messages(spec(objectMetric('a/b/c')), spec(objectMetric('v1')))).toEqual([
      'spec.metrics[0].object.describedObject.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
    ]);
  });
});
