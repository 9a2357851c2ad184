import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLmdbEngine } from '../../../runtime/storage/lmdb/lmdb-engine.ts';
import { createMemoryEngine } from '../../../runtime/storage/memory/memory-engine.ts';
import { describeObjectStore } from './describe-object-store.ts';

describeObjectStore(
  'memory',
  async () => ({ engine: createMemoryEngine(), dispose: async () => undefined }),
  'memory forgets when it is closed',
);

describeObjectStore('lmdb', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'kubeloom-store-'));
  const open = () => openLmdbEngine({ path: dir, unsafeNoFsync: true });
  return { engine: await open(), reopen: open, dispose: () => rm(dir, { recursive: true, force: true }) };
});
