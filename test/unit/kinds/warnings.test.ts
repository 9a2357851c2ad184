import { describe, expect, test } from '@jest/globals';
import { warningsForNewFinalizers } from '../../../runtime/extensions/crd/serving/strategy.ts';
import { builtinWarnings } from '../../../runtime/kinds/strategies.ts';
import type { TestObject, TestValue } from '../../support/test-object.ts';

const rulesOf = (key: string) => {
  const { warningsOnCreate, warningsOnUpdate, warningsOnStatusUpdate } = builtinWarnings[key];
  const complete = (object: TestValue): TestObject => ({ metadata: { name: 'x' }, ...object });
  return {
    create: (object: TestValue) => warningsOnCreate?.(complete(object)) ?? [],
    update: (object: TestValue, old: TestValue) => warningsOnUpdate?.(complete(object), complete(old)) ?? [],
    status: (object: TestValue) => warningsOnStatusUpdate?.(complete(object)) ?? [],
  };
};

const future = 'will be considered invalid in a future Kubernetes release: use';
const annotated = (key: string): TestValue => ({ name: 'x', annotations: { [key]: 'value' } });

describe('warnings of creations and updates', () => {
  test.each<[string, TestValue, string[]]>([
    [
      '/services',
      { metadata: annotated('service.kubernetes.io/topology-aware-hints'), spec: { type: 'ClusterIP' } },
      ['annotation service.kubernetes.io/topology-aware-hints is deprecated, please use service.kubernetes.io/topology-mode instead'],
    ],
    [
      '/services',
      {
        spec: {
          type: 'ClusterIP',
          clusterIP: 'None',
          clusterIPs: ['None'],
          sessionAffinity: 'ClientIP',
          loadBalancerIP: '10.0.0.1',
          externalIPs: ['10.0.0.1'],
          externalName: 'x',
          trafficDistribution: 'PreferClose',
        },
      },
      [
        'spec.loadBalancerIP is ignored for headless services',
        'spec.externalIPs is ignored for headless services',
        'spec.SessionAffinity is ignored for headless services',
        'spec.externalName is ignored when spec.type is not "ExternalName"',
        'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"',
      ],
    ],
    [
      '/services',
      {
        spec: {
          type: 'LoadBalancer',
          clusterIP: '2001:db8:0::1',
          clusterIPs: ['2001:db8:0::1'],
          externalIPs: ['010.0.0.1'],
          loadBalancerIP: '::ffff:1.2.3.4',
          loadBalancerSourceRanges: ['10.0.0.1/8'],
        },
      },
      [
        'spec.clusterIPs[0]: IPv6 address "2001:db8:0::1" should be in RFC 5952 canonical format ("2001:db8::1")',
        `spec.externalIPs[0]: non-standard IP address "010.0.0.1" ${future} "10.0.0.1"`,
        `spec.loadBalancerIP: non-standard IP address "::ffff:1.2.3.4" ${future} "1.2.3.4"`,
        'spec.loadBalancerSourceRanges[0]: CIDR value "10.0.0.1/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.0.0.1/32"?)',
      ],
    ],
    [
      '/services',
      { spec: { type: 'ExternalName', externalName: 'x', externalIPs: ['10.0.0.1'] } },
      ['spec.externalIPs is ignored when spec.type is "ExternalName"'],
    ],
    [
      '/endpoints',
      { subsets: [{ addresses: [{ ip: '1.2.3.4' }], notReadyAddresses: [{ ip: '01.2.3.4' }] }] },
      [`subsets[0].notReadyAddresses[0].ip: non-standard IP address "01.2.3.4" ${future} "1.2.3.4"`],
    ],
    [
      'networking.k8s.io/networkpolicies',
      {
        spec: {
          ingress: [{ from: [{}, { ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.1/16'] } }] }],
          egress: [{ to: [{ ipBlock: { cidr: '2001:DB8::/32' } }] }],
        },
      },
      [
        'spec.ingress[0].from[1].ipBlock.except[0]: CIDR value "10.1.0.1/16" is ambiguous in this context (should be "10.1.0.0/16" or "10.1.0.1/32"?)',
        'spec.egress[0].to[0].ipBlock.cidr: IPv6 CIDR value "2001:DB8::/32" should be in RFC 5952 canonical format ("2001:db8::/32")',
      ],
    ],
    [
      '/nodes',
      { spec: { configSource: {}, externalID: 'x', podCIDRs: ['10.0.0.8/24'] } },
      [
        'spec.configSource: the feature is removed',
        'spec.externalID: this field is deprecated, and is unused by Kubernetes',
        'spec.podCIDRs[0]: CIDR value "10.0.0.8/24" is ambiguous in this context (should be "10.0.0.0/24" or "10.0.0.8/32"?)',
      ],
    ],
    [
      '/persistentvolumeclaims',
      {
        metadata: annotated('volume.beta.kubernetes.io/storage-class'),
        spec: { resources: { requests: { storage: '1.5' }, limits: { storage: '2Gi' } } },
      },
      [
        'metadata.annotations[volume.beta.kubernetes.io/storage-class]: deprecated since v1.8; use "storageClassName" attribute instead',
        'spec.resources.requests[storage]: fractional byte value "1500m" is invalid, must be an integer',
      ],
    ],
    [
      '/persistentvolumes',
      {
        metadata: annotated('volume.beta.kubernetes.io/mount-options'),
        spec: {
          persistentVolumeReclaimPolicy: 'Recycle',
          nodeAffinity: {
            required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'beta.kubernetes.io/os' }] }] },
          },
          cephfs: {},
          storageos: {},
        },
      },
      [
        'metadata.annotations[volume.beta.kubernetes.io/mount-options]: deprecated since v1.31; use "mountOptions" attribute instead',
        'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
        'spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].key: beta.kubernetes.io/os is deprecated since v1.14; use "kubernetes.io/os" instead',
        'spec.cephfs: deprecated in v1.28, non-functional in v1.31+',
        'spec.storageOS: deprecated in v1.22, non-functional in v1.25+',
      ],
    ],
    [
      'storage.k8s.io/storageclasses',
      { allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone' }, { key: 'beta.kubernetes.io/os' }] }] },
      ['allowedTopologies[0].matchLabelExpressions[1].key: deprecated since v1.14; use "kubernetes.io/os" instead'],
    ],
    [
      'storage.k8s.io/csistoragecapacities',
      {
        nodeTopology: {
          matchExpressions: [{ key: 'beta.kubernetes.io/arch' }],
          matchLabels: { 'beta.kubernetes.io/os': 'linux' },
        },
      },
      [
        'nodeTopology.matchExpressions[0].key: beta.kubernetes.io/arch is deprecated since v1.14; use "kubernetes.io/arch" instead',
        'nodeTopology.matchLabels.beta.kubernetes.io/os: deprecated since v1.14; use "kubernetes.io/os" instead',
      ],
    ],
    [
      'resource.k8s.io/resourceslices',
      { spec: { driver: 'Gpu.example.com' } },
      ['spec.driver: driver names should be lowercase; "Gpu.example.com" contains uppercase characters'],
    ],
    [
      'node.k8s.io/runtimeclasses',
      { scheduling: { nodeSelector: { a: 'b', 'beta.kubernetes.io/os': 'linux' } } },
      ['scheduling.nodeSelector: deprecated since v1.14; use "kubernetes.io/os" instead'],
    ],
  ])('%s %#', (kind, object, expected) => {
    const { create, update } = rulesOf(kind);
    expect(create(object)).toEqual(expected);
    expect(update(object, {})).toEqual(expected);
  });
});

