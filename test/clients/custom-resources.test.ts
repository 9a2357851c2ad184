import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ApiextensionsV1Api, CustomObjectsApi, KubeConfig, KubernetesObjectApi, Watch } from '@kubernetes/client-node';
import { type RunningServer, startServer } from '../../runtime/index.ts';

const group = 'stable.example.com';
const plural = 'crontabs';
const place = { group, version: 'v1', namespace: 'default', plural };

describe('custom resources through @kubernetes/client-node', () => {
  let server: RunningServer;
  let config: KubeConfig;
  let objects: CustomObjectsApi;

  beforeAll(async () => {
    server = await startServer();
    config = new KubeConfig();
    config.loadFromString(server.kubeconfig);
    objects = config.makeApiClient(CustomObjectsApi);
    const definitions = config.makeApiClient(ApiextensionsV1Api);
    await definitions.createCustomResourceDefinition({
      body: {
        metadata: { name: `${plural}.${group}` },
        spec: {
          group,
          scope: 'Namespaced',
          names: { plural, singular: 'crontab', kind: 'CronTab' },
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              subresources: { status: {} },
              schema: {
                openAPIV3Schema: {
                  type: 'object',
                  properties: {
                    spec: { type: 'object', properties: { schedule: { type: 'string' } } },
                    status: { type: 'object', properties: { runs: { type: 'integer' } } },
                  },
                },
              },
            },
          ],
        },
      },
    });
    for (;;) {
      const { status } = await definitions.readCustomResourceDefinition({ name: `${plural}.${group}` });
      if (status?.conditions?.some(({ type, status: is }) => type === 'Established' && is === 'True')) break;
    }
  });
  afterAll(() => server.close());

  const crontab = (name: string) => ({
    apiVersion: `${group}/v1`,
    kind: 'CronTab',
    metadata: { name },
    spec: { schedule: '* *' },
  });

  test('are created, read, listed, changed and deleted', async () => {
    await objects.createNamespacedCustomObject({ ...place, body: crontab('one') });
    const read = await objects.getNamespacedCustomObject({ ...place, name: 'one' });
    expect(read).toMatchObject({ spec: { schedule: '* *' }, metadata: { generation: 1 } });
    const list = await objects.listNamespacedCustomObject(place);
    expect(list).toMatchObject({ kind: 'CronTabList', items: [{ metadata: { name: 'one' } }] });
    const replaced = await objects.replaceNamespacedCustomObject({
      ...place,
      name: 'one',
      body: { ...read, spec: { schedule: 'x' } },
    });
    expect(replaced).toMatchObject({ spec: { schedule: 'x' }, metadata: { generation: 2 } });
    const status = await objects.replaceNamespacedCustomObjectStatus({
      ...place,
      name: 'one',
      body: { ...replaced, status: { runs: 3 } },
    });
    expect(status).toMatchObject({ status: { runs: 3 }, metadata: { generation: 2 } });
    expect(await objects.deleteNamespacedCustomObject({ ...place, name: 'one' })).toMatchObject({ status: 'Success' });
  });

  test('are found by discovery, and watched', async () => {
    const events: string[] = [];
    let wake = (): void => {};
    const controller = await new Watch(config).watch(
      `/apis/${group}/v1/${plural}`,
      {},
      (type, { metadata }) => {
        events.push(`${type} ${metadata.name}`);
        wake();
      },
      () => wake(),
    );
    const generic = KubernetesObjectApi.makeApiClient(config);
    const made = await generic.create(crontab('two'));
    await generic.delete(made);
    while (events.length < 2) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    controller.abort();
    expect(events).toEqual(['ADDED two', 'DELETED two']);
  });
});
