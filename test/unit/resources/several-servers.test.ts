import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { yieldToEventLoop } from '../../../runtime/machinery/event-loop/yield.ts';
import type { KubeObject } from '../../../runtime/machinery/object.ts';
import { type ResourceEventHandler, startInformer } from '../../../runtime/resources/informer.ts';
import { Listers } from '../../../runtime/resources/lister.ts';
import { failureOf, openTestStores, type TestResource, type TestStores } from '../../support/resource-stores.ts';
import { createMemoryEngines, type SharedEngine } from '../../support/shared-engines.ts';
import type { TestObject } from '../../support/test-object.ts';

/** The config maps of two servers. The second server has not received the first one's writes. */
let stores: readonly TestStores[];
let here: TestResource;
let there: TestResource;
let behind: SharedEngine;

const configMaps = { group: '', version: 'v1', resource: 'configmaps' };
const map = (value: string) => ({ metadata: { name: 'a' }, data: { value } });

beforeEach(async () => {
  const { engines } = createMemoryEngines(2);
  const first = await openTestStores({}, engines[0]);
  stores = [first, await openTestStores({}, engines[1])];
  [here, there] = await Promise.all(stores.map((each) => each.of('configmaps')));
  await here.create(map('old'));
  behind = engines[1];
});
afterEach(() => Promise.all(stores.map((each) => each.close())));

/** Runs `write` on the second server, which receives other writes only when it requests the newest revision. */
async function whileBehind<T>(before: () => Promise<unknown>, write: () => Promise<T>): Promise<T> {
  await there.store.collection.mostRecent();
  behind.hold();
  await before();
  behind.deliverWhenAsked();
  return write();
}

const setTo = (value: string) => (object: object) => Object.assign(object, { data: { value } });

describe('a server that has not heard of another', () => {
  test('starts an update over with the newest state, and keeps what the other wrote', async () => {
    const labelled = () => here.update('a', ({ metadata }) => Object.assign(metadata, { labels: { by: 'here' } }));
    const seen: unknown[] = [];
    const updated = await whileBehind(labelled, () =>
      there.update('a', (object) => {
        seen.push(object.metadata.labels);
        setTo('new')(object);
      }),
    );
    expect(seen).toEqual([undefined, { by: 'here' }]);
    expect(updated).toMatchObject({ data: { value: 'new' }, metadata: { labels: { by: 'here' } } });
  });

  test('updates what another has just created', async () => {
    const created = () => here.create({ ...map('1'), metadata: { name: 'b' } });
    expect(await whileBehind(created, () => there.update('b', setTo('2')))).toMatchObject({ data: { value: '2' } });
  });

  test('refuses to update what another has deleted', async () => {
    const failure = whileBehind(
      () => here.delete('a'),
      () => failureOf(there.update('a', setTo('new'))),
    );
    expect(await failure).toMatchObject({ code: 404 });
  });

  test('believes no error that is due to an old state', async () => {
    const refused = new Error('value is old');
    const updated = await whileBehind(
      () => here.update('a', setTo('new')),
      () =>
        there.update('a', (object) => {
          if (object.data?.value === 'old') throw refused;
          setTo('newest')(object);
        }),
    );
    expect(updated).toMatchObject({ data: { value: 'newest' } });
  });

  test('refuses the resourceVersion that another has replaced, and takes the one it wrote', async () => {
    const [{ metadata: before }] = [here.get('a') as { metadata: { resourceVersion?: string } }];
    const withVersion = (version: string | undefined) => (object: { metadata: object }) => {
      Object.assign(object.metadata, { resourceVersion: version });
      setTo('mine')(object);
    };
    let written: string | undefined;
    const write = async () => {
      written = (await here.update('a', setTo('theirs'))).metadata.resourceVersion;
    };
    const failure = await whileBehind(write, () => failureOf(there.update('a', withVersion(before.resourceVersion))));
    expect(failure).toMatchObject({ code: 409, reason: 'Conflict' });
    behind.hold();
    const again = async () => {
      written = (await here.update('a', setTo('theirs again'))).metadata.resourceVersion;
    };
    expect(await whileBehind(again, () => there.update('a', withVersion(written)))).toMatchObject({
      data: { value: 'mine' },
    });
  });

  test('does not take a change for none because its state is old', async () => {
    const updated = await whileBehind(
      () => here.update('a', setTo('new')),
      () => there.update('a', setTo('old')),
    );
    expect(updated).toMatchObject({ data: { value: 'old' }, metadata: { resourceVersion: '5' } });
  });

  test('says what a dry run would do to the newest state', async () => {
    const labelled = () => here.update('a', ({ metadata }) => Object.assign(metadata, { labels: { by: 'here' } }));
    const dry = await whileBehind(labelled, () => there.update('a', setTo('new'), { dryRun: true }));
    expect(dry).toMatchObject({ data: { value: 'new' }, metadata: { labels: { by: 'here' } } });
  });

  test('deletes the newest state, or nothing', async () => {
    const result = await whileBehind(
      () => here.update('a', setTo('new')),
      () => there.delete('a'),
    );
    expect(result).toMatchObject({ deletedImmediately: true });
    await here.store.collection.mostRecent();
    expect(here.get('a')).toBeUndefined();
    expect(await failureOf(here.delete('a'))).toMatchObject({ code: 404 });
  });

  test('refuses to create what another has created, in a dry run too', async () => {
    const created = () => here.create({ ...map('1'), metadata: { name: 'b' } });
    const again = { ...map('2'), metadata: { name: 'b' } };
    const dry = await whileBehind(created, () => failureOf(there.create(again, { dryRun: true })));
    expect(dry).toMatchObject({ code: 409, reason: 'AlreadyExists' });
    expect(await failureOf(there.create(again))).toMatchObject({ code: 409, reason: 'AlreadyExists' });
  });
});

