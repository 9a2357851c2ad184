import { describe, expect, test } from '@jest/globals';
import * as defaults from '../../../../runtime/kinds/overlays/defaults.ts';
import type { TestValue } from '../../../support/test-object.ts';

const run = (name: keyof typeof defaults, object: TestValue): TestValue => {
  const copy = structuredClone(object);
  // biome-ignore lint/performance/noDynamicNamespaceImportAccess: the table names them
  (defaults[name] as (object: TestValue) => void)(copy);
  return copy;
};

describe('images are pulled always when they are the latest', () => {
  test.each([
    ['nginx', 'Always'],
    ['nginx:latest', 'Always'],
    ['nginx:1.27', 'IfNotPresent'],
    ['registry.io:5000/team/app', 'Always'],
    ['registry.io:5000/team/app:v1', 'IfNotPresent'],
    [`nginx@sha256:${'a'.repeat(64)}`, 'IfNotPresent'],
    [`nginx:latest@sha256:${'a'.repeat(64)}`, 'Always'],
    ['Not An Image', 'IfNotPresent'],
    ['', 'IfNotPresent'],
  ])('%s: %s', (image, imagePullPolicy) => {
    expect(run('setContainerPullPolicy', { image })).toEqual({ image, imagePullPolicy });
  });
});

