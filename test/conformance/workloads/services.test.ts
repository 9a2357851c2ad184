import { describe, expect, test } from '@jest/globals';
import { type Any, WorkloadServer } from './workload-server.ts';

/** Upstream's conformance tests, with their titles. (test/e2e/network/service.go, endpointslice.go, endpoints.go) */
const server = new WorkloadServer();

const pods = 'api/v1/pods';
const services = 'api/v1/services';
const endpoints = 'api/v1/endpoints';
const slices = 'apis/discovery.k8s.io/v1/endpointslices';
const labels = { name: 'served' };
const service = (name: string, ports: object[], selector: object | undefined = labels) => ({
  metadata: { name },
  spec: { ports, selector },
});
const pod = (name: string, ports: object[], more: object = {}) => ({
  metadata: { name, labels: { ...labels, ...more } },
  spec: { containers: [{ name: 'c', image: 'i', ports }], terminationGracePeriodSeconds: 0 },
});
const sliceQuery = (name: string): string => `?labelSelector=kubernetes.io%2Fservice-name%3D${name}`;

/** Returns the pods behind a service's ports, as `pod:port`, by the port's name. */
function targetsOf(all: Any[]): Record<string, string[]> {
  const targets: Record<string, string[]> = {};
  for (const { ports, endpoints: found } of all) {
    for (const { name, port } of ports ?? []) {
      const served = (found ?? []).filter(({ conditions }: Any) => conditions.ready);
      targets[name] = [...(targets[name] ?? []), ...served.map(({ targetRef }: Any) => `${targetRef.name}:${port}`)].sort();
    }
  }
  return targets;
}

/** Waits until slices have the targets. */
async function untilServed(path: (resource: string) => string, name: string, want: Record<string, string[]>) {
  const isServed = (all: Any[]): boolean => JSON.stringify(targetsOf(all)) === JSON.stringify(want);
  return server.untilAll(path(slices), isServed, sliceQuery(name));
}

