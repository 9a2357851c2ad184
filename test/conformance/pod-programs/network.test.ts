import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { issueCertificate } from '../../../runtime/serving/x509-certificate.ts';
import { image, ProgramServer } from './program-server.ts';

/* Programs of this machine in the network of the cluster. */

const server = new ProgramServer();
const pods = 'api/v1/pods';
const services = 'api/v1/services';

const served = async (path: Awaited<ReturnType<ProgramServer['namespace']>>, container: object, name = 'program'): Promise<void> => {
  await server.create(path(pods), container, { metadata: undefined }, name);
  await server.logLine(path(pods, name), /listening/);
};

describe('a port of a program is reached through its pod', () => {
  test.each([
    { listens: 'at the address of the pod', args: ['serve', '8123', '$(POD_ADDRESS)'], ports: [{ containerPort: 8123 }] },
    { listens: 'at an address that status.podIP names', args: ['serve', '8123', '$(IP)'], ports: [{ containerPort: 8123 }] },
    { listens: 'at all addresses, undeclared', args: ['serve', '8124', '0.0.0.0'], ports: [] },
    { listens: 'at 127.0.0.1', args: ['serve', '8125', '127.0.0.1'], ports: [{ containerPort: 8125 }] },
    { listens: 'at all addresses of both families', args: ['serve', '8126', '::'], ports: [{ containerPort: 8126 }] },
  ])('that listens $listens', async ({ args, ports }) => {
    const path = await server.namespace();
    const env = [{ name: 'IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } }];
    await served(path, { args, ports, env });
    expect(await server.text(`${path(pods, 'program')}:${args[1]}/proxy/x`)).toEqual({ status: 200, body: 'program /x' });
  });
});

test('a port on which another program of this machine listens is refused', async () => {
  const other = createServer((_, response) => response.end('other')).listen(0, '0.0.0.0');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as AddressInfo;
  const path = await server.namespace();
  await server.create(path(pods), { args: ['stay'], ports: [{ containerPort: port }] });
  await server.logLine(path(pods, 'program'), /staying/);
  const { status, body } = await server.text(`${path(pods, 'program')}:${port}/proxy/`);
  other.close();
  expect(status).toBe(503);
  expect(body).toContain('connection refused');
});

test('replicas listen on the same port, each at its own address, and a service reaches both', async () => {
  const path = await server.namespace();
  const metadata = { labels: { app: 'web' } };
  for (const name of ['one', 'two']) {
    const containers = [{ name: 'c', image, args: ['serve', '8080'], ports: [{ containerPort: 8080, name: 'http' }] }];
    await server.post(path(pods), { metadata: { ...metadata, name }, spec: { containers } });
    await server.logLine(path(pods, name), /listening/);
  }
  await server.post(path(services), {
    metadata: { name: 'web' },
    spec: { selector: metadata.labels, ports: [{ port: 80, targetPort: 'http' }] },
  });
  const slices = path('apis/discovery.k8s.io/v1/endpointslices');
  await server.untilAll(slices, (all) => all.flatMap(({ endpoints }) => endpoints ?? []).length === 2);
  const seen = new Set<string>();
  while (seen.size < 2) seen.add((await server.text(`${path(services, 'web')}/proxy/`)).body);
  expect([...seen].sort()).toEqual(['one /', 'two /']);
});

describe('webhooks and aggregated servers are programs', () => {
  let path: Awaited<ReturnType<ProgramServer['namespace']>>;
  let namespace: string;
  let caBundle: string;
  let clientConfig: { readonly service: object; readonly caBundle: string };

  beforeAll(async () => {
    path = await server.namespace();
    namespace = path(pods).split('/')[4] ?? '';
    const from = Date.now() - 60_000;
    const validity = { from, until: from + 24 * 3600 * 1000 };
    const authority = issueCertificate({ commonName: 'ca', use: 'ca', ...validity });
    const name = `hooks.${namespace}.svc`;
    const { certificate, key } = issueCertificate({ commonName: name, names: [name], use: 'server', ...validity }, authority);
    caBundle = Buffer.from(authority.certificate).toString('base64');
    clientConfig = { service: { namespace, name: 'hooks', path: '/review' }, caBundle };
    const data = { 'tls.crt': Buffer.from(certificate).toString('base64'), 'tls.key': Buffer.from(key).toString('base64') };
    await server.post(path('api/v1/secrets'), { metadata: { name: 'cert' }, type: 'kubernetes.io/tls', data });
    const mountPath = '/tmp/k8s-webhook-server/serving-certs';
    const container = {
      name: 'c',
      image,
      args: ['webhook', '9443', mountPath],
      ports: [{ containerPort: 9443, name: 'webhook' }],
      volumeMounts: [{ name: 'cert', mountPath, readOnly: true }],
    };
    const spec = { containers: [container], volumes: [{ name: 'cert', secret: { secretName: 'cert' } }] };
    await server.post(path(pods), { metadata: { name: 'hooks', labels: { app: 'hooks' } }, spec });
    await server.post(path(services), {
      metadata: { name: 'hooks' },
      spec: { selector: { app: 'hooks' }, ports: [{ port: 443, targetPort: 'webhook' }] },
    });
    await server.logLine(path(pods, 'hooks'), /listening/);
    await server.untilAll(path('apis/discovery.k8s.io/v1/endpointslices'), (all) => all.some(({ endpoints }) => endpoints?.length === 1));
  });
  afterAll(async () => {
    for (const kind of ['mutating', 'validating'])
      await server.delete(`/apis/admissionregistration.k8s.io/v1/${kind}webhookconfigurations/hooks`);
  });

  test.each(['mutating', 'validating'])('%s webhooks are called through their service', async (kind) => {
    const rules = [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] }];
    const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': namespace } };
    const webhook = {
      name: 'hooks.example.com',
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      rules,
      clientConfig,
      namespaceSelector,
    };
    await server.post(`/apis/admissionregistration.k8s.io/v1/${kind}webhookconfigurations`, {
      metadata: { name: 'hooks' },
      webhooks: [webhook],
    });
    const configMaps = path('api/v1/configmaps');
    if (kind === 'mutating') {
      const { metadata } = await server.post(configMaps, { metadata: { name: kind, labels: { a: 'b' } } });
      expect(metadata.labels).toEqual({ a: 'b', seen: 'yes' });
      // what a large object would have been worked out by
      const large = await server.post(configMaps, { metadata: { name: 'large' }, data: { x: 'x'.repeat(200_000) } });
      expect(large.metadata.labels).toEqual({ seen: 'yes' });
    }
    const refusal = server.post(configMaps, { metadata: { name: 'forbidden' } });
    await expect(refusal).rejects.toThrow('admission webhook \\"hooks.example.com\\" denied the request: not by hooks');
  });

  test('a conversion webhook is called through its service', async () => {
    const group = 'converted.example.com';
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    const versions = ['v1', 'v2'].map((name) => ({ name, served: true, storage: name === 'v1', schema }));
    const conversion = { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } };
    const spec = { group, scope: 'Cluster', names: { plural: 'gears', kind: 'Gear' }, versions, conversion };
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    await server.post(definitions, { metadata: { name: `gears.${group}` }, spec });
    await server.until(`${definitions}/gears.${group}`, ({ status }) =>
      status?.conditions?.some((one: { type: string; status: string }) => one.type === 'Established' && one.status === 'True'),
    );
    await server.post(`/apis/${group}/v1/gears`, { apiVersion: `${group}/v1`, kind: 'Gear', metadata: { name: 'one' } });
    expect(await server.get(`/apis/${group}/v2/gears/one`)).toMatchObject({ apiVersion: `${group}/v2`, converted: 'by hooks' });
  });

  test('an APIService is served through its service', async () => {
    const name = 'v1.served.example.com';
    const spec = {
      group: 'served.example.com',
      version: 'v1',
      groupPriorityMinimum: 1000,
      versionPriority: 15,
      caBundle,
      service: { namespace, name: 'hooks' },
    };
    const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices';
    await server.post(apiServices, { metadata: { name }, spec });
    await server.until(`${apiServices}/${name}`, ({ status }) =>
      status?.conditions?.some((one: { type: string; status: string }) => one.type === 'Available' && one.status === 'True'),
    );
    expect(await server.get('/apis/served.example.com/v1/things')).toMatchObject({ kind: 'ThingList' });
    await server.delete(`${apiServices}/${name}`);
  });
});

describe('ports that are free', () => {
  const free = new ProgramServer((folder) => ({
    programs: [
      { image: 'example.com/team/*', command: [process.execPath, 'program.mjs'], cwd: folder, ports: 'free', args: ['$(PORT_8080)'] },
    ],
  }));

  test('stand for the declared ones', async () => {
    const path = await free.namespace();
    await free.create(path(pods), { args: ['serve'], ports: [{ containerPort: 8080 }] });
    await free.logLine(path(pods, 'program'), /listening/);
    expect(await free.text(`${path(pods, 'program')}:8080/proxy/x`)).toEqual({ status: 200, body: 'program /x' });
  });
});
