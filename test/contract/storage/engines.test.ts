import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLmdbEngine } from '../../../runtime/storage/lmdb/lmdb-engine.ts';
import { createMemoryEngine } from '../../../runtime/storage/memory/memory-engine.ts';
import { createMemoryEngines } from '../../support/shared-engines.ts';
import { describeEngine, describeEngines } from './describe-engine.ts';

describeEngine('memory', async () => ({ engine: createMemoryEngine(), dispose: async () => undefined }));

describeEngine('one of the engines of a memory', async () => {
  const { engines } = createMemoryEngines(1);
  return { engine: engines[0], dispose: async () => undefined };
});

describeEngines('engines of one memory', async (count) => {
  const { engines } = createMemoryEngines(count);
  return { engines, dispose: async () => undefined };
});

describeEngine('lmdb', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'kubeloom-engine-'));
  const engine = await openLmdbEngine({ path: dir, unsafeNoFsync: true });
  return { engine, dispose: () => rm(dir, { recursive: true, force: true }) };
});
