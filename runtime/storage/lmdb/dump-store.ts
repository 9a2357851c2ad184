import { yieldToEventLoop } from '../../machinery/event-loop/yield.ts';
import type { KeyValue } from '../kv/engine.ts';
import { openLmdbEngine } from './lmdb-engine.ts';
import { requireStore } from './store-directory.ts';

/** Keys read in one go. */
const chunk = 256;

/**
 * All keys of a store that begin with `prefix`, in order, as of the newest revision. Throws StorageError where the
 * directory holds no store or is in use. The store stays open until the iteration ends.
 */
export async function* dumpStore(dir: string, prefix = ''): AsyncGenerator<KeyValue, void, undefined> {
  requireStore(dir);
  const engine = await openLmdbEngine({ path: dir });
  try {
    // Behind the last key that begins with the prefix, as no key holds this character.
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
