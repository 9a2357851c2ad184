import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { ObjectDesk, storages } from '../../support/object-desk.ts';

describe.each(storages)('items of lists (%s)', (storage) => {
  let desk: ObjectDesk;

  beforeAll(async () => {
    desk = await ObjectDesk.open(storage);
    const { client } = desk;
    const make = (path: string, object: object) =>
      client.send('POST', path, JSON.stringify(object), 'application/json');
    for (const name of ['a', 'b']) {
      await make('/api/v1/namespaces/default/configmaps', {
        metadata: { name },
        data: { text: '{"kind":"ConfigMap",' },
      });
      await make('/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers', {
        metadata: { name },
        spec: { maxReplicas: 2, scaleTargetRef: { kind: 'Deployment', name } },
      });
    }
  });
  afterAll(() => desk.close());

  test.each([
    ['/api/v1/namespaces/default/configmaps', 'ConfigMapList'],
    // what is stored at another version
    ['/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers', 'HorizontalPodAutoscalerList'],
    ['/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers', 'HorizontalPodAutoscalerList'],
  ])('%s do not say what they are', async (path, kind) => {
    const compact = await desk.client.get(path, { headers: { 'user-agent': 'test' } });
    const pretty = await desk.client.get(`${path}?pretty=true`);
    const yaml = await desk.client.get(path, { headers: { accept: 'application/yaml' } });
    expect(compact.json.kind).toBe(kind);
    expect(compact.json.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual(
      expect.arrayContaining(['a', 'b']),
    );
    for (const item of compact.json.items) {
      expect(Object.keys(item)[0]).toBe('metadata');
      expect(item).not.toHaveProperty('kind');
      expect(item).not.toHaveProperty('apiVersion');
    }
    expect(pretty.json).toEqual(compact.json);
    expect(parse(yaml.body.toString())).toEqual(compact.json);
    expect(Number(compact.headers['content-length'] ?? compact.body.length)).toBe(compact.body.length);
  });

  test('objects by themselves and in watches do', async () => {
    const maps = '/api/v1/namespaces/default/configmaps';
    expect((await desk.client.get(`${maps}/a`)).json).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1' });
    const watched = await desk.client.get(`${maps}?watch=true&timeoutSeconds=1`);
    const [first] = watched.body.toString().split('\n');
    expect(JSON.parse(first).object).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1' });
  });
});

describe('items of lists of custom resources', () => {
  let desk: ObjectDesk;
  beforeAll(async () => {
    desk = await ObjectDesk.open('memory', {}, 'widgets');
  });
  afterAll(() => desk.close());

  test('say what they are', async () => {
    const { root, kind, apiVersion } = desk.kind;
    const path = `${root}/namespaces/default/widgets`;
    await desk.client.send(
      'POST',
      path,
      JSON.stringify({ kind, apiVersion, metadata: { name: 'w' } }),
      'application/json',
    );
    expect((await desk.client.get(path)).json.items[0]).toMatchObject({ kind, apiVersion, metadata: { name: 'w' } });
  });
});
