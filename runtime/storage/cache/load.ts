import { TimeSlice, yieldToEventLoop } from '../../machinery/event-loop/yield.ts';
import { isStorageError } from '../errors.ts';
import type { Engine } from '../kv/engine.ts';
import { treeFromSorted } from '../mvcc/ordered-tree.ts';
import { prefixEnd } from '../object-store/keys.ts';
import type { CachedObject } from './cached-object.ts';
import type { ObjectReader } from './object-reader.ts';
import type { LoadedObjects } from './watch-cache.ts';

/** The number of objects read between yields to the event loop: a few milliseconds for objects of 2 KiB. */
export const loadChunk = 128;

/**
 * Reads all objects of a resource at one revision. Yields to the event loop between chunks.
 *
 * @param catchUp resolves when the engine knows every write that is finished by then
 * @throws StorageError
 */
export async function loadObjects(
  engine: Engine,
  prefix: string,
  reader: ObjectReader,
  catchUp: () => Promise<void>,
): Promise<LoadedObjects & { revision: number }> {
  for (;;) {
    const revision = engine.revision();
    try {
      return { revision, ...(await loadAt(engine, prefix, reader, revision)) };
    } catch (error) {
      if (!isStorageError(error) || error.code !== 'compacted') throw error;
      // the revision was compacted during a long load, or by another process: start over at a later one
      await catchUp();
      if (engine.revision() === revision) throw error;
    }
  }
}

async function loadAt(engine: Engine, prefix: string, reader: ObjectReader, revision: number): Promise<LoadedObjects> {
  const objects: CachedObject[] = [];
  const corrupt: CachedObject[] = [];
  const end = prefixEnd(prefix);
  const slice = new TimeSlice();
  const options = { limit: loadChunk, revision, allocate: reader.allocate };
  for (let start = prefix; ; ) {
    const { items, more } = await engine.range(start, end, options).catch((error: unknown) => {
      for (const { stored } of [...objects, ...corrupt]) reader.release(stored);
      throw error;
    });
    for (const item of items) {
      const object = reader.read(item);
      (object.offset < 0 ? corrupt : objects).push(object);
      // a chunk may have large objects
      if (slice.isOver) await slice.next();
    }
    const last = items.at(-1);
    if (!more || last === undefined) return { root: treeFromSorted(objects), corrupt };
    start = `${last.key}\0`;
    await yieldToEventLoop();
  }
}
