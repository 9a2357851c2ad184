import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { startServer } from '../../../runtime/index.ts';
import { HttpClient } from '../../support/http-client.ts';
import { TestServer } from '../../support/test-server.ts';

describe('a server', () => {
  const suite = TestServer.forSuite();

  test('has the system namespaces and the kubernetes service', async () => {
    const { json } = await suite.http.get('/api/v1/namespaces');
    expect(json.items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual([
      'default',
      'kube-node-lease',
      'kube-public',
      'kube-system',
    ]);
    expect((await suite.http.get('/api/v1/namespaces/default/services/kubernetes')).json.spec.ports[0].port).toBe(443);
  });

  test('serves its version', async () => {
    expect((await suite.http.get('/version')).json).toMatchObject({
      major: '1',
      minor: '35',
      gitVersion: suite.server.version,
    });
    expect((await suite.http.get('/')).json.paths).toEqual(
      expect.arrayContaining(['/api/v1', '/apis/', '/apis/apps/v1', '/livez/ping', '/openapi/v3/']),
    );
    expect((await suite.http.get('/nowhere')).status).toBe(404);
  });

  test('serves metrics', async () => {
    await suite.http.get('/api/v1/namespaces/default');
    const { body, headers } = await suite.http.get('/metrics');
    expect(headers['content-type']).toContain('text/plain; version=0.0.4');
    const text = body.toString();
    expect(text).toMatch(
      /^apiserver_request_total\{code="200",component="apiserver",.*resource="namespaces",.*verb="GET",version="v1"\} 1$/m,
    );
    expect(text).toMatch(/^process_cpu_seconds_total /m);
    await suite.http.get('/apis/made.up/v1/things');
    expect((await suite.http.get('/metrics')).body.toString()).not.toContain('made.up');
  });

  test('has a typed client', async () => {
    const client = await suite.server.client();
    await client.core.v1.configmaps.namespace('default').create({ metadata: { name: 'a' }, data: { x: 'y' } });
    expect((await client.core.v1.configmaps.namespace('default').get('a')).data).toEqual({ x: 'y' });
  });
});

describe('the options of a server', () => {
  test('disable group-versions, which use no memory', async () => {
    const server = await startServer({ runtimeConfig: ['apps/v1=false'] });
    const http = HttpClient.for(server);
    expect((await http.get('/apis/apps/v1/deployments')).status).toBe(404);
    expect((await http.get('/apis/apps')).status).toBe(404);
    expect((await http.get('/apis/batch/v1/jobs')).status).toBe(200);
    const { paths, ...others } = (await http.get('/openapi/v2')).json;
    expect([paths['/apis/apps/v1/deployments'], typeof paths['/apis/batch/v1/jobs']]).toEqual([undefined, 'object']);
    expect(['/apis/apps/', '/apis/batch/'].map((path) => path in paths)).toEqual([false, true]);
    const references = JSON.stringify([paths, others]).matchAll(/"#\/(definitions|parameters)\/([^"]+)"/g);
    expect([...references].filter(([, section, name]) => !(name in others[section]))).toEqual([]);
    expect(others.security).toEqual([{ BearerToken: [] }]);
    http.close();
    await server.close();
    await server.close();
  });

  test('disable single resources', async () => {
    const server = await startServer({ runtimeConfig: ['apps/v1/deployments=false'] });
    const http = HttpClient.for(server);
    expect((await http.get('/apis/apps/v1/deployments')).status).toBe(404);
    expect((await http.get('/apis/apps/v1/replicasets')).status).toBe(200);
    const { resources } = (await http.get('/apis/apps/v1')).json;
    expect(resources.filter(({ name }: { name: string }) => name.startsWith('deployments'))).toEqual([]);
    const { paths } = (await http.get('/openapi/v3/apis/apps/v1')).json;
    expect(Object.keys(paths).filter((path) => /deployments/.test(path))).toEqual([]);
    expect(Object.keys(paths)).toContain('/apis/apps/v1/replicasets');
    http.close();
    await server.close();
  });

  test('on disk: objects and certificates survive a restart; two servers cannot share a store', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kubeloom-server-'));
    const options = {
      ...({ storage: 'lmdb', dataDir: join(folder, 'data'), certDir: join(folder, 'certs') } as const),
      writeKubeconfig: join(folder, 'kubeconfig'),
      unsafeNoFsync: true,
      // without these, the first server would write when it stops
      leaderElect: false,
      endpointReconcilerType: 'none' as const,
      featureGates: ['APIServerIdentity=false'],
    };
    try {
      const first = await startServer(options);
      const http = HttpClient.for(first);
      const body = JSON.stringify({ metadata: { name: 'kept' } });
      const path = '/api/v1/namespaces/default/configmaps';
      expect((await http.send('POST', path, body, 'application/json')).status).toBe(201);
      http.close();
      expect(await readFile(options.writeKubeconfig, 'utf8')).toBe(first.kubeconfig);
      await expect(startServer(options)).rejects.toThrow();
      const revision = first.revision();
      await first.close();
      const second = await startServer(options);
      expect(second.caCertificate).toBe(first.caCertificate);
      expect(second.revision()).toBe(revision);
      const again = HttpClient.for(second);
      expect((await again.get(`${path}/kept`)).status).toBe(200);
      again.close();
      await second.close();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test.each([
    [{ tlsCertFile: '/nonexistent' }, 'must be set together'],
    [{ tlsCertFile: '/nonexistent', tlsPrivateKeyFile: '/nonexistent' }, '--tls-cert-file, --tls-private-key-file: ENOENT'],
    [{ clientCaFile: '/nonexistent' }, '--client-ca-file: ENOENT'],
    [{ tokenAuthFile: '/nonexistent' }, 'token file'],
    [{ runtimeConfig: ['foo/v1=true'] }, '--runtime-config'],
    [{ leaderElectRenewDeadline: 15_000 }, 'leaseDuration must be greater than renewDeadline'],
    [{ leaderElectRetryPeriod: 9_000 }, 'renewDeadline must be greater than retryPeriod*JitterFactor'],
    [{ leaderElectRetryPeriod: 0 }, 'retryPeriod must be greater than zero'],
    [{ storage: 'etcd' as const }, '--etcd-servers must be specified'],
    [{ etcdServers: ['ftp://127.0.0.1'] }, '--etcd-servers: unsupported URL "ftp://127.0.0.1"'],
    [{ etcdServers: ['https://127.0.0.1'], etcdKeyfile: '/k' }, 'KeyFile and CertFile must both be present[key: /k, cert: ]'],
    [{ etcdServers: ['http://127.0.0.1'], storage: 'lmdb' as const }, '--etcd-servers cannot be used with --storage=lmdb'],
  ])('%j are rejected', async (options, message) => {
    await expect(startServer(options)).rejects.toThrow(message);
  });

  test('a port that is taken is reported, and nothing is left behind', async () => {
    const first = await startServer();
    const failures: unknown[] = [];
    const note = (error: unknown): void => void failures.push(error);
    process.on('unhandledRejection', note);
    try {
      for (let round = 0; round < 3; round++) {
        await expect(startServer({ port: first.port })).rejects.toThrow('EADDRINUSE');
      }
      await new Promise((resolve) => setImmediate(resolve));
      expect(failures).toEqual([]);
    } finally {
      process.off('unhandledRejection', note);
      await first.close();
    }
  });
});
