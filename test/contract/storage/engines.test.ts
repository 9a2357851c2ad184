import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLmdbEngine } from '../../../runtime/storage/lmdb/lmdb-engine.ts';
import { createMemoryEngine } from '../../../runtime/storage/memory/memory-engine.ts';
import { describeEngine } from './describe-engine.ts';

describeEngine('memory', async () => ({ engine: createMemoryEngine(), dispose: async () => undefined }));

describeEngine('lmdb', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'kubeloom-engine-'));
  const engine = await openLmdbEngine({ path: dir, unsafeNoFsync: true });
  return { engine, dispose: () => rm(dir, { recursive: true, force: true }) };
});
