import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WriteFixture, warningsOf } from '../../support/write-fixture.ts';

const namespaces = '/api/v1/namespaces';
const privileged = { containers: [{ name: 'c', image: 'i', securityContext: { privileged: true } }] };
const plain = { containers: [{ name: 'c', image: 'i' }] };
const privilegedText = 'privileged (container "c" must not set securityContext.privileged=true)';
const restrictedText =
  'allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container "c" must set securityContext.capabilities.drop=["ALL"]), runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true), seccompProfile (pod or container "c" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")';

const labelsOf = (labels: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(labels).map(([key, value]) => [`pod-security.kubernetes.io/${key}`, value]));

/** A server and the writes of the tests. */
class Suite {
  fixture!: WriteFixture;
  #count = 0;

  createNamespace(name: string, labels: Record<string, string>) {
    return this.fixture.create(namespaces, { metadata: { name, labels: labelsOf(labels) } });
  }

  async namespaceWith(labels: Record<string, string>): Promise<string> {
    const name = `ns-${this.#count++}`;
    expect((await this.createNamespace(name, labels)).status).toBe(201);
    return name;
  }

  createPod(namespace: string, spec: object, metadata: object = { name: 'p' }, headers?: Record<string, string>) {
    return this.fixture.create(`${namespaces}/${namespace}/pods`, { metadata, spec }, headers);
  }

  label(namespace: string, labels: Record<string, string>) {
    return this.fixture.patch('merge', `${namespaces}/${namespace}`, { metadata: { labels: labelsOf(labels) } });
  }
}

