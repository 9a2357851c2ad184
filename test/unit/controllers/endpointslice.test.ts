import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { truncatedSubsets } from '../../../runtime/controllers/endpoint/capacity.ts';
import { endpointsController } from '../../../runtime/controllers/endpoint/endpoints-controller.ts';
import { endpointSliceController } from '../../../runtime/controllers/endpointslice/endpoint-slice-controller.ts';
import { createServiceCIDR } from '../../support/resource-stores.ts';
import { SimulatedCluster } from '../../support/simulation.ts';
import type { TestObject } from '../../support/test-object.ts';

const sliceResource = 'discovery.k8s.io/endpointslices';

describe('the endpoints of services', () => {
  let cluster: SimulatedCluster;

  beforeEach(async () => {
    cluster = await SimulatedCluster.open((context) => [endpointSliceController(context), endpointsController(context)]);
    await createServiceCIDR(cluster.stores, '10.96.0.0/16');
    const nodes = await cluster.stores.of('nodes');
    await nodes.create({ metadata: { name: 'n1', labels: { 'topology.kubernetes.io/zone': 'z1' } } });
  });

  afterEach(() => cluster.close());

  async function createService(spec: object, labels: Record<string, string> = {}): Promise<void> {
    const services = await cluster.stores.of('services');
    const ports = [{ name: 'http', port: 80, targetPort: 8080 }];
    await services.create({ metadata: { name: 'web', labels }, spec: { selector: { app: 'web' }, ports, ...spec } });
    await cluster.settle();
  }

  interface PodOptions {
    readonly ready?: boolean;
    readonly port?: number;
    readonly node?: string;
  }

  async function createPod(name: string, ip: string, { ready = true, port = 8080, node = 'n1' }: PodOptions = {}) {
    const pods = await cluster.stores.of('pods');
    const containers = [{ name: 'c', image: 'i', ports: [{ name: 'main', containerPort: port }] }];
    await pods.create({ metadata: { name, labels: { app: 'web' } }, spec: { nodeName: node, containers } });
    await setStatus(name, ip, ready);
  }

  async function setStatus(name: string, ip: string, ready: boolean) {
    const pods = await cluster.stores.of('pods');
    const change = (pod: TestObject) => {
      const condition = { type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: '2026-01-01T00:00:00Z' };
      pod.status = { phase: 'Running', podIP: ip, podIPs: [{ ip }], conditions: [condition] };
    };
    await pods.update(name, change, { part: 'status' });
    await cluster.settle();
  }

  const slices = () => cluster.list(sliceResource);
  /** `ip ready/serving/terminating` of each endpoint, slice by slice. */
  const shown = async () =>
    (await slices()).map(({ endpoints }) =>
      (endpoints ?? [])
        .map(({ addresses, conditions: { ready, serving, terminating } }: TestObject) =>
          [addresses[0], ...[ready, serving, terminating].map(Number)].join(' '),
        )
        .sort(),
    );
  const subsets = async () =>
    (await cluster.list('endpoints')).map(({ subsets: all = [] }) =>
      all.map(({ addresses = [], notReadyAddresses = [], ports = [] }: TestObject) => [
        addresses.map(({ ip }: TestObject) => ip).join(),
        notReadyAddresses.map(({ ip }: TestObject) => ip).join(),
        ports.map(({ name, port }: TestObject) => `${name}:${port}`).join(),
      ]),
    );

  test('begin as one empty slice with the labels of the service, which owns it', async () => {
    await createService({}, { tier: 'front' });
    const [{ metadata, ...slice }] = await slices();
    expect(metadata.labels).toEqual({
      'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
      'kubernetes.io/service-name': 'web',
      tier: 'front',
    });
    expect(metadata.name).toMatch(/^web-[a-z0-9]{5}$/);
    expect(metadata.ownerReferences).toMatchObject([{ kind: 'Service', name: 'web', controller: true }]);
    expect(metadata.annotations).toEqual({
      'endpoints.kubernetes.io/last-change-trigger-time': '2026-01-01T00:00:00Z',
    });
    expect(slice).toMatchObject({ addressType: 'IPv4', endpoints: null, ports: null });
    const [endpoints] = await cluster.list('endpoints');
    expect([endpoints.metadata.name, endpoints.subsets]).toEqual(['web', undefined]);
    expect(endpoints.metadata.labels).toEqual({
      'endpoints.kubernetes.io/managed-by': 'endpoint-controller',
      tier: 'front',
    });
  });

  test('follow pods as they come, get ready, terminate and go', async () => {
    await createService({});
    await createPod('a', '10.1.0.1');
    await createPod('b', '10.1.0.2', { ready: false });
    expect(await shown()).toEqual([['10.1.0.1 1 1 0', '10.1.0.2 0 0 0']]);
    expect(await subsets()).toEqual([[['10.1.0.1', '10.1.0.2', 'http:8080']]]);
    await setStatus('b', '10.1.0.2', true);
    const pods = await cluster.stores.of('pods');
    await pods.delete('a', { gracePeriodSeconds: 30 });
    await cluster.settle();
    expect(await shown()).toEqual([['10.1.0.1 0 1 1', '10.1.0.2 1 1 0']]);
    expect(await subsets()).toEqual([[['10.1.0.2', '', 'http:8080']]]);
    await pods.delete('a', { gracePeriodSeconds: 0 });
    await pods.delete('b', { gracePeriodSeconds: 0 });
    await cluster.settle();
    expect([await shown(), await subsets()]).toEqual([[[]], [[]]]);
  });

  test('name the node, the zone and the pod, and publish what is not ready if the service says so', async () => {
    await createService({ publishNotReadyAddresses: true, trafficDistribution: 'PreferSameNode' });
    await createPod('a', '10.1.0.1', { ready: false });
    const [{ endpoints, ports }] = await slices();
    expect(endpoints).toMatchObject([
      {
        conditions: { ready: true, serving: false, terminating: false },
        nodeName: 'n1',
        zone: 'z1',
        targetRef: { kind: 'Pod', namespace: 'default', name: 'a' },
        hints: { forZones: [{ name: 'z1' }], forNodes: [{ name: 'n1' }] },
      },
    ]);
    expect(ports).toEqual([{ name: 'http', protocol: 'TCP', port: 8080 }]);
    expect(await subsets()).toEqual([[['10.1.0.1', '', 'http:8080']]]);
  });

  test('have a slice for each set of ports, and new hints and labels with the service', async () => {
    await createService({ ports: [{ name: 'http', port: 80, targetPort: 'main' }] });
    await createPod('a', '10.1.0.1', { port: 8080 });
    await createPod('b', '10.1.0.2', { port: 9090 });
    const ofPorts = async () => (await slices()).map(({ ports }) => ports[0].port).sort();
    expect(await ofPorts()).toEqual([8080, 9090]);
    expect(await subsets()).toEqual([
      [
        ['10.1.0.1', '', 'http:8080'],
        ['10.1.0.2', '', 'http:9090'],
      ],
    ]);
    const services = await cluster.stores.of('services');
    await services.update('web', (service) => {
      service.metadata.labels = { tier: 'back', 'kubernetes.io/service-name': 'other' };
      service.spec.trafficDistribution = 'PreferClose';
    });
    await cluster.settle();
    for (const { metadata, endpoints } of await slices()) {
      expect([metadata.labels?.tier, metadata.labels?.['kubernetes.io/service-name']]).toEqual(['back', 'web']);
      expect(endpoints[0].hints).toEqual({ forZones: [{ name: 'z1' }] });
    }
  });

  test('fill slices of a hundred, and write one slice for one more pod', async () => {
    await createService({ clusterIP: 'None' });
    await Promise.all(Array.from({ length: 101 }, (_, index) => createPod(`p${index}`, `10.1.0.${index}`)));
    const sizes = async () => (await slices()).map(({ endpoints }) => endpoints.length).sort((a, b) => a - b);
    expect(await sizes()).toEqual([1, 100]);
    expect((await slices())[0].metadata.labels?.['service.kubernetes.io/headless']).toBe('');
    const before = new Map((await slices()).map(({ metadata }) => [metadata.name, metadata.resourceVersion]));
    await createPod('late', '10.1.1.1');
    const changed = (await slices()).filter(({ metadata }) => before.get(metadata.name) !== metadata.resourceVersion);
    expect([await sizes(), changed.length]).toEqual([[2, 100], 1]);
  });

  test('come back if somebody deletes them, and go with the service', async () => {
    await createService({});
    await createPod('a', '10.1.0.1');
    const [{ metadata }] = await slices();
    await (await cluster.stores.of(sliceResource)).delete(metadata.name ?? '');
    await (await cluster.stores.of('endpoints')).delete('web');
    await cluster.pass(1);
    expect([await shown(), await subsets()]).toEqual([[['10.1.0.1 1 1 0']], [[['10.1.0.1', '', 'http:8080']]]]);
    await (await cluster.stores.of('services')).delete('web');
    await cluster.settle();
    expect(await subsets()).toEqual([]);
  });

  test('leave out pods on nodes that do not exist, and say so', async () => {
    await createService({});
    await createPod('a', '10.1.0.1', { node: 'gone' });
    expect(await shown()).toEqual([[]]);
    expect(await cluster.events('Service')).toContain(
      'Warning FailedToUpdateEndpointSlices: Error updating Endpoint Slices for Service default/web: ' +
        'skipping Pod a for Service default/web: Node gone Not Found',
    );
  });

  test('are left to others if the service has no selector', async () => {
    await createService({ selector: undefined });
    expect([await slices(), await cluster.list('endpoints')]).toEqual([[], []]);
  });
});

describe('Endpoints over capacity', () => {
  const addresses = (count: number) => Array.from({ length: count }, (_, index) => ({ ip: `10.0.${index >> 8}.${index & 255}` }));
  test.each([
    ['fit', [[600, 400]], undefined],
    [
      'lose those that are not ready first',
      [
        [600, 300],
        [200, 100],
      ],
      [
        [600, 150],
        [200, 50],
      ],
    ],
    [
      'lose ready ones by their shares',
      [
        [900, 10],
        [300, 10],
      ],
      [
        [750, 0],
        [250, 0],
      ],
    ],
  ])('%s', (_name, given, want) => {
    const subsets = given.map(([ready, notReady]) => ({
      addresses: addresses(ready),
      notReadyAddresses: addresses(notReady),
    }));
    const sizes = truncatedSubsets(subsets)?.map((one) => [one.addresses?.length ?? 0, one.notReadyAddresses?.length ?? 0]);
    expect(sizes).toEqual(want);
  });
});
