import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type RunningServer, startServer } from '../../../runtime/index.ts';
import { HttpClient } from '../../support/http-client.ts';
import { TestServer } from '../../support/test-server.ts';
import { podOf, QuotaNamespace, withoutOwnObjects } from './quota-fixture.ts';

const claimOf = (name: string, storage: string, spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } }, ...spec },
});
const configMapOf = (name: string, data = {}) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });

describe('the admission plugin ResourceQuota', () => {
  const suite = TestServer.forSuite({ runtimeConfig: ['api/all=true'], controllers: withoutOwnObjects });
  let namespace: QuotaNamespace;
  beforeEach(async () => {
    namespace = await QuotaNamespace.create(suite);
  });

  test('names all resources that are exceeded, sorted', async () => {
    await namespace.quota('small', { pods: '1', 'requests.cpu': '1', 'limits.memory': '1Gi' });
    const resources = { requests: { cpu: '1500m' }, limits: { memory: '2Gi' } };
    expect(await namespace.refusal('pods', podOf('p', resources))).toBe(
      'pods "p" is forbidden: exceeded quota: small, requested: limits.memory=2Gi,requests.cpu=1500m, used: limits.memory=0,requests.cpu=0, limited: limits.memory=1Gi,requests.cpu=1',
    );
  });

  test('requires amounts of cpu and memory where a quota bounds them, of each container', async () => {
    await namespace.quota('compute', { 'limits.cpu': '4', memory: '1Gi', 'requests.ephemeral-storage': '1Gi' });
    const container = { image: 'i', resources: { limits: { cpu: '1' } } };
    const pod = podOf(
      'p',
      {},
      {
        initContainers: [{ ...container, name: 'b', resources: {} }],
        containers: [
          { ...container, name: 'c' },
          { ...container, name: 'a' },
        ],
      },
    );
    expect(await namespace.refusal('pods', pod)).toBe(
      'pods "p" is forbidden: failed quota: compute: must specify limits.cpu for: b; memory for: a,b,c',
    );
    const stated = podOf('stated', {}, { resources: { limits: { cpu: '1', memory: '1Gi' } } });
    await namespace.created('pods', stated);
    await namespace.uses('compute', { 'limits.cpu': '1', memory: '1Gi' });
  });

  test('counts what containers need at once, and the overhead', async () => {
    await namespace.quota('compute', { 'requests.cpu': '10', 'limits.cpu': '10', 'requests.memory': '10Gi' });
    const needs = (cpu: string) => ({ image: 'i', resources: { requests: { cpu, memory: '1Gi' }, limits: { cpu } } });
    const initContainers = [
      { name: 'sidecar', restartPolicy: 'Always', ...needs('1') },
      { name: 'setup', ...needs('5') },
    ];
    await namespace.created('pods', podOf('p', {}, { initContainers, containers: [{ name: 'main', ...needs('2') }] }));
    await namespace.uses('compute', { 'requests.cpu': '6', 'limits.cpu': '6', 'requests.memory': '2Gi' });
  });

  test('counts huge pages and extended resources', async () => {
    const amounts = { cpu: '1', 'hugepages-2Mi': '4Mi', 'example.com/gpu': '2' };
    await namespace.quota('exotic', {
      'hugepages-2Mi': '8Mi',
      'requests.hugepages-2Mi': '8Mi',
      'requests.example.com/gpu': '3',
    });
    await namespace.created('pods', podOf('p', { requests: amounts, limits: amounts }));
    await namespace.uses('exotic', {
      'hugepages-2Mi': '4Mi',
      'requests.hugepages-2Mi': '4Mi',
      'requests.example.com/gpu': '2',
    });
  });

  test('counts pods that have ended as objects only', async () => {
    await namespace.quota('pods', { pods: '1', 'count/pods': '3', 'requests.cpu': '1' });
    await namespace.created('pods', podOf('p', { requests: { cpu: '1' } }));
    await namespace.uses('pods', { pods: '1', 'count/pods': '1', 'requests.cpu': '1' });
    await namespace.patch('pods', 'p/status', { status: { phase: 'Succeeded' } });
    await namespace.uses('pods', { pods: '0', 'count/pods': '1', 'requests.cpu': '0' });
  });

  test('counts a resize of a pod, and what is still allocated to it', async () => {
    await namespace.quota('cpu', { 'requests.cpu': '3' });
    await namespace.created('pods', podOf('p', { requests: { cpu: '1' } }));
    const resize = (cpu: string) =>
      namespace.send(
        'PATCH',
        namespace.path('pods', 'p/resize'),
        { spec: { containers: [{ name: 'pause', resources: { requests: { cpu } } }] } },
        'application/strategic-merge-patch+json',
      );
    expect((await resize('4')).json.message).toBe(
      'pods "p" is forbidden: exceeded quota: cpu, requested: requests.cpu=3, used: requests.cpu=1, limited: requests.cpu=3',
    );
    expect((await resize('2')).status).toBe(200);
    await namespace.uses('cpu', { 'requests.cpu': '2' });
    const status = { name: 'pause', allocatedResources: { cpu: '2' }, resources: { requests: { cpu: '2' } } };
    await namespace.patch('pods', 'p/status', { status: { containerStatuses: [status] } });
    expect((await resize('1')).status).toBe(200);
    await namespace.uses('cpu', { 'requests.cpu': '2' });
  });

  test('moves a pod that gets a deadline to the quota of terminating pods', async () => {
    await namespace.quota('short', { pods: '1' }, { scopes: ['Terminating'] });
    await namespace.quota('long', { pods: '2' }, { scopes: ['NotTerminating'] });
    for (const name of ['a', 'b']) await namespace.created('pods', podOf(name));
    const limited = { spec: { activeDeadlineSeconds: 60 } };
    expect((await namespace.patch('pods', 'a', limited)).status).toBe(200);
    await namespace.uses('short', { pods: '1' });
    await namespace.uses('long', { pods: '1' });
    expect((await namespace.patch('pods', 'b', limited)).json.message).toBe(
      'pods "b" is forbidden: exceeded quota: short, requested: pods=1, used: pods=1, limited: pods=1',
    );
  });

  test.each([
    { operator: 'In', values: ['high'], counted: ['high'] },
    { operator: 'NotIn', values: ['high'], counted: ['low', 'none'] },
    { operator: 'Exists', values: undefined, counted: ['high', 'low'] },
    { operator: 'DoesNotExist', values: undefined, counted: ['none'] },
  ])('selects pods by their priority class: $operator', async ({ operator, values, counted }) => {
    for (const [index, name] of ['high', 'low'].entries()) {
      const object = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, value: index };
      await namespace.send('POST', '/apis/scheduling.k8s.io/v1/priorityclasses', object);
    }
    const requirement = { scopeName: 'PriorityClass', operator, ...(values && { values }) };
    await namespace.quota('selected', { pods: '5' }, { scopeSelector: { matchExpressions: [requirement] } });
    for (const name of ['high', 'low', 'none']) {
      await namespace.created('pods', podOf(name, {}, name === 'none' ? {} : { priorityClassName: name }));
    }
    await namespace.uses('selected', { pods: String(counted.length) });
  });

  test('selects pods by their affinity to pods in other namespaces', async () => {
    await namespace.quota('cross', { pods: '0' }, { scopes: ['CrossNamespacePodAffinity'] });
    const term = { topologyKey: 'zone', labelSelector: {}, namespaceSelector: {} };
    const spread = {
      podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: term }] },
    };
    expect(await namespace.refusal('pods', podOf('p', {}, { affinity: spread }))).toContain('exceeded quota: cross');
    const { namespaceSelector: _, ...own } = term;
    await namespace.created(
      'pods',
      podOf('q', {}, { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [own] } } }),
    );
  });

  test('counts claims of storage, of each class, and what they grow by', async () => {
    const gold = 'gold.storageclass.storage.k8s.io/';
    await namespace.quota('storage', {
      persistentvolumeclaims: '5',
      'requests.storage': '10Gi',
      'count/persistentvolumeclaims': '5',
      [`${gold}persistentvolumeclaims`]: '1',
      [`${gold}requests.storage`]: '4Gi',
    });
    const claims = 'persistentvolumeclaims';
    await namespace.created(claims, claimOf('plain', '3Gi'));
    expect(await namespace.refusal(claims, claimOf('big', '5Gi', { storageClassName: 'gold' }))).toBe(
      `persistentvolumeclaims "big" is forbidden: exceeded quota: storage, requested: ${gold}requests.storage=5Gi, used: ${gold}requests.storage=0, limited: ${gold}requests.storage=4Gi`,
    );
    await namespace.created(claims, claimOf('fine', '4Gi', { storageClassName: 'gold' }));
    expect(await namespace.refusal(claims, claimOf('next', '1Gi', { storageClassName: 'gold' }))).toContain(
      `requested: ${gold}persistentvolumeclaims=1,${gold}requests.storage=1Gi`,
    );
    await namespace.uses('storage', {
      persistentvolumeclaims: '2',
      'requests.storage': '7Gi',
      'count/persistentvolumeclaims': '2',
      [`${gold}persistentvolumeclaims`]: '1',
      [`${gold}requests.storage`]: '4Gi',
    });
    // allocated amounts count, but a status is never refused
    await namespace.patch(claims, 'plain/status', { status: { allocatedResources: { storage: '8Gi' } } });
    await namespace.uses('storage', { 'requests.storage': '12Gi' });
  });

  test('selects claims by their volume attributes class', async () => {
    await namespace.quota(
      'fast',
      { persistentvolumeclaims: '1' },
      {
        scopeSelector: { matchExpressions: [{ scopeName: 'VolumeAttributesClass', operator: 'In', values: ['fast'] }] },
      },
    );
    const claims = 'persistentvolumeclaims';
    await namespace.created(claims, claimOf('plain', '1Gi'));
    await namespace.created(claims, claimOf('a', '1Gi', { volumeAttributesClassName: 'fast' }));
    expect(await namespace.refusal(claims, claimOf('b', '1Gi', { volumeAttributesClassName: 'fast' }))).toContain(
      'exceeded quota: fast, requested: persistentvolumeclaims=1, used: persistentvolumeclaims=1, limited: persistentvolumeclaims=1',
    );
  });

  test.each(['v1', 'v1beta1'])('counts the devices that claims ask for, in %s', async (version) => {
    const devices = (name: string) => `${name}.deviceclass.resource.k8s.io/devices`;
    await namespace.quota('devices', {
      [devices('gpu')]: '40',
      [devices('fpga')]: '3',
      'count/resourceclaims.resource.k8s.io': '2',
    });
    const exactly = (name: string, deviceClassName: string, more: object = {}) =>
      version === 'v1' ? { name, exactly: { deviceClassName, ...more } } : { name, deviceClassName, ...more };
    const claim = {
      apiVersion: `resource.k8s.io/${version}`,
      kind: 'ResourceClaim',
      metadata: { name: 'c' },
      spec: {
        devices: {
          requests: [
            exactly('one', 'gpu', { count: 2 }),
            exactly('all', 'gpu', { allocationMode: 'All' }),
            {
              name: 'either',
              firstAvailable: [
                { name: 'a', deviceClassName: 'fpga', count: 2 },
                { name: 'b', deviceClassName: 'fpga' },
                { name: 'd', deviceClassName: 'gpu' },
              ],
            },
          ],
        },
      },
    };
    await namespace.created(`resource.k8s.io/${version}/resourceclaims`, claim);
    await namespace.uses('devices', {
      [devices('gpu')]: '35',
      [devices('fpga')]: '2',
      'count/resourceclaims.resource.k8s.io': '1',
    });
  });

  test('counts custom objects, also of a kind that is defined after the quota', async () => {
    await namespace.quota('custom', { 'count/wheels.example.com': '1' });
    expect((await namespace.status('custom')).used).toBeUndefined();
    const names = { plural: 'wheels', singular: 'wheel', kind: 'Wheel' };
    const schema = { openAPIV3Schema: { type: 'object' } };
    await namespace.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'wheels.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names,
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    });
    await namespace.uses('custom', { 'count/wheels.example.com': '0' });
    const wheel = (name: string) => ({ apiVersion: 'example.com/v1', kind: 'Wheel', metadata: { name } });
    await namespace.created('example.com/v1/wheels', wheel('front'));
    expect(await namespace.refusal('example.com/v1/wheels', wheel('back'))).toBe(
      'wheels.example.com "back" is forbidden: exceeded quota: custom, requested: count/wheels.example.com=1, used: count/wheels.example.com=1, limited: count/wheels.example.com=1',
    );
    await namespace.remove('example.com/v1/wheels', 'front');
    await namespace.created('example.com/v1/wheels', wheel('back'));
  });

  test('refuses in a dry run, which reserves nothing', async () => {
    await namespace.quota('one', { configmaps: '1' });
    for (const name of ['a', 'b']) {
      expect((await namespace.create('configmaps', configMapOf(name), '?dryRun=All')).status).toBe(201);
    }
    await namespace.created('configmaps', configMapOf('c'));
    expect((await namespace.create('configmaps', configMapOf('d'), '?dryRun=All')).status).toBe(403);
    await namespace.uses('one', { configmaps: '1' });
  });

  test('gives back what a write has reserved in vain', async () => {
    await namespace.quota('two', { configmaps: '2' });
    await namespace.created('configmaps', configMapOf('a'));
    expect((await namespace.create('configmaps', configMapOf('a'))).status).toBe(409);
    await namespace.uses('two', { configmaps: '1' });
    await namespace.created('configmaps', configMapOf('b'));
  });

  test('checks each quota, and counts for none if one has no room', async () => {
    await namespace.quota('wide', { 'count/configmaps': '5' });
    await namespace.quota('wider', { configmaps: '0' });
    expect(await namespace.refusal('configmaps', configMapOf('a'))).toBe(
      'configmaps "a" is forbidden: exceeded quota: wider, requested: configmaps=1, used: configmaps=0, limited: configmaps=0',
    );
    await namespace.uses('wide', { 'count/configmaps': '0' });
  });

  test('bounds writes as soon as a quota exists, although its status is written later', async () => {
    await namespace.created('configmaps', configMapOf('a'));
    const quota = {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'q' },
      spec: { hard: { configmaps: '2' } },
    };
    await namespace.created('resourcequotas', quota);
    const codes = await Promise.all(['b', 'c', 'd'].map(async (name) => (await namespace.create('configmaps', configMapOf(name))).status));
    expect(codes.sort()).toEqual([201, 403, 403]);
  });

  test('counts large objects, which worker threads write', async () => {
    await namespace.quota('two', { configmaps: '2' });
    const data = { large: 'x'.repeat(200 * 1024) };
    const write = async (name: string) => (await namespace.create('configmaps', configMapOf(name, data))).status;
    expect((await Promise.all(['a', 'b', 'c', 'd'].map(write))).sort()).toEqual([201, 201, 403, 403]);
    await namespace.uses('two', { configmaps: '2' });
    for (const query of ['', '?dryRun=All']) {
      expect((await namespace.create('configmaps', configMapOf('e', data), query)).json.message).toBe(
        'configmaps "e" is forbidden: exceeded quota: two, requested: configmaps=1, used: configmaps=2, limited: configmaps=2',
      );
    }
    const { items } = (await namespace.send('GET', namespace.path('configmaps'))).json;
    await namespace.remove('configmaps', items[0].metadata.name);
    // the server finds the duplicate name only after the quota's reservation
    expect(await write(items[1].metadata.name)).toBe(409);
    await namespace.uses('two', { configmaps: '1' });
    expect(await write('f')).toBe(201);
  });

  test('bounds at most 1,000 resources', async () => {
    const hard = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`count/kind${index}`, '1']));
    const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'all' }, spec: { hard } };
    const { status, json } = await namespace.create('resourcequotas', quota);
    expect([status, json.message]).toEqual([
      422,
      'ResourceQuota "all" is invalid: spec.hard: Too many: 1001: must have at most 1000 items',
    ]);
  });

  test('is written by the server when it admits, and by the controller when it has counted', async () => {
    await namespace.quota('q', { configmaps: '2' });
    await namespace.created('configmaps', configMapOf('a'));
    const { metadata } = (await namespace.send('GET', namespace.path('resourcequotas', 'q'))).json;
    const managers = metadata.managedFields.filter(({ subresource }: { subresource?: string }) => subresource === 'status');
    expect(managers.map(({ manager }: { manager: string }) => manager).sort()).toEqual(['kube-apiserver', 'kube-controller-manager']);
  });
});

