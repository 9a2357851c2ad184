import { describe, expect, test } from '@jest/globals';
import { validateStatefulSetUpdate } from '../../../../runtime/kinds/apps/stateful-set-validation.ts';
import { Field } from '../../../../runtime/machinery/validation/field.ts';
import { type FieldError, fieldErrorMessage } from '../../../../runtime/machinery/validation/field-error.ts';
import { FieldPath } from '../../../../runtime/machinery/validation/field-path.ts';
import type { TestValue } from '../../../support/test-object.ts';

const spec = (more: TestValue = {}): TestValue => ({
  podManagementPolicy: 'OrderedReady',
  updateStrategy: { type: 'RollingUpdate' },
  selector: { matchLabels: { a: 'b' } },
  template: {
    metadata: { labels: { a: 'b' } },
    spec: {
      restartPolicy: 'Always',
      dnsPolicy: 'ClusterFirst',
      terminationGracePeriodSeconds: 30,
      containers: [{ name: 'c', image: 'i', imagePullPolicy: 'Always', terminationMessagePolicy: 'File' }],
    },
  },
  ...more,
});

function messages(now: TestValue, old: TestValue): string[] {
  const errors: FieldError[] = [];
  validateStatefulSetUpdate(now, old, Field.at(FieldPath.of('spec'), errors));
  return errors.map(fieldErrorMessage);
}

const withoutContainers = (replicas: number): TestValue =>
  spec({ replicas, template: { ...spec().template, spec: { ...spec().template.spec, containers: [] } } });

describe('updates of stateful sets that another server stored', () => {
  test('a template that was invalid may stay so', () => {
    expect(messages(withoutContainers(2), withoutContainers(1))).toEqual([]);
    expect(messages(withoutContainers(1), spec())).toEqual(['spec.template.spec.containers: Required value']);
    expect(messages(withoutContainers(-1), withoutContainers(1))).toEqual([
      'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    ]);
  });

  test.each([
    [1, []],
    ['100%', []],
    [0, ['Invalid value: 0: cannot be 0']],
    ['0%', ['Invalid value: "0%": cannot be 0']],
    [-1, ['Invalid value: -1: must be greater than or equal to 0']],
    ['101%', ['Invalid value: "101%": must not be greater than 100%']],
  ])('maxUnavailable %j is validated', (maxUnavailable, want) => {
    const now = spec({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0, maxUnavailable } } });
    const field = 'spec.updateStrategy.rollingUpdate.maxUnavailable';
    expect(messages(now, spec())).toEqual(want.map((text) => `${field}: ${text}`));
  });
});
