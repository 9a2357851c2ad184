import { describe, expect, test } from '@jest/globals';
import { validatePodUpdate } from '../../../../runtime/kinds/core/pod/updates.ts';
import { validatePodCreate } from '../../../../runtime/kinds/core/pod/validation.ts';
import { newPod } from '../../../../runtime/kinds/core/pod/validation-options.ts';
import * as rules from '../../../../runtime/kinds/overlays/validation.ts';
import { Field } from '../../../../runtime/machinery/validation/field.ts';
import { type FieldError, fieldErrorMessage } from '../../../../runtime/machinery/validation/field-error.ts';
import { FieldPath } from '../../../../runtime/machinery/validation/field-path.ts';
import type { TestValue } from '../../../support/test-object.ts';

type Rule = (object: TestValue, ...rest: TestValue[]) => void;

function messages(rule: Rule, ...objects: TestValue[]): string[] {
  const errors: FieldError[] = [];
  rule(objects[0], ...objects.slice(1), Field.at(FieldPath.root, errors));
  return errors.map(fieldErrorMessage);
}

const container = {
  name: 'app',
  image: 'nginx',
  imagePullPolicy: 'Always',
  terminationMessagePolicy: 'File',
};
const podSpec = (more: TestValue = {}): TestValue => ({
  restartPolicy: 'Always',
  dnsPolicy: 'ClusterFirst',
  terminationGracePeriodSeconds: 30,
  containers: [container],
  ...more,
});
const pod = (more: TestValue = {}): TestValue => ({ metadata: { name: 'p' }, spec: podSpec(more) });
const withContainer = (more: TestValue): TestValue => pod({ containers: [{ ...container, ...more }] });

const labelText =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

const validateUpdate: Rule = (now, old, field) => validatePodUpdate(now, old, field, newPod);

describe('pods', () => {
  test.each<[what: string, pod: TestValue, want: string[]]>([
    ['a valid pod', pod(), []],
    ['no containers', pod({ containers: [] }), ['spec.containers: Required value']],
    [
      'a bad name, no image',
      withContainer({ name: 'Bad_Name', image: '' }),
      [`spec.containers[0].name: Invalid value: "Bad_Name": ${labelText}`, 'spec.containers[0].image: Required value'],
    ],
    ['a duplicate name', pod({ containers: [container, container] }), ['spec.containers[1].name: Duplicate value: "app"']],
    [
      'a port out of range',
      withContainer({ ports: [{ containerPort: 70000, protocol: 'TCP' }] }),
      ['spec.containers[0].ports[0].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive'],
    ],
    [
      'an unknown restart policy',
      pod({ restartPolicy: 'Sometimes' }),
      ['spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"'],
    ],
    [
      'an absent volume',
      withContainer({ volumeMounts: [{ name: 'data', mountPath: '/data' }] }),
      ['spec.containers[0].volumeMounts[0].name: Not found: "data"'],
    ],
    [
      'two sources',
      pod({ volumes: [{ name: 'v', emptyDir: {}, hostPath: { path: '/x' } }] }),
      ['spec.volumes[0].hostPath: Forbidden: may not specify more than 1 volume type'],
    ],
    [
      'a request above the limit',
      withContainer({ resources: { limits: { cpu: '1' }, requests: { cpu: '2' } } }),
      ['spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1'],
    ],
    [
      'an unknown resource',
      withContainer({ resources: { limits: { disk: '1' } } }),
      [
        'spec.containers[0].resources.limits[disk]: Invalid value: "disk": must be a standard resource type or fully qualified',
        'spec.containers[0].resources.limits[disk]: Invalid value: "disk": must be a standard resource for containers',
      ],
    ],
    [
      'a probe without a handler',
      withContainer({ livenessProbe: { successThreshold: 1 } }),
      ['spec.containers[0].livenessProbe: Required value: must specify a handler type'],
    ],
    [
      'an empty toleration',
      pod({ tolerations: [{ effect: 'NoSchedule' }] }),
      [
        'spec.tolerations[0].operator: Invalid value: "": operator must be Exists when `key` is empty, which means "match all values and all keys"',
      ],
    ],
    [
      'a negative amount',
      withContainer({ resources: { limits: { memory: '-1' } } }),
      ['spec.containers[0].resources.limits[memory]: Invalid value: "-1": must be greater than or equal to 0'],
    ],
  ])('%s', (_, object, want) => {
    expect(messages(validatePodCreate, object)).toEqual(want);
  });

  test('only images, deadlines and tolerations can change', () => {
    const same = messages(validateUpdate, withContainer({ image: 'nginx:2' }), pod());
    expect(same).toEqual([]);
    const [change] = messages(validateUpdate, pod({ hostNetwork: true }), pod());
    expect(change).toMatch(/^spec: Forbidden: pod updates may not change fields other than `spec.containers\[\*\].image`,/);
    expect(messages(validateUpdate, pod({ containers: [container, { ...container, name: 'b' }] }), pod())).toEqual([
      'spec.containers: Forbidden: pod updates may not add or remove containers',
    ]);
  });
});

describe('other kinds', () => {
  test.each<[rule: keyof typeof rules, objects: TestValue[], want: string[]]>([
    [
      'validateRoleBinding',
      [{ roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'x' } }],
      ['roleRef.kind: Unsupported value: "Group": supported values: "Role", "ClusterRole"'],
    ],
    [
      'validateRoleBindingUpdate',
      [{ roleRef: { name: 'b' } }, { roleRef: { name: 'a' } }],
      ['roleRef: Invalid value: {"APIGroup":"","Kind":"","Name":"b"}: cannot change roleRef'],
    ],
    [
      'validateRole',
      [{ rules: [{ verbs: ['get'] }] }],
      [
        'rules[0].apiGroups: Required value: resource rules must supply at least one api group',
        'rules[0].resources: Required value: resource rules must supply at least one resource',
      ],
    ],
  ])('%s(%j)', (rule, objects, want) => {
    // biome-ignore lint/performance/noDynamicNamespaceImportAccess: the table names them
    expect(messages(rules[rule] as Rule, ...objects)).toEqual(want);
  });

  test('no rule fails for an empty object', () => {
    for (const [name, rule] of Object.entries(rules)) {
      messages(rule as Rule, ...(name.endsWith('Update') ? [{}, {}] : [{}]));
    }
  });
});
