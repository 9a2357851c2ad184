import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AdmissionConfigurationFolder } from '../../support/admission-configuration.ts';
import { WriteFixture } from '../../support/write-fixture.ts';

const namespaces = '/api/v1/namespaces';

let fixture: WriteFixture;
let folder: AdmissionConfigurationFolder;
let count = 0;

const toleration = (key: string) => ({ key, operator: 'Exists', effect: 'NoSchedule' });

beforeAll(async () => {
  folder = await AdmissionConfigurationFolder.create({
    PodNodeSelector: {
      podNodeSelectorPluginConfig: { clusterDefaultNodeSelector: 'pool=usual', strict: 'pool=usual,disk=fast' },
    },
    PodTolerationRestriction: {
      apiVersion: 'podtolerationrestriction.admission.k8s.io/v1alpha1',
      kind: 'Configuration',
      default: [toleration('cluster')],
      whitelist: [toleration('cluster'), toleration('example.com/gpu'), { key: '', operator: 'Exists', effect: 'NoExecute' }],
    },
  });
  fixture = await WriteFixture.open({
    admissionControlConfigFile: folder.file,
    enableAdmissionPlugins: [
      'AlwaysPullImages',
      'DenyServiceExternalIPs',
      'ExtendedResourceToleration',
      'LimitPodHardAntiAffinityTopology',
      'PodNodeSelector',
      'PodTolerationRestriction',
    ],
    defaultNotReadyTolerationSeconds: 7,
    defaultUnreachableTolerationSeconds: 9,
  });
});
afterAll(async () => {
  await fixture.close();
  await folder.remove();
});

const createNamespace = (name: string, annotations: Record<string, string>) =>
  fixture.create(namespaces, { metadata: { name, annotations } });
const createPod = (spec: object = {}, namespace = 'default') =>
  fixture.create(`${namespaces}/${namespace}/pods`, {
    metadata: { name: `p-${count++}` },
    spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
  });
const refusal = ({ json }: { json: { details: { name: string } } }, why: string): string =>
  `pods "${json.details.name}" is forbidden: ${why}`;

test('AlwaysPullImages changes the policy of all images', async () => {
  const container = { image: 'i', imagePullPolicy: 'Never' };
  const { json } = await createPod({
    initContainers: [{ name: 'a', ...container }],
    containers: [{ name: 'b', ...container }],
    volumes: [{ name: 'v', image: { reference: 'r', pullPolicy: 'Never' } }],
  });
  const { initContainers, containers, volumes } = json.spec;
  expect([...initContainers, ...containers].map(({ imagePullPolicy }) => imagePullPolicy)).toEqual(['Always', 'Always']);
  expect(volumes[0].image.pullPolicy).toBe('Always');
});

describe('LimitPodHardAntiAffinityTopology', () => {
  const antiAffinity = (topologyKey: string, kind = 'requiredDuringSchedulingIgnoredDuringExecution') => {
    const term = { labelSelector: {}, topologyKey };
    const terms = kind.startsWith('preferred') ? [{ weight: 1, podAffinityTerm: term }] : [term];
    return { affinity: { podAntiAffinity: { [kind]: terms } } };
  };

  test('allows pods to be kept apart by node, or if possible by anything', async () => {
    const preferred = antiAffinity('zone', 'preferredDuringSchedulingIgnoredDuringExecution');
    for (const spec of [antiAffinity('kubernetes.io/hostname'), preferred]) {
      expect((await createPod(spec)).status).toBe(201);
    }
  });

  test('refuses others', async () => {
    const response = await createPod(antiAffinity('zone'));
    const why = 'affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey zone but only key kubernetes.io/hostname is allowed';
    expect([response.status, response.json.message]).toEqual([403, refusal(response, why)]);
  });
});

test('DenyServiceExternalIPs lets a service keep its external IPs, but get no others', async () => {
  const services = `${namespaces}/default/services`;
  const service = (name: string, externalIPs: string[]) => ({
    metadata: { name },
    spec: { ports: [{ port: 1 }], externalIPs },
  });
  const message = (name: string): string => `services "${name}" is forbidden: Use of external IPs is denied by admission control`;
  const refused = await fixture.create(services, service('a', ['1.2.3.4']));
  expect([refused.status, refused.json.message]).toEqual([403, message('a')]);
  expect((await fixture.create(services, service('b', []))).status).toBe(201);
  const changed = await fixture.patch('merge', `${services}/b`, { spec: { externalIPs: ['1.2.3.4'] } });
  expect([changed.status, changed.json.message]).toEqual([403, message('b')]);
});

