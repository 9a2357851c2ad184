import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Client, createClient } from '../../generated/v1.35/client.ts';
import type { ConfigMap } from '../../generated/v1.35/core/v1/types.ts';
import { parseKubeconfig } from '../../runtime/client/kubeconfig.ts';
import { type RunningServer, startServer } from '../../runtime/index.ts';

describe('the generated client over TLS', () => {
  let server: RunningServer;
  let client: Client;
  const namespace = 'default';
  const configMap = (name: string, value = '1'): ConfigMap => ({ metadata: { name }, data: { value } });

  beforeAll(async () => {
    server = await startServer();
    client = createClient(parseKubeconfig(server.kubeconfig));
  });
  afterAll(async () => {
    client?.close();
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

  test('informs: a list, and then every change after it once and in order', async () => {
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
});
