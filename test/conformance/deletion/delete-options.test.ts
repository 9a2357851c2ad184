import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { encodeCbor } from '../../../runtime/codec/cbor.ts';
import { encodeEnvelope } from '../../../runtime/codec/protobuf.ts';
import { storages } from '../../support/object-fixture.ts';
import { type Body, type Collections, DeletionFixture, pod } from './deletion-fixture.ts';

describe.each(storages)('delete options (%s)', (storage) => {
  let fixture: DeletionFixture;
  let place: Collections;
  let namespace: string;

  beforeAll(async () => {
    fixture = await DeletionFixture.open(storage, { featureGates: ['CBORServingAndStorage=true'] });
    ({ in: place, name: namespace } = await fixture.namespace());
  });
  afterAll(() => fixture.close());

  describe('are read from the body, in any media type, and from the query', () => {
    /** {"preconditions":{"uid":"other"}}: field 2 is a message whose field 1 is the uid. */
    const protobuf = (): Uint8Array => {
      const options = new BinaryWriter().uint32(18).fork().uint32(10).string('other').join().finish();
      return encodeEnvelope('v1', 'DeleteOptions', options);
    };
    const options = { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid: 'other' } };
    test.each([
      ['JSON', JSON.stringify(options), 'application/json'],
      ['JSON without a content type', JSON.stringify(options), undefined],
      ['JSON of another group', JSON.stringify({ ...options, apiVersion: 'apps/v1' }), 'application/json'],
      ['JSON without a kind', '{"preconditions":{"uid":"other"}}', 'application/json'],
      ['YAML', 'preconditions: {uid: other}\n', 'application/yaml'],
      ['CBOR', encodeCbor(options), 'application/cbor'],
      ['protobuf', protobuf(), 'application/vnd.kubernetes.protobuf'],
    ])('%s', async (what, body, type) => {
      const name = what.toLowerCase().replaceAll(' ', '-');
      await fixture.create(place.maps, name);
      const rejected = await fixture.fixture.client.send('DELETE', `${place.maps}/${name}`, body, type);
      expect(rejected.json.message).toContain('the UID in the precondition (other) does not match');
      expect(rejected.status).toBe(409);
    });

    test('in the query are overridden by the body', async () => {
      await fixture.create(place.maps, 'queried');
      const path = `${place.maps}/queried`;
      expect((await fixture.delete(path, undefined, '?propagationPolicy=Never')).status).toBe(422);
      expect((await fixture.delete(path, undefined, '?gracePeriodSeconds=soon')).status).toBe(400);
      const kept = await fixture.delete(path, undefined, '?propagationPolicy=Foreground&dryRun=All');
      expect(kept.json.metadata.finalizers).toEqual(['foregroundDeletion']);
      expect((await fixture.delete(path, {}, '?dryRun=All')).status).toBe(200);
      expect((await fixture.get(path)).status).toBe(404);
    });

    test('of an unknown media type are 415, a malformed body is 400', async () => {
      await fixture.create(place.maps, 'unread');
      const send = (body: string, type: string) => fixture.fixture.client.send('DELETE', `${place.maps}/unread`, body, type);
      expect((await send('x', 'text/plain')).status).toBe(415);
      expect((await send('{', 'application/json')).status).toBe(400);
    });
  });

  test.each([
    [
      'propagationPolicy and orphanDependents together',
      { propagationPolicy: 'Orphan', orphanDependents: true },
      'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set',
    ],
    [
      'an unknown policy',
      { propagationPolicy: 'Never' },
      'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Never": supported values: "Foreground", "Background", "Orphan", "nil"',
    ],
    [
      'a dry run other than All',
      { dryRun: ['Some'] },
      'DeleteOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]: supported values: "All"',
    ],
  ])('%s is 422', async (_what, options, message) => {
    const rejected = await fixture.delete(`${place.maps}/whatever`, options);
    expect(rejected.json).toMatchObject({ code: 422, reason: 'Invalid', message });
  });

  describe('preconditions', () => {
    test('of uid and of resourceVersion that do not match are 409', async () => {
      const { metadata } = await fixture.create(place.deployments, 'guarded', {
        spec: { selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' } }, ...pod() } },
      });
      const path = `${place.deployments}/guarded`;
      expect((await fixture.delete(path, { preconditions: { uid: 'other' } })).json).toMatchObject({
        code: 409,
        reason: 'Conflict',
        message: `Operation cannot be fulfilled on Deployment.apps "guarded": the UID in the precondition (other) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
      });
      expect((await fixture.delete(path, { preconditions: { resourceVersion: '1' } })).json).toMatchObject({
        code: 409,
        message: `Operation cannot be fulfilled on Deployment.apps "guarded": the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`,
      });
      const { uid, resourceVersion } = metadata;
      expect((await fixture.delete(path, { preconditions: { uid, resourceVersion } })).status).toBe(200);
    });

    test('of a pod’s resourceVersion hold although its deletion is written first', async () => {
      const { metadata } = await fixture.create(place.pods, 'versioned', pod());
      const { resourceVersion } = metadata;
      expect((await fixture.delete(`${place.pods}/versioned`, { preconditions: { resourceVersion } })).status).toBe(200);
      expect((await fixture.get(`${place.pods}/versioned`)).status).toBe(404);
    });
  });

  describe('grace periods', () => {
    const placed = (name: string, spec: object = {}, metadata: object = {}) =>
      fixture.create(place.pods, name, pod({ nodeName: 'node-1', ...spec }), metadata);

    test.each([
      ['the pod’s own, 30 by default', {}, undefined, 30],
      ['the pod’s own', { terminationGracePeriodSeconds: 7 }, undefined, 7],
      ['the requested one', {}, { gracePeriodSeconds: 5 }, 5],
      ['one second for a negative one', {}, { gracePeriodSeconds: -3 }, 1],
    ])('%s', async (what, spec, options, want) => {
      const name = `grace-${want}-${what.length}`;
      await placed(name, spec);
      const before = Date.now();
      const { status, json } = await fixture.delete(`${place.pods}/${name}`, options);
      expect(status).toBe(200);
      expect(json.metadata.deletionGracePeriodSeconds).toBe(want);
      const end = Date.parse(json.metadata.deletionTimestamp);
      expect(end).toBeGreaterThanOrEqual(Math.floor(before / 1000) * 1000 + want * 1000);
      expect(end).toBeLessThanOrEqual(Date.now() + want * 1000);
      expect(json.metadata.generation).toBe(2);
      expect((await fixture.get(`${place.pods}/${name}`)).status).toBe(200);
    });

    test('have no maximum', async () => {
      await placed('forever');
      const { status, json } = await fixture.delete(`${place.pods}/forever`, undefined, '?gracePeriodSeconds=9223372036854775807');
      expect(status).toBe(200);
      expect(json.metadata.deletionTimestamp).toBe('9999-12-31T23:59:59Z');
    });

    test('are zero for force, for pods without a node, and for pods that have ended', async () => {
      await placed('forced');
      await fixture.create(place.pods, 'unplaced', pod());
      await placed('ended');
      await fixture.patch(`${place.pods}/ended/status`, { status: { phase: 'Succeeded' } });
      const force = { gracePeriodSeconds: 0 };
      for (const [name, options] of [
        ['forced', force],
        ['unplaced', undefined],
        ['ended', undefined],
      ] as const) {
        const { json } = await fixture.delete(`${place.pods}/${name}`, options);
        expect(json).toMatchObject({ kind: 'Pod', metadata: { name, deletionGracePeriodSeconds: 0 } });
        expect((await fixture.get(`${place.pods}/${name}`)).status).toBe(404);
      }
    });

    test('of a pod that is deleted at once: MODIFIED, then DELETED', async () => {
      const watch = await fixture.fixture.watch(place.pods, { fieldSelector: 'metadata.name=seen-off' });
      await fixture.create(place.pods, 'seen-off', pod());
      await fixture.delete(`${place.pods}/seen-off`);
      const events = await watch.take(3);
      watch.close();
      expect(events.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
      expect(events[1].object.metadata.deletionTimestamp).toBeDefined();
    });

    test('can only be shortened', async () => {
      await placed('shorter');
      const path = `${place.pods}/shorter`;
      await fixture.delete(path, { gracePeriodSeconds: 100 });
      const period = async (options?: object) => (await fixture.delete(path, options)).json.metadata.deletionGracePeriodSeconds;
      expect(await period()).toBe(100);
      expect(await period({ gracePeriodSeconds: 200 })).toBe(100);
      expect(await period({ gracePeriodSeconds: 50 })).toBe(50);
      expect((await fixture.get(path)).json.metadata.generation).toBe(2);
      expect(await period({ gracePeriodSeconds: 0 })).toBe(0);
      expect((await fixture.get(path)).status).toBe(404);
    });

    test('that are pending ignore a later propagation policy', async () => {
      await placed('pending');
      await fixture.delete(`${place.pods}/pending`);
      const again = await fixture.delete(`${place.pods}/pending`, { propagationPolicy: 'Orphan' });
      expect(again.json.metadata.finalizers).toBeUndefined();
    });

    test('finalizers retain a pod after its grace period', async () => {
      await placed('held', {}, { finalizers: ['x.io/hold'] });
      const { json } = await fixture.delete(`${place.pods}/held`, { gracePeriodSeconds: 0 });
      expect(json.metadata).toMatchObject({ deletionGracePeriodSeconds: 0, finalizers: ['x.io/hold'] });
      await fixture.patch(`${place.pods}/held`, { metadata: { finalizers: null } });
      expect((await fixture.get(`${place.pods}/held`)).status).toBe(404);
    });

    test('removing finalizers does not shorten the grace period', async () => {
      await placed('timed', {}, { finalizers: ['x.io/hold'] });
      await fixture.delete(`${place.pods}/timed`);
      const freed = await fixture.patch(`${place.pods}/timed`, { metadata: { finalizers: null } });
      expect(freed.json.metadata.deletionGracePeriodSeconds).toBe(30);
      expect((await fixture.get(`${place.pods}/timed`)).status).toBe(200);
    });

    test('do not exist for other kinds', async () => {
      await fixture.create(place.maps, 'graceless');
      expect((await fixture.delete(`${place.maps}/graceless`, { gracePeriodSeconds: 60 })).json.status).toBe('Success');
      expect((await fixture.get(`${place.maps}/graceless`)).status).toBe(404);
    });
  });

  describe('propagation', () => {
    test.each([
      ['Foreground', { propagationPolicy: 'Foreground' }, ['x.io/hold', 'foregroundDeletion'], 200],
      ['Background removes the finalizers of the garbage collector', { propagationPolicy: 'Background' }, ['x.io/hold'], 200],
      ['orphanDependents: false responds with 202', { orphanDependents: false }, ['x.io/hold'], 202],
      ['no policy keeps the finalizers', undefined, ['orphan', 'x.io/hold'], 200],
    ])('%s', async (_what, options, finalizers, status) => {
      await fixture.fixture.client.send(
        'POST',
        place.maps,
        JSON.stringify({ metadata: { name: 'policy', finalizers: ['orphan', 'x.io/hold'] } }),
        'application/json',
      );
      const response = await fixture.delete(`${place.maps}/policy`, options);
      expect(response.status).toBe(status);
      expect(response.json.metadata.finalizers).toEqual(finalizers);
      await fixture.patch(`${place.maps}/policy`, { metadata: { finalizers: null } });
      await fixture.gone(`${place.maps}/policy`);
    });

    test('owner references to events are ignored', async () => {
      await fixture.create(place.events, 'plain', { involvedObject: { namespace } });
      expect((await fixture.delete(`${place.events}/plain`, { propagationPolicy: 'Foreground' })).json.status).toBe('Success');
    });
  });

  describe('the response', () => {
    test('is a Status with the uid, or the object, by kind', async () => {
      const map = await fixture.create(place.maps, 'deleted');
      expect((await fixture.delete(`${place.maps}/deleted`)).json).toEqual({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Success',
        details: { name: 'deleted', kind: 'configmaps', uid: map.metadata.uid },
      });
      const set = await fixture.create('/apis/apps/v1/namespaces/default/controllerrevisions', 'deleted', {
        revision: 1,
        data: {},
      });
      expect((await fixture.delete('/apis/apps/v1/namespaces/default/controllerrevisions/deleted')).json.details).toEqual({
        name: 'deleted',
        group: 'apps',
        kind: 'controllerrevisions',
        uid: set.metadata.uid,
      });
      await fixture.create(place.accounts, 'deleted');
      expect((await fixture.delete(`${place.accounts}/deleted`)).json).toMatchObject({ kind: 'ServiceAccount' });
    });

    test('is the object with a deletionTimestamp while finalizers remain', async () => {
      await fixture.create(place.maps, 'marked', {}, { finalizers: ['x.io/hold'] });
      const { json } = await fixture.delete(`${place.maps}/marked`);
      expect(json).toMatchObject({ kind: 'ConfigMap', metadata: { deletionGracePeriodSeconds: 0 } });
      const again = await fixture.delete(`${place.maps}/marked`);
      expect(again.json.metadata.resourceVersion).toBe(json.metadata.resourceVersion);
      expect((await fixture.patch(`${place.maps}/marked`, { metadata: { finalizers: null } })).status).toBe(200);
      expect((await fixture.get(`${place.maps}/marked`)).status).toBe(404);
    });

    test('of a dry run is that of a real deletion, and nothing changes', async () => {
      await fixture.create(place.pods, 'dry', pod({ nodeName: 'node-1' }));
      const revision = fixture.fixture.server.revision();
      const { json } = await fixture.delete(`${place.pods}/dry`, { dryRun: ['All'] });
      expect(json.metadata).toMatchObject({ deletionGracePeriodSeconds: 30 });
      expect((await fixture.delete(`${place.pods}/dry`, { dryRun: ['All'], gracePeriodSeconds: 0 })).json.metadata).toMatchObject({
        deletionGracePeriodSeconds: 0,
      });
      expect((await fixture.get(`${place.pods}/dry`)).json.metadata.deletionTimestamp).toBeUndefined();
      expect(fixture.fixture.server.revision()).toBe(revision);
    });
  });

  describe('of a collection', () => {
    const namesIn = async (path: string): Promise<string[]> =>
      (await fixture.get(path)).json.items.map(({ metadata }: Body) => metadata.name);
    const fill = async (): Promise<Collections> => {
      const fresh = await fixture.namespace();
      for (const name of ['a', 'b', 'c', 'd']) {
        await fixture.create(fresh.in.maps, name, {}, { labels: { half: name < 'c' ? 'first' : 'second' } });
      }
      return fresh.in;
    };

    test('is restricted by label and field selectors', async () => {
      const { maps } = await fill();
      const { status, json } = await fixture.delete(maps, undefined, '?labelSelector=half=first');
      expect(status).toBe(200);
      expect(json).toMatchObject({
        kind: 'ConfigMapList',
        items: [{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }],
      });
      expect(await namesIn(maps)).toEqual(['c', 'd']);
      await fixture.delete(maps, undefined, '?fieldSelector=metadata.name=c');
      expect(await namesIn(maps)).toEqual(['d']);
    });

    test('is restricted by a limit', async () => {
      const { maps } = await fill();
      const { json } = await fixture.delete(maps, undefined, '?limit=3');
      expect(json.items).toHaveLength(3);
      expect(json.metadata.continue).toBeDefined();
      expect(await namesIn(maps)).toEqual(['d']);
    });

    test('is not deleted by a dry run', async () => {
      const { maps } = await fill();
      expect((await fixture.delete(maps, { dryRun: ['All'] })).json.items).toHaveLength(4);
      expect(await namesIn(maps)).toEqual(['a', 'b', 'c', 'd']);
    });

    test('applies its options to each object', async () => {
      const fresh = await fixture.namespace();
      await fixture.create(fresh.in.pods, 'p', pod({ nodeName: 'node-1' }));
      await fixture.delete(fresh.in.pods, { gracePeriodSeconds: 9 });
      expect((await fixture.get(`${fresh.in.pods}/p`)).json.metadata.deletionGracePeriodSeconds).toBe(9);
      await fixture.delete(fresh.in.pods, undefined, '?gracePeriodSeconds=0');
      expect(await namesIn(fresh.in.pods)).toEqual([]);
      const { maps } = await fill();
      await fixture.delete(maps, { propagationPolicy: 'Foreground' });
      for (const name of ['a', 'b', 'c', 'd']) await fixture.gone(`${maps}/${name}`);
    });

    test('with invalid options is 422, and nothing is deleted', async () => {
      const { maps } = await fill();
      expect((await fixture.delete(maps, { propagationPolicy: 'Never' })).status).toBe(422);
      expect(await namesIn(maps)).toEqual(['a', 'b', 'c', 'd']);
    });
  });
});
