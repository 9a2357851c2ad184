import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { writeStorages } from '../../support/object-desk.ts';
import { everySubject } from './subjects.ts';
import { VerbDesk } from './verb-desk.ts';

const held = ['example.com/hold'];

describe.each(everySubject(writeStorages))('deleting %s, %s', (_title, storage, subject) => {
  let desk: VerbDesk;

  beforeAll(async () => {
    desk = await VerbDesk.open(subject, storage);
  });
  afterAll(() => desk.close());

  test('takes it away, and says whose uid it was', async () => {
    const { metadata } = await desk.made('gone');
    const { status, json } = await desk.remove('gone');
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
    expect((await desk.get('gone')).json).toMatchObject({ code: 404, reason: 'NotFound' });
    expect((await desk.remove('gone')).json.message).toBe(`${desk.groupResource} "gone" not found`);
  });

  test('waits for finalizers, which come to be none and not more', async () => {
    await desk.made('held', { 'metadata.finalizers': held });
    const { status, json } = await desk.remove('held');
    expect([status, json.kind]).toEqual([200, subject.kind]);
    expect(json.metadata).toMatchObject({ deletionGracePeriodSeconds: 0, finalizers: held, generation: 2 });
    expect(json.metadata.deletionTimestamp).toMatch(/Z$/);
    const again = await desk.remove('held');
    expect(again.json.metadata.deletionTimestamp).toBe(json.metadata.deletionTimestamp);
    const more = await desk.patch('merge', 'held', { metadata: { finalizers: [...held, 'example.com/more'] } });
    expect([more.status, more.json.message]).toEqual([
      422,
      expect.stringContaining('no new finalizers can be added if the object is being deleted'),
    ]);
    const watch = await desk.watch({ fieldSelector: 'metadata.name=held' });
    await watch.take(1);
    expect((await desk.patch('merge', 'held', { metadata: { finalizers: null } })).status).toBe(200);
    expect((await watch.take(1))[0]?.type).toBe('DELETED');
    watch.close();
    expect((await desk.get('held')).status).toBe(404);
  });

  test('of another uid or version is a Conflict', async () => {
    const { metadata } = await desk.made('certain');
    const uid = await desk.remove('certain', { preconditions: { uid: 'other' } });
    expect([uid.json.code, uid.json.message]).toEqual([
      409,
      `Operation cannot be fulfilled on ${desk.groupKind} "certain": the UID in the precondition (other) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
    ]);
    const stale = await desk.remove('certain', { preconditions: { resourceVersion: '1' } });
    expect(stale.json).toMatchObject({ code: 409, reason: 'Conflict' });
    const { uid: itsOwn, resourceVersion } = metadata;
    expect((await desk.remove('certain', { preconditions: { uid: itsOwn, resourceVersion } })).status).toBe(200);
  });

  test('in a dry run leaves it', async () => {
    const made = await desk.made('dry');
    const inQuery = await desk.remove('dry', undefined, { dryRun: 'All' });
    const inBody = await desk.remove('dry', { kind: 'DeleteOptions', apiVersion: 'v1', dryRun: ['All'] });
    expect([inQuery.status, inBody.status]).toEqual([200, 200]);
    expect((await desk.get('dry')).json).toEqual(made);
  });

  test.each([
    ['Orphan', ['orphan']],
    ['Foreground', ['foregroundDeletion']],
  ])(
    'with propagationPolicy=%s marks it for those who look after dependents',
    async (propagationPolicy, finalizers) => {
      const name = propagationPolicy.toLowerCase();
      await desk.made(name, { 'metadata.finalizers': held });
      const { json } = await desk.remove(name, undefined, { propagationPolicy });
      expect(json.metadata.finalizers).toEqual([...held, ...finalizers]);
      await desk.patch('merge', name, { metadata: { finalizers: null } });
    },
  );

  test('what it owns goes with it', async () => {
    const { uid } = (await desk.made('owner')).metadata;
    const owners = [{ apiVersion: desk.apiVersion, kind: subject.kind, name: 'owner', uid }];
    await desk.made('owned', { 'metadata.ownerReferences': owners });
    const watch = await desk.watch({ fieldSelector: 'metadata.name=owned' });
    await watch.take(1);
    await desk.remove('owner', { propagationPolicy: 'Background' });
    expect((await watch.take(1))[0]?.type).toBe('DELETED');
    watch.close();
  });

  describe('a collection', () => {
    test('takes those that are selected', async () => {
      for (const name of ['one', 'two', 'three'])
        await desk.made(name, { 'metadata.labels': { set: name === 'three' ? 'b' : 'a' } });
      const dry = await desk.send('DELETE', `${desk.path}?labelSelector=set&dryRun=All`);
      expect(dry.status).toBe(200);
      const { status, json } = await desk.send('DELETE', `${desk.path}?labelSelector=set%3Da`);
      expect([status, json.kind, json.items.length]).toEqual([200, `${subject.kind}List`, 2]);
      const left = (await desk.get('', { labelSelector: 'set' })).json.items;
      expect(left.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual(['three']);
      await desk.send('DELETE', `${desk.path}?fieldSelector=metadata.name%3Dthree`);
      expect((await desk.get('three')).status).toBe(404);
    });

    test('marks those that something holds', async () => {
      await desk.made('stays', { 'metadata.labels': { hold: 'yes' }, 'metadata.finalizers': held });
      await desk.send('DELETE', `${desk.path}?labelSelector=hold`);
      expect((await desk.get('stays')).json.metadata.deletionTimestamp).toMatch(/Z$/);
      await desk.patch('merge', 'stays', { metadata: { finalizers: null } });
    });
  });

  test('goes with its namespace', async () => {
    const place = await desk.desk.fresh(`/apis/${desk.apiVersion}`, subject.resource);
    const namespace = place.split('/')[5] as string;
    await desk.send('POST', place, desk.object('inside'));
    const watch = await desk.desk.watch(place);
    await watch.take(1);
    expect((await desk.send('DELETE', `/api/v1/namespaces/${namespace}`)).status).toBe(200);
    expect((await watch.take(1))[0]?.type).toBe('DELETED');
    watch.close();
  });
});
