import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ManualClock } from '../../support/manual-clock.ts';
import { ObjectFixture } from '../../support/object-fixture.ts';

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const merge = 'application/merge-patch+json';

const selector = { matchLabels: { app: 'web' } };
const template = {
  metadata: { labels: { app: 'web' } },
  spec: {
    containers: [
      { name: 'web', image: 'nginx:1' },
      { name: 'log', image: 'fluent:2' },
    ],
  },
};
const jobTemplate = { ...template, spec: { ...template.spec, restartPolicy: 'Never' } };

/** A placeholder for the object's creation time. */
const created = Symbol('created');

interface Shown {
  /** The path below /api/v1 or /apis. `NS` is a separate namespace. */
  readonly path: string;
  readonly object: object;
  /** Returns the status, given the creation time. */
  readonly status?: (now: string) => object;
  /** Cells after the name; an age is five minutes. */
  readonly cells: readonly unknown[];
  /** Default: `a`. */
  readonly name?: string;
}

/** Examples of every kind with more than copied fields in its cells. (printers.go) */
const shown: readonly Shown[] = [
  {
    path: '/api/v1/namespaces/NS/pods',
    object: { spec: { ...template.spec, nodeName: 'n1', readinessGates: [{ conditionType: 'x.io/ready' }] } },
    status: (now) => ({
      phase: 'Running',
      podIP: '10.0.0.1',
      podIPs: [{ ip: '10.0.0.1' }],
      containerStatuses: [
        {
          name: 'web',
          image: 'i',
          imageID: 'i',
          ready: true,
          restartCount: 2,
          state: { running: { startedAt: now } },
          lastState: { terminated: { exitCode: 1, finishedAt: now } },
        },
      ],
    }),
    cells: ['1/2', 'Running', '2 (5m ago)', '5m', '10.0.0.1', 'n1', '<none>', '0/1'],
  },
  {
    path: '/api/v1/namespaces/NS/podtemplates',
    object: { template },
    cells: ['web,log', 'nginx:1,fluent:2', 'app=web'],
  },
  {
    path: '/api/v1/namespaces/NS/replicationcontrollers',
    object: { spec: { replicas: 2, selector: selector.matchLabels, template } },
    status: () => ({ replicas: 2, readyReplicas: 1 }),
    cells: [2, 2, 1, '5m', 'web,log', 'nginx:1,fluent:2', 'app=web'],
  },
  {
    path: '/apis/apps/v1/namespaces/NS/replicasets',
    object: { spec: { replicas: 3, selector, template } },
    status: () => ({ replicas: 2, readyReplicas: 1 }),
    cells: [3, 2, 1, '5m', 'web,log', 'nginx:1,fluent:2', 'app=web'],
  },
  {
    path: '/apis/apps/v1/namespaces/NS/deployments',
    object: { spec: { replicas: 3, selector, template } },
    status: () => ({ replicas: 3, readyReplicas: 2, updatedReplicas: 3, availableReplicas: 1 }),
    cells: ['2/3', 3, 1, '5m', 'web,log', 'nginx:1,fluent:2', 'app=web'],
  },
  {
    path: '/apis/apps/v1/namespaces/NS/statefulsets',
    object: { spec: { replicas: 3, serviceName: 's', selector, template } },
    cells: ['0/3', '5m', 'web,log', 'nginx:1,fluent:2'],
  },
  {
    path: '/apis/apps/v1/namespaces/NS/daemonsets',
    object: {
      spec: { selector, template: { ...template, spec: { ...template.spec, nodeSelector: { disk: 'ssd' } } } },
    },
    status: () => ({ desiredNumberScheduled: 5, currentNumberScheduled: 4, numberReady: 3, numberMisscheduled: 0 }),
    cells: [5, 4, 3, 0, 0, 'disk=ssd', '5m', 'web,log', 'nginx:1,fluent:2', 'app=web'],
  },
  {
    path: '/apis/apps/v1/namespaces/NS/controllerrevisions',
    object: { revision: 7, data: {} },
    cells: ['<none>', 7, '5m'],
  },
  {
    path: '/apis/batch/v1/namespaces/NS/jobs',
    object: { spec: { completions: 3, parallelism: 1, manualSelector: true, selector, template: jobTemplate } },
    status: (now) => ({ startTime: now, succeeded: 1, active: 1 }),
    cells: ['Running', '1/3', '5m', '5m', 'web,log', 'nginx:1,fluent:2', 'app=web'],
  },
  {
    path: '/apis/batch/v1/namespaces/NS/cronjobs',
    object: {
      spec: { schedule: '*/5 * * * *', timeZone: 'Etc/UTC', jobTemplate: { spec: { template: jobTemplate } } },
    },
    status: (now) => ({ lastScheduleTime: now }),
    cells: ['*/5 * * * *', 'Etc/UTC', 'False', 0, '5m', '5m', 'web,log', 'nginx:1,fluent:2', '<none>'],
  },
  {
    path: '/api/v1/namespaces/NS/services',
    object: {
      spec: {
        type: 'NodePort',
        clusterIP: '10.96.0.77',
        selector: { app: 'web' },
        ports: [{ port: 80, nodePort: 30077 }],
      },
    },
    cells: ['NodePort', '10.96.0.77', '<none>', '80:30077/TCP', '5m', 'app=web'],
  },
  {
    path: '/apis/networking.k8s.io/v1/namespaces/NS/ingresses',
    object: {
      spec: {
        ingressClassName: 'web',
        tls: [{ hosts: ['a.io'] }],
        rules: ['a.io', 'b.io', 'c.io', 'd.io'].map((host) => ({
          host,
          http: {
            paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }],
          },
        })),
      },
    },
    status: () => ({ loadBalancer: { ingress: [{ hostname: 'lb-with-a-long-name.io' }, { ip: '1.2.3.4' }] } }),
    cells: ['web', 'a.io,b.io,c.io + 1 more...', '1.2.3.4,lb-with-a-long-name.io', '80, 443', '5m'],
  },
  {
    path: '/apis/networking.k8s.io/v1/ingressclasses',
    object: {
      spec: { controller: 'x.io/c', parameters: { apiGroup: 'x.io', kind: 'P', name: 'p', scope: 'Cluster' } },
    },
    cells: ['x.io/c', 'P.x.io/p', '5m'],
  },
  {
    path: '/apis/networking.k8s.io/v1/namespaces/NS/networkpolicies',
    object: { spec: { podSelector: { matchExpressions: [{ key: 'a', operator: 'In', values: ['c', 'b'] }] } } },
    cells: ['a in (b,c)', '5m'],
  },
  {
    path: '/apis/networking.k8s.io/v1/ipaddresses',
    name: '10.9.8.7',
    object: { spec: { parentRef: { resource: 'services', namespace: 'default', name: 'kubernetes' } } },
    // the age has no column
    cells: ['services/default/kubernetes', '5m'],
  },
  {
    path: '/api/v1/namespaces/NS/endpoints',
    object: {
      subsets: [
        {
          addresses: [{ ip: '10.1.1.1' }, { ip: '10.1.1.2' }],
          ports: [
            { port: 80, name: 'a' },
            { port: 81, name: 'b' },
          ],
        },
      ],
    },
    cells: ['10.1.1.1:80,10.1.1.2:80,10.1.1.1:81 + 1 more...', '5m'],
  },
  {
    path: '/apis/discovery.k8s.io/v1/namespaces/NS/endpointslices',
    object: { addressType: 'IPv4', ports: [{ port: 80, name: 'http' }], endpoints: [{ addresses: ['10.1.1.1'] }] },
    cells: ['IPv4', '80', '10.1.1.1', '5m'],
  },
  {
    path: '/api/v1/nodes',
    object: { metadata: { labels: { 'node-role.kubernetes.io/worker': '' } }, spec: { unschedulable: true } },
    status: (now) => ({
      conditions: [{ type: 'Ready', status: 'True', lastHeartbeatTime: now, lastTransitionTime: now }],
      addresses: [
        { type: 'InternalIP', address: '10.2.0.1' },
        { type: 'Hostname', address: 'a' },
      ],
      nodeInfo: { kubeletVersion: 'v1.35.0', osImage: 'Linux' },
    }),
    cells: ['Ready,SchedulingDisabled', 'worker', '5m', 'v1.35.0', '10.2.0.1', '<none>', 'Linux', '<unknown>', '<unknown>'],
  },
  {
    path: '/api/v1/persistentvolumes',
    object: {
      spec: {
        capacity: { storage: '5Gi' },
        accessModes: ['ReadWriteMany', 'ReadWriteOnce'],
        hostPath: { path: '/x' },
        storageClassName: 'fast',
        claimRef: { namespace: 'default', name: 'c' },
      },
    },
    status: () => ({ phase: 'Bound' }),
    cells: ['5Gi', 'RWO,RWX', 'Retain', 'Bound', 'default/c', 'fast', '<unset>', '', '5m', 'Filesystem'],
  },
  {
    path: '/api/v1/namespaces/NS/persistentvolumeclaims',
    object: {
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName: 'fast' },
    },
    cells: ['Pending', '', '', '', 'fast', '<unset>', '5m', 'Filesystem'],
  },
  {
    path: '/apis/storage.k8s.io/v1/storageclasses',
    object: {
      provisioner: 'x.io/p',
      metadata: { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    },
    name: 'a (default)',
    cells: ['x.io/p', 'Delete', 'Immediate', false, '5m'],
  },
  {
    path: '/apis/storage.k8s.io/v1/volumeattributesclasses',
    object: {
      driverName: 'x.io',
      parameters: { a: 'b' },
      metadata: { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    },
    cells: ['x.io', '5m'],
  },
  {
    path: '/apis/storage.k8s.io/v1/csidrivers',
    object: { spec: { tokenRequests: [{ audience: 'x' }, { audience: 'y' }] } },
    cells: [true, false, false, 'x,y', false, 'Persistent', '5m'],
  },
  {
    path: '/apis/storage.k8s.io/v1/csinodes',
    object: { spec: { drivers: [{ name: 'x.io', nodeID: 'n' }] } },
    cells: [1, '5m'],
  },
  {
    path: '/apis/storage.k8s.io/v1/volumeattachments',
    object: { spec: { attacher: 'x.io', nodeName: 'n', source: { persistentVolumeName: 'pv' } } },
    cells: ['x.io', 'pv', 'n', false, '5m'],
  },
  { path: '/api/v1/namespaces/NS/secrets', object: { stringData: { a: '1', b: '2' } }, cells: ['Opaque', 2, '5m'] },
  {
    path: '/api/v1/namespaces/NS/configmaps',
    object: { data: { a: '1' }, binaryData: { b: 'AA==' } },
    cells: [2, '5m'],
  },
  { path: '/api/v1/namespaces/NS/serviceaccounts', object: {}, cells: ['5m'] },
  { path: '/api/v1/namespaces/NS/limitranges', object: { spec: { limits: [] } }, cells: [created] },
  {
    path: '/api/v1/namespaces/NS/resourcequotas',
    object: { spec: { hard: { pods: '4', 'limits.cpu': '2' } } },
    status: () => ({ hard: { pods: '4', 'limits.cpu': '2' }, used: { pods: '1' } }),
    cells: ['pods: 1/4', 'limits.cpu: 0/2', '5m'],
  },
  {
    path: '/apis/policy/v1/namespaces/NS/poddisruptionbudgets',
    object: { spec: { minAvailable: '50%', selector } },
    cells: ['50%', 'N/A', 0, '5m'],
  },
  {
    path: '/apis/autoscaling/v2/namespaces/NS/horizontalpodautoscalers',
    object: {
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
        maxReplicas: 9,
        metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } }],
      },
    },
    status: () => ({
      currentReplicas: 2,
      desiredReplicas: 2,
      currentMetrics: [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 30, averageValue: '3m' } } }],
    }),
    cells: ['Deployment/d', 'cpu: 30%/80%', '1', 9, 2, '5m'],
  },
  {
    path: '/apis/rbac.authorization.k8s.io/v1/namespaces/NS/rolebindings',
    object: {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects: [
        { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'u1' },
        { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'u2' },
        { kind: 'ServiceAccount', namespace: 'default', name: 's' },
      ],
    },
    cells: ['ClusterRole/view', '5m', 'u1, u2', '', 'default/s'],
  },
  { path: '/apis/rbac.authorization.k8s.io/v1/clusterroles', object: { rules: [] }, cells: [created] },
  {
    path: '/apis/coordination.k8s.io/v1/namespaces/NS/leases',
    object: { spec: { holderIdentity: 'me' } },
    cells: ['me', '5m'],
  },
  {
    path: '/apis/scheduling.k8s.io/v1/priorityclasses',
    object: { value: 7 },
    cells: [7, false, '5m', 'PreemptLowerPriority'],
  },
  { path: '/apis/node.k8s.io/v1/runtimeclasses', object: { handler: 'runc' }, cells: ['runc', '5m'] },
  {
    path: '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
    object: {
      spec: {
        paramKind: { apiVersion: 'x.io/v1', kind: 'P' },
        matchConstraints: {
          resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
        },
        validations: [{ expression: 'true' }],
      },
    },
    cells: [1, 'x.io/v1/P', '5m'],
  },
  {
    path: '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings',
    object: {
      spec: { policyName: 'a', validationActions: ['Deny'], paramRef: { name: 'p', parameterNotFoundAction: 'Deny' } },
    },
    cells: ['a', '*/p', '5m'],
  },
  {
    path: '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas',
    object: {
      spec: {
        matchingPrecedence: 77,
        distinguisherMethod: { type: 'ByUser' },
        priorityLevelConfiguration: { name: 'global-default' },
      },
    },
    cells: ['global-default', 77, 'ByUser', '5m', '?'],
  },
  {
    path: '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations',
    object: { spec: { type: 'Limited', limited: { limitResponse: { type: 'Queue', queuing: { queues: 16 } } } } },
    cells: ['Limited', 30, 16, 8, 50, '5m'],
  },
];

