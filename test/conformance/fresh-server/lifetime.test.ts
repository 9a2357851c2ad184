import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type RunningServer, type ServerOptions, startServer } from '../../../runtime/index.ts';
import { HttpClient, type HttpResponse } from '../../support/http-client.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import type { TestObject } from '../../support/test-object.ts';

const endpointsPath = '/api/v1/namespaces/default/endpoints/kubernetes';
const slicePath = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes';
const leasesPath = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
const identityLeasesPath = `${leasesPath}?labelSelector=apiserver.kubernetes.io/identity`;

describe('what a server keeps', () => {
  let clock: ManualClock;
  let server: RunningServer;
  let http: HttpClient;
  let folder: string;

  beforeEach(async () => {
    clock = new ManualClock();
    folder = await mkdtemp(join(tmpdir(), 'fresh-server-'));
  });
  afterEach(async () => {
    http?.close();
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const start = async (options: ServerOptions = {}): Promise<void> => {
    http?.close();
    server = await startServer({ clock, advertiseAddress: '192.0.2.9', ...options });
    http = HttpClient.for(server);
  };
  /** Advances time until the response is as wanted. */
  const eventually = async (path: string, isWanted: (response: HttpResponse) => boolean): Promise<HttpResponse> => {
    for (;;) {
      clock.advance(1000);
      const response = await http.get(path);
      if (isWanted(response)) return response;
    }
  };
  const addressesOf = ({ json }: HttpResponse): string[] =>
    (json.subsets ?? []).flatMap(({ addresses }: { addresses: { ip: string }[] }) => addresses.map(({ ip }) => ip));
  const send = (method: string, path: string, body?: object) => http.send(method, path, body && JSON.stringify(body), 'application/json');

  test('comes back when it is deleted', async () => {
    await start();
    for (const path of [
      slicePath,
      '/api/v1/namespaces/default/services/kubernetes',
      '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication',
    ]) {
      expect((await send('DELETE', path)).status).toBe(200);
      await eventually(path, ({ status }) => status === 200);
    }
    expect(addressesOf(await eventually(endpointsPath, ({ status }) => status === 200))).toEqual(['192.0.2.9']);
  });

  test('endpoints are deleted with their service', async () => {
    await start();
    const path = '/api/v1/namespaces/default/services';
    await send('POST', path, { metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } });
    await send('POST', '/api/v1/namespaces/default/endpoints', { metadata: { name: 's' } });
    await send('DELETE', `${path}/s`);
    expect((await http.get('/api/v1/namespaces/default/endpoints/s')).status).toBe(404);
  });

  test('its lease is renewed, and those of dead servers are deleted', async () => {
    await start();
    const { items } = (await http.get(identityLeasesPath)).json;
    const dead = {
      metadata: { name: 'apiserver-x', labels: { 'apiserver.kubernetes.io/identity': 'kube-apiserver' } },
      spec: { leaseDurationSeconds: 3600, renewTime: '2025-01-01T00:00:00.000000Z' },
    };
    expect((await send('POST', leasesPath, dead)).status).toBe(201);
    expect((await send('POST', leasesPath, { ...dead, metadata: { name: 'other' } })).status).toBe(201);
    const { name } = items[0].metadata;
    const renewed = await eventually(`${leasesPath}/${name}`, ({ json }) => json.spec.renewTime !== items[0].spec.renewTime);
    expect(renewed.json.spec.holderIdentity).toBe(items[0].spec.holderIdentity);
    clock.advance(3_600_000);
    await eventually(`${leasesPath}/apiserver-x`, ({ status }) => status === 404);
    expect((await http.get(`${leasesPath}/other`)).status).toBe(200);
  });

  test('without the gate APIServerIdentity there is no lease', async () => {
    await start({ featureGates: ['APIServerIdentity=false'] });
    expect((await http.get(identityLeasesPath)).json.items).toEqual([]);
  });

  test.each([
    ['no controllers', { controllers: [''] }, []],
    ['only simulated nodes', { controllers: [''], simulate: true }, ['kubeloom-simulation']],
  ])('a server with %s leaves the lease of kube-controller-manager to it', async (_, options, names) => {
    await start(options);
    const { json } = await eventually(leasesPath, (response) => response.json.items.length > names.length);
    const held = (json.items as TestObject[]).map(({ metadata }) => metadata.name).filter((name) => !name?.startsWith('apiserver-'));
    expect(held).toEqual(names);
  });

  test('the controllers run under a lease, which is given back when the server stops', async () => {
    const disk = { storage: 'lmdb', dataDir: folder, unsafeNoFsync: true } as const;
    const path = `${leasesPath}/kube-controller-manager`;
    await start(disk);
    const { json } = await eventually(path, ({ status }) => status === 200);
    expect(json.spec).toMatchObject({ leaseDurationSeconds: 15, leaseTransitions: 0 });
    await server.close();
    await start({ ...disk, leaderElect: false });
    expect((await http.get(path)).json.spec).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1 });
    await server.close();
    await start(disk);
    const next = await eventually(path, (response) => response.json.spec.holderIdentity !== '');
    expect(next.json.spec).toMatchObject({ leaseDurationSeconds: 15, leaseTransitions: 1 });
    expect(next.json.spec.holderIdentity).not.toBe(json.spec.holderIdentity);
  });

  test('endpoints are withdrawn when it stops, and those that a killed server left are replaced', async () => {
    const disk = { storage: 'lmdb', dataDir: folder, unsafeNoFsync: true } as const;
    await start(disk);
    const stale = {
      metadata: { name: 'kubernetes' },
      subsets: [{ addresses: [{ ip: '192.0.2.7' }], ports: [{ port: 1 }] }],
    };
    await server.close();
    await start({ ...disk, endpointReconcilerType: 'none' });
    const { json } = await http.get(endpointsPath);
    expect(json.subsets ?? []).toEqual([]);
    expect((await http.get(slicePath)).json.endpoints ?? []).toEqual([]);
    expect((await http.get(identityLeasesPath)).json.items).toHaveLength(1);
    expect((await send('PUT', endpointsPath, { ...stale, metadata: json.metadata })).status).toBe(200);
    await server.close();
    await start(disk);
    const port = { name: 'https', port: server.port, protocol: 'TCP' };
    expect((await http.get(endpointsPath)).json.subsets).toEqual([{ addresses: [{ ip: '192.0.2.9' }], ports: [port] }]);
  });

  test('master-count keeps the addresses of other servers, up to their number', async () => {
    const disk = {
      storage: 'lmdb',
      dataDir: folder,
      unsafeNoFsync: true,
      endpointReconcilerType: 'master-count',
    } as const;
    await start({ ...disk, apiserverCount: 2, advertiseAddress: '192.0.2.1' });
    const { json } = await http.get(endpointsPath);
    json.subsets[0].addresses.push({ ip: '192.0.2.2' });
    expect((await send('PUT', endpointsPath, json)).status).toBe(200);
    await server.close();
    await start({ ...disk, apiserverCount: 2, advertiseAddress: '192.0.2.3' });
    expect(addressesOf(await http.get(endpointsPath))).toEqual(['192.0.2.2', '192.0.2.3']);
    await server.close();
    await start({ ...disk, apiserverCount: 1, advertiseAddress: '192.0.2.3' });
    expect(addressesOf(await http.get(endpointsPath))).toEqual(['192.0.2.3']);
  });

  test('one of two ranges can be added later, and other ranges are left as they are', async () => {
    const disk = { storage: 'lmdb', dataDir: folder, unsafeNoFsync: true } as const;
    const cidrs = async () => (await http.get('/apis/networking.k8s.io/v1/servicecidrs/kubernetes')).json.spec.cidrs;
    await start({ ...disk, serviceClusterIpRange: '10.20.0.0/24' });
    expect(await cidrs()).toEqual(['10.20.0.0/24']);
    await server.close();
    await start({ ...disk, serviceClusterIpRange: '10.20.0.0/24,fd00:20::/112' });
    expect(await cidrs()).toEqual(['10.20.0.0/24', 'fd00:20::/112']);
    await server.close();
    await start({ ...disk, serviceClusterIpRange: '10.30.0.0/24' });
    expect(await cidrs()).toEqual(['10.20.0.0/24', 'fd00:20::/112']);
  });

  test('nothing of this is there without the kinds', async () => {
    await start({ builtin: false });
    const { items } = (await http.get(identityLeasesPath)).json;
    expect(items).toHaveLength(1);
    expect((await http.get('/api/v1/services')).status).toBe(404);
  });
});
