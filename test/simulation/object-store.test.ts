import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from '@jest/globals';
import { openLmdbEngine } from '../../runtime/storage/lmdb/lmdb-engine.ts';
import { createMemoryEngine } from '../../runtime/storage/memory/memory-engine.ts';
import { rounds } from './rounds.ts';
import { StoreRound } from './store-round.ts';

/** Random writers, watchers, readers and compactions, compared with a simple model of the store. */

describe('watches and reads of a store are ordered, unique, complete and resumable', () => {
  test(
    'over memory',
    rounds(1000, (seed) => new StoreRound(seed, async () => createMemoryEngine(), false).run()),
    600_000,
  );

  test(
    'over lmdb, with restarts',
    rounds(40, async (seed) => {
      const dir = await mkdtemp(join(tmpdir(), 'kubeloom-simulation-'));
      try {
        await new StoreRound(seed, () => openLmdbEngine({ path: dir, unsafeNoFsync: true }), true).run();
      } finally {
        await rm(dir, { recursive: true, force: true });
      }
    }),
    600_000,
  );
});
