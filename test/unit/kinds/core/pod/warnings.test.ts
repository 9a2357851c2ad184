import { describe, expect, test } from '@jest/globals';
import { builtinWarnings } from '../../../../../runtime/kinds/strategies.ts';
import type { TestObject, TestValue } from '../../../../support/test-object.ts';

const ofPod = (spec: TestValue, annotations?: Record<string, string>, name = 'web'): readonly string[] =>
  builtinWarnings['/pods'].warningsOnCreate?.({ metadata: { name, annotations }, spec } as TestObject) ?? [];

const ofTemplate = (template: TestValue): readonly string[] =>
  builtinWarnings['apps/deployments'].warningsOnCreate?.({
    metadata: { name: 'web' },
    spec: { template },
  } as TestObject) ?? [];

const containers = (...all: TestValue[]): TestValue => ({
  containers: all.map((one, index) => ({ name: `c${index}`, ...one })),
});

describe('a valid pod', () => {
  test('gets no warnings', () => {
    const resources = { requests: { cpu: '100m', memory: '4M' }, limits: { memory: '0.5Ki' } };
    const spec = {
      nodeSelector: { foo: 'bar' },
      volumes: [
        { name: 'a', emptyDir: {} },
        { name: 'b', projected: { sources: [{ secret: { name: 's' } }] } },
      ],
      hostAliases: [{ ip: '1.1.1.1' }, { ip: '2.2.2.2' }],
      imagePullSecrets: [{ name: 'one' }, { name: 'two' }],
      ...containers(
        {
          resources,
          env: [
            { name: 'a', value: 'x' },
            { name: 'a', value: '$(a)y' },
          ],
        },
        { resources },
      ),
    };
    expect(ofPod(spec, { foo: 'bar' })).toEqual([]);
  });
});

describe('names', () => {
  const advice = 'which can result in surprising behavior; a DNS label is recommended';

  test('are warned of if they are not valid host names', () => {
    expect(ofPod({}, undefined, 'a.b')).toEqual([`metadata.name: this is used in the Pod's hostname, ${advice}: [must not contain dots]`]);
    const made = builtinWarnings['batch/jobs'].warningsOnCreate?.({
      metadata: { name: `a.${'b'.repeat(63)}` },
      spec: {},
    } as TestObject);
    expect(made).toEqual([
      `metadata.name: this is used in Pod names and hostnames, ${advice}: [must be no more than 63 characters must not contain dots]`,
    ]);
  });
});

describe('selectors of nodes and pods', () => {
  test.each([
    [
      { nodeSelector: { 'beta.kubernetes.io/os': 'linux', 'node-role.kubernetes.io/master': '' } },
      [
        'spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead',
        'spec.nodeSelector[node-role.kubernetes.io/master]: use "node-role.kubernetes.io/control-plane" instead',
      ],
    ],
    [
      {
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: 'beta.kubernetes.io/arch', values: ['-1'] }] }],
            },
            preferredDuringSchedulingIgnoredDuringExecution: [{ preference: { matchExpressions: [{ key: 'foo', values: ['ok', '-1'] }] } }],
          },
        },
      },
      [
        'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].key: beta.kubernetes.io/arch is deprecated since v1.14; use "kubernetes.io/arch" instead',
        "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchExpressions[0].values[1]: -1 is invalid, a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
      ],
    ],
    [
      {
        topologySpreadConstraints: [{ topologyKey: 'failure-domain.beta.kubernetes.io/zone', labelSelector: {} }, { topologyKey: 'zone' }],
      },
      [
        'spec.topologySpreadConstraints[0].topologyKey: failure-domain.beta.kubernetes.io/zone is deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
        'spec.topologySpreadConstraints[1].labelSelector: a null labelSelector results in matching no pod',
      ],
    ],
    [
      {
        affinity: {
          podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: {} }, {}] },
          podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ podAffinityTerm: {} }] },
        },
      },
      [
        'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[1].labelSelector: a null labelSelector results in matching no pod',
        'spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.labelSelector: a null labelSelector results in matching no pod',
      ],
    ],
  ])('%#', (spec, expected) => {
    expect(ofPod(spec)).toEqual(expected);
  });
});

