import type { ServerOptions } from '../../options/server-options.ts';
import { type ObjectStoreOptions, openObjectStore } from '../../storage/object-store/object-store.ts';
import { type OpenedStorage, type StorageParts, storageOf } from './storage-parts.ts';
import { claimStore } from './stored-release.ts';

/** Opens a store in memory or in LMDB, or the store of a replay. */
export async function openLocalStore(
  options: ServerOptions,
  { clock, logger, minor, replay }: StorageParts,
  common: Omit<ObjectStoreOptions, 'engine'>,
): Promise<OpenedStorage> {
  const { dataDir = 'data', unsafeNoFsync } = options;
  if (replay !== undefined) {
    const store = openObjectStore({ ...common, engine: replay.engine, prefix: replay.root });
    await replay.fill(store);
    return { store };
  }
  if (storageOf(options) === 'memory') {
    const { createMemoryEngine } = await import('../../storage/memory/memory-engine.ts');
    return { store: openObjectStore({ ...common, engine: createMemoryEngine(clock) }) };
  }
  const { openLmdbEngine } = await import('../../storage/lmdb/lmdb-engine.ts');
  const engine = await openLmdbEngine({ path: dataDir, unsafeNoFsync, clock, logger });
  try {
    await claimStore(engine, `v1.${minor}`, dataDir);
  } catch (error) {
    await engine.close();
    throw error;
  }
  const store = openObjectStore({ ...common, engine });
  return { store, checkWritable: () => engine.checkWritable(), lost: engine.lost };
}
