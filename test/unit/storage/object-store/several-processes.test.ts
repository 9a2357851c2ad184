import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { StorageError } from '../../../../runtime/storage/errors.ts';
import type { Collection, ObjectEvent, ObjectStore, StoredObject } from '../../../../runtime/storage/object-store/contract.ts';
import { openObjectStore } from '../../../../runtime/storage/object-store/object-store.ts';
import { nodes, pod, pods, showEvent } from '../../../contract/storage/describe-object-store.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { createMemoryEngines, SharedEngine, type SharedMemory } from '../../../support/shared-engines.ts';

const names = (objects: Iterable<StoredObject>) => [...objects].map(({ name }) => name);
const keyOf = (name: string) => `/registry/pods/ns/${name}`;

/** Waits for everything that does not depend on another process. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

/**
 * Watchers receive many differences in several turns of the event loop, and few in a late turn if other work is
 * pending.
 */
const until = async (isSo: () => boolean) => {
  while (!isSo()) await settle();
};

let clock: ManualClock;
let shared: SharedMemory;
let stores: ObjectStore[];
let here: Collection;
let there: Collection;

beforeEach(async () => {
  clock = new ManualClock();
  shared = createMemoryEngines(2);
  stores = shared.engines.map((engine) => openObjectStore({ engine, clock }));
  [here, there] = await Promise.all(stores.map((store) => store.collection(pods)));
});
afterEach(async () => {
  await Promise.all(stores.map((store) => store.close()));
});

const create = async (name: string, into = here) => (await into.create(pod('ns', name))) as StoredObject;
const watch = (collection: Collection, request: Partial<Parameters<Collection['watch']>[0]> = {}) => {
  const events: ObjectEvent[] = [];
  const stop = collection.watch({ after: 1, onEvent: (event) => events.push(event), ...request });
  return { events, stop, shown: () => events.map(showEvent) };
};

describe('changes that share a revision', () => {
  beforeEach(async () => {
    for (const name of ['a', 'b', 'c']) await create(name); // 2, 3, 4
    await shared.memory.deleteTogether(['a', 'c'].map(keyOf)); // 5
    await create('d'); // 6
  });

  test('are all told to watchers, live and from the history', () => {
    const all = ['2 ADDED a', '3 ADDED b', '4 ADDED c', '5 DELETED a', '5 DELETED c', '6 ADDED d'];
    expect(watch(there).shown()).toEqual(all);
    expect(watch(there, { after: 4 }).shown()).toEqual(all.slice(3));
    expect(watch(there, { after: 5 }).shown()).toEqual(all.slice(5));
  });

  test('are told live', async () => {
    const { shown } = watch(there, { after: 6 });
    await shared.memory.deleteTogether(['b', 'd'].map(keyOf));
    await there.mostRecent();
    expect(shown()).toEqual(['7 DELETED b', '7 DELETED d']);
  });

  test('are read together', () => {
    expect([4, 5, 6].map((revision) => names(there.at(revision).scan()))).toEqual([['a', 'b', 'c'], ['b'], ['b', 'd']]);
  });

  test('are discarded together', async () => {
    await stores[1].compact(5);
    expect(watch(there, { after: 5 }).shown()).toEqual(['6 ADDED d']);
    expect(names(there.at(5).scan())).toEqual(['b']);
    expect(() => there.at(4)).toThrow(expect.objectContaining({ code: 'compacted' }));
  });

  test('are in the history of a collection that is loaded later', async () => {
    const late = openObjectStore({ engine: shared.engines[1], clock });
    const collection = await late.collection(pods);
    expect(watch(collection, { after: 4 }).shown()).toEqual(['5 DELETED a', '5 DELETED c', '6 ADDED d']);
    expect(names(collection.at(4).scan())).toEqual(['a', 'b', 'c']);
  });

  test('are one event each for a watch that is started while they are told', async () => {
    const inner: string[] = [];
    let begun = false;
    watch(there, {
      after: 6,
      onEvent: () => {
        if (begun) return;
        begun = true;
        there.watch({ after: 6, onEvent: (event) => inner.push(showEvent(event)) });
      },
    });
    await shared.memory.deleteTogether(['b', 'd'].map(keyOf));
    await there.mostRecent();
    expect(inner).toEqual(['7 DELETED b', '7 DELETED d']);
  });
});

test('a process that starts reads no more of the past than it can read fast', async () => {
  await create('a'); // 2
  await Promise.all(Array.from({ length: 10_000 }, () => shared.memory.deleteTogether([]))); // to 10,002
  await create('b'); // 10,003
  const late = openObjectStore({ engine: new SharedEngine(shared.memory), clock });
  const collection = await late.collection(pods);
  expect(watch(collection, { after: 3 }).shown()).toEqual(['10003 ADDED b']);
  expect(names(collection.at(3).scan())).toEqual(['a']);
  expect(() => collection.at(2)).toThrow(expect.objectContaining({ code: 'compacted', revision: 2 }));
  await late.close();
});