describe('annotations in place of fields', () => {
  const seccomp = 'non-functional in v1.27+; use the "seccompProfile" field instead';
  const pod = 'seccomp.security.alpha.kubernetes.io/pod';
  const container = 'container.seccomp.security.alpha.kubernetes.io/c0';
  const appArmor = 'container.apparmor.security.beta.kubernetes.io/c0';

  test('of pods', () => {
    const critical = 'scheduler.alpha.kubernetes.io/critical-pod';
    expect(ofPod(containers({}), { [critical]: '', [pod]: '', [container]: '', [appArmor]: 'unconfined' })).toEqual([
      `metadata.annotations[${critical}]: non-functional in v1.16+; use the "priorityClassName" field instead`,
      `metadata.annotations[${pod}]: ${seccomp}`,
      `metadata.annotations[${container}]: ${seccomp}`,
    ]);
    const profile = { seccompProfile: { type: 'RuntimeDefault' } };
    const spec = { securityContext: profile, ...containers({ securityContext: profile }) };
    expect(ofPod(spec, { [pod]: '', [container]: '' })).toEqual([]);
  });

  test('of templates, AppArmor too', () => {
    const metadata = { annotations: { [appArmor]: 'unconfined' } };
    expect(ofTemplate({ metadata, spec: containers({}) })).toEqual([
      `spec.template.metadata.annotations[${appArmor}]: deprecated since v1.30; use the "appArmorProfile" field instead`,
    ]);
    const securityContext = { appArmorProfile: { type: 'Unconfined' } };
    expect(ofTemplate({ metadata, spec: { ...containers({}), securityContext } })).toEqual([]);
    expect(ofTemplate({ metadata, spec: containers({ securityContext }) })).toEqual([]);
  });
});

describe('volumes', () => {
  const items = (...paths: string[]): TestValue[] => paths.map((path) => ({ key: 'k', path }));
  const projected = (...sources: TestValue[]): TestValue => ({ name: 'foo', projected: { sources } });
  const token = (path: string): TestValue => ({ serviceAccountToken: { path } });

  test.each([
    [{ name: 'v', gitRepo: {} }, 'spec.volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+'],
    [{ name: 'v', storageos: {} }, 'spec.volumes[0].storageOS: deprecated in v1.22, non-functional in v1.25+'],
    [{ name: 'v', rbd: {} }, 'spec.volumes[0].rbd: deprecated in v1.28, non-functional in v1.31+'],
    [
      {
        name: 'v',
        ephemeral: { volumeClaimTemplate: { spec: { resources: { requests: { storage: '200m' } } } } },
      },
      'spec.volumes[0].ephemeral.volumeClaimTemplate.spec.resources.requests[storage]: fractional byte value "200m" is invalid, must be an integer',
    ],
    [
      { name: 'Test', configMap: { name: 'foo', items: items('test', 'test/app') } },
      'volume "Test" (ConfigMap "foo"): overlapping paths: "test/app" with "test"',
    ],
    [
      { name: 'Test', secret: { secretName: 'foo', items: items('test', 'test/') } },
      'volume "Test" (Secret "foo"): overlapping paths: "test" with "test"',
    ],
    [{ name: 'Test', downwardAPI: { items: items('a/b', 'a') } }, 'volume "Test" (DownwardAPI): overlapping paths: "a" with "a/b"'],
    [projected({}), 'volume "foo" (Projected) has no sources provided'],
    [
      projected({ configMap: { name: 'Test', items: items('test') } }, token('test/file')),
      'volume "foo" (Projected): overlapping paths: "test/file" (ServiceAccountToken) with "test" (ConfigMap "Test")',
    ],
    [
      projected({ clusterTrustBundle: { signerName: 'Test', path: 'test' } }, token('test')),
      'volume "foo" (Projected): overlapping paths: "test" (ServiceAccountToken) with "test" (ClusterTrustBundle "Test")',
    ],
    [
      projected(token('a'), { podCertificate: { keyPath: 'a', credentialBundlePath: 'b' } }),
      'volume "foo" (Projected): overlapping paths: "a" (PodCertificate key) with "a" (ServiceAccountToken)',
    ],
  ])('%#', (volume, expected) => {
    expect(ofPod({ volumes: [volume] })).toEqual([expected]);
  });

  test('names with a common prefix do not overlap', () => {
    expect(ofPod({ volumes: [{ name: 'v', configMap: { items: items('dir/path3', 'dir/path345') } }] })).toEqual([]);
  });

  test('every pair of many sources is reported', () => {
    const sources = [{ downwardAPI: { items: items('a') } }, { secret: { name: 's', items: items('a') } }, token('a')];
    expect(ofPod({ volumes: [projected(...sources)] })).toEqual([
      'volume "foo" (Projected): overlapping paths: "a" (Secret "s") with "a" (DownwardAPI)',
      'volume "foo" (Projected): overlapping paths: "a" (ServiceAccountToken) with "a" (DownwardAPI)',
      'volume "foo" (Projected): overlapping paths: "a" (ServiceAccountToken) with "a" (Secret "s")',
    ]);
  });
});