describe.each([
  ['on the event loop', {}],
  ['on worker threads', { workerThreshold: 0 }],
])('%s', (_where, options) => {
  const suite = new Suite();

  beforeAll(async () => {
    suite.fixture = await WriteFixture.open(options);
  });
  afterAll(() => suite.fixture.close());

  test('pods of a namespace without labels are not checked', async () => {
    const response = await suite.createPod(await suite.namespaceWith({}), privileged);
    expect([response.status, warningsOf(response)]).toEqual([201, []]);
  });

  test('a pod that violates what is enforced is refused', async () => {
    const namespace = await suite.namespaceWith({ enforce: 'restricted' });
    const { status, json } = await suite.createPod(namespace, plain);
    expect(status).toBe(403);
    expect(json).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: `pods "p" is forbidden: violates PodSecurity "restricted:latest": ${restrictedText}`,
      reason: 'Forbidden',
      details: { name: 'p', kind: 'pods' },
      code: 403,
    });
  });

  test('a version is that of its time', async () => {
    const probe = { livenessProbe: { httpGet: { port: 80, host: 'x' } } };
    const pod = { containers: [{ name: 'c', image: 'i', ...probe }] };
    const old = await suite.namespaceWith({ enforce: 'baseline', 'enforce-version': 'v1.33' });
    expect((await suite.createPod(old, pod)).status).toBe(201);
    const future = await suite.namespaceWith({ enforce: 'baseline', 'enforce-version': 'v1.99' });
    expect((await suite.createPod(future, pod)).json.message).toBe(
      'pods "p" is forbidden: violates PodSecurity "baseline:v1.99": probe or lifecycle host (container "c" uses probe or lifecycle host "x")',
    );
  });

  test('workloads are warned of what is enforced, and not refused', async () => {
    const namespace = await suite.namespaceWith({ enforce: 'baseline' });
    const template = { metadata: { labels: { a: 'b' } }, spec: privileged };
    const job = { template: { spec: { ...privileged, restartPolicy: 'Never' } } };
    const selector = { matchLabels: { a: 'b' } };
    for (const [path, object] of [
      ['/api/v1/{}/podtemplates', { template }],
      ['/api/v1/{}/replicationcontrollers', { spec: { template } }],
      ...['deployments', 'daemonsets', 'replicasets', 'statefulsets'].map(
        (kind) => [`/apis/apps/v1/{}/${kind}`, { spec: { selector, template } }] as const,
      ),
      ['/apis/batch/v1/{}/jobs', { spec: job }],
      ['/apis/batch/v1/{}/cronjobs', { spec: { schedule: '* * * * *', jobTemplate: { spec: job } } }],
    ] as const) {
      const metadata = { name: 'w' };
      const at = path.replace('{}', `namespaces/${namespace}`);
      const response = await suite.fixture.create(at, { metadata, ...object });
      expect([path, response.status, warningsOf(response)]).toEqual([
        path,
        201,
        [`would violate PodSecurity "baseline:latest": ${privilegedText}`],
      ]);
    }
  });

  test('a pod that violates only what is warned of is created with a warning', async () => {
    const namespace = await suite.namespaceWith({ enforce: 'baseline', warn: 'restricted', 'warn-version': 'v1.0' });
    const response = await suite.createPod(namespace, plain);
    expect([response.status, warningsOf(response)]).toEqual([
      201,
      [
        'would violate PodSecurity "restricted:v1.0": runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true)',
      ],
    ]);
  });

  test('updates are checked if they change images or add containers', async () => {
    const namespace = await suite.namespaceWith({});
    const path = `${namespaces}/${namespace}/pods/p`;
    await suite.createPod(namespace, privileged);
    await suite.label(namespace, { enforce: 'baseline' });
    const refused = `pods "p" is forbidden: violates PodSecurity "baseline:latest": ${privilegedText}`;
    expect((await suite.fixture.patch('merge', path, { metadata: { labels: { a: 'b' } } })).status).toBe(200);
    const image = { spec: { containers: [{ name: 'c', image: 'other' }] } };
    expect((await suite.fixture.patch('strategic', path, image)).json.message).toBe(refused);
    const debug = { spec: { ephemeralContainers: [{ name: 'd', image: 'i' }] } };
    expect((await suite.fixture.patch('strategic', `${path}/ephemeralcontainers`, debug)).json.message).toBe(refused);
    expect((await suite.fixture.patch('merge', `${path}/status`, { status: { message: 'm' } })).status).toBe(200);
  });

  test('invalid labels are refused when a namespace gets them', async () => {
    const message = (name: string): string =>
      `Namespace "${name}" is invalid: metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "strict": must be one of privileged, baseline, restricted`;
    const created = await suite.createNamespace('strict', { enforce: 'strict' });
    expect([created.status, created.json.reason, created.json.message]).toEqual([422, 'Invalid', message('strict')]);
    const namespace = await suite.namespaceWith({});
    const updated = await suite.label(namespace, { enforce: 'strict' });
    expect([updated.status, updated.json.message]).toEqual([422, message(namespace)]);
  });

  test('a stricter policy warns of the pods that are there', async () => {
    const namespace = await suite.namespaceWith({});
    const owner = await suite.fixture.create(`${namespaces}/${namespace}/configmaps`, { metadata: { name: 'r' } });
    const { uid } = owner.json.metadata;
    const owners = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'r', uid, controller: true }];
    for (const name of ['b', 'a']) await suite.createPod(namespace, privileged, { name });
    for (const name of ['y', 'x', 'z']) await suite.createPod(namespace, plain, { name, ownerReferences: owners });
    await suite.createPod(namespace, { ...plain, hostNetwork: true }, { name: 'h' });
    expect(warningsOf(await suite.label(namespace, { warn: 'baseline' }))).toEqual([]);
    expect(warningsOf(await suite.label(namespace, { enforce: 'baseline' }))).toEqual([
      `existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "baseline:latest"`,
      'a (and 1 other pod): privileged',
      'h: host namespaces',
    ]);
    const restricted = 'allowPrivilegeEscalation != false, unrestricted capabilities, runAsNonRoot != true, seccompProfile';
    expect(warningsOf(await suite.label(namespace, { enforce: 'restricted', 'enforce-version': 'v1.24' }))).toEqual([
      `existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "restricted:v1.24"`,
      `a (and 1 other pod): privileged, ${restricted}`,
      `h: host namespaces, ${restricted}`,
      `x (and 2 other pods): ${restricted}`,
    ]);
    expect(warningsOf(await suite.label(namespace, { enforce: 'privileged' }))).toEqual([]);
  });

  test('metrics count evaluations', async () => {
    const text = (await suite.fixture.get('/metrics')).body.toString();
    const lines = text.split('\n').filter((line) => line.startsWith('pod_security_'));
    const counted = 'resource="pod",subresource="ephemeralcontainers"} 1';
    expect(lines).toContain(
      `pod_security_evaluations_total{decision="deny",mode="enforce",policy_level="baseline",policy_version="latest",request_operation="update",${counted}`,
    );
    expect(lines.join('\n')).toMatch(/policy_version="future",request_operation="create",resource="pod"/);
    expect(lines.join('\n')).toMatch(/mode="warn",.*resource="controller",subresource=""\} \d/);
  });
});

