import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Engine } from '../../../runtime/storage/kv/engine.ts';
import type { Collection, ObjectEvent, ObjectStore, StoredObject, StoredResource } from '../../../runtime/storage/object-store/contract.ts';
import { openObjectStore } from '../../../runtime/storage/object-store/object-store.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { testUnless } from '../../support/skipping.ts';
import type { TestObject } from '../../support/test-object.ts';
import type { StoreLimits } from './describe-engine.ts';

/** Makes an engine for the suite. `reopen` returns the store after the first one was closed. */
export type MakeReopenable = () => Promise<{
  engine: Engine;
  reopen?: () => Promise<Engine>;
  dispose: () => Promise<void>;
}>;

export const pods: StoredResource = {
  group: '',
  resource: 'pods',
  resourcePrefix: 'pods',
  namespaced: true,
  selectableFields: (object: TestObject) => ({ 'spec.nodeName': object.spec?.nodeName ?? '' }),
};
export const nodes: StoredResource = {
  group: '',
  resource: 'nodes',
  resourcePrefix: 'minions',
  namespaced: false,
  selectableFields: () => ({}),
};

export const pod = (namespace: string, name: string, extra: Partial<TestObject> = {}): TestObject => ({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name, namespace, uid: `uid-${name}`, ...(extra.labels ? { labels: extra.labels } : {}) },
  spec: { nodeName: extra.node ?? '' },
});
const nodeOf = (object: TestObject | undefined): unknown => object?.spec.nodeName;
export const node = (name: string): TestObject => ({ kind: 'Node', apiVersion: 'v1', metadata: { name } });

const names = (objects: Iterable<StoredObject>) => [...objects].map(({ namespace, name }) => `${namespace}/${name}`);
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8');
export const showEvent = ({ type, revision, object }: ObjectEvent) => `${revision} ${type} ${object.name}`;

/**
 * The contract of `ObjectStore` and `Collection` for any engine. `forgets` is the reason why a store cannot be
 * reopened.
 */
