import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ServiceResolver } from '../../../runtime/resources/service-resolver.ts';
import { openTestStores, type TestStores } from '../../support/resource-stores.ts';

const https = [{ name: 'https', port: 443, targetPort: 8443 }];

describe('the address of a service', () => {
  let stores: TestStores;
  let resolver: ServiceResolver;

  beforeAll(async () => {
    stores = await openTestStores();
    resolver = await ServiceResolver.open(stores.stores);
    const serviceCIDRs = await stores.of('networking.k8s.io/servicecidrs');
    await serviceCIDRs.create({ metadata: { name: 'kubernetes' }, spec: { cidrs: ['10.96.0.0/12'] } });
    const services = await stores.of('services');
    const create = async (name: string, spec: object): Promise<void> => {
      await services.create({ metadata: { name, namespace: 'default' }, spec });
    };
    await create('ready', { ports: https, clusterIP: '10.96.0.7', ipFamilies: ['IPv4'] });
    await create('unready', { ports: https, clusterIP: '10.96.0.8' });
    await create('bare', { ports: https, clusterIP: '10.96.0.9' });
    await create('headless', { ports: https, clusterIP: 'None' });
    await create('elsewhere', { type: 'ExternalName', externalName: 'api.example' });
    const slices = await stores.of('discovery.k8s.io/endpointslices');
    const slice = async (name: string, service: string, content: object): Promise<void> => {
      const metadata = { name, namespace: 'default', labels: { 'kubernetes.io/service-name': service } };
      await slices.create({ metadata, addressType: 'IPv4', ...content });
    };
    const ports = [{ name: 'https', port: 8443, protocol: 'TCP' }];
    const notReady = { addresses: ['192.0.2.1'], conditions: { ready: false } };
    await slice('a', 'ready', { ports: [{ name: 'other', port: 1 }], endpoints: [{ addresses: ['192.0.2.9'] }] });
    await slice('b', 'ready', { ports, endpoints: [notReady, { addresses: ['192.0.2.2'], conditions: {} }] });
    const addressType = 'IPv6';
    await slice('c', 'ready', { ports, addressType, endpoints: [{ addresses: ['2001:db8::1'] }] });
    await slice('d', 'unready', { ports, endpoints: [notReady] });
  });
  afterAll(() => stores.close());

  test.each([
    ['ready', 443, '10.96.0.7:443', '192.0.2.2:8443'],
    ['unready', 443, '10.96.0.8:443', 'no endpoints available for service "unready"'],
    ['bare', 443, '10.96.0.9:443', 'no endpoints available for service "bare"'],
    ['headless', 443, 'cannot route to service with ClusterIP "None"', 'no endpoints available for service "headless"'],
    ['elsewhere', 99, 'api.example:99', 'unsupported service type "ExternalName"'],
    ['ready', 1, 'no service port 1 found for service "ready"', 'no service port 1 found for service "ready"'],
    ['absent', 1, 'service "absent" not found', 'service "absent" not found'],
  ])('%s, port %i: %s by its cluster IP, %s by its endpoints', (name, port, cluster, endpoint) => {
    const text = (resolve: 'resolveCluster' | 'resolveEndpoint'): string => {
      try {
        const found = resolver[resolve]('default', name, port);
        return `${found.host}:${found.port}`;
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(text('resolveCluster')).toBe(cluster);
    for (let turn = 0; turn < 10; turn++) expect(text('resolveEndpoint')).toBe(endpoint);
  });

  test('whoever listens is told of services and of their endpoints', async () => {
    const seen: string[] = [];
    const stop = resolver.onChange((namespace, name) => seen.push(`${namespace}/${name}`));
    const slices = await stores.of('discovery.k8s.io/endpointslices');
    const labels = { 'kubernetes.io/service-name': 'bare' };
    await slices.create({ metadata: { name: 'e', namespace: 'default', labels }, addressType: 'IPv4', endpoints: [] });
    const services = await stores.of('services');
    await services.create({
      metadata: { name: 'new', namespace: 'default' },
      spec: { ports: https, clusterIP: 'None' },
    });
    stop();
    expect(seen).toEqual(['default/bare', 'default/new']);
  });
});
