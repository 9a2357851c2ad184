import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type RunningServer, type ServerOptions, startServer } from '../../../runtime/index.ts';
import { HttpClient, type HttpResponse } from '../../support/http-client.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const networking = '/apis/networking.k8s.io/v1';
const services = '/api/v1/namespaces/default/services';

describe('ranges of services', () => {
  let clock: ManualClock;
  let server: RunningServer;
  let http: HttpClient;

  const start = async (options: ServerOptions = {}): Promise<void> => {
    http?.close();
    await server?.close();
    server = await startServer({ clock, serviceClusterIpRange: '10.20.0.0/29', ...options });
    http = HttpClient.for(server);
  };
  beforeEach(async () => {
    clock = new ManualClock();
    await start();
  });
  afterEach(async () => {
    http.close();
    await server.close();
  });

  const send = (method: string, path: string, body?: object, type = 'application/json') =>
    http.send(method, path, body && JSON.stringify(body), body && type);
  const service = (name: string, spec: object = {}) =>
    send('POST', services, { metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } });
  const addresses = async (): Promise<string[]> =>
    (await http.get(`${networking}/ipaddresses`)).json.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
  /** Advances time until the response is as wanted. */
  const eventually = async (path: string, isWanted: (response: HttpResponse) => boolean): Promise<HttpResponse> => {
    for (;;) {
      const response = await http.get(path);
      if (isWanted(response)) return response;
      clock.advance(1000);
    }
  };

  test('should create Services and serve on different Service CIDRs', async () => {
    for (const n of [1, 2, 3, 4, 5]) expect((await service(`s${n}`)).status).toBe(201);
    const full = await service('s6');
    expect([full.status, full.json.message]).toEqual([500, 'Internal error occurred: failed to allocate a serviceIP: range is full']);
    await send('POST', `${networking}/servicecidrs`, { metadata: { name: 'more' }, spec: { cidrs: ['10.30.0.0/28'] } });
    const made = await service('s6');
    expect(made.json.spec.clusterIP).toMatch(/^10\.30\.0\.\d+$/);
    expect((await service('s7', { clusterIP: '10.30.0.0' })).json.message).toBe(
      'Service "s7" is invalid: spec.clusterIPs: Invalid value: ["10.30.0.0"]: failed to allocate IP 10.30.0.0: the provided network does not match the current range',
    );
    // both have a finalizer, and the new one waits for its services' deletion
    const path = `${networking}/servicecidrs/more`;
    const finalizers = ['networking.k8s.io/service-cidr-finalizer'];
    const ready = await eventually(path, ({ json }) => json.status?.conditions !== undefined);
    expect(ready.json).toMatchObject({
      metadata: { finalizers },
      status: { conditions: [{ type: 'Ready', status: 'True', message: 'Kubernetes Service CIDR is ready' }] },
    });
    await send('DELETE', path);
    const kept = await eventually(path, ({ json }) => json.status.conditions[0].status === 'False');
    expect(kept.json.status.conditions[0]).toMatchObject({
      reason: 'Terminating',
      message: 'There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR',
    });
    expect((await service('s7')).status).toBe(500);
    await send('DELETE', `${services}/s6`);
    await eventually(path, ({ status }) => status === 404);
  });

  test('an address is in use while its service lives, and others may take it', async () => {
    await service('a', { clusterIP: '10.20.0.4' });
    expect(await addresses()).toEqual(['10.20.0.1', '10.20.0.4']);
    const taken = await service('b', { clusterIP: '10.20.0.4' });
    expect([taken.status, taken.json.message]).toEqual([
      422,
      'Service "b" is invalid: spec.clusterIPs: Invalid value: ["10.20.0.4"]: failed to allocate IP 10.20.0.4: provided IP is already allocated',
    ]);
    await send('DELETE', `${services}/a`);
    expect(await addresses()).toEqual(['10.20.0.1']);
    const own = { metadata: { name: '10.20.0.4' }, spec: { parentRef: { resource: 'routers', name: 'r' } } };
    expect((await send('POST', `${networking}/ipaddresses`, own)).status).toBe(201);
    expect((await service('b', { clusterIP: '10.20.0.4' })).status).toBe(422);
  });

  test('nothing stays allocated for a service that is not written', async () => {
    expect((await service('a', { type: 'NodePort', sessionAffinity: 'x' })).status).toBe(422);
    expect((await service('b', { clusterIP: '10.20.0.4', ports: [] })).status).toBe(422);
    expect(await addresses()).toEqual(['10.20.0.1']);
    await service('c', { type: 'NodePort', clusterIP: '10.20.0.6', ports: [{ port: 80, nodePort: 30001 }] });
    expect((await service('c', { clusterIP: '10.20.0.5' })).status).toBe(409);
    const ports = [
      { name: 'a', port: 80, nodePort: 30002 },
      { name: 'b', port: 81, nodePort: 30001 },
    ];
    expect((await service('d', { type: 'NodePort', ports })).json.message).toBe(
      'Service "d" is invalid: spec.ports[1].nodePort: Invalid value: 30001: provided port is already allocated',
    );
    expect((await service('d', { type: 'NodePort', ports: ports.slice(0, 1) })).status).toBe(201);
    expect(await addresses()).toHaveLength(3);
  });

  test('a change of type releases the address, and gets one again', async () => {
    const { clusterIP } = (await service('a')).json.spec;
    const patch = async (spec: object) => (await send('PATCH', `${services}/a`, { spec }, 'application/merge-patch+json')).json.spec;
    expect(await patch({ type: 'ExternalName', externalName: 'a.example', clusterIP: null })).not.toHaveProperty('clusterIP');
    expect(await addresses()).not.toContain(clusterIP);
    const again = await patch({ type: 'ClusterIP', externalName: null });
    expect(await addresses()).toContain(again.clusterIP);
  });

  test('a dry run allocates nothing, and shows made-up values', async () => {
    const dry = (spec: object) =>
      send('POST', `${services}?dryRun=All`, { metadata: { name: 'd' }, spec: { ports: [{ port: 80 }], ...spec } });
    expect((await dry({ type: 'NodePort' })).json.spec).toMatchObject({
      clusterIP: '10.20.0.0',
      ports: [{ nodePort: 32769 }],
    });
    expect((await dry({ clusterIP: '10.20.0.1' })).status).toBe(201);
    expect((await dry({ clusterIP: '10.99.0.1' })).json.message).toContain(
      'the provided IP (10.99.0.1) is not in the valid range. The range of valid IPs is 10.20.0.0/29',
    );
    expect(await addresses()).toEqual(['10.20.0.1']);
  });

  test('what is missing or left over is repaired', async () => {
    const { clusterIP } = (await service('a', { clusterIP: '10.20.0.5' })).json.spec;
    const path = `${networking}/ipaddresses/${clusterIP}`;
    await send('DELETE', path);
    await eventually(path, ({ status }) => status === 200);
    const leaked = {
      metadata: {
        name: '10.20.0.6',
        labels: {
          'ipaddress.kubernetes.io/ip-family': 'IPv4',
          'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io',
        },
      },
      spec: { parentRef: { resource: 'services', namespace: 'default', name: 'gone' } },
    };
    await send('POST', `${networking}/ipaddresses`, leaked);
    await eventually(`${networking}/ipaddresses/10.20.0.6`, ({ status }) => status === 404);
    expect(await addresses()).toContain(clusterIP);
  });

  test('a cluster with one family refuses the other', async () => {
    expect((await service('a', { ipFamilyPolicy: 'PreferDualStack' })).json.spec.ipFamilies).toEqual(['IPv4']);
    expect((await service('b', { ipFamilyPolicy: 'RequireDualStack' })).json.message).toBe(
      'Service "b" is invalid: spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services',
    );
    expect((await service('b', { ipFamilies: ['IPv6'] })).json.message).toBe(
      'Service "b" is invalid: spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster',
    );
    expect((await service('b', { clusterIP: 'fd00::1' })).json.message).toBe(
      'Service "b" is invalid: spec.clusterIPs[0]: Invalid value: ["fd00::1"]: IPv6 is not configured on this cluster',
    );
  });

  test('without IPAddresses, addresses are allocated once all the same', async () => {
    await start({ runtimeConfig: ['networking.k8s.io/v1=false', 'networking.k8s.io/v1beta1=false'] });
    expect((await service('a', { clusterIP: '10.20.0.4' })).status).toBe(201);
    expect((await service('b', { clusterIP: '10.20.0.4' })).status).toBe(422);
    await send('DELETE', `${services}/a`);
    expect((await service('b', { clusterIP: '10.20.0.4' })).status).toBe(201);
  });

  test.each<[ServerOptions, string]>([
    [{ serviceClusterIpRange: 'x' }, 'service-cluster-ip-range[0] is not a valid cidr'],
    [{ serviceClusterIpRange: '10.0.0.0/16,x' }, 'service-cluster-ip-range[1] is not an ip net'],
    [
      { serviceClusterIpRange: '10.0.0.0/16,10.1.0.0/16' },
      '--service-cluster-ip-range[0] and --service-cluster-ip-range[1] must be of different IP family',
    ],
    [{ serviceClusterIpRange: '10.0.0.0/16,fd00::/112,fd01::/112' }, '--service-cluster-ip-range must not contain more than two entries'],
    [
      { serviceClusterIpRange: '10.0.0.0/30' },
      'error determining service IP ranges for primary service cidr: the service cluster IP range must be at least 8 IP addresses',
    ],
    [{ serviceNodePortRange: '30000-1' }, '--service-node-port-range: end port cannot be less than start port: 30000-1'],
    [{ serviceNodePortRange: 'x' }, '--service-node-port-range: unable to parse port range: x'],
    [
      { serviceNodePortRange: '30000-30010', kubernetesServiceNodePort: 30011 },
      "kubernetes service node port range 30000-30010 doesn't contain 30011",
    ],
    [{ advertiseAddress: 'fd00::1' }, 'service IP family "10.96.0.0/12" must match public address family "fd00::1"'],
    [{ apiserverCount: 0 }, "--apiserver-count should be a positive number, but value '0' provided"],
  ])('%j is refused', async (options, message) => {
    await expect(startServer(options)).rejects.toThrow(message);
  });

  test('the ranges of node ports and the node port of the service kubernetes follow their options', async () => {
    await start({ serviceNodePortRange: '31000+1', kubernetesServiceNodePort: 31000 });
    const { spec } = (await http.get(`${services}/kubernetes`)).json;
    expect([spec.type, spec.ports[0].nodePort]).toEqual(['NodePort', 31000]);
    expect((await service('a', { type: 'NodePort' })).json.spec.ports[0].nodePort).toBe(31001);
    expect((await service('b', { type: 'NodePort' })).json.message).toBe(
      'Internal error occurred: failed to allocate a nodePort: range is full',
    );
    expect((await service('b', { type: 'NodePort', ports: [{ port: 80, nodePort: 30000 }] })).json.message).toContain(
      'provided port is not in the valid range. The range of valid ports is 31000-31001',
    );
  });
});