describe('warnings of some writes only', () => {
  test('an ingress by annotation, on creation', () => {
    const { create, update } = rulesOf('networking.k8s.io/ingresses');
    const object = { metadata: annotated('kubernetes.io/ingress.class'), spec: {} };
    expect(create(object)).toEqual([
      'annotation "kubernetes.io/ingress.class" is deprecated, please use \'spec.ingressClassName\' instead',
    ]);
    expect(update(object, object)).toEqual([]);
    expect(create({ ...object, spec: { ingressClassName: 'x' } })).toEqual([]);
  });

  test('endpoints by their name, on creation; by addresses always, except for those of controllers', () => {
    const { create, update } = rulesOf('discovery.k8s.io/endpointslices');
    expect(create({ addressType: 'FQDN', endpoints: [{ addresses: ['example.com'] }] })).toEqual([
      'spec.addressType: FQDN endpoints are deprecated',
    ]);
    const slice = { addressType: 'IPv4', endpoints: [{ addresses: ['1.1.1.1', '01.1.1.1'] }] };
    const expected = [`endpoints[0].addresses[1]: non-standard IP address "01.1.1.1" ${future} "1.1.1.1"`];
    expect(create(slice)).toEqual(expected);
    expect(update(slice, slice)).toEqual(expected);
    const labels = { 'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io' };
    expect(create({ ...slice, metadata: { labels } })).toEqual([]);
  });

  test('a service account by annotation, when it is added', () => {
    const { create, update } = rulesOf('/serviceaccounts');
    const key = 'kubernetes.io/enforce-mountable-secrets';
    const object = { metadata: annotated(key) };
    const expected = [
      `metadata.annotations[${key}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
    ];
    expect(create(object)).toEqual(expected);
    expect(update(object, {})).toEqual(expected);
    expect(update(object, object)).toEqual([]);
  });

  test('a quota that allows more requests than limits', () => {
    const { create } = rulesOf('/resourcequotas');
    const hard = {
      cpu: '2',
      'limits.cpu': '1',
      memory: '9Gi',
      'requests.memory': '3Gi',
      'limits.memory': '2048Mi',
      'requests.storage': '1Gi',
      'limits.storage': '1Gi',
      'ephemeral-storage': '3Gi',
      'limits.ephemeral-storage': '2Gi',
    };
    expect(create({ spec: { hard } })).toEqual([
      'ResourceQuota cpu (2) should be less than limits.cpu (1)',
      'ResourceQuota requests.memory (3Gi) should be less than limits.memory (2Gi)',
    ]);
  });

  test.each(['/services', 'networking.k8s.io/ingresses'])('addresses of load balancers in a status of %s', (kind) => {
    const status = { loadBalancer: { ingress: [{ hostname: 'x' }, { ip: '01.1.1.1' }] } };
    expect(rulesOf(kind).status({ status })).toEqual([
      `status.loadBalancer.ingress[1]: non-standard IP address "01.1.1.1" ${future} "1.1.1.1"`,
    ]);
  });
});

describe('workloads', () => {
  const bad = { spec: { nodeSelector: { 'beta.kubernetes.io/os': 'linux' } } };
  const fine = { spec: {} };
  const why = 'deprecated since v1.14; use "kubernetes.io/os" instead';
  const at = (path: string): string[] => [`${path}.spec.nodeSelector[beta.kubernetes.io/os]: ${why}`];

  test.each<[string, (template: TestValue) => TestValue, string]>([
    ['apps/deployments', (template) => ({ spec: { template } }), 'spec.template'],
    ['apps/replicasets', (template) => ({ spec: { template } }), 'spec.template'],
    ['apps/statefulsets', (template) => ({ spec: { template } }), 'spec.template'],
    ['batch/jobs', (template) => ({ spec: { template } }), 'spec.template'],
    ['batch/cronjobs', (template) => ({ spec: { jobTemplate: { spec: { template } } } }), 'spec.jobTemplate.spec.template'],
    ['/podtemplates', (template) => ({ template }), 'template'],
  ])('%s warn of their template when it changes', (kind, objectOf, path) => {
    const { create, update, status } = rulesOf(kind);
    const generation = (count: number): TestValue => ({ metadata: { name: 'x', generation: count } });
    expect(create(objectOf(bad))).toEqual(at(path));
    const old = { ...objectOf(fine), ...generation(1) };
    expect(update({ ...objectOf(bad), ...generation(2) }, old)).toEqual(at(path));
    expect(update({ ...objectOf(bad), ...generation(1) }, old)).toEqual([]);
    expect(status(objectOf(bad))).toEqual([]);
  });

  test('daemon sets compare the generation of the template', () => {
    const { create, update } = rulesOf('apps/daemonsets');
    const object = (count: string, template: TestValue): TestValue => ({
      metadata: { name: 'x.y', annotations: { 'deprecated.daemonset.template.generation': count } },
      spec: { template },
    });
    expect(create(object('1', bad))).toEqual(at('spec.template'));
    expect(update(object('2', bad), object('1', fine))).toEqual(at('spec.template'));
    expect(update(object('1', bad), object('1', bad))).toEqual([]);
  });

  test('replication controllers warn of the replaced template', () => {
    const { update } = rulesOf('/replicationcontrollers');
    const object = (generation: number, template: TestValue): TestValue => ({
      metadata: { name: 'x', generation },
      spec: { template },
    });
    expect(update(object(2, fine), object(1, bad))).toEqual(at('spec.template'));
    expect(update(object(2, bad), object(1, fine))).toEqual([]);
  });

  test('stateful sets warn of their claims and history, too', () => {
    const { create, update } = rulesOf('apps/statefulsets');
    const claim = { spec: { resources: { requests: { storage: '1m' } } } };
    const object = { spec: { volumeClaimTemplates: [claim], revisionHistoryLimit: -1 } };
    const amount = 'fractional byte value "1m" is invalid, must be an integer';
    const history = 'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended';
    expect(create(object)).toEqual([`spec.volumeClaimTemplates[0].resources.requests[storage]: ${amount}`, history]);
    expect(update(object, object)).toEqual([`spec.volumeClaimTemplates[0].Spec.resources.requests[storage]: ${amount}`, history]);
  });

  test('indexed jobs that are too large, and time zones in schedules', () => {
    const jobs = rulesOf('batch/jobs');
    const size = { completionMode: 'Indexed', completions: 100_001, parallelism: 10_001 };
    expect(jobs.create({ spec: size })).toEqual([expect.stringMatching(/^spec: In Indexed Jobs with a number/)]);
    expect(jobs.create({ spec: { ...size, parallelism: 10_000 } })).toEqual([]);
    const zoned = { spec: { schedule: 'TZ=UTC 0 * * * *' } };
    expect(rulesOf('batch/cronjobs').update(zoned, zoned)).toEqual([
      'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details',
    ]);
  });
});

describe('finalizers added to custom resources', () => {
  const object = (...finalizers: string[]): TestObject => ({ metadata: { finalizers } });
  const advice = 'to avoid accidental conflicts with other finalizer writers';

  test.each<[string[], string[], string[]]>([
    [['example.com/it', 'foregroundDeletion', 'orphan'], [], []],
    [['it'], [], [`metadata.finalizers: "it": prefer a domain-qualified finalizer name ${advice}`]],
    [
      ['it.example.com'],
      [],
      [`metadata.finalizers: "it.example.com": prefer a domain-qualified finalizer name including a path (/) ${advice}`],
    ],
    [['it'], ['it'], []],
  ])('%j after %j', (now, before, expected) => {
    expect(warningsForNewFinalizers(object(...now), object(...before))).toEqual(expected);
  });
});
