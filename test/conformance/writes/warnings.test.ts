import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { describeKubectl, Kubectl } from '../../support/kubectl.ts';
import { WriteFixture, warningsOf } from '../../support/write-fixture.ts';

// biome-ignore lint/suspicious/noExplicitAny: objects of all kinds
type Body = any;

const core = '/api/v1/namespaces/default';
const apps = '/apis/apps/v1/namespaces/default';
const batch = '/apis/batch/v1/namespaces/default';
const networking = '/apis/networking.k8s.io/v1/namespaces/default';
const future = 'will be considered invalid in a future Kubernetes release: use';
const oldLabel = 'beta.kubernetes.io/os';
const newLabel = 'deprecated since v1.14; use "kubernetes.io/os" instead';
const dotted = 'which can result in surprising behavior; a DNS label is recommended: [must not contain dots]';

const container = { name: 'c', image: 'i' };
const podSpec = { nodeSelector: { [oldLabel]: 'linux' }, containers: [container] };
const template = (spec: Body = podSpec): Body => ({ metadata: { labels: { a: 'b' } }, spec });
const workload = (name: string, more: Body = {}): Body => ({
  metadata: { name },
  spec: { selector: { matchLabels: { a: 'b' } }, template: template(), ...more },
});
const inTemplate = `spec.template.spec.nodeSelector[${oldLabel}]: ${newLabel}`;