describe('without the quota controller', () => {
  const suite = TestServer.forSuite({ controllers: ['-resourcequota-controller', ...withoutOwnObjects] });
  let namespace: QuotaNamespace;
  const put = (name: string, status: object) => namespace.patch('resourcequotas', `${name}/status`, { status });
  beforeEach(async () => {
    namespace = await QuotaNamespace.create(suite);
    const quota = {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'q' },
      spec: { hard: { configmaps: '2' } },
    };
    await namespace.created('resourcequotas', quota);
  });

  test('a quota without a status bounds nothing, and one without usage refuses everything', async () => {
    await namespace.created('configmaps', configMapOf('a'));
    await put('q', { hard: { configmaps: '2' } });
    expect(await namespace.refusal('configmaps', configMapOf('b'))).toBe(
      'configmaps "b" is forbidden: status unknown for quota: q, resources: configmaps',
    );
    await namespace.created('services', {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 's' },
      spec: { ports: [{ port: 1 }] },
    });
  });

  test('the status says what is used: it grows with what is stored, and nothing else is given back', async () => {
    await put('q', { hard: { configmaps: '2' }, used: { configmaps: '0' } });
    const codes = await Promise.all(
      ['a', 'a', 'b', 'c', 'd'].map(async (name) => (await namespace.create('configmaps', configMapOf(name))).status),
    );
    expect(codes.filter((code) => code === 201).length).toBeGreaterThan(0);
    await namespace.create('configmaps', configMapOf('e'));
    await namespace.create('configmaps', configMapOf('f'));
    await namespace.uses('q', { configmaps: '2' });
    const [{ metadata }] = (await namespace.send('GET', namespace.path('configmaps'))).json.items;
    await namespace.remove('configmaps', metadata.name);
    expect(await namespace.refusal('configmaps', configMapOf('g'))).toContain('used: configmaps=2, limited: configmaps=2');
  });
});

