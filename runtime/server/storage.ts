import type { Clock } from '../machinery/clock.ts';
import type { Engine } from '../storage/kv/engine.ts';
import type { ObjectStore } from '../storage/object-store/contract.ts';
import { openObjectStore } from '../storage/object-store/object-store.ts';
import type { ServerOptions } from './options.ts';

/** Opens the store that the options name. Only the engine in use is loaded. */
export async function openStorage(options: ServerOptions, clock: Clock): Promise<ObjectStore> {
  const engine = await openEngine(options);
  return openObjectStore({ engine, clock, compactionWindowMs: options.compactionWindow });
}

async function openEngine({ storage = 'memory', dataDir = 'data', unsafeNoFsync }: ServerOptions): Promise<Engine> {
  if (storage === 'memory') return (await import('../storage/memory/memory-engine.ts')).createMemoryEngine();
  return (await import('../storage/lmdb/lmdb-engine.ts')).openLmdbEngine({ path: dataDir, unsafeNoFsync });
}