describe('defaults that overlay facts cannot express', () => {
  const limits = { cpu: '1', memory: '1Gi' };
  test.each<[name: keyof typeof defaults, given: TestValue, want: TestValue]>([
    ['setVolumeSource', { name: 'v' }, { name: 'v', emptyDir: {} }],
    ['setVolumeSource', { name: 'v', hostPath: { path: '/x' } }, { name: 'v', hostPath: { path: '/x' } }],
    [
      'setPodRequests',
      { spec: { containers: [{ resources: { limits, requests: { cpu: '500m' } } }, {}] } },
      { spec: { containers: [{ resources: { limits, requests: { cpu: '500m', memory: '1Gi' } } }, {}] } },
    ],
    [
      'setHostNetworkPorts',
      { spec: { hostNetwork: true, containers: [{ ports: [{ containerPort: 80 }] }] } },
      { spec: { hostNetwork: true, containers: [{ ports: [{ containerPort: 80, hostPort: 80 }] }] } },
    ],
    ['setServiceAccountAlias', { serviceAccount: 'a' }, { serviceAccount: 'a', serviceAccountName: 'a' }],
    ['mergeStringData', { data: { a: 'eA==' }, stringData: { b: 'y' } }, { data: { a: 'eA==', b: 'eQ==' } }],
    ['setNamespaceLabel', { metadata: { name: 'n' } }, { metadata: { name: 'n', labels: { 'kubernetes.io/metadata.name': 'n' } } }],
    ['setNamespaceLabel', { metadata: {} }, { metadata: {} }],
    ['roundResources', { limits: { cpu: '100u', memory: '1Gi' } }, { limits: { cpu: '1m', memory: '1Gi' } }],
    [
      'setLimitRangeDefaults',
      { type: 'Container', max: { cpu: '2' }, min: { cpu: '1', memory: '1Mi' } },
      {
        type: 'Container',
        max: { cpu: '2' },
        min: { cpu: '1', memory: '1Mi' },
        default: { cpu: '2' },
        defaultRequest: { cpu: '2', memory: '1Mi' },
      },
    ],
    ['setNodeAllocatable', { capacity: { cpu: '2' } }, { capacity: { cpu: '2' }, allocatable: { cpu: '2' } }],
    ['setPodAddresses', { podIP: '10.0.0.1' }, { podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }] }],
    [
      'setPodAddresses',
      { podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.2' }, { ip: '::2' }] },
      { podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }] },
    ],
    [
      'setPodAddresses',
      { podIP: '', podIPs: [{ ip: '10.0.0.2' }, { ip: '::2' }] },
      { podIP: '10.0.0.2', podIPs: [{ ip: '10.0.0.2' }, { ip: '::2' }] },
    ],
    ['setNodePodCIDRs', { podCIDRs: ['10.0.0.0/24', '::/64'] }, { podCIDR: '10.0.0.0/24', podCIDRs: ['10.0.0.0/24', '::/64'] }],
    ['setNodePodCIDRs', { podCIDR: '10.1.0.0/24', podCIDRs: ['10.0.0.0/24'] }, { podCIDR: '10.1.0.0/24', podCIDRs: ['10.1.0.0/24'] }],
    ['setNetworkPolicyDefaults', { egress: [{}] }, { egress: [{}], policyTypes: ['Ingress', 'Egress'] }],
    ['setNetworkPolicyDefaults', {}, { policyTypes: ['Ingress'] }],
    [
      'setJobDefaults',
      { metadata: {}, spec: { template: { metadata: { labels: { a: 'b' } } } } },
      {
        metadata: { labels: { a: 'b' } },
        spec: {
          template: { metadata: { labels: { a: 'b' } } },
          completions: 1,
          parallelism: 1,
          backoffLimit: 6,
          completionMode: 'NonIndexed',
          suspend: false,
          podReplacementPolicy: 'TerminatingOrFailed',
          manualSelector: false,
        },
      },
    ],
    [
      'setDeploymentDefaults',
      { spec: { strategy: { rollingUpdate: { maxSurge: 1 } } } },
      {
        spec: {
          replicas: 1,
          strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: 1 } },
          revisionHistoryLimit: 10,
          progressDeadlineSeconds: 600,
        },
      },
    ],
    [
      'setDeploymentDefaults',
      { spec: { replicas: 0, strategy: { type: 'Recreate' } } },
      { spec: { replicas: 0, strategy: { type: 'Recreate' }, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 } },
    ],
    [
      'setStatefulSetDefaults',
      { spec: { volumeClaimTemplates: [{ metadata: { name: 'd' } }] } },
      {
        spec: {
          volumeClaimTemplates: [{ metadata: { name: 'd' }, apiVersion: 'v1', kind: 'PersistentVolumeClaim' }],
          podManagementPolicy: 'OrderedReady',
          updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
          persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
          replicas: 1,
          revisionHistoryLimit: 10,
        },
      },
    ],
    [
      'setServiceDefaults',
      { spec: { ports: [{ port: 80 }] } },
      {
        spec: {
          ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
          sessionAffinity: 'None',
          type: 'ClusterIP',
          internalTrafficPolicy: 'Cluster',
        },
      },
    ],
    [
      'setServiceDefaults',
      { spec: { type: 'LoadBalancer', sessionAffinity: 'ClientIP' } },
      {
        spec: {
          type: 'LoadBalancer',
          sessionAffinity: 'ClientIP',
          sessionAffinityConfig: { clientIP: { timeoutSeconds: 10800 } },
          externalTrafficPolicy: 'Cluster',
          internalTrafficPolicy: 'Cluster',
          allocateLoadBalancerNodePorts: true,
        },
      },
    ],
    [
      'setServiceDefaults',
      { spec: { type: 'ExternalName', externalName: 'x' } },
      { spec: { type: 'ExternalName', externalName: 'x', sessionAffinity: 'None' } },
    ],
    [
      'setHorizontalPodAutoscalerBehaviorDefaults',
      { behavior: { scaleDown: { selectPolicy: 'Disabled' } } },
      {
        behavior: {
          scaleUp: {
            stabilizationWindowSeconds: 0,
            selectPolicy: 'Max',
            policies: [
              { type: 'Pods', value: 4, periodSeconds: 15 },
              { type: 'Percent', value: 100, periodSeconds: 15 },
            ],
          },
          scaleDown: { selectPolicy: 'Disabled', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] },
        },
      },
    ],
    [
      'setCustomResourceDefinitionDefaults',
      { spec: { names: { kind: 'Foo', plural: 'foos' }, versions: [{ name: 'v1', storage: true }] } },
      {
        spec: {
          names: { kind: 'Foo', plural: 'foos', singular: 'foo', listKind: 'FooList' },
          versions: [{ name: 'v1', storage: true }],
          conversion: { strategy: 'None' },
        },
        status: { storedVersions: ['v1'] },
      },
    ],
    [
      'setDeviceRequestDefaults',
      { name: 'r', deviceClassName: 'c' },
      { name: 'r', deviceClassName: 'c', allocationMode: 'ExactCount', count: 1 },
    ],
    ['setDeviceRequestDefaults', { name: 'r', firstAvailable: [{}] }, { name: 'r', firstAvailable: [{}] }],
  ])('%s(%j)', (name, given, want) => {
    expect(run(name, given)).toEqual(want);
    expect(run(name, want)).toEqual(want);
  });
});

test('keys with a meaning in JavaScript are ordinary keys', () => {
  const secret = { stringData: JSON.parse('{"__proto__": "x"}') };
  const merged = run('mergeStringData', secret);
  expect(Object.keys(merged.data)).toEqual(['__proto__']);
  expect(Object.getPrototypeOf(merged.data)).toBe(Object.prototype);
});