describe('the configuration of ResourceQuota', () => {
  let folder: string;
  let server: RunningServer;
  let http: HttpClient;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quota-'));
    const scope = { scopeName: 'PriorityClass', operator: 'In', values: ['critical'] };
    const configuration = {
      apiVersion: 'apiserver.config.k8s.io/v1',
      kind: 'ResourceQuotaConfiguration',
      limitedResources: [
        { resource: 'persistentvolumeclaims', matchContains: ['.storageclass.storage.k8s.io/requests.storage'] },
        { resource: 'pods', matchScopes: [scope] },
      ],
    };
    const file = join(folder, 'admission.yaml');
    const plugins = [{ name: 'ResourceQuota', configuration }];
    await writeFile(file, JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AdmissionConfiguration', plugins }));
    server = await startServer({ admissionControlConfigFile: file });
    http = HttpClient.for(server);
  });
  afterAll(async () => {
    http?.close();
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const post = (path: string, object: object) => http.send('POST', path, JSON.stringify(object), 'application/json');

  test('limits resources that no quota bounds, and scopes that no quota has', async () => {
    const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
    const claim = claimOf('c', '1Gi', { storageClassName: 'gold' });
    expect((await post(claims, claim)).json.message).toBe(
      'persistentvolumeclaims "c" is forbidden: insufficient quota to consume: gold.storageclass.storage.k8s.io/requests.storage',
    );
    expect((await post(claims, claimOf('plain', '1Gi'))).status).toBe(201);
    await post('/apis/scheduling.k8s.io/v1/priorityclasses', {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'critical' },
      value: 1000,
    });
    const pods = '/api/v1/namespaces/default/pods';
    const pod = podOf('p', {}, { priorityClassName: 'critical' });
    const refused = await post(pods, pod);
    expect([refused.status, refused.json.message]).toEqual([
      500,
      'insufficient quota to match these scopes: [{PriorityClass In [critical]}]',
    ]);
    const scopeSelector = { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['critical'] }] };
    await post('/api/v1/namespaces/default/resourcequotas', {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'critical' },
      spec: { hard: { pods: '1' }, scopeSelector },
    });
    expect((await post(pods, pod)).status).toBe(201);
    expect((await post(pods, podOf('q'))).status).toBe(201);
  });
});