describe('a process that has not heard of the newest changes', () => {
  beforeEach(() => shared.engines[1].hold());

  test('reads what it knows, and waits for the most recent view', async () => {
    await create('a');
    expect(names(there.latest().scan())).toEqual([]);
    const recent = there.mostRecent();
    shared.engines[1].deliver();
    expect(names((await recent).scan())).toEqual(['a']);
  });

  test('gives up the most recent view after a while', async () => {
    await create('a');
    const recent = Promise.resolve(there.mostRecent());
    await settle();
    clock.advance(10_000);
    const message = 'Timeout: Too large resource version: 2, current: 1';
    await expect(recent).rejects.toMatchObject({ status: { code: 504, message } });
  });

  test('has its own write when it resolves', async () => {
    const writing = create('a', there);
    await settle();
    expect(there.latest().count()).toBe(0);
    shared.engines[1].deliver();
    expect(await writing).toBe(there.latest().get('ns', 'a'));
  });

  test.each(['deliver', 'lose'] as const)('loads a collection of which others have compacted what it knows: %s', async (hear) => {
    await create('a'); // 2
    await shared.memory.compact(2);
    const loading = openObjectStore({ engine: shared.engines[1], clock }).collection(pods);
    await settle();
    await shared.engines[1][hear]();
    expect(names((await loading).latest().scan())).toEqual(['a']);
  });

  test('gives up loading a collection after a while', async () => {
    await create('a'); // 2
    await shared.memory.compact(2);
    const loading = expect(stores[1].collection(nodes)).rejects.toMatchObject({ code: 'unavailable', isTimeout: true });
    await settle();
    clock.advance(10_000);
    await loading;
    shared.engines[1].deliver();
    expect((await stores[1].collection(nodes)).latest().revision).toBe(2);
  });

  test('does not tell watchers a revision whose changes they do not know', async () => {
    const progress: number[] = [];
    watch(there, { onEvent: () => progress.push(there.progress()) });
    await Promise.all([create('a'), create('b')]);
    shared.engines[1].deliver();
    expect(progress).toEqual([1, 1]);
    expect(there.progress()).toBe(3);
  });
});

test('a revision without changes is progress', async () => {
  const waiting = there.notOlderThan(2, { timeoutMs: 3000 });
  expect(await shared.memory.deleteTogether([])).toBe(2);
  expect((await waiting).revision).toBe(2);
  expect(stores[1].revision()).toBe(2);
  expect(there.progress()).toBe(2);
  expect(names(there.at(2).scan())).toEqual([]);
});

