import { describe, expect, test } from '@jest/globals';
import { createMemoryEngine } from '../../../../runtime/storage/memory/memory-engine.ts';
import { openObjectStore } from '../../../../runtime/storage/object-store/object-store.ts';
import { pod, pods } from '../../../contract/storage/describe-object-store.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

describe('an event', () => {
  test('is matched against the watchers of its namespace, not all of them', async () => {
    const store = openObjectStore({ engine: createMemoryEngine(), clock: new ManualClock() });
    const collection = await store.collection(pods);
    const asked: string[] = [];
    const received: string[] = [];
    for (let watcher = 0; watcher < 10_000; watcher += 1) {
      const namespace = `ns-${watcher % 1000}`;
      collection.watch({
        namespace,
        after: collection.latest().revision,
        matches: (object) => asked.push(object.namespace) > 0,
        onEvent: (event) => received.push(`${event.type} ${namespace}`),
      });
    }
    await collection.create(pod('ns-7', 'a'));
    expect(asked).toEqual(Array.from({ length: 10 }, () => 'ns-7'));
    expect(received).toEqual(Array.from({ length: 10 }, () => 'ADDED ns-7'));
    await collection.create(pod('elsewhere', 'a'));
    expect(asked).toHaveLength(10);
    await store.close();
  });

  test('is matched against the watchers of its object and name, not those of others', async () => {
    const store = openObjectStore({ engine: createMemoryEngine(), clock: new ManualClock() });
    const collection = await store.collection(pods);
    const received: string[] = [];
    for (let watcher = 0; watcher < 2000; watcher += 1) {
      const name = `p${watcher}`;
      const after = collection.latest().revision;
      const onEvent = () => received.push(name);
      const matches = () => true;
      collection.watch(watcher % 2 === 0 ? { namespace: 'ns', name, after, onEvent, matches } : { name, after, onEvent, matches });
    }
    await collection.create(pod('ns', 'p4'));
    await collection.create(pod('ns', 'p5'));
    await collection.create(pod('other', 'p4'));
    expect(received).toEqual(['p4', 'p5']);
    await store.close();
  });
});
