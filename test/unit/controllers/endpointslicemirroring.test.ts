import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { endpointSliceMirroringController } from '../../../runtime/controllers/endpointslicemirroring/endpoint-slice-mirroring-controller.ts';
import { createServiceCIDR } from '../../support/resource-stores.ts';
import { SimulatedCluster } from '../../support/simulation.ts';
import type { TestObject } from '../../support/test-object.ts';

const sliceResource = 'discovery.k8s.io/endpointslices';
const ports = [{ name: 'http', port: 8080, protocol: 'TCP' }];
const addresses = [{ ip: '10.1.0.1' }];

describe('slices that mirror Endpoints', () => {
  let cluster: SimulatedCluster;

  beforeEach(async () => {
    cluster = await SimulatedCluster.open((context) => [endpointSliceMirroringController(context)]);
    await createServiceCIDR(cluster.stores, '10.96.0.0/16');
  });

  afterEach(() => cluster.close());

  const slices = () => cluster.list(sliceResource);
  /** Returns the addresses of each slice, unready ones in brackets, and its ports. */
  const shown = async (): Promise<string[]> =>
    (await slices())
      .map(({ addressType, endpoints, ports }) => {
        const all = ports ?? [];
        const ips = (endpoints ?? []).map(({ addresses: [ip], conditions }: TestObject) => (conditions.ready ? ip : `(${ip})`));
        return `${addressType} ${ips.sort().join()} ${all.map(({ name, port }: TestObject) => `${name}:${port}`).join()}`;
      })
      .sort();

  async function createService(spec: object = {}): Promise<void> {
    const services = await cluster.stores.of('services');
    await services.create({ metadata: { name: 'web' }, spec: { ports: [{ port: 80 }], ...spec } });
    await cluster.settle();
  }

  async function createEndpoints(subsets: object[], metadata: object = {}): Promise<void> {
    const endpoints = await cluster.stores.of('endpoints');
    await endpoints.create({ metadata: { name: 'web', ...metadata }, subsets });
    await cluster.settle();
  }

  async function change(resource: string, edit: (object: TestObject) => void): Promise<void> {
    await (await cluster.stores.of(resource)).update('web', edit);
    await cluster.settle();
  }

  test('are owned by them, and have their labels and annotations', async () => {
    await createService();
    await createEndpoints([{ addresses, ports }], {
      labels: { tier: 'front' },
      annotations: {
        'example.com/team': 'a',
        'endpoints.kubernetes.io/last-change-trigger-time': '2026-01-01T00:00:00Z',
        'kubectl.kubernetes.io/last-applied-configuration': '{}',
      },
    });
    const [{ metadata, ...slice }] = await slices();
    expect(metadata).toMatchObject({
      name: expect.stringMatching(/^web-[a-z0-9]{5}$/),
      labels: {
        'endpointslice.kubernetes.io/managed-by': 'endpointslicemirroring-controller.k8s.io',
        'kubernetes.io/service-name': 'web',
        tier: 'front',
      },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Endpoints', name: 'web', controller: true }],
    });
    expect(metadata.annotations).toEqual({ 'example.com/team': 'a' });
    expect(slice).toMatchObject({
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.1.0.1'], conditions: { ready: true } }],
      ports,
    });
    expect(slice.endpoints[0].conditions).toEqual({ ready: true });
  });

  test.each([
    ['of both families', [{ addresses: [...addresses, { ip: 'fd00::1' }], ports }], ['IPv4 10.1.0.1 http:8080', 'IPv6 fd00::1 http:8080']],
    ['that are not ready', [{ notReadyAddresses: addresses, ports }], ['IPv4 (10.1.0.1) http:8080']],
    [
      'with the same ports are one slice, and those with others another',
      [
        { addresses, ports },
        { addresses: [{ ip: '10.1.0.2' }], ports },
        { addresses: [{ ip: '10.1.0.3' }], ports: [{ name: 'http', port: 9090, protocol: 'TCP' }] },
      ],
      ['IPv4 10.1.0.1,10.1.0.2 http:8080', 'IPv4 10.1.0.3 http:9090'],
    ],
    [
      'of several ports are one slice, in whatever subsets they are',
      [
        { addresses, ports },
        { addresses, ports: [{ name: 'metrics', port: 9100, protocol: 'TCP' }] },
      ],
      ['IPv4 10.1.0.1 http:8080,metrics:9100'],
    ],
    ['without ports', [{ addresses }], ['IPv4 10.1.0.1 ']],
  ])('have addresses %s', async (_name, subsets, want) => {
    await createService();
    await createEndpoints(subsets);
    expect(await shown()).toEqual(want);
  });

  test('follow them, and are the same objects as long as there is one for each family', async () => {
    await createService();
    await createEndpoints([{ addresses, ports }]);
    const [{ metadata }] = await slices();
    await change('endpoints', (endpoints) => {
      endpoints.metadata.labels = { tier: 'back' };
      endpoints.subsets = [{ addresses: [{ ip: '10.1.0.9' }], ports: [{ name: 'http', port: 9090, protocol: 'TCP' }] }];
    });
    expect(await shown()).toEqual(['IPv4 10.1.0.9 http:9090']);
    const [{ metadata: changed }] = await slices();
    expect([changed.name, changed.uid, changed.labels?.tier]).toEqual([metadata.name, metadata.uid, 'back']);
    await change('endpoints', (endpoints) => {
      endpoints.subsets = [];
    });
    expect(await slices()).toEqual([]);
  });

  test('are not written if nothing changes in them', async () => {
    await createService();
    await createEndpoints([{ addresses: [...addresses, { ip: '10.1.0.2' }], ports }], {
      labels: { 'kubernetes.io/service-name': 'other' },
    });
    const [before] = await slices();
    expect(before.metadata.labels?.['kubernetes.io/service-name']).toBe('web');
    await change('endpoints', ({ metadata, subsets }) => {
      metadata.annotations = { 'endpoints.kubernetes.io/last-change-trigger-time': '2026-01-01T00:00:00Z' };
      subsets[0].addresses.reverse();
    });
    expect(await slices()).toEqual([before]);
  });

  test.each<[string, string, (object: TestObject) => void]>([
    [
      'are to be left out',
      'endpoints',
      ({ metadata }) => {
        metadata.labels = { 'endpointslice.kubernetes.io/skip-mirror': 'true' };
      },
    ],
    [
      'elect a leader',
      'endpoints',
      ({ metadata }) => {
        metadata.annotations = { 'control-plane.alpha.kubernetes.io/leader': '{}' };
      },
    ],
    [
      'belong to a service that selects pods',
      'services',
      ({ spec }) => {
        spec.selector = { app: 'web' };
      },
    ],
  ])('go when they %s', async (_name, resource, edit) => {
    await createService();
    await createEndpoints([{ addresses, ports }]);
    expect(await shown()).toHaveLength(1);
    await change(resource, edit);
    expect(await slices()).toEqual([]);
  });

  test('come with the service and go with it, or with the Endpoints', async () => {
    await createEndpoints([{ addresses, ports }]);
    expect(await slices()).toEqual([]);
    await createService();
    expect(await shown()).toHaveLength(1);
    await (await cluster.stores.of('services')).delete('web');
    await cluster.settle();
    expect(await slices()).toEqual([]);
    await createService();
    // the earlier endpoints were deleted with their service
    await createEndpoints([{ addresses, ports }]);
    expect(await shown()).toHaveLength(1);
    await (await cluster.stores.of('endpoints')).delete('web');
    await cluster.settle();
    expect(await slices()).toEqual([]);
  });

  test('are mended if somebody changes or deletes them', async () => {
    await createService();
    await createEndpoints([{ addresses, ports }]);
    const [{ metadata }] = await slices();
    const store = await cluster.stores.of(sliceResource);
    await store.update(metadata.name ?? '', (slice) => {
      slice.endpoints[0].addresses = ['10.9.9.9'];
    });
    await cluster.settle();
    expect(await shown()).toEqual(['IPv4 10.1.0.1 http:8080']);
    await store.delete(metadata.name ?? '');
    await cluster.settle();
    expect(await shown()).toEqual(['IPv4 10.1.0.1 http:8080']);
  });

  test('have a thousand addresses of a subset at most, and an event says so', async () => {
    await createService();
    const many = Array.from({ length: 1002 }, (_, index) => ({ ip: `10.2.${index >> 8}.${index & 255}` }));
    await createEndpoints([{ addresses: many, ports }]);
    expect((await slices())[0].endpoints).toHaveLength(1000);
    expect(await cluster.events('Endpoints')).toEqual([
      'Warning TooManyAddressesToMirror: A max of 1000 addresses can be mirrored to EndpointSlices per Endpoints subset. ' +
        '2 addresses were skipped',
    ]);
  });
});