describe.each(['memory', 'lmdb'] as const)('warnings to writers, stored in %s', (storage) => {
  let fixture: WriteFixture;

  beforeAll(async () => {
    fixture = await WriteFixture.open({ storage });
  });
  afterAll(() => fixture.close());

  test.each<[string, Body, string[]]>([
    [
      `${core}/pods`,
      {
        metadata: {
          name: 'one.two',
          annotations: { 'container.apparmor.security.beta.kubernetes.io/c': 'unconfined' },
        },
        spec: podSpec,
      },
      [
        'metadata.annotations[container.apparmor.security.beta.kubernetes.io/c]: deprecated since v1.30; use the "appArmorProfile" field instead',
        `metadata.name: this is used in the Pod's hostname, ${dotted}`,
        `spec.nodeSelector[${oldLabel}]: ${newLabel}`,
      ],
    ],
    [
      `${core}/services`,
      {
        metadata: { name: 'headless' },
        spec: { clusterIP: 'None', sessionAffinity: 'ClientIP', ports: [{ port: 80 }] },
      },
      ['spec.SessionAffinity is ignored for headless services'],
    ],
    [
      `${core}/secrets`,
      {
        metadata: { name: 'pair' },
        type: 'kubernetes.io/tls',
        data: { 'tls.crt': Buffer.from('none').toString('base64'), 'tls.key': '' },
      },
      ['tls: failed to find any PEM data in certificate input'],
    ],
    [
      `${core}/resourcequotas`,
      { metadata: { name: 'quota' }, spec: { hard: { 'requests.cpu': '2', 'limits.cpu': '1' } } },
      ['ResourceQuota requests.cpu (2) should be less than limits.cpu (1)'],
    ],
    [
      `${core}/persistentvolumeclaims`,
      {
        metadata: { name: 'claim' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
      [],
    ],
    [
      '/api/v1/persistentvolumes',
      {
        metadata: { name: 'volume', annotations: { 'volume.beta.kubernetes.io/storage-class': 'slow' } },
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          persistentVolumeReclaimPolicy: 'Recycle',
          nfs: { server: 's', path: '/p' },
        },
      },
      [
        'metadata.annotations[volume.beta.kubernetes.io/storage-class]: deprecated since v1.8; use "storageClassName" attribute instead',
        'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
      ],
    ],
    [
      `${core}/replicationcontrollers`,
      { metadata: { name: 'rc.old' }, spec: { selector: { a: 'b' }, template: template() } },
      [`metadata.name: this is used in Pod names and hostnames, ${dotted}`, inTemplate],
    ],
    [`${apps}/deployments`, workload('deployment'), [inTemplate]],
    [`${apps}/replicasets`, workload('replica-set'), [inTemplate]],
    [`${apps}/daemonsets`, workload('daemon-set'), [inTemplate]],
    [
      `${apps}/statefulsets`,
      workload('stateful-set', { serviceName: 's', revisionHistoryLimit: -1 }),
      [inTemplate, 'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended'],
    ],
    [`${batch}/jobs`, { metadata: { name: 'job' }, spec: { template: template({ ...podSpec, restartPolicy: 'Never' }) } }, [inTemplate]],
    [
      `${batch}/cronjobs`,
      {
        metadata: { name: 'cron-job' },
        spec: {
          schedule: '0 * * * *',
          jobTemplate: { spec: { template: template({ ...podSpec, restartPolicy: 'Never' }) } },
        },
      },
      [`spec.jobTemplate.${inTemplate}`],
    ],
    [
      `${networking}/ingresses`,
      {
        metadata: { name: 'ingress', annotations: { 'kubernetes.io/ingress.class': 'nginx' } },
        spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } },
      },
      ['annotation "kubernetes.io/ingress.class" is deprecated, please use \'spec.ingressClassName\' instead'],
    ],
    [
      `${networking}/networkpolicies`,
      {
        metadata: { name: 'policy' },
        spec: { podSelector: {}, egress: [{ to: [{ ipBlock: { cidr: '10.0.0.1/8' } }] }] },
      },
      [
        'spec.egress[0].to[0].ipBlock.cidr: CIDR value "10.0.0.1/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.0.0.1/32"?)',
      ],
    ],
    [
      '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices',
      { metadata: { name: 'slice' }, addressType: 'FQDN', endpoints: [{ addresses: ['example.com'] }] },
      ['spec.addressType: FQDN endpoints are deprecated'],
    ],
    [
      '/apis/storage.k8s.io/v1/storageclasses',
      {
        metadata: { name: 'class' },
        provisioner: 'example.com/p',
        allowedTopologies: [{ matchLabelExpressions: [{ key: oldLabel, values: ['linux'] }] }],
      },
      [`allowedTopologies[0].matchLabelExpressions[0].key: ${newLabel}`],
    ],
    [
      '/apis/node.k8s.io/v1/runtimeclasses',
      { metadata: { name: 'runtime' }, handler: 'h', scheduling: { nodeSelector: { [oldLabel]: 'linux' } } },
      [`scheduling.nodeSelector: ${newLabel}`],
    ],
    [
      '/apis/resource.k8s.io/v1/resourceslices',
      {
        metadata: { name: 'devices' },
        spec: { driver: 'Gpu.example.com', nodeName: 'n', pool: { name: 'p', generation: 1, resourceSliceCount: 1 } },
      },
      ['spec.driver: driver names should be lowercase; "Gpu.example.com" contains uppercase characters'],
    ],
    [`${core}/configmaps`, { metadata: { name: 'one.two' } }, []],
  ])('%s: a creation warns, also in a dry run', async (path, object, expected) => {
    for (const query of ['?dryRun=All', '']) {
      const made = await fixture.create(`${path}${query}`, object);
      expect([made.status, warningsOf(made)]).toEqual([201, expected]);
    }
  });

  test('an AppArmor profile in an annotation becomes a field of the container', async () => {
    const name = 'app-armor';
    // the default namespace has a quota
    const pods = '/api/v1/namespaces/kube-public/pods';
    const key = 'container.apparmor.security.beta.kubernetes.io/c';
    const annotations = { [key]: 'localhost/profile' };
    const made = await fixture.create(pods, {
      metadata: { name, annotations },
      spec: { containers: [container] },
    });
    expect(warningsOf(made)).toHaveLength(1);
    const profile = { type: 'Localhost', localhostProfile: 'profile' };
    expect(made.json.spec.containers[0].securityContext).toEqual({ appArmorProfile: profile });
    const spec = { containers: [container], securityContext: { appArmorProfile: profile } };
    const same = await fixture.create(`${pods}?dryRun=All`, { metadata: { name: 'same', annotations }, spec });
    expect(warningsOf(same)).toEqual([]);
  });

  test('an update warns of the template only if it changes', async () => {
    const path = `${apps}/deployments/updated`;
    expect(warningsOf(await fixture.create(`${apps}/deployments`, workload('updated')))).toEqual([inTemplate]);
    const spec = { minReadySeconds: 1 };
    expect(warningsOf(await fixture.patch('merge', path, { spec }))).toEqual([inTemplate]);
    expect(warningsOf(await fixture.patch('merge', path, { spec }))).toEqual([]);
    expect(warningsOf(await fixture.patch('merge', path, { metadata: { labels: { x: 'y' } } }))).toEqual([]);
    expect(warningsOf(await fixture.patch('merge', `${path}/status`, { status: { replicas: 1 } }))).toEqual([]);
    const scaled = await fixture.patch('merge', `${path}/scale`, { spec: { replicas: 2 } });
    expect([scaled.json.kind, warningsOf(scaled)]).toEqual(['Scale', [inTemplate]]);
  });

  test('an apply warns if it creates or changes the object', async () => {
    const path = `${core}/services/applied`;
    const service = (externalName: string): Body => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'applied' },
      spec: { externalName, ports: [{ port: 80 }] },
    });
    const expected = ['spec.externalName is ignored when spec.type is not "ExternalName"'];
    const apply = (name: string) => fixture.patch('apply', `${path}?fieldManager=me`, service(name));
    expect(warningsOf(await apply('one.example.com'))).toEqual(expected);
    expect(warningsOf(await apply('two.example.com'))).toEqual(expected);
  });

  test('addresses in a status are checked when the status is written', async () => {
    const ingress = [{ ip: '010.0.0.1' }];
    await fixture.create(`${core}/services`, {
      metadata: { name: 'balanced' },
      spec: { type: 'LoadBalancer', ports: [{ port: 80 }] },
    });
    const written = await fixture.patch('merge', `${core}/services/balanced/status`, {
      status: { loadBalancer: { ingress } },
    });
    expect([written.status, warningsOf(written)]).toEqual([
      200,
      [`status.loadBalancer.ingress[0]: non-standard IP address "010.0.0.1" ${future} "10.0.0.1"`],
    ]);
    expect(warningsOf(await fixture.patch('merge', `${core}/services/balanced`, { metadata: { labels: { a: 'b' } } }))).toEqual([]);
  });

  test('a generated name is checked like any other', async () => {
    const made = await fixture.create(`${core}/pods`, {
      metadata: { generateName: 'one.two-' },
      spec: { containers: [container] },
    });
    expect(warningsOf(made)).toEqual([`metadata.name: this is used in the Pod's hostname, ${dotted}`]);
  });

  test('a rejected object has no warnings', async () => {
    const rejected = await fixture.create(`${apps}/deployments`, workload('refused', { replicas: -1 }));
    expect([rejected.status, warningsOf(rejected)]).toEqual([422, []]);
  });

  test('jobs are deleted with a warning, unless the options say what happens to their pods', async () => {
    const jobs = `${batch}/jobs`;
    const kept =
      'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning';
    const spec = { template: { spec: { ...podSpec, restartPolicy: 'Never' } } };
    expect((await fixture.create(jobs, { metadata: { name: 'deleted' }, spec })).status).toBe(201);
    const deleted = async (path: string) => {
      const response = await fixture.remove(path);
      return [response.status, warningsOf(response)];
    };
    expect(await deleted(`${jobs}/deleted?dryRun=All`)).toEqual([200, [kept]]);
    expect(await deleted(`${jobs}/deleted?dryRun=All&propagationPolicy=Orphan`)).toEqual([200, []]);
    expect(await deleted(`${jobs}/deleted?dryRun=All&orphanDependents=false`)).toEqual([200, []]);
    expect(await deleted(`${jobs}?dryRun=All`)).toEqual([200, [kept]]);
    expect(await deleted(`${jobs}?propagationPolicy=Background`)).toEqual([200, []]);
  });

  test('many concurrent writers each get a warning once', async () => {
    const path = `${apps}/deployments/contended`;
    await fixture.create(`${apps}/deployments`, workload('contended'));
    const writes = Array.from({ length: 8 }, (_none, index) => fixture.patch('merge', path, { spec: { minReadySeconds: index + 1 } }));
    for (const written of await Promise.all(writes)) {
      expect([written.status, warningsOf(written)]).toEqual([200, [inTemplate]]);
    }
  });

  test('field validation comes first, each text once', async () => {
    const made = await fixture.create(`${core}/services?dryRun=All`, {
      metadata: { name: 'both' },
      spec: { externalName: 'x', unknown: 1, ports: [{ port: 80 }] },
    });
    expect(warningsOf(made)).toEqual(['unknown field "spec.unknown"', 'spec.externalName is ignored when spec.type is not "ExternalName"']);
  });
});

describeKubectl('kubectl', () => {
  let fixture: WriteFixture;
  let kubectl: Kubectl;

  beforeAll(async () => {
    fixture = await WriteFixture.open();
    kubectl = await Kubectl.for(fixture.server.kubeconfig);
  });
  afterAll(async () => {
    await kubectl?.close();
    await fixture?.close();
  });

  test('prints each warning on its own line', async () => {
    const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', ...workload('printed') };
    const { code, stdout, stderr } = await kubectl.run(['apply', '-f', '-'], { stdin: JSON.stringify(deployment) });
    expect([code, stdout, stderr]).toEqual([0, 'deployment.apps/printed created\n', `Warning: ${inTemplate}\n`]);
  });
});
