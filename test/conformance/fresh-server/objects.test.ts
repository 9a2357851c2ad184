import { hostname } from 'node:os';
import { describe, expect, test } from '@jest/globals';
import { apiServerID } from '../../../runtime/controlplane/apiserver-identity/lease-controller.ts';
import { TestServer } from '../../support/test-server.ts';

const suite = TestServer.forSuite({
  advertiseAddress: '192.0.2.9',
  serviceClusterIpRange: '10.20.0.0/24,fd00:20::/112',
});
const get = async (path: string) => (await suite.http.get(path)).json;

describe('a fresh server has', () => {
  test('four namespaces', async () => {
    const { items } = await get('/api/v1/namespaces');
    const names = items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
    expect(names).toEqual(['default', 'kube-node-lease', 'kube-public', 'kube-system']);
  });

  test('the service kubernetes, on its own port, at the first address of the range', async () => {
    expect((await get('/api/v1/namespaces/default/services/kubernetes')).spec).toEqual({
      clusterIP: '10.20.0.1',
      clusterIPs: ['10.20.0.1'],
      internalTrafficPolicy: 'Cluster',
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: suite.server.port }],
      sessionAffinity: 'None',
      type: 'ClusterIP',
    });
  });

  test('Endpoints and EndpointSlices pointing to itself', async () => {
    const endpoints = await get('/api/v1/namespaces/default/endpoints/kubernetes');
    const port = { name: 'https', port: suite.server.port, protocol: 'TCP' };
    expect(endpoints.metadata.labels).toEqual({ 'endpointslice.kubernetes.io/skip-mirror': 'true' });
    expect(endpoints.subsets).toEqual([{ addresses: [{ ip: '192.0.2.9' }], ports: [port] }]);
    const slice = await get('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes');
    expect(slice.metadata.labels).toEqual({ 'kubernetes.io/service-name': 'kubernetes' });
    expect(slice).toMatchObject({
      addressType: 'IPv4',
      endpoints: [{ addresses: ['192.0.2.9'], conditions: { ready: true } }],
      ports: [port],
    });
  });

  test('the ServiceCIDR kubernetes, ready, and an IPAddress for its own service', async () => {
    const { metadata: own, spec, status } = await get('/apis/networking.k8s.io/v1/servicecidrs/kubernetes');
    expect(own.finalizers).toEqual(['networking.k8s.io/service-cidr-finalizer']);
    expect(spec).toEqual({ cidrs: ['10.20.0.0/24', 'fd00:20::/112'] });
    expect(status.conditions).toEqual([
      {
        type: 'Ready',
        status: 'True',
        reason: '',
        message: 'Kubernetes Service CIDR is ready',
        lastTransitionTime: expect.any(String),
      },
    ]);
    const { metadata, spec: address } = await get('/apis/networking.k8s.io/v1/ipaddresses/10.20.0.1');
    expect(metadata.labels).toEqual({
      'ipaddress.kubernetes.io/ip-family': 'IPv4',
      'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io',
    });
    expect(address).toEqual({ parentRef: { resource: 'services', namespace: 'default', name: 'kubernetes' } });
  });

  test('the two system priority classes', async () => {
    const { items } = await get('/apis/scheduling.k8s.io/v1/priorityclasses');
    expect(items).toMatchObject([
      { metadata: { name: 'system-cluster-critical' }, value: 2_000_000_000, preemptionPolicy: 'PreemptLowerPriority' },
      { metadata: { name: 'system-node-critical' }, value: 2_000_001_000, preemptionPolicy: 'PreemptLowerPriority' },
    ]);
  });

  test('a lease of its own', async () => {
    const name = apiServerID(hostname());
    const { metadata, spec } = await get(`/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/${name}`);
    expect(metadata.labels).toEqual({
      'apiserver.kubernetes.io/identity': 'kube-apiserver',
      'kubernetes.io/hostname': hostname(),
    });
    expect(spec).toEqual({
      holderIdentity: expect.stringMatching(new RegExp(`^${name}_[0-9a-f-]{36}$`)),
      leaseDurationSeconds: 3600,
      renewTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
    });
  });

  test('how it authenticates, for aggregated servers', async () => {
    const { data } = await get('/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication');
    expect(data).toEqual({ 'client-ca-file': suite.server.caCertificate });
  });

  test('a service account and the CA of the server in each namespace', async () => {
    const namespaces = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];
    const of = async (resource: string, name: string) => (await get(`/api/v1/${resource}?fieldSelector=metadata.name%3D${name}`)).items;
    const namespaceOf = ({ metadata }: { metadata: { namespace: string } }) => metadata.namespace;
    expect((await of('serviceaccounts', 'default')).map(namespaceOf)).toEqual(namespaces);
    const authorities = await of('configmaps', 'kube-root-ca.crt');
    expect(authorities.map(namespaceOf)).toEqual(namespaces);
    expect(authorities[0].data).toEqual({ 'ca.crt': suite.server.caCertificate });
  });

  test('component statuses', async () => {
    const { kind, metadata, items } = await get('/api/v1/componentstatuses');
    expect([kind, metadata]).toEqual(['ComponentStatusList', {}]);
    const store = { metadata: { name: 'etcd-0' }, conditions: [{ type: 'Healthy', status: 'True', message: 'ok' }] };
    const names = items.map((one: typeof store) => one.metadata.name);
    expect(names).toEqual(['controller-manager', 'etcd-0', 'scheduler']);
    expect(items[1]).toEqual(store);
    expect(await get('/api/v1/componentstatuses/etcd-0')).toEqual({
      kind: 'ComponentStatus',
      apiVersion: 'v1',
      ...store,
    });
    expect(await get('/api/v1/componentstatuses/x')).toMatchObject({
      code: 404,
      message: 'componentstatus "x" not found',
      details: { name: 'x', kind: 'componentstatus' },
    });
    expect((await get('/api/v1/componentstatuses?fieldSelector=metadata.name%3Detcd-0')).items).toHaveLength(1);
    expect((await get('/api/v1/componentstatuses?labelSelector=a')).items).toEqual([]);
  });
});
