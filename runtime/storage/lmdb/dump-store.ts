import { yieldToEventLoop } from '../../machinery/event-loop/yield.ts';
import type { KeyValue } from '../kv/engine.ts';
import { openLmdbEngine } from './lmdb-engine.ts';
import { requireStore } from './store-directory.ts';

/** How many keys are read at a time. */
const chunk = 256;

/**
 * The keys of a store with a prefix, in order, at the newest revision. Throws StorageError if the directory has no store or
 * is in use. The store stays open until the iteration ends.
 */
export async function* dumpStore(dir: string, prefix = ''): AsyncGenerator<KeyValue, void, undefined> {
  requireStore(dir);
  const engine = await openLmdbEngine({ path: dir });
  try {
    // after the last key with the prefix: no key contains this character
    const end = `${prefix}\u{10ffff}`;
    for (let start = prefix === '' ? '\x01' : prefix; ; ) {
      const { items, more } = await engine.range(start, end, { limit: chunk });
      yield* items;
      if (!more) return;
      start = `${items[items.length - 1].key}\0`;
      await yieldToEventLoop();
    }
  } finally {
    await engine.close();
  }
}
