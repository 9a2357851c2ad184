import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { ObjectFixture, storages } from '../../support/object-fixture.ts';

describe.each(storages)('items of lists (%s)', (storage) => {
  let fixture: ObjectFixture;

  beforeAll(async () => {
    fixture = await ObjectFixture.open(storage);
    const { client } = fixture;
    const make = (path: string, object: object) => client.send('POST', path, JSON.stringify(object), 'application/json');
    for (const name of ['a', 'b']) {
      await make('/api/v1/namespaces/default/configmaps', {
        metadata: { name },
        data: { text: '{"kind":"ConfigMap",' },
      });
      await make('/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers', {
        metadata: { name },
        spec: { maxReplicas: 2, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name } },
      });
    }
  });
  afterAll(() => fixture.close());

  test.each([
    ['/api/v1/namespaces/default/configmaps', 'ConfigMapList'],
    // the object is stored at another version
    ['/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers', 'HorizontalPodAutoscalerList'],
    ['/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers', 'HorizontalPodAutoscalerList'],
  ])('%s have no apiVersion and kind', async (path, kind) => {
    const compact = await fixture.client.get(path, { headers: { 'user-agent': 'test' } });
    const pretty = await fixture.client.get(`${path}?pretty=true`);
    const yaml = await fixture.client.get(path, { headers: { accept: 'application/yaml' } });
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

  test('single objects and watch events have them', async () => {
    const maps = '/api/v1/namespaces/default/configmaps';
    expect((await fixture.client.get(`${maps}/a`)).json).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1' });
    const watched = await fixture.client.get(`${maps}?watch=true&timeoutSeconds=1`);
    const [first] = watched.body.toString().split('\n');
    expect(JSON.parse(first).object).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1' });
  });
});

describe('items of lists of custom resources', () => {
  let fixture: ObjectFixture;
  beforeAll(async () => {
    fixture = await ObjectFixture.open('memory', {}, 'widgets');
  });
  afterAll(() => fixture.close());

  test('have apiVersion and kind', async () => {
    const { root, kind, apiVersion } = fixture.kind;
    const path = `${root}/namespaces/default/widgets`;
    await fixture.client.send('POST', path, JSON.stringify({ kind, apiVersion, metadata: { name: 'w' } }), 'application/json');
    expect((await fixture.client.get(path)).json.items[0]).toMatchObject({ kind, apiVersion, metadata: { name: 'w' } });
  });
});
