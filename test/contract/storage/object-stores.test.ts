import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLmdbEngine } from '../../../runtime/storage/lmdb/lmdb-engine.ts';
import { createMemoryEngine } from '../../../runtime/storage/memory/memory-engine.ts';
import { createMemoryEngines } from '../../support/shared-engines.ts';
import { describeObjectStore } from './describe-object-store.ts';
import { describeSharedStore } from './describe-shared-store.ts';

describeObjectStore(
  'memory',
  async () => ({ engine: createMemoryEngine(), dispose: async () => undefined }),
  'memory forgets when it is closed',
);

describeSharedStore('engines of one memory', async (count) => {
  const { engines } = createMemoryEngines(count);
  return { engines, dispose: async () => undefined };
});

describeObjectStore('lmdb', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'kubeloom-store-'));
  const open = () => openLmdbEngine({ path: dir, unsafeNoFsync: true });
  return { engine: await open(), reopen: open, dispose: () => rm(dir, { recursive: true, force: true }) };
});
