import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createClient } from '../../generated/v1.35/client.ts';
import type { ConfigMap } from '../../generated/v1.35/core/v1/types.ts';
import { parseKubeconfig } from '../../runtime/client/kubeconfig.ts';
import type { RunningServer } from '../../runtime/index.ts';
import { isStatusError } from '../../runtime/machinery/errors/status.ts';
import { quietNamespaces } from '../support/quiet-namespaces.ts';
import { startTestServer } from '../support/test-server.ts';

describe('the generated client over TLS', () => {
  let server: RunningServer;
  let client: Awaited<ReturnType<RunningServer['client']>>;
  const namespace = 'default';
  const configMap = (name: string, value = '1'): ConfigMap => ({ metadata: { name }, data: { value } });

  beforeAll(async () => {
    server = await startTestServer(quietNamespaces);
    client = await server.client();
  });
  afterAll(async () => {
    await server?.close();
  });

  test('creates, reads, replaces, patches, lists and deletes', async () => {
    const maps = client.core.v1.configmaps.namespace(namespace);
    const created = await maps.create(configMap('crud'));
    expect(created.metadata.uid).toMatch(/^[0-9a-f-]{36}$/);
    const read = await maps.get('crud');
    expect(read).toEqual(created);
    expect((await maps.update({ ...read, data: { value: '2' } })).data).toEqual({ value: '2' });
    await expect(maps.update({ ...read, data: { value: '3' } })).rejects.toMatchObject({
      status: { reason: 'Conflict' },
    });
    expect((await maps.patch('crud', { data: { more: '3' } }, { type: 'merge' })).data).toEqual({
      value: '2',
      more: '3',
    });
    const patch = [{ op: 'remove', path: '/data/more' }];
    expect((await maps.patch('crud', patch, { type: 'json' })).data).toEqual({ value: '2' });
    expect((await maps.list()).items.map((item) => item.metadata.name)).toContain('crud');
    await maps.delete('crud');
    await expect(maps.get('crud')).rejects.toMatchObject({ status: { reason: 'NotFound', code: 404 } });
  });

  test('lists in pages and across namespaces', async () => {
    for (const name of ['p1', 'p2', 'p3'])
      await client.core.v1.secrets.namespace(namespace).create({ metadata: { name, labels: { pages: 'yes' } } });
    const first = await client.core.v1.secrets.list({ labelSelector: 'pages=yes', limit: 2 });
    const rest = await client.core.v1.secrets.list({
      labelSelector: 'pages=yes',
      limit: 2,
      continue: first.metadata.continue,
    });
    expect([...first.items, ...rest.items].map((item) => item.metadata.name)).toEqual(['p1', 'p2', 'p3']);
    await client.core.v1.secrets.namespace(namespace).deleteCollection({ labelSelector: 'pages=yes' });
    expect((await client.core.v1.secrets.list({ labelSelector: 'pages=yes' })).items).toEqual([]);
  });

  test('patches lists by their keys and scales through the subresource', async () => {
    const deployments = client.apps.v1.deployments.namespace(namespace);
    await deployments.create({
      metadata: { name: 'web' },
      spec: {
        selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'one' }] } },
      },
    });
    const containers = [{ name: 'side', image: 'two' }];
    const patched = await deployments.patch('web', { spec: { template: { spec: { containers } } } });
    expect(patched.spec?.template.spec?.containers.map((container) => container.name)).toEqual(['side', 'c']);
    const scale = await deployments.getScale('web');
    await deployments.updateScale({ ...scale, spec: { replicas: 3 } });
    expect((await deployments.get('web')).spec?.replicas).toBe(3);
    const status = await deployments.patchStatus('web', { status: { replicas: 3 } }, { type: 'merge' });
    expect(status.status?.replicas).toBe(3);
  });

  test('a watch after a list has every change once and in order', async () => {
    const maps = client.core.v1.configmaps;
    await maps.namespace(namespace).create(configMap('before'));
    const { metadata, items } = await maps.list();
    const known = new Map(items.map((item) => [item.metadata.name, item.data?.value]));
    const controller = new AbortController();
    const watch = maps.watch({ resourceVersion: metadata.resourceVersion, signal: controller.signal });
    await maps.namespace(namespace).create(configMap('after'));
    await maps.namespace(namespace).update(configMap('after', '2'));
    await maps.namespace(namespace).delete('before');
    const types: string[] = [];
    for await (const { type, object } of watch) {
      types.push(`${type} ${object.metadata.name}`);
      if (type === 'DELETED') known.delete(object.metadata.name);
      else known.set(object.metadata.name, object.data?.value);
      if (types.length === 3) controller.abort();
    }
    expect(types).toEqual(['ADDED after', 'MODIFIED after', 'DELETED before']);
    expect([known.has('before'), known.get('after')]).toEqual([false, '2']);
  });

  test('a kubeconfig gives the same client', async () => {
    const other = createClient(parseKubeconfig(server.kubeconfig));
    try {
      expect((await other.core.v1.namespaces.get('default')).status?.phase).toBe('Active');
    } finally {
      other.close();
    }
  });

  test('failures are StatusErrors with the whole status', async () => {
    const maps = client.core.v1.configmaps.namespace(namespace);
    await maps.create(configMap('errors'));
    const failures: [() => Promise<unknown>, object][] = [
      [() => maps.get('absent'), { code: 404, reason: 'NotFound', message: 'configmaps "absent" not found' }],
      [() => maps.delete('absent'), { code: 404, details: { name: 'absent', kind: 'configmaps' } }],
      [() => maps.create(configMap('errors')), { code: 409, reason: 'AlreadyExists' }],
      [() => maps.create(configMap('No')), { code: 422, details: { causes: [{ field: 'metadata.name' }] } }],
      [() => maps.patch('errors', [{ op: 'test', path: '/data', value: 1 }], { type: 'json' }), { code: 422 }],
      [() => maps.delete('errors', { preconditions: { uid: 'other' } }), { code: 409, reason: 'Conflict' }],
      [() => maps.list({ labelSelector: '!!' }), { code: 400, reason: 'BadRequest' }],
      [() => client.core.v1.configmaps.namespace('absent').create(configMap('a')), { code: 404 }],
    ];
    for (const [failing, want] of failures) {
      const error = await failing().then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(isStatusError(error) && error.status).toMatchObject({ kind: 'Status', status: 'Failure', ...want });
    }
  });

  test('names with slashes do not reach other paths', async () => {
    const maps = client.core.v1.configmaps.namespace(namespace);
    await expect(maps.get('a/../../secrets')).rejects.toMatchObject({ status: { kind: 'Status' } });
    expect(() => maps.get('')).toThrow('a name is needed');
    expect(() => client.core.v1.configmaps.namespace('')).toThrow('a namespace is needed');
  });

  test('passes write options: dry run, strict and lenient field validation', async () => {
    const maps = client.core.v1.configmaps.namespace(namespace);
    expect((await maps.create(configMap('dry'), { dryRun: 'All' })).metadata.name).toBe('dry');
    await expect(maps.get('dry')).rejects.toMatchObject({ status: { code: 404 } });
    const odd = { ...configMap('odd'), odd: 1 };
    await expect(maps.create(odd, { fieldValidation: 'Strict' })).rejects.toMatchObject({ status: { code: 400 } });
    expect(await maps.create(odd, { fieldValidation: 'Ignore' })).not.toHaveProperty('odd');
  });

  test('selects by fields, and reads at an older revision until it is compacted', async () => {
    const maps = client.core.v1.configmaps.namespace(namespace);
    for (const name of ['f1', 'f2']) await maps.create(configMap(name));
    const one = await maps.list({ fieldSelector: 'metadata.name=f2' });
    expect(one.items.map((item) => item.metadata.name)).toEqual(['f2']);
    await maps.delete('f2');
    const { resourceVersion } = one.metadata;
    const before = await maps.list({ resourceVersion, resourceVersionMatch: 'Exact', labelSelector: '' });
    expect(before.items.map((item) => item.metadata.name)).toContain('f2');
  });

  test('reads cluster-scoped resources and creates subresources', async () => {
    await client.core.v1.namespaces.create({ metadata: { name: 'acts' } });
    const pods = client.core.v1.pods.namespace('acts');
    await pods.create({ metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } });
    await pods.createBinding('p', { metadata: { name: 'p' }, target: { kind: 'Node', name: 'n' } });
    const phase = { status: { phase: 'Succeeded' } };
    expect((await pods.patchStatus('p', phase, { type: 'merge' })).spec?.nodeName).toBe('n');
    expect((await client.core.v1.pods.list({ fieldSelector: 'spec.nodeName=n' })).items).toHaveLength(1);
    await pods.createEviction('p', { metadata: { name: 'p' } });
    await expect(pods.get('p')).rejects.toMatchObject({ status: { code: 404 } });
    const review = await client.authorization.v1.selfsubjectaccessreviews.create({
      spec: { resourceAttributes: { verb: 'get', resource: 'pods' } },
    });
    expect(review.status?.allowed).toBe(true);
  });

  test('a watch begins with the existing objects, and ends with its timeout, signal or loop', async () => {
    const maps = client.core.v1.configmaps.namespace('kube-public');
    await maps.create(configMap('there'));
    const names: (string | undefined)[] = [];
    for await (const { object } of maps.watch({ fieldSelector: 'metadata.name=there' })) {
      names.push(object.metadata.name);
      break;
    }
    expect(names).toEqual(['there']);
    const signal = AbortSignal.abort();
    for await (const event of maps.watch({ signal })) throw new Error(`an event ${event.type} after the signal`);
    const { resourceVersion } = (await maps.list()).metadata;
    for await (const event of maps.watch({ resourceVersion, timeoutSeconds: 1 })) throw new Error(event.type);
  });

  test('a watch from a compacted revision fails with Expired', async () => {
    const maps = client.core.v1.configmaps.namespace(namespace);
    const { resourceVersion } = (await maps.list()).metadata;
    await maps.create(configMap('later'));
    await maps.delete('later');
    await server.compact();
    const watching = async (): Promise<void> => {
      for await (const _ of maps.watch({ resourceVersion })) break;
    };
    await expect(watching()).rejects.toMatchObject({ status: { code: 410, reason: 'Expired' } });
  });
});