describe('the cells of', () => {
  const clock = new ManualClock();
  let fixture: ObjectFixture;
  beforeAll(async () => {
    // the server adds a condition about a missing level asynchronously
    fixture = await ObjectFixture.open('memory', { clock, priorityAndFairness: false });
  });
  afterAll(() => fixture.close());

  test.each(shown.map((one) => [one.path.split('/').at(-1) ?? '', one] as const))('%s', async (_kind, one) => {
    const { path, object, status, cells, name = 'a' } = one;
    const namespace = (await fixture.fresh()).split('/')[4];
    const place = path.replace('NS', namespace);
    const own = name.split(' ')[0];
    const now = new Date(clock.now()).toISOString().replace('.000', '');
    const { metadata = {} } = object as { metadata?: object };
    const send = (method: string, to: string, body: object, type: string) => fixture.client.send(method, to, JSON.stringify(body), type);
    const made = await send('POST', place, { ...object, metadata: { ...metadata, name: own } }, 'application/json');
    expect([made.status, made.json.message]).toEqual([201, undefined]);
    if (status !== undefined) {
      const patched = await send('PATCH', `${place}/${own}/status`, { status: status(now) }, merge);
      expect([patched.status, patched.json.message]).toEqual([200, undefined]);
    }
    clock.advance(300_000);
    const { json } = await fixture.get(`${place}/${own}`, {}, table);
    expect(json.rows).toHaveLength(1);
    expect(json.rows[0].cells).toEqual([name, ...cells.map((cell) => (cell === created ? now : cell))]);
  });
});
