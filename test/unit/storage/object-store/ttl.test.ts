import { expect, test } from '@jest/globals';
import { newEventStrategy } from '../../../../runtime/kinds/core/event.ts';
import type { Write } from '../../../../runtime/storage/kv/engine.ts';
import { createMemoryEngine } from '../../../../runtime/storage/memory/memory-engine.ts';
import { openObjectStore } from '../../../../runtime/storage/object-store/object-store.ts';
import { pod, pods } from '../../../contract/storage/describe-object-store.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

test.each([
  ['an hour', undefined, 3600],
  ['what the option says', 90_500, 90],
  ['never', 0, undefined],
])('every write of an object has the TTL of its resource: %s', async (_, eventTTL, ttlSeconds) => {
  const engine = createMemoryEngine();
  const written: Write[] = [];
  const write = engine.write.bind(engine);
  engine.write = (one) => {
    written.push(one);
    return write(one);
  };
  const store = openObjectStore({ engine, clock: new ManualClock() });
  const { ttlSeconds: ttl } = newEventStrategy({ eventTTL });
  const collection = await store.collection({ ...pods, ttlSeconds: ttl });
  const created = await collection.create(pod('ns', 'a'));
  await collection.update(pod('ns', 'a', { labels: { changed: 'yes' } }), created?.revision ?? 0);
  expect(written.map((one) => one.type === 'put' && one.ttlSeconds)).toEqual([ttlSeconds, ttlSeconds]);
  await store.close();
});