describe('Services', () => {
  test('should provide secure master service', async () => {
    const { spec } = await server.get('/api/v1/namespaces/default/services/kubernetes');
    expect(spec.ports).toMatchObject([{ name: 'https', port: 443, protocol: 'TCP' }]);
  });

  test('should serve a basic endpoint from pods', async () => {
    const path = await server.namespace();
    await server.post(path(services), service('basic', [{ port: 80 }]));
    await untilServed(path, 'basic', {});
    await server.post(path(pods), pod('pod1', [{ containerPort: 80 }]));
    await untilServed(path, 'basic', { '': ['pod1:80'] });
    await server.post(path(pods), pod('pod2', [{ containerPort: 80 }]));
    await untilServed(path, 'basic', { '': ['pod1:80', 'pod2:80'] });
    await server.delete(path(pods, 'pod1'));
    await untilServed(path, 'basic', { '': ['pod2:80'] });
    await server.delete(path(pods, 'pod2'));
    await untilServed(path, 'basic', {});
  });

  test('should serve multiport endpoints from pods', async () => {
    const path = await server.namespace();
    const ports = [
      { name: 'portname1', port: 80, targetPort: 'svc1' },
      { name: 'portname2', port: 81, targetPort: 'svc2' },
    ];
    await server.post(path(services), service('multi', ports));
    await server.post(path(pods), pod('pod1', [{ name: 'svc1', containerPort: 100 }]));
    await server.post(path(pods), pod('pod2', [{ name: 'svc2', containerPort: 101 }]));
    const found = await server.untilAll(path(slices), (all) => Object.values(targetsOf(all)).flat().length === 2, sliceQuery('multi'));
    expect(targetsOf(found)).toMatchObject({ portname1: ['pod1:100'], portname2: ['pod2:101'] });
  });

  test('should serve endpoints on same port and different protocols', async () => {
    const path = await server.namespace();
    const ports = [
      { name: 'tcp', port: 80, protocol: 'TCP' },
      { name: 'udp', port: 80, protocol: 'UDP' },
    ];
    await server.post(path(pods), pod('pod1', [{ containerPort: 80 }]));
    await server.post(path(services), service('both', ports));
    const [slice] = await server.untilAll(path(slices), (all) => all[0]?.endpoints?.length === 1, sliceQuery('both'));
    const protocols = slice.ports.map(({ name, port, protocol }: Any) => [name, port, protocol]);
    expect(protocols.sort()).toEqual([
      ['tcp', 80, 'TCP'],
      ['udp', 80, 'UDP'],
    ]);
  });

  const external = { type: 'ExternalName', externalName: 'foo.example.com', ports: null, selector: null };
  const internal = (type: string) => ({ type, externalName: null, ports: [{ port: 80 }], selector: labels });

  test.each([
    ['should be able to change the type from ExternalName to ClusterIP', 'ClusterIP'],
    ['should be able to change the type from ExternalName to NodePort', 'NodePort'],
  ])('%s', async (_title, type) => {
    const path = await server.namespace();
    await server.post(path(pods), pod('pod1', [{ containerPort: 80 }]));
    const { spec } = await server.post(path(services), { metadata: { name: 'moved' }, spec: external });
    expect(spec.clusterIP).toBeUndefined();
    const after = await server.patch(path(services, 'moved'), { spec: internal(type) });
    expect(after.spec.clusterIP).toMatch(/^10\./);
    expect(typeof after.spec.ports[0].nodePort).toBe(type === 'NodePort' ? 'number' : 'undefined');
    await untilServed(path, 'moved', { '': ['pod1:80'] });
  });

  test.each([
    ['should be able to change the type from ClusterIP to ExternalName', 'ClusterIP'],
    ['should be able to change the type from NodePort to ExternalName', 'NodePort'],
  ])('%s', async (_title, type) => {
    const path = await server.namespace();
    await server.post(path(pods), pod('pod1', [{ containerPort: 80 }]));
    await server.post(path(services), { metadata: { name: 'moved' }, spec: internal(type) });
    await untilServed(path, 'moved', { '': ['pod1:80'] });
    const { spec } = await server.patch(path(services, 'moved'), {
      spec: { ...external, clusterIP: null, clusterIPs: null },
    });
    expect(spec).toMatchObject({ type: 'ExternalName', externalName: 'foo.example.com' });
    expect(spec.clusterIP).toBeUndefined();
  });

  test('should find a service from listing all namespaces', async () => {
    const { items } = await server.get('/api/v1/services');
    expect(items.map(({ metadata }: Any) => metadata.name)).toContain('kubernetes');
  });

  test('should complete a service status lifecycle', async () => {
    const path = await server.namespace();
    await server.post(path(services), {
      ...service('status', [{ port: 80 }]),
      spec: { type: 'LoadBalancer', ports: [{ port: 80 }] },
    });
    const at = `${path(services, 'status')}/status`;
    await server.patch(at, {
      metadata: { annotations: { patched: 'true' } },
      status: { loadBalancer: { ingress: [{ ip: '203.0.113.1' }] } },
    });
    const patched = await server.get(at);
    expect(patched).toMatchObject({ metadata: { annotations: { patched: 'true' } } });
    expect(patched.status.loadBalancer.ingress).toMatchObject([{ ip: '203.0.113.1' }]);
    const conditions = [
      {
        type: 'StatusUpdate',
        status: 'True',
        reason: 'E2E',
        message: 'Set from e2e test',
        lastTransitionTime: '2026-01-01T00:00:00Z',
      },
    ];
    const updated = await server.put(at, { ...patched, status: { ...patched.status, conditions } });
    expect(updated.status.conditions).toEqual(conditions);
    await server.delete(path(services, 'status'));
  });

  test('should delete a collection of services', async () => {
    const path = await server.namespace();
    for (const name of ['a', 'b', 'c']) {
      const given = service(name, [{ port: 80 }]);
      await server.post(path(services), { ...given, metadata: { name, labels: { kept: String(name === 'a') } } });
    }
    await server.delete(`${path(services)}?labelSelector=kept%3Dfalse`);
    expect((await server.get(path(services))).items).toMatchObject([{ metadata: { name: 'a' } }]);
  });
});