export function describeObjectStore(name: string, makeEngine: MakeReopenable, forgets?: string, limits: StoreLimits = {}): void {
  describe(`object store over ${name}`, () => {
    let clock: ManualClock;
    let store: ObjectStore;
    let collection: Collection;
    let made: Awaited<ReturnType<MakeReopenable>>;

    beforeEach(async () => {
      clock = new ManualClock();
      made = await makeEngine();
      store = openObjectStore({ engine: made.engine, clock });
      collection = await store.collection(pods);
    });
    afterEach(async () => {
      await store.close();
      await made.dispose();
    });

    const create = async (namespace: string, name: string, extra?: Partial<TestObject>, into = collection) =>
      (await into.create(pod(namespace, name, extra))) as StoredObject;
    const watch = (after: number, request: Partial<Parameters<Collection['watch']>[0]> = {}) => {
      const events: ObjectEvent[] = [];
      const stop = collection.watch({ after, onEvent: (event) => events.push(event), ...request });
      return { events, stop, shown: () => events.map(showEvent) };
    };

    test('one resource has one collection', async () => {
      expect(await store.collection({ ...pods })).toBe(collection);
      expect(await store.collection(nodes)).not.toBe(collection);
    });

    test('a created object is in the store, with its revision in its bytes', async () => {
      const object = await create('ns', 'a', { labels: { app: 'web' }, node: 'n1' });
      expect(object).toMatchObject({
        namespace: 'ns',
        name: 'a',
        uid: 'uid-a',
        revision: 2,
        createRevision: 2,
        labels: { app: 'web' },
        fields: { 'metadata.name': 'a', 'metadata.namespace': 'ns', 'spec.nodeName': 'n1' },
      });
      expect(text(object.json)).toBe(
        '{"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"2","name":"a","namespace":"ns","uid":"uid-a",' +
          '"labels":{"app":"web"}},"spec":{"nodeName":"n1"}}',
      );
      expect(object.decode().metadata.resourceVersion).toBe('2');
      expect(object.decode()).not.toBe(object.decode());
      expect(collection.latest().get('ns', 'a')).toBe(object);
      const target = new Uint8Array(object.jsonLength + 4);
      expect(object.writeJson(target, 2)).toBe(object.jsonLength + 2);
      expect(text(target.subarray(2, -2))).toBe(text(object.json));
    });

    test('an object that is held decoded is shared at its revision, as long as it is held', async () => {
      const object = await create('ns', 'a');
      expect(object.shared()).not.toBe(object.shared());
      const held = object.decode();
      const release = collection.holdDecoded((namespace, name) => (`${namespace}/${name}` === 'ns/a' ? held : undefined));
      expect(object.shared()).toBe(held);
      expect(object.sharedMetadata()).toBe(held.metadata);
      expect(object.decode()).not.toBe(held);
      const updated = (await collection.update(pod('ns', 'a', { node: 'n' }), object.revision)) as StoredObject;
      expect(updated.shared()).toEqual(updated.decode());
      // an object for watchers is decoded before a caller can hold it
      expect(updated.shared()).toBe(updated.shared());
      release();
      expect(object.shared()).not.toBe(held);
      expect(object.shared()).toEqual(held);
    });

    test('the given object is not changed, and its resourceVersion is not stored', async () => {
      const object = pod('ns', 'a');
      object.metadata.resourceVersion = '99';
      const before = JSON.stringify(object);
      const stored = (await collection.create(object)) as StoredObject;
      expect(JSON.stringify(object)).toBe(before);
      expect(stored.decode().metadata.resourceVersion).toBe('2');
    });

    test('guards: create requires absence, update and delete a revision', async () => {
      const first = await create('ns', 'a');
      expect(await collection.create(pod('ns', 'a'))).toBeUndefined();
      expect(await collection.update(pod('ns', 'a'), first.revision + 1)).toBeUndefined();
      expect(await collection.delete('ns', 'a', first.revision + 1)).toBeUndefined();
      const second = await collection.update(pod('ns', 'a', { node: 'n' }), first.revision);
      expect(second).toMatchObject({ revision: 3, createRevision: 2 });
      const gone = await collection.delete('ns', 'a', 3);
      expect(gone).toMatchObject({ revision: 4, name: 'a' });
      expect(gone?.decode()).toMatchObject({ metadata: { resourceVersion: '4' }, spec: { nodeName: 'n' } });
      expect(collection.latest().get('ns', 'a')).toBeUndefined();
      expect(await collection.delete('ns', 'a', 3)).toBeUndefined();
    });

    test('keys that are names of Object.prototype are plain data', async () => {
      const object = JSON.parse(
        '{"kind":"Pod","metadata":{"name":"a","namespace":"ns","labels":{"__proto__":"x","constructor":"y"}},"__proto__":{"z":1}}',
      );
      const stored = (await collection.create(object)) as StoredObject;
      expect(Object.keys(stored.labels)).toEqual(['__proto__', 'constructor']);
      expect(text(stored.json)).toContain('"__proto__":{"z":1}');
    });

    test('bigints are preserved', async () => {
      const stored = (await collection.create({
        ...pod('ns', 'a'),
        big: 9007199254740993n,
      } as TestObject)) as StoredObject;
      expect((stored.decode() as TestObject).big).toBe(9007199254740993n);
    });

    describe('snapshots', () => {
      beforeEach(async () => {
        for (const key of ['b/1', 'a/2', 'a/1', 'a-b/1', 'c/1']) await create(...split(key));
      });

      test('list in key order, all or of one namespace, from a key on', () => {
        const snapshot = collection.latest();
        expect(names(snapshot.scan())).toEqual(['a-b/1', 'a/1', 'a/2', 'b/1', 'c/1']);
        expect(names(snapshot.scan({ namespace: 'a' }))).toEqual(['a/1', 'a/2']);
        expect(names(snapshot.scan({ after: { namespace: 'a', name: '1' } }))).toEqual(['a/2', 'b/1', 'c/1']);
        expect(names(snapshot.scan({ after: { namespace: 'a', name: '11' } }))).toEqual(['a/2', 'b/1', 'c/1']);
        expect(names(snapshot.scan({ namespace: 'a', after: { namespace: 'a', name: '1' } }))).toEqual(['a/2']);
        expect(names(snapshot.scan({ namespace: 'b', after: { namespace: 'a', name: '1' } }))).toEqual(['b/1']);
        expect(names(snapshot.scan({ namespace: 'a', after: { namespace: 'b', name: '1' } }))).toEqual([]);
        expect(names(snapshot.scan({ namespace: 'none' }))).toEqual([]);
      });

      test('count, all or of one namespace, from a key on', () => {
        const snapshot = collection.latest();
        expect(snapshot.count()).toBe(5);
        expect(snapshot.count('a')).toBe(2);
        expect(snapshot.count('none')).toBe(0);
        expect(snapshot.countAfter({ namespace: 'a', name: '1' })).toBe(3);
        expect(snapshot.countAfter({ namespace: 'a', name: '1' }, 'a')).toBe(1);
        expect(snapshot.countAfter({ namespace: 'b', name: '1' }, 'a')).toBe(0);
      });

      test('do not change', async () => {
        const snapshot = collection.latest();
        await collection.delete('a', '1', snapshot.get('a', '1')?.revision as number);
        await create('d', '1');
        expect(names(snapshot.scan())).toHaveLength(5);
        expect(names(collection.at(snapshot.revision).scan())).toEqual(names(snapshot.scan()));
        expect(names(collection.latest().scan())).toEqual(['a-b/1', 'a/2', 'b/1', 'c/1', 'd/1']);
      });

      test('at a revision between writes are those of that time', async () => {
        const at = (revision: number) => names(collection.at(revision).scan());
        expect(at(1)).toEqual([]);
        expect(at(2)).toEqual(['b/1']);
        expect(at(4)).toEqual(['a/1', 'a/2', 'b/1']);
        expect(at(6)).toHaveLength(5);
        expect(() => collection.at(7)).toThrow(expect.objectContaining({ code: 'future', revision: 6 }));
      });

      test('have the revision of the whole store', async () => {
        const others = await store.collection(nodes);
        await others.create(node('n'));
        expect(collection.latest().revision).toBe(7);
        expect(store.revision()).toBe(7);
      });

      test('of cluster-scoped objects need no namespace', async () => {
        const others = await store.collection(nodes);
        await others.create(node('n2'));
        await others.create(node('n1'));
        expect(names(others.latest().scan())).toEqual(['/n1', '/n2']);
        expect(others.latest().get('', 'n1')?.fields).toEqual({ 'metadata.name': 'n1', 'metadata.namespace': '' });
        expect(others.latest().countAfter({ namespace: '', name: 'n1' })).toBe(1);
        expect(others.latest().get('a', 'n1')).toBeUndefined();
        expect(collection.latest().get('', '1')).toBeUndefined();
      });
    });

    describe('notOlderThan', () => {
      test('returns at once at an existing revision', async () => {
        await create('ns', 'a');
        expect((await collection.notOlderThan(2, { timeoutMs: 0 })).revision).toBe(2);
      });

      test('waits for a later revision', async () => {
        const waiting = collection.notOlderThan(3, { timeoutMs: 3000 });
        await create('ns', 'a');
        await create('ns', 'b');
        expect((await waiting).revision).toBe(3);
      });

      test('times out, or can be aborted', async () => {
        const late = collection.notOlderThan(3, { timeoutMs: 3000 });
        clock.advance(3000);
        await expect(late).rejects.toMatchObject({ code: 'future', revision: 1 });
        const stop = new AbortController();
        const stopped = collection.notOlderThan(3, { timeoutMs: 3000, signal: stop.signal });
        stop.abort();
        await expect(stopped).rejects.toMatchObject({ code: 'future' });
      });
    });

    describe('watch', () => {
      test('replays history after a revision, then sends live events, each once', async () => {
        const a = await create('ns', 'a');
        await create('ns', 'b');
        const { shown, stop } = watch(a.revision);
        expect(shown()).toEqual(['3 ADDED b']);
        await collection.update(pod('ns', 'b'), 3);
        await collection.delete('ns', 'a', 2);
        expect(shown()).toEqual(['3 ADDED b', '4 MODIFIED b', '5 DELETED a']);
        stop();
        await create('ns', 'c');
        expect(shown()).toHaveLength(3);
      });

      test('DELETED has the last object at the revision of the deletion', async () => {
        const { events } = watch(1);
        await create('ns', 'a', { node: 'n1' });
        await collection.delete('ns', 'a', 2);
        expect(events[1].object.decode()).toMatchObject({
          metadata: { resourceVersion: '3' },
          spec: { nodeName: 'n1' },
        });
        expect(events[1].previous?.revision).toBe(2);
      });

      test('objects that start or stop matching are ADDED or DELETED', async () => {
        const matches = ({ fields }: StoredObject) => fields['spec.nodeName'] === 'n1';
        const live = watch(1, { matches });
        await create('ns', 'a');
        await collection.update(pod('ns', 'a', { node: 'n1', labels: { v: '1' } }), 2);
        await collection.update(pod('ns', 'a', { node: 'n1', labels: { v: '2' } }), 3);
        await collection.update(pod('ns', 'a', { node: 'n2' }), 4);
        await collection.delete('ns', 'a', 5);
        const replayed = watch(1, { matches });
        for (const { events, shown } of [live, replayed]) {
          expect(shown()).toEqual(['3 ADDED a', '4 MODIFIED a', '5 DELETED a']);
          expect(events[2].object.decode()).toMatchObject({
            metadata: { resourceVersion: '5', labels: { v: '2' } },
            spec: { nodeName: 'n1' },
          });
        }
      });

      test('selects a namespace, a name, or both', async () => {
        const live = [{ namespace: 'x' }, { name: 'a' }, { namespace: 'x', name: 'a' }].map((request) => watch(1, request));
        for (const key of ['x/a', 'x/b', 'y/a', 'y/b']) await create(...split(key));
        const replayed = [{ namespace: 'x' }, { name: 'a' }, { namespace: 'x', name: 'a' }].map((request) => watch(1, request));
        for (const watches of [live, replayed]) {
          expect(watches.map(({ events }) => events.map(({ object }) => `${object.namespace}/${object.name}`))).toEqual([
            ['x/a', 'x/b'],
            ['x/a', 'y/a'],
            ['x/a'],
          ]);
        }
      });

      test('from a revision of the future starts after it', async () => {
        const { shown } = watch(3);
        for (const key of ['a', 'b', 'c']) await create('ns', key);
        expect(shown()).toEqual(['4 ADDED c']);
      });

      testUnless(limits.contiguousRevisions)('started during delivery of an event has no gaps and no duplicates', async () => {
        const inner: string[] = [];
        const outer: string[] = [];
        let begun = false;
        watch(1, {
          onEvent: (outerEvent) => {
            outer.push(showEvent(outerEvent));
            if (begun) return;
            begun = true;
            collection.watch({ after: 1, onEvent: (event) => inner.push(showEvent(event)) });
          },
        });
        await Promise.all(['a', 'b', 'c'].map((key) => create('ns', key)));
        expect(inner.map((shown) => shown.slice(0, 1))).toEqual(['2', '3', '4']);
        expect(inner).toEqual(outer);
      });

      test('the newest snapshot has the object of an event', async () => {
        const seen: boolean[] = [];
        watch(1, {
          onEvent: ({ object }) => seen.push(collection.latest().get(object.namespace, object.name) === object),
        });
        await create('ns', 'a');
        expect(seen).toEqual([true]);
      });

      test('watchers of one change share its objects', async () => {
        const watches = [watch(1), watch(1, { namespace: 'ns' })];
        await create('ns', 'a');
        await collection.delete('ns', 'a', 2);
        expect(watches[0].events[1].object).toBe(watches[1].events[1].object);
      });
    });

    describe('compaction', () => {
      test('makes older revisions unreadable', async () => {
        for (const key of ['a', 'b', 'c', 'd']) await create('ns', key);
        await store.compact(4);
        expect(store.compactedRevision()).toBe(3);
        expect(() => collection.at(3)).toThrow(expect.objectContaining({ code: 'compacted', revision: 3 }));
        expect(() => watch(3)).toThrow(expect.objectContaining({ code: 'compacted' }));
        expect(names(collection.at(4).scan())).toEqual(['ns/a', 'ns/b', 'ns/c']);
        expect(watch(4).shown()).toEqual(['5 ADDED d']);
        await expect(store.compact(6)).rejects.toMatchObject({ code: 'future' });
      });

      test('happens with time', async () => {
        await create('ns', 'a');
        clock.advance(200_000);
        await create('ns', 'b');
        expect(names(collection.at(1).scan())).toEqual([]);
        clock.advance(200_000);
        expect(() => collection.at(1)).toThrow(expect.objectContaining({ code: 'compacted' }));
        expect(names(collection.at(2).scan())).toEqual(['ns/a']);
        expect(watch(2).shown()).toEqual(['3 ADDED b']);
      });
    });

    test('other encodings are cached while they are in use', async () => {
      const object = await create('ns', 'a');
      let count = 0;
      const make = () => {
        count += 1;
        return Uint8Array.of(count);
      };
      expect([...object.cacheEncode('pb', make)]).toEqual([1]);
      expect([...object.cacheEncode('pb', make)]).toEqual([1]);
      expect([...object.cacheEncode('cbor', make)]).toEqual([2]);
    });

    test('closing ends waits and rejects writes', async () => {
      const waiting = collection.notOlderThan(9, { timeoutMs: 1000 });
      const closed = store.close();
      await expect(waiting).rejects.toMatchObject({ code: 'unavailable' });
      await closed;
      await expect(collection.create(pod('ns', 'a'))).rejects.toMatchObject({ code: 'unavailable' });
      await expect(store.collection(nodes)).rejects.toMatchObject({ code: 'unavailable' });
    });

    testUnless(forgets)('objects, history and watches continue after a restart', async () => {
      await create('ns', 'a', { node: '1' }); // 2
      await collection.update(pod('ns', 'a', { node: '2' }), 2); // 3
      await create('ns', 'b'); // 4
      await collection.delete('ns', 'b', 4); // 5
      await store.compact(2);
      await collection.update(pod('ns', 'a', { node: '3' }), 3); // 6
      await store.close();
      store = openObjectStore({ engine: (await made.reopen?.()) as Engine, clock });
      collection = await store.collection(pods);
      expect(store.revision()).toBe(6);
      const seen = (revision: number) => [...collection.at(revision).scan()].map((object) => `${object.name}=${nodeOf(object.decode())}`);
      expect([2, 3, 4, 5, 6].map(seen)).toEqual([['a=1'], ['a=2'], ['a=2', 'b='], ['a=2'], ['a=3']]);
      if (limits.compaction === undefined) expect(() => seen(1)).toThrow(expect.objectContaining({ code: 'compacted' }));
      const { shown, events } = watch(2);
      expect(shown()).toEqual(['3 MODIFIED a', '4 ADDED b', '5 DELETED b', '6 MODIFIED a']);
      expect(events[3].object).toBe(collection.latest().get('ns', 'a'));
      expect(nodeOf(events[3].previous?.decode())).toBe('2');
      expect(collection.latest().get('ns', 'a')).toMatchObject({ createRevision: 2, uid: 'uid-a' });
      await create('ns', 'c');
      expect(shown().at(-1)).toBe('7 ADDED c');
    });
  });
}

function split(key: string): [string, string] {
  const [namespace, name] = key.split('/');
  return [namespace, name];
}