describe('when changes were lost', () => {
  /**
   * Makes the second process miss everything after a, b and c: b is changed, c deleted, d created, a deleted and
   * created again.
   */
  async function lose(): Promise<void> {
    for (const name of ['a', 'b', 'c']) await create(name); // 2, 3, 4
    await there.mostRecent();
    shared.engines[1].hold();
    await here.update(pod('ns', 'b', { node: 'n' }), 3); // 5
    await here.delete('ns', 'c', 4); // 6
    await create('d'); // 7
    await here.delete('ns', 'a', 2); // 8
    await create('a'); // 9
    await shared.engines[1].lose();
  }

  test('the objects are loaded again', async () => {
    await lose();
    const snapshot = await there.mostRecent();
    expect(names(snapshot.scan())).toEqual(['a', 'b', 'd']);
    expect(snapshot.get('ns', 'a')?.createRevision).toBe(9);
    expect(snapshot.revision).toBe(9);
    expect(there.progress()).toBe(9);
  });

  test('reads stay as they are until then', async () => {
    await lose();
    const before = there.latest();
    expect([before.revision, names(before.scan())]).toEqual([4, ['a', 'b', 'c']]);
    expect(there.progress()).toBe(4);
    expect(names(there.at(3).scan())).toEqual(['a', 'b']);
    expect((await there.mostRecent()).revision).toBe(9);
  });

  test('watchers that asked for it are ended', async () => {
    await lose();
    let lost = 0;
    const { shown } = watch(there, { after: 4, onLost: () => (lost += 1) });
    await there.mostRecent();
    await create('e');
    expect([lost, shown()]).toEqual([1, []]);
  });

  test('other watchers are told the differences, then what follows', async () => {
    for (const name of ['a', 'b', 'c']) await create(name);
    await there.mostRecent();
    const { events, shown } = watch(there, { after: 4 });
    shared.engines[1].hold();
    await here.update(pod('ns', 'b', { node: 'n' }), 3);
    await here.delete('ns', 'c', 4);
    await create('d');
    await here.delete('ns', 'a', 2);
    await create('a');
    await shared.engines[1].lose();
    const last = await create('e'); // 10
    await there.notOlderThan(last.revision, { timeoutMs: 3000 });
    await until(() => shown().length === 6);
    expect(shown()).toEqual(['9 DELETED a', '9 ADDED a', '9 MODIFIED b', '9 DELETED c', '9 ADDED d', '10 ADDED e']);
    expect(events.map(({ object }) => object.revision)).toEqual([9, 9, 5, 9, 7, 10]);
    expect(events[2].previous?.revision).toBe(3);
  });

  test('many differences are told in turns of the event loop, and what follows after them', async () => {
    const told: string[] = [];
    // each event takes longer than a turn may
    const busy = (event: ObjectEvent) => {
      for (const end = performance.now() + 5; performance.now() < end; );
      told.push(`${showEvent(event)} of ${there.progress()}`);
    };
    watch(there, { after: 1, onEvent: busy });
    shared.engines[1].hold();
    for (const name of ['a', 'b', 'c', 'd']) await create(name); // 2 to 5
    await shared.engines[1].lose();
    await there.mostRecent();
    const before = told.length;
    const created = await create('e'); // 6
    const fresh = watch(there, { after: created.revision });
    await create('f'); // 7
    await until(() => told.length === 6);
    expect(before).toBeLessThan(4);
    expect(told).toEqual(['5 ADDED a', '5 ADDED b', '5 ADDED c', '5 ADDED d', '6 ADDED e', '7 ADDED f'].map((event) => `${event} of 5`));
    expect(fresh.shown()).toEqual(['7 ADDED f']);
    await until(() => there.progress() === 7);
  });

  test('a watch in between is compacted, and one after it misses nothing', async () => {
    await lose();
    await there.mostRecent();
    for (const revision of [4, 7]) {
      expect(() => there.watch({ after: revision, onEvent: () => undefined })).toThrow(expect.objectContaining({ code: 'compacted' }));
      expect(() => there.at(revision)).toThrow(expect.objectContaining({ code: 'compacted' }));
    }
    const { shown } = watch(there, { after: 9 });
    await create('e');
    await there.mostRecent();
    expect(shown()).toEqual(['10 ADDED e']);
  });

  test('a write resolves when its object can be read', async () => {
    await create('a');
    shared.engines[1].hold();
    const writing = there.create(pod('ns', 'b'));
    const deleting = there.delete('ns', 'a', 2);
    await settle();
    await shared.engines[1].lose();
    expect(await writing).toMatchObject({ name: 'b', revision: 3, createRevision: 3 });
    expect(await deleting).toMatchObject({ name: 'a', revision: 4 });
    expect(names(there.latest().scan())).toEqual(['b']);
  });

  test('a write ends in doubt if its object cannot be read again, and later reads have it', async () => {
    const [, engine] = shared.engines;
    const range = engine.range.bind(engine);
    engine.range = () => Promise.reject(new StorageError('unavailable', 'the connection is broken'));
    engine.hold();
    const writing = expect(there.create(pod('ns', 'a'))).rejects.toMatchObject({ code: 'unknown-outcome' });
    await settle();
    await engine.lose();
    await settle();
    clock.advance(60_000);
    await writing;
    engine.range = range;
    await settle();
    clock.advance(1_000);
    expect(names((await there.mostRecent()).scan())).toEqual(['a']);
  });

  test('of a write that was lost and replaced, the writer gets what it wrote', async () => {
    shared.engines[1].hold();
    const writing = there.create(pod('ns', 'a', { node: 'first' }));
    await settle();
    await here.update(pod('ns', 'a', { node: 'second' }), 2);
    await shared.engines[1].lose();
    const stored = (await writing) as StoredObject;
    expect(stored).toMatchObject({ revision: 2, fields: { 'spec.nodeName': 'first' } });
    expect(there.latest().get('ns', 'a')).toMatchObject({ revision: 3 });
  });

  test('and again while the objects are loaded, the last state is read', async () => {
    const { shown } = watch(there);
    await lose();
    shared.engines[1].hold();
    await create('e'); // 10
    await shared.engines[1].lose();
    const snapshot = await there.mostRecent();
    expect(names(snapshot.scan())).toEqual(['a', 'b', 'd', 'e']);
    await until(() => shown().at(-1) === '10 ADDED e');
    await create('f');
    await there.mostRecent();
    await until(() => shown().at(-1) === '11 ADDED f');
  });

  test('a collection that is loaded meanwhile, or later, is complete', async () => {
    const loading = stores[1].collection(nodes);
    await lose();
    const later = await loading;
    await (await stores[0].collection(nodes)).create({ kind: 'Node', apiVersion: 'v1', metadata: { name: 'n' } });
    expect(names((await later.mostRecent()).scan())).toEqual(['n']);
    expect(later.at(10).count()).toBe(1);
  });
});