describe('EndpointSlice', () => {
  test('should create and delete EndpointSlices for a Service with a selector that matches no pods', async () => {
    const path = await server.namespace();
    await server.post(path(services), service('empty', [{ port: 80 }], { name: 'nobody' }));
    const found = await server.untilAll(path(slices), (all) => all.length === 1, sliceQuery('empty'));
    expect(found[0]).toMatchObject({
      metadata: { labels: { 'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io' } },
    });
    await server.delete(path(services, 'empty'));
    await server.untilAll(path(slices), (all) => all.length === 0, sliceQuery('empty'));
  });

  test('should create Endpoints and EndpointSlices for Pods matching a Service', async () => {
    const path = await server.namespace();
    const ports = [{ name: 'example-name', containerPort: 3000 }];
    const named = [{ name: 'example', port: 80, targetPort: 'example-name' }];
    for (const name of ['pod1', 'pod2']) await server.post(path(pods), pod(name, ports));
    await server.post(path(services), service('named', named));
    await server.post(path(services), service('fixed', [{ name: 'fixed', port: 80, targetPort: 3000 }]));
    await untilServed(path, 'named', { example: ['pod1:3000', 'pod2:3000'] });
    await untilServed(path, 'fixed', { fixed: ['pod1:3000', 'pod2:3000'] });
    const [{ subsets }] = await server.untilAll(
      path(endpoints),
      ([one]) => one?.subsets?.[0].addresses?.length === 2,
      '?fieldSelector=metadata.name%3Dnamed',
    );
    expect(subsets).toMatchObject([{ ports: [{ name: 'example', port: 3000, protocol: 'TCP' }] }]);
  });
});

describe('EndpointsController', () => {
  test('should create and delete Endpoints for a Service with a selector that matches no pods', async () => {
    const path = await server.namespace();
    await server.post(path(services), service('empty', [{ port: 80 }], { name: 'nobody' }));
    const [{ subsets }] = await server.untilAll(path(endpoints), (all) => all.length === 1);
    expect(subsets).toBeUndefined();
    await server.delete(path(services, 'empty'));
    await server.untilAll(path(endpoints), (all) => all.length === 0);
  });

  test('should create Endpoints for Pods matching a Service', async () => {
    const path = await server.namespace();
    await server.post(path(pods), pod('pod1', [{ containerPort: 80 }]));
    await server.post(path(services), service('one', [{ port: 80 }]));
    const [{ subsets }] = await server.untilAll(path(endpoints), ([one]) => one?.subsets?.[0].addresses?.length === 1);
    expect(subsets[0].addresses).toMatchObject([{ ip: expect.any(String), targetRef: { kind: 'Pod', name: 'pod1' } }]);
  });
});

describe('EndpointSliceMirroring', () => {
  test('should mirror a custom Endpoints resource through create update and delete', async () => {
    const path = await server.namespace();
    const name = 'example-custom-endpoints';
    const custom = (ip: string) => ({ metadata: { name }, subsets: [{ ports: [{ port: 80 }], addresses: [{ ip }] }] });
    const mirrored = (ip: string) => (all: Any[]) =>
      all.length === 1 && all[0].ports[0].port === 80 && String(all[0].endpoints.map((one: Any) => one.addresses)) === ip;
    await server.post(path(services), {
      metadata: { name },
      spec: { ports: [{ name: 'example', port: 80, protocol: 'TCP' }] },
    });
    await server.post(path(endpoints), custom('10.1.2.3'));
    await server.untilAll(path(slices), mirrored('10.1.2.3'), sliceQuery(name));
    await server.put(path(endpoints, name), custom('10.2.3.4'));
    await server.untilAll(path(slices), mirrored('10.2.3.4'), sliceQuery(name));
    await server.delete(path(endpoints, name));
    await server.untilAll(path(slices), (all) => all.length === 0, sliceQuery(name));
  });
});

test('Service endpoints latency should not be very high', async () => {
  const path = await server.namespace();
  await server.post(path(pods), pod('one', [{ containerPort: 80 }]));
  await server.until(path(pods, 'one'), ({ status }) => status.phase === 'Running');
  const names = Array.from({ length: 200 }, (_, index) => `service-${index}`);
  // as many concurrently as upstream
  for (let at = 0; at < names.length; at += 15) {
    const some = names.slice(at, at + 15);
    await Promise.all(some.map((name) => server.post(path(services), service(name, [{ port: 80 }]))));
    const isServed = (all: Any[], name: string): boolean =>
      all.some((slice) => slice.metadata.labels['kubernetes.io/service-name'] === name && slice.endpoints?.length === 1);
    await server.untilAll(path(slices), (all) => some.every((name) => isServed(all, name)));
  }
});

test('API Server should have Endpoints and EndpointSlices pointing to API Server', async () => {
  const { subsets } = await server.get('/api/v1/namespaces/default/endpoints/kubernetes');
  const slice = await server.get('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes');
  expect(slice.metadata.labels['kubernetes.io/service-name']).toBe('kubernetes');
  const addresses = slice.endpoints.flatMap((one: Any) => one.addresses);
  expect(addresses).toEqual(subsets[0].addresses.map(({ ip }: Any) => ip));
});