describe('a configuration', () => {
  const suite = new Suite();
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pod-security-'));
    const admissionControlConfigFile = join(folder, 'admission.yaml');
    await writeFile(
      admissionControlConfigFile,
      `apiVersion: apiserver.config.k8s.io/v1
kind: AdmissionConfiguration
plugins:
- name: PodSecurity
  configuration:
    apiVersion: pod-security.admission.config.k8s.io/v1
    kind: PodSecurityConfiguration
    defaults: {enforce: baseline, enforce-version: v1.30}
    exemptions: {namespaces: [free], usernames: [jane], runtimeClasses: [sandbox]}
`,
    );
    const auditPolicyFile = join(folder, 'policy.yaml');
    await writeFile(auditPolicyFile, 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata}]\n');
    suite.fixture = await WriteFixture.open({
      admissionControlConfigFile,
      auditPolicyFile,
      auditLogPath: join(folder, 'audit.log'),
    });
    await suite.fixture.create('/apis/node.k8s.io/v1/runtimeclasses', { metadata: { name: 'sandbox' }, handler: 'h' });
    const masters = { kind: 'User', name: 'jane', apiGroup: 'rbac.authorization.k8s.io' };
    const role = { kind: 'ClusterRole', name: 'cluster-admin', apiGroup: 'rbac.authorization.k8s.io' };
    const bindings = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
    await suite.fixture.create(bindings, { metadata: { name: 'jane' }, subjects: [masters], roleRef: role });
  });
  afterAll(async () => {
    await suite.fixture.close();
    await rm(folder, { recursive: true });
  });

  test('has the policy of namespaces without labels, and exemptions, all of which are audited', async () => {
    const namespace = await suite.namespaceWith({});
    const refused = await suite.createPod(namespace, privileged, { name: 'refused' });
    expect(refused.json.message).toBe(`pods "refused" is forbidden: violates PodSecurity "baseline:v1.30": ${privilegedText}`);
    const labels = { enforce: 'restricted', audit: 'baseline' };
    const exempt = await suite.createNamespace('free', labels);
    expect([exempt.status, warningsOf(exempt)]).toEqual([
      201,
      ['namespace "free" is exempt from Pod Security, and the policy (enforce=restricted:v1.30, audit=baseline:latest) will be ignored'],
    ]);
    const audited = await suite.namespaceWith({ enforce: 'privileged', audit: 'baseline' });
    const created = [
      await suite.createPod('free', privileged, { name: 'namespace' }),
      await suite.createPod(namespace, privileged, { name: 'user' }, { 'impersonate-user': 'jane' }),
      await suite.createPod(namespace, { ...privileged, runtimeClassName: 'sandbox' }, { name: 'runtimeClass' }),
      await suite.createPod(audited, privileged, { name: 'audited' }),
      await suite.createPod(audited, plain, { name: 'allowed' }),
    ];
    expect(created.map(({ status }) => status)).toEqual([201, 201, 422, 201, 201]);
    expect(await annotationsOf(join(folder, 'audit.log'))).toMatchObject({
      refused: { 'enforce-policy': 'baseline:v1.30' },
      namespace: { exempt: 'namespace' },
      user: { exempt: 'user' },
      audited: {
        'enforce-policy': 'privileged:v1.30',
        'audit-violations': `would violate PodSecurity "baseline:latest": ${privilegedText}`,
      },
      allowed: { 'enforce-policy': 'privileged:v1.30' },
    });
  });
});

/** Returns the audit annotations of pod creations by the pod's name, without their prefix. */
async function annotationsOf(file: string): Promise<Record<string, Record<string, string>>> {
  const prefix = 'pod-security.kubernetes.io/';
  const events = (await readFile(file, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const creations = events.filter(
    ({ verb, stage, objectRef }) => verb === 'create' && stage === 'ResponseComplete' && objectRef?.resource === 'pods',
  );
  return Object.fromEntries(
    creations.map(({ objectRef, annotations }) => [
      objectRef.name,
      Object.fromEntries(
        Object.entries<string>(annotations)
          .filter(([key]) => key.startsWith(prefix))
          .map(([key, value]) => [key.slice(prefix.length), value]),
      ),
    ]),
  );
}
