import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { engines } from '../../support/store-place.ts';
import { everySubject } from './subjects.ts';
import { VerbFixture } from './verb-fixture.ts';

const held = ['example.com/hold'];

describe.each(everySubject([...engines, 'memory, by worker threads']))('deleting %s, %s', (_title, storage, subject) => {
  let fixture: VerbFixture;

  beforeAll(async () => {
    fixture = await VerbFixture.open(subject, storage);
  });
  afterAll(() => fixture.close());

  test('removes it and returns its uid', async () => {
    const { metadata } = await fixture.made('gone');
    const { status, json } = await fixture.remove('gone');
    expect([status, json]).toEqual([
      200,
      {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Success',
        details: { name: 'gone', group: subject.group, kind: subject.resource, uid: metadata.uid },
      },
    ]);
    expect((await fixture.get('gone')).json).toMatchObject({ code: 404, reason: 'NotFound' });
    expect((await fixture.remove('gone')).json.message).toBe(`${fixture.groupResource} "gone" not found`);
  });

  test('waits for finalizers, which can only be removed', async () => {
    await fixture.made('held', { 'metadata.finalizers': held });
    const { status, json } = await fixture.remove('held');
    expect([status, json.kind]).toEqual([200, subject.kind]);
    expect(json.metadata).toMatchObject({ deletionGracePeriodSeconds: 0, finalizers: held, generation: 2 });
    expect(json.metadata.deletionTimestamp).toMatch(/Z$/);
    const again = await fixture.remove('held');
    expect(again.json.metadata.deletionTimestamp).toBe(json.metadata.deletionTimestamp);
    const more = await fixture.patch('merge', 'held', { metadata: { finalizers: [...held, 'example.com/more'] } });
    expect([more.status, more.json.message]).toEqual([
      422,
      expect.stringContaining('no new finalizers can be added if the object is being deleted'),
    ]);
    const watch = await fixture.watch({ fieldSelector: 'metadata.name=held' });
    await watch.take(1);
    expect((await fixture.patch('merge', 'held', { metadata: { finalizers: null } })).status).toBe(200);
    expect((await watch.take(1))[0]?.type).toBe('DELETED');
    watch.close();
    expect((await fixture.get('held')).status).toBe(404);
  });

  test('with another uid or resourceVersion is a Conflict', async () => {
    const { metadata } = await fixture.made('certain');
    const uid = await fixture.remove('certain', { preconditions: { uid: 'other' } });
    expect([uid.json.code, uid.json.message]).toEqual([
      409,
      `Operation cannot be fulfilled on ${fixture.groupKind} "certain": the UID in the precondition (other) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
    ]);
    const stale = await fixture.remove('certain', { preconditions: { resourceVersion: '1' } });
    expect(stale.json).toMatchObject({ code: 409, reason: 'Conflict' });
    const { uid: itsOwn, resourceVersion } = metadata;
    expect((await fixture.remove('certain', { preconditions: { uid: itsOwn, resourceVersion } })).status).toBe(200);
  });

  test('in a dry run changes nothing', async () => {
    const made = await fixture.made('dry');
    const inQuery = await fixture.remove('dry', undefined, { dryRun: 'All' });
    const inBody = await fixture.remove('dry', { kind: 'DeleteOptions', apiVersion: 'v1', dryRun: ['All'] });
    expect([inQuery.status, inBody.status]).toEqual([200, 200]);
    expect((await fixture.get('dry')).json).toEqual(made);
  });

  test.each([
    ['Orphan', ['orphan']],
    ['Foreground', ['foregroundDeletion']],
  ])('with propagationPolicy=%s sets the finalizer for dependents', async (propagationPolicy, finalizers) => {
    const name = propagationPolicy.toLowerCase();
    await fixture.made(name, { 'metadata.finalizers': held });
    const { json } = await fixture.remove(name, undefined, { propagationPolicy });
    expect(json.metadata.finalizers).toEqual([...held, ...finalizers]);
    await fixture.patch('merge', name, { metadata: { finalizers: null } });
  });

  test('deletes its dependents', async () => {
    const { uid } = (await fixture.made('owner')).metadata;
    const owners = [{ apiVersion: fixture.apiVersion, kind: subject.kind, name: 'owner', uid }];
    await fixture.made('owned', { 'metadata.ownerReferences': owners });
    const watch = await fixture.watch({ fieldSelector: 'metadata.name=owned' });
    await watch.take(1);
    await fixture.remove('owner', { propagationPolicy: 'Background' });
    expect((await watch.take(1))[0]?.type).toBe('DELETED');
    watch.close();
  });

  describe('of a collection', () => {
    test('deletes the selected objects', async () => {
      for (const name of ['one', 'two', 'three']) await fixture.made(name, { 'metadata.labels': { set: name === 'three' ? 'b' : 'a' } });
      const dry = await fixture.send('DELETE', `${fixture.path}?labelSelector=set&dryRun=All`);
      expect(dry.status).toBe(200);
      const { status, json } = await fixture.send('DELETE', `${fixture.path}?labelSelector=set%3Da`);
      expect([status, json.kind, json.items.length]).toEqual([200, `${subject.kind}List`, 2]);
      const left = (await fixture.get('', { labelSelector: 'set' })).json.items;
      expect(left.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual(['three']);
      await fixture.send('DELETE', `${fixture.path}?fieldSelector=metadata.name%3Dthree`);
      expect((await fixture.get('three')).status).toBe(404);
    });

    test('marks objects with finalizers', async () => {
      await fixture.made('stays', { 'metadata.labels': { hold: 'yes' }, 'metadata.finalizers': held });
      await fixture.send('DELETE', `${fixture.path}?labelSelector=hold`);
      expect((await fixture.get('stays')).json.metadata.deletionTimestamp).toMatch(/Z$/);
      await fixture.patch('merge', 'stays', { metadata: { finalizers: null } });
    });
  });

  test('happens with its namespace', async () => {
    const place = await fixture.fixture.fresh(`/apis/${fixture.apiVersion}`, subject.resource);
    const namespace = place.split('/')[5] as string;
    await fixture.send('POST', place, fixture.object('inside'));
    const watch = await fixture.fixture.watch(place);
    await watch.take(1);
    expect((await fixture.send('DELETE', `/api/v1/namespaces/${namespace}`)).status).toBe(200);
    expect((await watch.take(1))[0]?.type).toBe('DELETED');
    watch.close();
  });
});
