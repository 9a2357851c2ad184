import { describe, expect, jest, test } from '@jest/globals';
import { createMemoryEngine } from '../../../../runtime/storage/memory/memory-engine.ts';
import type { Collection, StoredObject } from '../../../../runtime/storage/object-store/contract.ts';
import { openObjectStore } from '../../../../runtime/storage/object-store/object-store.ts';
import { pod, pods, showEvent } from '../../../contract/storage/describe-object-store.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import type { TestObject } from '../../../support/test-object.ts';

const names = (objects: Iterable<StoredObject>) => [...objects].map(({ name }) => name);
const key = (name: string) => `/registry/pods/ns/${name}`;

function makeStore(options: { historyBytes?: number } = {}) {
  const engine = createMemoryEngine();
  const store = openObjectStore({ engine, clock: new ManualClock(), ...options });
  const put = (name: string, text: string) => engine.write({ type: 'put', key: key(name), value: Buffer.from(text), expect: 'any' });
  return { engine, store, put };
}

const watch = (collection: Collection, after: number) => {
  const events: string[] = [];
  collection.watch({ after, onEvent: (event) => events.push(showEvent(event)) });
  return events;
};

describe('a collection', () => {
  test('has the objects that were written before it was loaded', async () => {
    const { store, put } = makeStore();
    await put('a', '{"metadata":{"name":"a"}}');
    await put('b', '{"metadata":{"name":"b"}}');
    await put('a', '{"metadata":{"name":"a","labels":{"x":"y"}}}');
    const collection = await store.collection(pods);
    expect(watch(collection, 1)).toEqual(['2 ADDED a', '3 ADDED b', '4 MODIFIED a']);
    expect(names(collection.at(2).scan())).toEqual(['a']);
    expect(collection.latest().get('ns', 'a')?.labels).toEqual({ x: 'y' });
    await store.close();
  });

  test('loses no writes while it is loaded', async () => {
    const { store, engine, put } = makeStore();
    for (let at = 0; at < 1000; at += 1) void put(`p${at}`, `{"metadata":{"name":"p${at}"}}`);
    await put('p0', '{"metadata":{"name":"p0"}}');
    const loading = store.collection(pods);
    const writes: Promise<unknown>[] = [];
    for (let at = 0; at < 200; at += 1) {
      writes.push(put(`q${at}`, `{"metadata":{"name":"q${at}"}}`));
      writes.push(engine.write({ type: 'delete', key: key(`p${at}`), expect: 'any' }));
      await new Promise(setImmediate);
    }
    const collection = await loading;
    await Promise.all(writes);
    expect(collection.latest().count()).toBe(1000);
    const events = watch(collection, 1);
    expect(events).toHaveLength(1401);
    expect(events.map((event) => Number(event.split(' ')[0]))).toEqual(events.map((_, at) => at + 2));
    await store.close();
  });

  test('lists bytes that are not an object separately, and can delete them', async () => {
    const { store, put } = makeStore();
    await put('bad', '{"metadata":{"name":');
    await put('list', '[]');
    await put('good', '{"metadata":{"name":"good"}}');
    const collection = await store.collection(pods);
    expect(names(collection.latest().scan())).toEqual(['good']);
    const [bad, list] = collection.corrupt();
    expect([bad.name, list.name]).toEqual(['bad', 'list']);
    expect(bad).toMatchObject({ namespace: 'ns', revision: 2, labels: {}, fields: {} });
    expect(() => bad.decode()).toThrow(expect.objectContaining({ isStorageError: true, code: 'corrupt' }));
    expect(Buffer.from(bad.json).toString()).toBe('{"metadata":{"name":');
    expect(await collection.create(pod('ns', 'bad'))).toBeUndefined();
    expect(await collection.delete('ns', 'bad', 2)).toMatchObject({ name: 'bad', revision: 5 });
    expect(await collection.update(pod('ns', 'list'), 3)).toMatchObject({ revision: 6 });
    expect(collection.corrupt()).toEqual([]);
    expect(names(collection.latest().scan())).toEqual(['good', 'list']);
    expect(watch(collection, 1)).toEqual(['4 ADDED good', '6 ADDED list']);
    await store.close();
  });

  test('decodes objects when their labels or fields are needed, if the engine vouches for them', async () => {
    const { engine, put } = makeStore();
    await put('a', '{"metadata":{"name":"a","labels":{"x":"y"}},"spec":{"nodeName":"n"}}');
    await put('b', `{"metadata":{"name":"b","labels":{"x":"${'y'.repeat(10_000)}"}}}`);
    // a watch from the past reads the whole history
    await engine.compact(engine.revision());
    const parse = jest.spyOn(JSON, 'parse');
    const store = openObjectStore({ engine: Object.assign(engine, { isVerified: true }) });
    const snapshot = (await store.collection(pods)).latest();
    const decoded = (): number => parse.mock.calls.filter(([text]) => text.startsWith('{"metadata"')).length;
    try {
      // the large object
      expect([snapshot.count(), decoded()]).toEqual([2, 1]);
      const a = snapshot.get('ns', 'a') as StoredObject;
      for (let times = 0; times < 2; times += 1) {
        expect([a.labels, a.fields['metadata.name']]).toEqual([{ x: 'y' }, 'a']);
      }
      expect(decoded()).toBe(2);
    } finally {
      parse.mockRestore();
      await store.close();
    }
  });

  test('serves foreign layouts in its own layout', async () => {
    const { store, put } = makeStore();
    await put('a', '{"spec":{"n":9007199254740993},"metadata":{"name":"a"},"kind":"Pod"}');
    const object = (await store.collection(pods)).latest().get('ns', 'a') as StoredObject;
    expect(Buffer.from(object.json).toString()).toBe(
      '{"kind":"Pod","metadata":{"resourceVersion":"2","name":"a"},"spec":{"n":9007199254740993}}',
    );
    await store.close();
  });

  test('ignores keys that are not of its objects', async () => {
    const { store, engine, put } = makeStore();
    await put('a', '{"metadata":{"name":"a"}}');
    for (const odd of ['/registry/pods/x', '/registry/pods/a/b/c', '/registry/pods', 'other']) {
      await engine.write({ type: 'put', key: odd, value: Buffer.from('{"metadata":{}}'), expect: 0 });
    }
    const collection = await store.collection(pods);
    expect(names(collection.latest().scan())).toEqual(['a']);
    expect(names(collection.corrupt())).toEqual(['a/b/c', 'x']);
    await store.close();
  });

  test('limits history by a budget of bytes', async () => {
    const { store } = makeStore({ historyBytes: 20_000 });
    const collection = await store.collection(pods);
    let revision = (await collection.create({ ...pod('ns', 'a'), pad: 'x'.repeat(1000) } as TestObject))?.revision as number;
    for (let at = 0; at < 100; at += 1) {
      revision = (await collection.update({ ...pod('ns', 'a'), pad: `${at}`.repeat(500) } as TestObject, revision))?.revision as number;
    }
    expect(store.compactedRevision()).toBeGreaterThan(70);
    expect(store.compactedRevision()).toBeLessThan(95);
    expect(() => collection.at(50)).toThrow(expect.objectContaining({ code: 'compacted' }));
    expect(collection.at(store.compactedRevision() + 1).count()).toBe(1);
    await store.close();
  });

  test('serves an old revision after many changes', async () => {
    const { store } = makeStore();
    const collection = await store.collection(pods);
    // More than between two checkpoints, so that some revisions are reached from below and some from above.
    const count = 20_000;
    await Promise.all(Array.from({ length: count }, (_, at) => collection.create(pod('ns', `p${at}`))));
    for (const revision of [1, 2, 5000, 8192, 8193, 8194, 12_000, 16_385, count + 1]) {
      expect(collection.at(revision).count()).toBe(revision - 1);
    }
    await store.close();
  });

  test('an error in one watcher costs the others no event', async () => {
    const { store } = makeStore();
    const collection = await store.collection(pods);
    const emitWarning = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    collection.watch({
      after: 1,
      onEvent: () => {
        throw new Error('a mistake');
      },
    });
    const events = watch(collection, 1);
    expect(await collection.create(pod('ns', 'a'))).toBeDefined();
    expect(await collection.create(pod('ns', 'b'))).toBeDefined();
    expect(events).toEqual(['2 ADDED a', '3 ADDED b']);
    expect(emitWarning).toHaveBeenCalledTimes(1);
    emitWarning.mockRestore();
    await store.close();
  });

  test('an event is matched only against watchers of its namespace or name', async () => {
    const { store } = makeStore();
    const collection = await store.collection(pods);
    let asked = 0;
    const matches = () => {
      asked += 1;
      return true;
    };
    for (let at = 0; at < 1000; at += 1) {
      collection.watch({ after: 1, namespace: `ns-${at % 100}`, matches, onEvent: () => undefined });
      collection.watch({ after: 1, name: `n-${at}`, matches, onEvent: () => undefined });
    }
    await collection.create(pod('ns-7', 'n-3'));
    expect(asked).toBe(11);
    await store.close();
  });

  test('names that cannot be keys are rejected before anything is written', async () => {
    const { store } = makeStore();
    const collection = await store.collection(pods);
    for (const [namespace, name] of [
      ['ns', ''],
      ['', 'a'],
      ['ns', 'a/b'],
      ['n/s', 'a'],
      ['ns', 'a\0'],
    ]) {
      await expect(collection.create(pod(namespace, name))).rejects.toThrow(TypeError);
    }
    expect(store.revision()).toBe(1);
    await store.close();
  });

  test('names beyond ASCII are ordered by their UTF-8 bytes', async () => {
    const { store } = makeStore();
    const collection = await store.collection(pods);
    const ordered = ['a', 'z', 'é', '～', '😀'];
    for (const name of [...ordered].reverse()) await collection.create(pod('ns', name));
    expect(names(collection.latest().scan())).toEqual(ordered);
    expect(names(collection.latest().scan({ after: { namespace: 'ns', name: 'é' } }))).toEqual(['～', '😀']);
    expect(collection.latest().get('ns', '😀')?.name).toBe('😀');
    await store.close();
  });
});
