import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type ApiException,
  AppsV1Api,
  CoreV1Api,
  KubeConfig,
  KubernetesObjectApi,
  PatchStrategy,
  setHeaderOptions,
  type V1Deployment,
} from '@kubernetes/client-node';
import { type RunningServer, startServer } from '../../runtime/index.ts';

const namespace = 'default';
const deployment = (name: string, replicas: number): V1Deployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
});

describe('writes of @kubernetes/client-node', () => {
  let server: RunningServer;
  let apps: AppsV1Api;
  let core: CoreV1Api;
  let objects: KubernetesObjectApi;

  beforeAll(async () => {
    server = await startServer();
    const config = new KubeConfig();
    config.loadFromString(server.kubeconfig);
    apps = config.makeApiClient(AppsV1Api);
    core = config.makeApiClient(CoreV1Api);
    objects = KubernetesObjectApi.makeApiClient(config);
  });
  afterAll(() => server?.close());

  const apply = (body: V1Deployment, fieldManager: string, force?: boolean) =>
    apps.patchNamespacedDeployment(
      { namespace, name: body.metadata?.name as string, body, fieldManager, force },
      setHeaderOptions('Content-Type', PatchStrategy.ServerSideApply),
    );

  test('server-side apply creates, conflicts and can be forced', async () => {
    const made = await apply(deployment('applied', 1), 'one');
    expect([made.spec?.replicas, made.metadata?.managedFields?.map(({ manager }) => manager)]).toEqual([1, ['one']]);
    const rejected = await apply(deployment('applied', 2), 'two').catch((error: ApiException<string>) => error);
    expect(rejected).toMatchObject({ code: 409 });
    expect(JSON.parse((rejected as ApiException<string>).body).message).toBe(
      'Apply failed with 1 conflict: conflict with "one": .spec.replicas',
    );
    expect((await apply(deployment('applied', 2), 'two', true)).spec?.replicas).toBe(2);
  });

  test('patches change objects by each strategy', async () => {
    await core.createNamespacedConfigMap({ namespace, body: { metadata: { name: 'p' }, data: { a: '1' } } });
    const patch = (strategy: string, body: object) =>
      core.patchNamespacedConfigMap({ namespace, name: 'p', body }, setHeaderOptions('Content-Type', strategy));
    expect((await patch(PatchStrategy.MergePatch, { data: { b: '2' } })).data).toEqual({ a: '1', b: '2' });
    const strategic = { data: { a: null } };
    expect((await patch(PatchStrategy.StrategicMergePatch, strategic)).data).toEqual({ b: '2' });
    const operations = [{ op: 'add', path: '/data/c', value: '3' }];
    expect((await patch(PatchStrategy.JsonPatch, operations)).data).toEqual({ b: '2', c: '3' });
  });

  test('a dry run writes nothing, and a stale update is a conflict', async () => {
    await apps.createNamespacedDeployment({ namespace, body: deployment('dry', 1), dryRun: 'All' });
    await expect(apps.readNamespacedDeployment({ namespace, name: 'dry' })).rejects.toMatchObject({ code: 404 });
    const first = await apps.createNamespacedDeployment({ namespace, body: deployment('stale', 1) });
    const scale = await apps.readNamespacedDeploymentScale({ namespace, name: 'stale' });
    await apps.replaceNamespacedDeploymentScale({
      namespace,
      name: 'stale',
      body: { ...scale, spec: { replicas: 3 } },
    });
    await expect(apps.replaceNamespacedDeployment({ namespace, name: 'stale', body: first })).rejects.toMatchObject({
      code: 409,
    });
  });

  test('objects of any kind are created, patched and deleted', async () => {
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'any', namespace } };
    await objects.create(body);
    const patched = await objects.patch({ ...body, data: { a: '1' } }, undefined, undefined, 'me', undefined, PatchStrategy.MergePatch);
    expect(patched).toMatchObject({ data: { a: '1' } });
    await objects.delete(body);
    await expect(objects.read(body)).rejects.toMatchObject({ code: 404 });
  });
});
