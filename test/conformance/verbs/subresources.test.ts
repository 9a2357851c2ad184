import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { writeStorages } from '../../support/object-desk.ts';
import { ownersOf } from '../../support/write-desk.ts';
import { everySubject } from './subjects.ts';
import { VerbDesk } from './verb-desk.ts';

describe.each(everySubject(writeStorages))('subresources of %s, %s', (_title, storage, subject) => {
  let desk: VerbDesk;

  beforeAll(async () => {
    desk = await VerbDesk.open(subject, storage);
  });
  afterAll(() => desk.close());

  describe('status', () => {
    test('is written apart, and counts no generation', async () => {
      await desk.made('parts');
      const now = (await desk.get('parts/status')).json;
      expect(now).toEqual((await desk.get('parts')).json);
      const put = await desk.put('parts/status', desk.with(structuredClone(now), { count: 7, current: 1 }));
      expect(put.status).toBe(200);
      expect([desk.at(put.json, 'count'), desk.at(put.json, 'current'), put.json.metadata.generation]).toEqual([
        1, 1, 1,
      ]);
      const patched = await desk.patch('merge', 'parts/status', desk.with({}, { count: 8, current: 0 }));
      expect([desk.at(patched.json, 'count'), patched.json.metadata.generation]).toEqual([1, 1]);
    });

    test('is read as a Table and as metadata', async () => {
      await desk.made('forms');
      const as = (kind: string) => `application/json;as=${kind};v=v1;g=meta.k8s.io`;
      expect((await desk.get('forms/status', {}, as('Table'))).json.rows[0].cells[0]).toBe('forms');
      expect((await desk.get('forms/status', {}, as('PartialObjectMetadata'))).json.metadata.name).toBe('forms');
    });

    test('is judged, conflicts, and is NotFound', async () => {
      const made = await desk.made('judged');
      const wrong = await desk.patch('merge', 'judged/status', desk.with({}, { current: 'many' }));
      expect(wrong.json).toMatchObject({ code: 422, reason: 'Invalid' });
      await desk.put('judged/status', desk.with(structuredClone(made), { current: 1 }));
      const stale = await desk.put('judged/status', desk.with(made, { current: 2 }));
      expect(stale.json).toMatchObject({ code: 409, reason: 'Conflict' });
      expect((await desk.get('absent/status')).json).toMatchObject({ code: 404, reason: 'NotFound' });
      expect((await desk.patch('merge', 'absent/status', {})).json).toMatchObject({ code: 404, reason: 'NotFound' });
    });

    test('in a dry run stays', async () => {
      const made = await desk.made('dry');
      const dry = await desk.patch('merge', 'dry/status', desk.with({}, { current: 1 }), { dryRun: 'All' });
      expect(desk.at(dry.json, 'current')).toBe(1);
      expect((await desk.get('dry')).json).toEqual(made);
    });

    test('is neither created nor deleted', async () => {
      await desk.made('kept');
      for (const method of ['POST', 'DELETE']) {
        const { json } = await desk.send(
          method,
          `${desk.path}/kept/status`,
          method === 'POST' ? desk.object('kept') : undefined,
        );
        expect(json).toMatchObject({ code: 405, reason: 'MethodNotAllowed' });
      }
    });
  });

  describe('scale', () => {
    const scale = (name: string, replicas: number, metadata: object = {}): object => ({
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name, namespace: desk.namespace, ...metadata },
      spec: { replicas },
    });

    test('is a view of the object', async () => {
      await desk.made('seen', { count: 4 });
      const status = desk.with({ status: structuredClone(subject.selector.status) }, { current: 2 });
      const { metadata } = desk.good(await desk.patch('merge', 'seen/status', status));
      const { uid, resourceVersion, creationTimestamp, namespace } = metadata;
      expect((await desk.get('seen/scale')).json).toEqual({
        kind: 'Scale',
        apiVersion: 'autoscaling/v1',
        metadata: { name: 'seen', namespace, uid, resourceVersion, creationTimestamp },
        spec: { replicas: 4 },
        status: { replicas: 2, selector: subject.selector.shown },
      });
    });

    test('is replaced, patched and applied', async () => {
      await desk.made('scaled');
      const put = await desk.put('scaled/scale', scale('scaled', 2));
      expect([put.status, put.json.spec]).toEqual([200, { replicas: 2 }]);
      const merged = await desk.patch('merge', 'scaled/scale', { spec: { replicas: 3 } });
      expect(merged.json.spec).toEqual({ replicas: 3 });
      const json = await desk.patch('json', 'scaled/scale', [{ op: 'replace', path: '/spec/replicas', value: 4 }]);
      expect(json.json.spec).toEqual({ replicas: 4 });
      const applied = await desk.patch('apply', 'scaled/scale', scale('scaled', 5), {
        fieldManager: 'm',
        force: 'true',
      });
      expect([applied.status, applied.json.spec]).toEqual([200, { replicas: 5 }]);
      const now = (await desk.get('scaled')).json;
      expect([desk.at(now, 'count'), now.metadata.generation]).toEqual([5, 5]);
      expect(ownersOf(now)).toContain('m Apply scale');
    });

    test('is judged, conflicts, and is NotFound', async () => {
      const { metadata } = await desk.made('judged-scale');
      const negative = await desk.put('judged-scale/scale', scale('judged-scale', -1));
      expect(negative.json).toMatchObject({ code: 422, reason: 'Invalid' });
      expect(negative.json.details.causes[0].field).toBe(subject.wrongScale);
      await desk.put('judged-scale/scale', scale('judged-scale', 2));
      const stale = await desk.put(
        'judged-scale/scale',
        scale('judged-scale', 3, { resourceVersion: metadata.resourceVersion }),
      );
      expect(stale.json).toMatchObject({ code: 409, reason: 'Conflict' });
      expect((await desk.get('absent/scale')).json).toMatchObject({ code: 404, reason: 'NotFound' });
    });

    test('in a dry run stays', async () => {
      const made = await desk.made('dry-scale');
      const dry = await desk.put('dry-scale/scale', scale('dry-scale', 9), { dryRun: 'All' });
      expect([dry.status, dry.json.spec]).toEqual([200, { replicas: 9 }]);
      expect((await desk.get('dry-scale')).json).toEqual(made);
    });
  });

  test('there are no others', async () => {
    await desk.made('bare');
    for (const name of ['eviction', 'bogus']) {
      expect((await desk.get(`bare/${name}`)).json).toMatchObject({ code: 404 });
    }
  });
});
