import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Collection, ObjectEvent, ObjectStore, StoredObject } from '../../../runtime/storage/object-store/contract.ts';
import { openObjectStore } from '../../../runtime/storage/object-store/object-store.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import type { MakeEngines } from './describe-engine.ts';
import { nodes, pod, pods, showEvent } from './describe-object-store.ts';

const names = (objects: Iterable<StoredObject>) => [...objects].map(({ name }) => name);

/** The contract of `ObjectStore` for a store with several writing processes. */
export function describeSharedStore(name: string, makeEngines: MakeEngines): void {
  describe(`object stores of several processes: ${name}`, () => {
    let clock: ManualClock;
    let stores: readonly ObjectStore[];
    let here: Collection;
    let there: Collection;
    let dispose: () => Promise<void>;

    beforeEach(async () => {
      clock = new ManualClock();
      const made = await makeEngines(2);
      dispose = made.dispose;
      stores = made.engines.map((engine) => openObjectStore({ engine, clock }));
      [here, there] = await Promise.all(stores.map((store) => store.collection(pods)));
    });
    afterEach(async () => {
      await Promise.all(stores.map((store) => store.close()));
      await dispose();
    });

    const create = async (name: string, into = here) => (await into.create(pod('ns', name))) as StoredObject;
    const watch = (collection: Collection, after: number) => {
      const events: ObjectEvent[] = [];
      collection.watch({ after, onEvent: (event) => events.push(event) });
      return () => events.map(showEvent);
    };

    test('the most recent view has what another process has written', async () => {
      await create('a');
      const snapshot = await there.mostRecent();
      expect(names(snapshot.scan())).toEqual(['a']);
      expect(snapshot.get('ns', 'a')).toMatchObject({ uid: 'uid-a', revision: 2, createRevision: 2 });
      expect(snapshot.revision).toBe(2);
    });

    test('what another process has written is selected by its labels and fields', async () => {
      await here.create(pod('ns', 'a', { labels: { app: 'web' }, node: 'n1' }));
      const seen = (await there.mostRecent()).get('ns', 'a');
      expect(seen).toMatchObject({ labels: { app: 'web' }, fields: { 'spec.nodeName': 'n1' } });
      expect(seen?.json).toEqual(here.latest().get('ns', 'a')?.json);
    });

    test('a write is guarded by what another process has written', async () => {
      await create('a');
      expect(await there.create(pod('ns', 'a'))).toBeUndefined();
      const updated = (await there.update(pod('ns', 'a', { node: 'n' }), 2)) as StoredObject;
      expect(await here.update(pod('ns', 'a'), 2)).toBeUndefined();
      expect(await here.delete('ns', 'a', 2)).toBeUndefined();
      expect(await here.delete('ns', 'a', updated.revision)).toMatchObject({ revision: 4, createRevision: 2 });
      expect(await there.update(pod('ns', 'a'), updated.revision)).toBeUndefined();
      expect((await there.mostRecent()).count()).toBe(0);
    });

    test('watches tell the same events in the same order', async () => {
      const shown = [here, there].map((collection) => watch(collection, 1));
      await Promise.all(Array.from({ length: 20 }, (_, at) => create(`p${at}`, at % 2 === 0 ? here : there)));
      const last = (await there.mostRecent()).get('ns', 'p0') as StoredObject;
      await there.delete('ns', 'p0', last.revision);
      await Promise.all([here.mostRecent(), there.mostRecent()]);
      expect(shown[0]()).toHaveLength(21);
      expect(shown[0]().at(-1)).toBe('22 DELETED p0');
      expect(shown[1]()).toEqual(shown[0]());
    });

    test('a watch that goes on at another process misses nothing', async () => {
      await create('a');
      await create('b');
      await there.mostRecent();
      expect(watch(there, 2)()).toEqual(['3 ADDED b']);
      expect(names(there.at(2).scan())).toEqual(['a']);
    });

    test('a read waits for a revision that another process has seen', async () => {
      const { revision } = await create('a');
      const snapshot = await there.notOlderThan(revision, { timeoutMs: 3000 });
      expect(names(snapshot.scan())).toEqual(['a']);
    });

    test('a collection that is loaded later has the history, whoever wrote it', async () => {
      const [first, second] = await Promise.all(stores.map((store) => store.collection(nodes)));
      await first.create({ kind: 'Node', apiVersion: 'v1', metadata: { name: 'a' } });
      await second.create({ kind: 'Node', apiVersion: 'v1', metadata: { name: 'b' } });
      await Promise.all([first.mostRecent(), second.mostRecent()]);
      for (const collection of [first, second]) {
        expect(watch(collection, 1)()).toEqual(['2 ADDED a', '3 ADDED b']);
        expect(names(collection.at(2).scan())).toEqual(['a']);
      }
    });

    test('a store that is opened later has the history from before', async () => {
      const { engines, dispose: end } = await makeEngines(2);
      const first = openObjectStore({ engine: engines[0], clock });
      const written = await first.collection(pods);
      await written.create(pod('ns', 'a'));
      await written.update(pod('ns', 'a', { node: 'n' }), 2);
      await written.delete('ns', 'a', 3);
      await Promise.resolve(engines[1].currentRevision());
      const second = openObjectStore({ engine: engines[1], clock });
      const read = await second.collection(pods);
      await read.mostRecent();
      expect(watch(read, 1)()).toEqual(['2 ADDED a', '3 MODIFIED a', '4 DELETED a']);
      expect(names(read.at(2).scan())).toEqual(['a']);
      await Promise.all([first.close(), second.close()]);
      await end();
    });
  });
}