/** Watchers inside a server receive differences in several turns of the event loop, if other work is pending. */
const until = async (isSo: () => boolean) => {
  while (!isSo()) await yieldToEventLoop();
};

describe('after changes were lost', () => {
  /** The latest objects in the second server's informer, by name. */
  const told = new Map<string, unknown>();
  let stop: () => void;

  beforeEach(async () => {
    told.clear();
    const handler: ResourceEventHandler<KubeObject> = {
      onSet: (object) => told.set(object.metadata.name as string, (object as TestObject).data?.value),
      onDelete: (_, name) => told.delete(name),
    };
    stop = await startInformer(stores[1].stores, configMaps, handler);
  });
  afterEach(() => stop());

  async function lose(): Promise<void> {
    await here.create({ ...map('1'), metadata: { name: 'b' } });
    await there.store.collection.mostRecent();
    behind.hold();
    await here.update('a', setTo('new'));
    await here.delete('b');
    await here.create({ ...map('2'), metadata: { name: 'c' } });
    await behind.lose();
    await there.store.collection.mostRecent();
  }

  test('an informer knows what there is now, and goes on', async () => {
    await lose();
    await until(() => told.get('c') === '2');
    expect(Object.fromEntries(told)).toEqual({ a: 'new', c: '2' });
    await here.update('c', setTo('3'));
    await until(() => told.get('c') === '3');
  });

  test('a lister lists what there is now, and goes on', async () => {
    const lister = await new Listers(stores[1].stores, true).open<TestObject>(configMaps);
    const listed = () => lister.list('default').map(({ metadata, data }) => `${metadata.name}=${data?.value}`);
    expect(listed()).toEqual(['a=old']);
    await lose();
    await until(() => listed().includes('c=2'));
    expect(listed()).toEqual(['a=new', 'c=2']);
    expect(lister.get('default', 'b')).toBeUndefined();
    await here.delete('c');
    await until(() => !listed().includes('c=2'));
    expect(listed()).toEqual(['a=new']);
  });
});

test('writers at two servers that increment one number lose no step', async () => {
  await here.update('a', setTo('0'));
  const step = (object: TestObject) => setTo(String(Number(object.data?.value) + 1))(object);
  await Promise.all(Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? here : there).update('a', step)));
  const newest = (await here.store.collection.mostRecent()).get('default', 'a');
  expect(newest?.decode()).toMatchObject({ data: { value: '40' } });
});
