import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { writeStorages } from '../../support/object-fixture.ts';
import { ownersOf } from '../../support/write-fixture.ts';
import { everySubject } from './subjects.ts';
import { VerbFixture } from './verb-fixture.ts';

describe.each(everySubject(writeStorages))('subresources of %s, %s', (_title, storage, subject) => {
  let fixture: VerbFixture;

  beforeAll(async () => {
    fixture = await VerbFixture.open(subject, storage);
  });
  afterAll(() => fixture.close());

  describe('status', () => {
    test('is written separately and does not change the generation', async () => {
      await fixture.made('parts');
      const now = (await fixture.get('parts/status')).json;
      expect(now).toEqual((await fixture.get('parts')).json);
      const put = await fixture.put('parts/status', fixture.with(structuredClone(now), { count: 7, current: 1 }));
      expect(put.status).toBe(200);
      expect([fixture.at(put.json, 'count'), fixture.at(put.json, 'current'), put.json.metadata.generation]).toEqual([1, 1, 1]);
      const patched = await fixture.patch('merge', 'parts/status', fixture.with({}, { count: 8, current: 0 }));
      expect([fixture.at(patched.json, 'count'), patched.json.metadata.generation]).toEqual([1, 1]);
    });

    test('is read as a Table and as metadata', async () => {
      await fixture.made('forms');
      const as = (kind: string) => `application/json;as=${kind};v=v1;g=meta.k8s.io`;
      expect((await fixture.get('forms/status', {}, as('Table'))).json.rows[0].cells[0]).toBe('forms');
      expect((await fixture.get('forms/status', {}, as('PartialObjectMetadata'))).json.metadata.name).toBe('forms');
    });

    test('is validated, conflicts, and is NotFound', async () => {
      const made = await fixture.made('judged');
      const wrong = await fixture.patch('merge', 'judged/status', fixture.with({}, { current: 'many' }));
      expect(wrong.json).toMatchObject({ code: 422, reason: 'Invalid' });
      await fixture.put('judged/status', fixture.with(structuredClone(made), { current: 1 }));
      const stale = await fixture.put('judged/status', fixture.with(made, { current: 2 }));
      expect(stale.json).toMatchObject({ code: 409, reason: 'Conflict' });
      expect((await fixture.get('absent/status')).json).toMatchObject({ code: 404, reason: 'NotFound' });
      expect((await fixture.patch('merge', 'absent/status', {})).json).toMatchObject({ code: 404, reason: 'NotFound' });
    });

    test('does not change in a dry run', async () => {
      const made = await fixture.made('dry');
      const dry = await fixture.patch('merge', 'dry/status', fixture.with({}, { current: 1 }), { dryRun: 'All' });
      expect(fixture.at(dry.json, 'current')).toBe(1);
      expect((await fixture.get('dry')).json).toEqual(made);
    });

    test('cannot be created or deleted', async () => {
      await fixture.made('kept');
      for (const method of ['POST', 'DELETE']) {
        const { json } = await fixture.send(method, `${fixture.path}/kept/status`, method === 'POST' ? fixture.object('kept') : undefined);
        expect(json).toMatchObject({ code: 405, reason: 'MethodNotAllowed' });
      }
    });
  });

  describe('scale', () => {
    const scale = (name: string, replicas: number, metadata: object = {}): object => ({
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name, namespace: fixture.namespace, ...metadata },
      spec: { replicas },
    });

    test('shows the replicas of the object', async () => {
      await fixture.made('seen', { count: 4 });
      const status = fixture.with({ status: structuredClone(subject.selector.status) }, { current: 2 });
      const { metadata } = fixture.good(await fixture.patch('merge', 'seen/status', status));
      const { uid, resourceVersion, creationTimestamp, namespace } = metadata;
      expect((await fixture.get('seen/scale')).json).toEqual({
        kind: 'Scale',
        apiVersion: 'autoscaling/v1',
        metadata: { name: 'seen', namespace, uid, resourceVersion, creationTimestamp },
        spec: { replicas: 4 },
        status: { replicas: 2, selector: subject.selector.shown },
      });
    });

    test('is replaced, patched and applied', async () => {
      await fixture.made('scaled');
      const put = await fixture.put('scaled/scale', scale('scaled', 2));
      expect([put.status, put.json.spec]).toEqual([200, { replicas: 2 }]);
      const merged = await fixture.patch('merge', 'scaled/scale', { spec: { replicas: 3 } });
      expect(merged.json.spec).toEqual({ replicas: 3 });
      const json = await fixture.patch('json', 'scaled/scale', [{ op: 'replace', path: '/spec/replicas', value: 4 }]);
      expect(json.json.spec).toEqual({ replicas: 4 });
      const applied = await fixture.patch('apply', 'scaled/scale', scale('scaled', 5), {
        fieldManager: 'm',
        force: 'true',
      });
      const isApplied = subject.lacks['apply of a scale'] === undefined;
      expect(applied.status).toBe(isApplied ? 200 : 500);
      if (!isApplied) return;
      expect(applied.json.spec).toEqual({ replicas: 5 });
      const now = (await fixture.get('scaled')).json;
      expect([fixture.at(now, 'count'), now.metadata.generation]).toEqual([5, 5]);
      expect(ownersOf(now)).toContain('m Apply scale');
    });

    test('is validated, conflicts, and is NotFound', async () => {
      const { metadata } = await fixture.made('judged-scale');
      const negative = await fixture.put('judged-scale/scale', scale('judged-scale', -1));
      expect(negative.json).toMatchObject({ code: 422, reason: 'Invalid' });
      expect(negative.json.details.causes[0].field).toBe(subject.wrongScale);
      await fixture.put('judged-scale/scale', scale('judged-scale', 2));
      const stale = await fixture.put('judged-scale/scale', scale('judged-scale', 3, { resourceVersion: metadata.resourceVersion }));
      expect(stale.json).toMatchObject({ code: 409, reason: 'Conflict' });
      expect((await fixture.get('absent/scale')).json).toMatchObject({ code: 404, reason: 'NotFound' });
    });

    test('does not change in a dry run', async () => {
      const made = await fixture.made('dry-scale');
      const dry = await fixture.put('dry-scale/scale', scale('dry-scale', 9), { dryRun: 'All' });
      expect([dry.status, dry.json.spec]).toEqual([200, { replicas: 9 }]);
      expect((await fixture.get('dry-scale')).json).toEqual(made);
    });
  });

  test('there are no other subresources', async () => {
    await fixture.made('bare');
    for (const name of ['eviction', 'bogus']) {
      expect((await fixture.get(`bare/${name}`)).json).toMatchObject({ code: 404 });
    }
  });
});
