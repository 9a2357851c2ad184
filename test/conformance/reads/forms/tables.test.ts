import { describe, expect, test } from '@jest/globals';
import { ManualClock } from '../../../support/manual-clock.ts';
import { storages } from '../../../support/object-fixture.ts';
import { as, cbor, formsForSuite, lines, protobuf, watchShortly } from './forms.ts';

describe.each(storages)('over %s storage', (storage) => {
  const clock = new ManualClock();
  const forms = formsForSuite(storage, clock);

  describe('Tables', () => {
    test.each(['v1', 'v1beta1'])('of %s are lists, objects and watches', async (version) => {
      const list = await forms.fixture.get(forms.maps, { limit: 1 }, as('Table', version));
      const one = await forms.fixture.get(`${forms.maps}/a`, {}, as('Table', version));
      for (const { json } of [list, one]) {
        expect(json).toMatchObject({ kind: 'Table', apiVersion: `meta.k8s.io/${version}` });
        expect(json.rows[0].cells.slice(0, 2)).toEqual(['a', 1]);
        expect(json.rows[0].object).toMatchObject({
          kind: 'PartialObjectMetadata',
          apiVersion: `meta.k8s.io/${version}`,
          metadata: { name: 'a', labels: { is: 'a' } },
        });
      }
      expect(one.json.metadata.resourceVersion).toBe(one.json.rows[0].object.metadata.resourceVersion);
      expect(Number(list.json.metadata.resourceVersion)).toBeGreaterThan(0);
    });

    test.each([
      ['None', null],
      ['Metadata', { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' }],
      ['Object', { kind: 'ConfigMap', apiVersion: 'v1', data: { n: '1' } }],
    ])('with includeObject=%s', async (includeObject, object) => {
      const { json } = await forms.fixture.get(forms.maps, { includeObject }, as('Table'));
      if (object === null) expect(json.rows[0].object).toBeNull();
      else expect(json.rows[0].object).toMatchObject(object);
    });

    test('with another includeObject are rejected', async () => {
      const { status, json } = await forms.fixture.get(forms.maps, { includeObject: 'All' }, as('Table'));
      expect([status, json.message]).toEqual([
        400,
        `Unable to convert to Table as requested: includeObject: Invalid value: "All": must be 'Metadata', 'Object', 'None', or empty`,
      ]);
    });

    test('have headers once in a watch, and mark the end of initial events with any includeObject', async () => {
      const query = { includeObject: 'None', allowWatchBookmarks: 'true' };
      const { body, headers } = await watchShortly(forms, clock, query, as('Table'));
      expect(headers['content-type']).toBe('application/json');
      const [added, end] = lines(body);
      expect(added).toMatchObject({ type: 'ADDED', object: { kind: 'Table', rows: [{ object: null }] } });
      expect(added.object.columnDefinitions).toHaveLength(3);
      expect(end).toMatchObject({
        type: 'BOOKMARK',
        object: { columnDefinitions: null, rows: [{ object: { kind: 'PartialObjectMetadata' } }] },
      });
      expect(end.object.rows[0].object.metadata.annotations).toEqual({ 'k8s.io/initial-events-end': 'true' });
    });

    test('have headers in a bookmark that comes first', async () => {
      const query = { labelSelector: 'is=nothing', allowWatchBookmarks: 'true' };
      const [end] = lines((await watchShortly(forms, clock, query, as('Table'))).body);
      expect(end.type).toBe('BOOKMARK');
      expect(end.object.columnDefinitions).toHaveLength(3);
    });

    test('have conditions on rows of completed pods', async () => {
      const pods = forms.maps.replace('configmaps', 'pods');
      for (const phase of ['Running', 'Succeeded', 'Failed']) {
        const name = phase.toLowerCase();
        await forms.fixture.put(pods, name, { spec: { containers: [{ name: 'c', image: 'i' }] } });
        const body = JSON.stringify({ status: { phase } });
        await forms.fixture.client.send('PATCH', `${pods}/${name}/status`, body, 'application/merge-patch+json');
      }
      const { json } = await forms.fixture.get(pods, {}, as('Table'));
      const condition = { type: 'Completed', status: 'True' };
      expect(json.rows.map(({ conditions }: { conditions?: unknown }) => conditions)).toEqual([
        [{ ...condition, reason: 'Failed', message: 'The pod failed.' }],
        undefined,
        [{ ...condition, reason: 'Succeeded', message: 'The pod has completed successfully.' }],
      ]);
    });

    test('of a scale have the columns of scales', async () => {
      const sets = forms.maps.replace('/api/v1', '/apis/apps/v1').replace('configmaps', 'replicasets');
      const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
      await forms.fixture.put(sets, 'a', { spec: { replicas: 3, selector: { matchLabels: { a: 'b' } }, template } });
      const { json } = await forms.fixture.get(`${sets}/a/scale`, {}, as('Table'));
      expect(json.columnDefinitions.map(({ name, format }: { name: string; format: string }) => name + format)).toEqual([
        'Name',
        'Desired',
        'Available',
        'Age',
      ]);
      expect(json.rows[0].cells.slice(0, 3)).toEqual(['a', 3, 0]);
    });

    test('list flow schemas in the order of their precedence', async () => {
      const path = '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas';
      const spec = (matchingPrecedence: number) => ({
        spec: { matchingPrecedence, priorityLevelConfiguration: { name: 'catch-all' } },
      });
      await forms.fixture.put(path, 'a-late', spec(9_000));
      await forms.fixture.put(path, 'b-early', spec(3));
      await forms.fixture.put(path, 'c-late', spec(9_000));
      const { json } = await forms.fixture.get(path, {}, as('Table'));
      const names: string[] = json.rows.map(({ cells }: { cells: string[] }) => cells[0]);
      expect(names.filter((name) => /^[abc]-/.test(name))).toEqual(['b-early', 'a-late', 'c-late']);
      const list = await forms.fixture.get(path);
      expect(list.json.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual([...names].sort());
    });

    test('are in JSON and YAML only, and only for resources', async () => {
      const inYaml = await forms.fixture.get(forms.maps, {}, as('Table', 'v1', 'application/yaml'));
      expect([inYaml.status, inYaml.headers['content-type']]).toEqual([200, 'application/yaml']);
      expect((await forms.fixture.get(forms.maps, {}, as('Table', 'v1', protobuf))).status).toBe(406);
      expect((await forms.fixture.get(forms.maps, {}, as('Table', 'v1', cbor))).status).toBe(406);
      expect((await forms.fixture.get(forms.maps, {}, as('Table', 'v2'))).status).toBe(406);
      const or = await forms.fixture.get(forms.maps, {}, `${as('Table', 'v1', protobuf)},application/json`);
      expect([or.status, or.json.kind]).toEqual([200, 'ConfigMapList']);
    });
  });
});