describe('lists', () => {
  test.each([
    [{ hostAliases: [{ ip: '1.1.1.1' }, { ip: '1.1.1.1' }] }, ['spec.hostAliases[1].ip: duplicate ip "1.1.1.1"']],
    [
      { imagePullSecrets: [{ name: 'a' }, { name: 'a' }, {}] },
      ['spec.imagePullSecrets[1].name: duplicate name "a"', 'spec.imagePullSecrets[2].name: invalid empty name ""'],
    ],
    [
      { dnsConfig: { nameservers: ['1.2.3.4', '05.06.07.08'] }, hostAliases: [{ ip: '::ffff:1.2.3.4' }] },
      [
        'spec.dnsConfig.nameservers[1]: non-standard IP address "05.06.07.08" will be considered invalid in a future Kubernetes release: use "5.6.7.8"',
        'spec.hostAliases[0].ip: non-standard IP address "::ffff:1.2.3.4" will be considered invalid in a future Kubernetes release: use "1.2.3.4"',
      ],
    ],
    [
      { terminationGracePeriodSeconds: -1 },
      ['spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1'],
    ],
  ])('%#', (spec, expected) => {
    expect(ofPod(spec)).toEqual(expected);
  });
});

describe('resources and environment variables of containers', () => {
  test('fractional bytes are reported', () => {
    const resources = { requests: { cpu: '100m', memory: '4m' }, limits: { memory: '0.5', 'ephemeral-storage': '1u' } };
    const invalid = 'is invalid, must be an integer';
    expect(ofPod({ overhead: { memory: '1.5' }, initContainers: [{ name: 'i', resources }] })).toEqual([
      `spec.overhead[memory]: fractional byte value "1500m" ${invalid}`,
      `spec.initContainers[0].resources.limits[memory]: fractional byte value "500m" ${invalid}`,
      `spec.initContainers[0].resources.requests[memory]: fractional byte value "4m" ${invalid}`,
      `spec.initContainers[0].resources.limits[ephemeral-storage]: fractional byte value "1u" ${invalid}`,
    ]);
  });

  test('duplicate environment variables are reported', () => {
    const env = ['a', 'other', '', '$(a)', undefined, '$(a) $(a)'].map((value) => ({
      name: 'a',
      ...(value === undefined ? { valueFrom: {} } : { value }),
    }));
    expect(ofPod(containers({ env }))).toEqual(
      [1, 2, 3, 4].map(
        (index) => `spec.containers[0].env[${index}]: hides previous definition of "a", which may be dropped when using apply`,
      ),
    );
  });
});

describe('ports', () => {
  const port = (more: TestValue = {}): TestValue => ({ containerPort: 80, protocol: 'TCP', ...more });
  const first = 'spec.containers[0].ports[0]';
  const second = 'spec.containers[0].ports[1]';

  test.each([
    [[port(), port({ protocol: 'UDP' }), port({ containerPort: 81 })], []],
    [[port({ hostPort: 80 }), port({ hostPort: 81 })], []],
    [[port({ hostPort: 80, hostIP: '10.0.0.1' }), port({ hostPort: 80, hostIP: '10.0.0.2' })], []],
    [[port(), port()], [`${second}: duplicate port definition with ${first}`]],
    [[port({ hostPort: 80 }), port()], [`${second}: overlapping port definition with ${first}`]],
    [
      [port({ hostPort: 80 }), port({ hostPort: 80, hostIP: '10.0.0.1' })],
      [`${second}: dangerously ambiguous port definition with ${first}`],
    ],
    [
      [port({ hostIP: '10.0.0.1' })],
      [`${first}: hostIP set without hostPort: {Name: HostPort:0 ContainerPort:80 Protocol:TCP HostIP:10.0.0.1}`],
    ],
    [
      [port({ name: 'web' }), port({ containerPort: 81, name: 'web' })],
      [`${second}: duplicate port name "web" with ${first}, services and probes that select ports by name will use ${first}`],
    ],
  ])('%#', (ports, expected) => {
    expect(ofPod(containers({ ports }))).toEqual(expected);
  });

  test('are compared within containers and init containers', () => {
    const spec = { initContainers: [{ name: 'i', ports: [port()] }], ...containers({ ports: [port()] }) };
    expect(ofPod(spec)).toEqual([`${first}: duplicate port definition with spec.initContainers[0].ports[0]`]);
  });
});

test('of a pod status: addresses only; of its updates: none', () => {
  const pod = { metadata: {}, spec: {}, status: { podIPs: [{ ip: '010.0.0.1' }], hostIPs: [{ ip: '10.0.0.1' }] } };
  const { warningsOnUpdate, warningsOnStatusUpdate } = builtinWarnings['/pods'];
  expect(warningsOnUpdate).toBeUndefined();
  expect(warningsOnStatusUpdate?.(pod)).toEqual([
    'status.podIPs[0].ip: non-standard IP address "010.0.0.1" will be considered invalid in a future Kubernetes release: use "10.0.0.1"',
  ]);
});
