import { describe, expect, test } from '@jest/globals';
import * as columns from '../../../../runtime/kinds/overlays/columns.ts';
import type { TestObject, TestValue } from '../../../support/test-object.ts';

const now = Date.parse('2026-01-01T01:00:00Z');
const of = (rest: TestValue): TestObject => ({ metadata: {}, ...rest });

describe('cells of built-in kinds', () => {
  const balancer = (ingress: TestValue[], more: TestValue = {}): TestObject =>
    of({ spec: { type: 'LoadBalancer', ...more }, status: { loadBalancer: { ingress } } });
  const addresses = ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4'].map((ip) => ({ ip }));
  test.each<[cell: keyof typeof columns, object: TestObject, want: unknown]>([
    ['serviceExternalIP', of({ spec: { type: 'ClusterIP' } }), '<none>'],
    ['serviceExternalIP', of({ spec: { type: 'NodePort', externalIPs: ['1.2.3.4', '5.6.7.8'] } }), '1.2.3.4,5.6.7.8'],
    ['serviceExternalIP', balancer([]), '<pending>'],
    ['serviceExternalIP', balancer([{ hostname: 'b.x' }, { ip: '1.1.1.1' }]), '1.1.1.1,b.x'],
    ['serviceExternalIP', balancer([{ ip: '1.1.1.1' }], { externalIPs: ['2.2.2.2'] }), '1.1.1.1,2.2.2.2'],
    ['serviceExternalIP', of({ spec: { type: 'ExternalName', externalName: 'x.io' } }), 'x.io'],
    [
      'servicePorts',
      of({
        spec: {
          ports: [
            { port: 80, nodePort: 30080, protocol: 'TCP' },
            { port: 53, protocol: 'UDP' },
          ],
        },
      }),
      '80:30080/TCP,53/UDP',
    ],
    ['servicePorts', of({ spec: {} }), '<none>'],
    ['endpointsText', of({}), '<none>'],
    ['endpointsText', of({ subsets: [{ addresses, ports: [{ port: 80 }] }] }), '10.0.0.1:80,10.0.0.2:80,10.0.0.3:80 + 1 more...'],
    ['endpointsText', of({ subsets: [{ addresses: [{ ip: 'fd00::1' }], ports: [{ port: 80 }] }] }), '[fd00::1]:80'],
    ['ingressHosts', of({ spec: { rules: [{}, { host: 'a' }] } }), 'a'],
    ['ingressHosts', of({ spec: { rules: ['a', 'b', 'c', 'd', 'e'].map((host) => ({ host })) } }), 'a,b,c + 2 more...'],
    ['ingressHosts', of({ spec: {} }), '*'],
    ['ingressPorts', of({ spec: { tls: [{}] } }), '80, 443'],
    ['nodeStatus', of({}), 'Unknown'],
    [
      'nodeStatus',
      of({ spec: { unschedulable: true }, status: { conditions: [{ type: 'Ready', status: 'True' }] } }),
      'Ready,SchedulingDisabled',
    ],
    ['nodeStatus', of({ status: { conditions: [{ type: 'Ready', status: 'Unknown' }] } }), 'NotReady'],
    ['nodeRoles', { metadata: { labels: { 'node-role.kubernetes.io/worker': '', 'kubernetes.io/role': 'edge' } } }, 'edge,worker'],
    ['nodeRoles', of({}), '<none>'],
    ['configMapData', of({ data: { a: '1' }, binaryData: { b: 'eA==', c: 'eQ==' } }), 3],
    ['quotaRequests', of({ status: { hard: { pods: '10', 'limits.cpu': '4', cpu: '2' }, used: { pods: '3' } } }), 'cpu: 0/2, pods: 3/10'],
    ['quotaLimits', of({ status: { hard: { 'limits.cpu': '4' }, used: { 'limits.cpu': '1' } } }), 'limits.cpu: 1/4'],
    ['readyOfDesired', of({ spec: { replicas: 3 }, status: { readyReplicas: 1 } }), '1/3'],
    ['jobCompletions', of({ spec: { completions: 5 }, status: { succeeded: 2 } }), '2/5'],
    ['jobCompletions', of({ spec: { parallelism: 4 } }), '0/1 of 4'],
    ['jobDuration', of({ status: { startTime: '2026-01-01T00:50:00Z' } }), '10m'],
    ['jobDuration', of({ status: { startTime: '2026-01-01T00:50:00Z', completionTime: '2026-01-01T00:50:30Z' } }), '30s'],
    ['jobDuration', of({}), ''],
    ['jobStatus', of({ status: { conditions: [{ type: 'Complete', status: 'True' }] } }), 'Complete'],
    ['jobStatus', of({ status: { conditions: [{ type: 'Suspended', status: 'True' }] } }), 'Suspended'],
    ['jobStatus', of({}), 'Running'],
    ['cronJobSuspend', of({ spec: { suspend: false } }), 'False'],
    ['claimCapacity', of({ spec: {}, status: { capacity: { storage: '1Gi' } } }), ''],
    ['claimCapacity', of({ spec: { volumeName: 'v' }, status: { capacity: { storage: '1Gi' } } }), '1Gi'],
    ['volumeAccessModes', of({ spec: { accessModes: ['ReadWriteMany', 'ReadWriteOnce'] } }), 'RWO,RWX'],
    ['volumeClaim', of({ spec: { claimRef: { namespace: 'ns', name: 'c' } } }), 'ns/c'],
    [
      'nameOrDefaultClass',
      { metadata: { name: 'fast', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } } },
      'fast (default)',
    ],
    [
      'labelSelector',
      of({
        spec: {
          selector: {
            matchLabels: { b: '1', a: '2' },
            matchExpressions: [{ key: 'c', operator: 'In', values: ['y', 'x'] }],
          },
        },
      }),
      'a=2,b=1,c in (x,y)',
    ],
    ['labelSelector', of({ spec: { selector: {} } }), '<none>'],
    ['mapSelector', of({ spec: { selector: { app: 'x' } } }), 'app=x'],
    [
      'bindingServiceAccounts',
      of({
        subjects: [
          { kind: 'ServiceAccount', name: 'a', namespace: 'n' },
          { kind: 'User', name: 'u' },
        ],
      }),
      'n/a',
    ],
    ['requestCondition', of({ status: { conditions: [{ type: 'Approved' }], certificate: 'eA==' } }), 'Approved,Issued'],
    ['requestCondition', of({}), 'Pending'],
    ['requestDuration', of({ spec: { expirationSeconds: 3600 } }), '60m'],
    [
      'apiServiceAvailable',
      of({ status: { conditions: [{ type: 'Available', status: 'False', reason: 'MissingEndpoints' }] } }),
      'False (MissingEndpoints)',
    ],
    ['bindingParam', of({ spec: { paramRef: { name: 'p' } } }), '*/p'],
    [
      'bindingParam',
      of({ spec: { paramRef: { selector: { matchLabels: { a: 'b' } } } } }),
      '&LabelSelector{MatchLabels:map[string]string{a: b,},MatchExpressions:[]LabelSelectorRequirement{},}',
    ],
    ['resourceClaimState', of({ status: { allocation: {}, reservedFor: [{}] } }), 'allocated,reserved'],
    ['deviceTaintAdded', of({ spec: { taint: { timeAdded: '2026-01-01T00:55:00Z' } } }), '5m'],
    ['deviceTaintAdded', of({ spec: { taint: {} } }), ''],
    ['eventObject', of({ involvedObject: { kind: 'Pod', name: 'x' } }), 'pod/x'],
    ['eventSource', of({ source: { component: 'kubelet', host: 'n1' } }), 'kubelet, n1'],
    ['eventLastSeen', of({ firstTimestamp: '2026-01-01T00:00:00Z', lastTimestamp: '2026-01-01T00:59:00Z' }), '60s'],
    ['eventCount', of({}), 1],
    ['eventsObject', of({ regarding: { kind: 'Node', name: 'n' } }), 'node/n'],
    ['hpaTargets', of({ spec: {} }), '<none>'],
    [
      'hpaTargets',
      of({
        spec: { metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { averageUtilization: 80 } } }] },
        status: { currentMetrics: [{ resource: { current: { averageUtilization: 3 } } }] },
      }),
      'cpu: 3%/80%',
    ],
    [
      'hpaTargets',
      of({
        spec: {
          metrics: [
            { type: 'External', external: { target: { value: '5' } } },
            { type: 'Pods', pods: { target: { averageValue: '7' } } },
            { type: 'Object', object: { target: { averageValue: '7' } } },
          ],
        },
        status: { currentMetrics: [{ external: { current: { averageValue: '3' } } }, { pods: { current: {} } }] },
      }),
      '<nil>/5, <nil>/7 + 1 more...',
    ],
    ['hpaTargetsV1', of({ spec: { targetCPUUtilizationPercentage: 50 } }), 'cpu: <unknown>/50%'],
    ['podTemplateContainers', of({ template: { spec: { containers: [{ name: 'a' }, { name: 'b' }] } } }), 'a,b'],
    [
      'controllerRevisionOwner',
      {
        metadata: {
          ownerReferences: [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'x', uid: '1', controller: true }],
        },
      },
      'daemonset.apps/x',
    ],
  ])('%s of %j', (cell, object, want) => {
    // biome-ignore lint/performance/noDynamicNamespaceImportAccess: the table names them
    expect((columns[cell] as (object: TestObject, now: number) => unknown)(object, now)).toEqual(want);
  });

  test('no cell fails for an empty object', () => {
    const cells = Object.entries(columns).filter(([name]) => !/^(format|humanDuration|ageOf)/.test(name));
    for (const [, cell] of cells) {
      if (typeof cell === 'function') (cell as (object: TestObject, now: number) => unknown)({ metadata: {} }, now);
    }
  });
});