describe('PodNodeSelector', () => {
  beforeAll(async () => {
    await createNamespace('annotated', { 'scheduler.alpha.kubernetes.io/node-selector': 'pool=own, zone=a' });
    await createNamespace('broken', { 'scheduler.alpha.kubernetes.io/node-selector': 'pool' });
    await createNamespace('strict', {});
  });

  test('adds the selector of the namespace, or else the default one', async () => {
    const nodeSelector = { disk: 'slow' };
    expect((await createPod({ nodeSelector })).json.spec.nodeSelector).toEqual({ pool: 'usual', disk: 'slow' });
    const annotated = await createPod({}, 'annotated');
    expect(annotated.json.spec.nodeSelector).toEqual({ pool: 'own', zone: 'a' });
  });

  test.each([
    ['annotated', { pool: 'other' }, 'pod node label selector conflicts with its namespace node label selector'],
    ['strict', { gpu: 'yes' }, 'pod node label selector labels conflict with its namespace whitelist'],
  ])('refuses a pod in %s with %j', async (namespace, nodeSelector, why) => {
    const response = await createPod({ nodeSelector }, namespace);
    expect([response.status, response.json.message]).toEqual([403, refusal(response, why)]);
  });

  test('says what is wrong with an annotation', async () => {
    const { status, json } = await createPod({}, 'broken');
    expect([status, json.message]).toEqual([500, 'invalid selector: [pool]']);
  });
});

describe('tolerations', () => {
  const failing = [
    { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 7 },
    { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 9 },
  ];
  const annotation = (name: string, value: unknown) => ({
    [`scheduler.alpha.kubernetes.io/${name}`]: typeof value === 'string' ? value : JSON.stringify(value),
  });

  beforeAll(async () => {
    await createNamespace('tolerant', {
      ...annotation('defaultTolerations', [toleration('own')]),
      ...annotation('tolerationsWhitelist', ''),
    });
    await createNamespace('picky', annotation('tolerationsWhitelist', [toleration('cluster')]));
    await createNamespace('invalid', annotation('defaultTolerations', '{}'));
  });

  test('of extended resources, of the cluster and of failing nodes are added', async () => {
    const resources = { limits: { 'example.com/gpu': '1' } };
    const { json } = await createPod({ containers: [{ name: 'c', image: 'i', resources }] });
    expect(json.spec.tolerations).toEqual([...failing, toleration('cluster'), toleration('example.com/gpu')]);
  });

  test('are those of the namespace, if it has some', async () => {
    const { json } = await createPod({ tolerations: [toleration('mine')] }, 'tolerant');
    expect(json.spec.tolerations).toEqual([toleration('mine'), ...failing, toleration('own')]);
  });

  test.each([
    ['default', 'cluster'],
    ['picky', 'namespace'],
  ])('in %s are refused if the %s does not allow them', async (namespace, scope) => {
    const { status, json } = await createPod({ tolerations: [toleration('mine')] }, namespace);
    expect([status, json.message]).toEqual([
      500,
      `pod tolerations (possibly merged with namespace default tolerations) conflict with its ${scope} whitelist`,
    ]);
  });

  test('in an annotation that cannot be read are an error', async () => {
    const { status, json } = await createPod({}, 'invalid');
    expect([status, json.message]).toEqual([500, expect.stringContaining('cannot unmarshal object into Go value')]);
  });

  test('of pods that are not best effort include memory pressure', async () => {
    const resources = { requests: { memory: '1Mi' } };
    const pod = { containers: [{ name: 'c', image: 'i', resources }] };
    const { json } = await createPod(pod, 'tolerant');
    expect(json.spec.tolerations).toContainEqual(toleration('node.kubernetes.io/memory-pressure'));
  });
});

test.each([
  [
    'PodTolerationRestriction',
    { default: [{ operator: 'Equal' }] },
    'invalid config: [podtolerationrestriction.default[0].operator: Invalid value: "Equal"',
  ],
  ['PodNodeSelector', { podNodeSelectorPluginConfig: { a: 1 } }, 'podNodeSelectorPluginConfig.a must be a string'],
  ['EventRateLimit', { limits: [] }, 'limits: Invalid value: []: must not be empty'],
  [
    'EventRateLimit',
    { limits: [{ type: 'Pod', qps: 0, burst: -1, cacheSize: -1 }] },
    'limits[0].type: Unsupported value: "Pod": supported values: "Server", "Namespace", "User", "SourceAndObject"',
  ],
  ['ImagePolicyWebhook', { imagePolicy: { allowTTL: 3600 } }, 'valid value is between 1s and 30m0s, got 1h0m0s'],
])('a server does not start with %s configured as %j', async (plugin, configuration, message) => {
  const version = { apiVersion: `${plugin.toLowerCase()}.admission.k8s.io/v1alpha1`, kind: 'Configuration' };
  const wrong = await AdmissionConfigurationFolder.create({ [plugin]: { ...version, ...configuration } });
  const options = { enableAdmissionPlugins: [plugin], admissionControlConfigFile: wrong.file };
  await expect(WriteFixture.open(options)).rejects.toThrow(message);
  await wrong.remove();
});
