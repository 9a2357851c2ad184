import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CoreV1Api, KubeConfig, makeInformer, PatchStrategy, setHeaderOptions, type V1ConfigMap, Watch } from '@kubernetes/client-node';
import { type RunningServer, startServer } from '../../runtime/index.ts';
import { quietNamespaces } from '../support/quiet-namespaces.ts';

describe('@kubernetes/client-node over TLS', () => {
  let server: RunningServer;
  let config: KubeConfig;
  let api: CoreV1Api;
  const namespace = 'default';

  beforeAll(async () => {
    server = await startServer(quietNamespaces);
    config = new KubeConfig();
    config.loadFromString(server.kubeconfig);
    api = config.makeApiClient(CoreV1Api);
  });

  afterAll(async () => {
    await server?.close();
  });

  const configMap = (name: string, value = '1'): V1ConfigMap => ({ metadata: { name }, data: { value } });

  test('creates, reads, replaces, patches, lists and deletes', async () => {
    const created = await api.createNamespacedConfigMap({ namespace, body: configMap('crud') });
    expect(created.metadata?.uid).toMatch(/^[0-9a-f-]{36}$/);
    const read = await api.readNamespacedConfigMap({ namespace, name: 'crud' });
    expect(read).toEqual(created);
    const replaced = await api.replaceNamespacedConfigMap({
      namespace,
      name: 'crud',
      body: { ...read, data: { value: '2' } },
    });
    expect(replaced.data).toEqual({ value: '2' });
    const patched = await api.patchNamespacedConfigMap(
      { namespace, name: 'crud', body: { data: { more: '3' } } },
      setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
    );
    expect(patched.data).toEqual({ value: '2', more: '3' });
    const list = await api.listNamespacedConfigMap({ namespace });
    expect(list.items.map((item) => item.metadata?.name)).toContain('crud');
    await api.deleteNamespacedConfigMap({ namespace, name: 'crud' });
    await expect(api.readNamespacedConfigMap({ namespace, name: 'crud' })).rejects.toMatchObject({ code: 404 });
  });

  test('watches from a resourceVersion', async () => {
    const { metadata } = await api.listNamespacedConfigMap({ namespace });
    const events: string[] = [];
    let done = (): void => {};
    const finished = new Promise<void>((resolve) => {
      done = resolve;
    });
    const controller = await new Watch(config).watch(
      `/api/v1/namespaces/${namespace}/configmaps`,
      { resourceVersion: metadata?.resourceVersion },
      (type, object: V1ConfigMap) => {
        events.push(`${type} ${object.metadata?.name}`);
        if (type === 'DELETED') done();
      },
      () => {},
    );
    await api.createNamespacedConfigMap({ namespace, body: configMap('seen') });
    await api.deleteNamespacedConfigMap({ namespace, name: 'seen' });
    await finished;
    controller.abort();
    expect(events).toEqual(['ADDED seen', 'DELETED seen']);
  });

  test('an informer has the objects of the server', async () => {
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    await api.createNamespacedConfigMap({ namespace, body: configMap('before') });
    const informer = makeInformer(config, path, () => api.listNamespacedConfigMap({ namespace }));
    const seen: string[] = [];
    let done = (): void => {};
    const finished = new Promise<void>((resolve) => {
      done = resolve;
    });
    informer.on('add', (object) => seen.push(`add ${object.metadata?.name}`));
    informer.on('update', (object) => seen.push(`update ${object.metadata?.name} ${object.data?.value}`));
    informer.on('delete', (object) => {
      seen.push(`delete ${object.metadata?.name}`);
      done();
    });
    await informer.start();
    await api.createNamespacedConfigMap({ namespace, body: configMap('after') });
    await api.replaceNamespacedConfigMap({ namespace, name: 'after', body: configMap('after', '2') });
    await api.deleteNamespacedConfigMap({ namespace, name: 'before' });
    await finished;
    await informer.stop();
    const ofTest = seen.filter((text) => !text.includes('kube-root-ca.crt'));
    expect(ofTest).toEqual(['add before', 'add after', 'update after 2', 'delete before']);
  });
});
