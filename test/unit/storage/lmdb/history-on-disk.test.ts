import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Change, Engine } from '../../../../runtime/storage/kv/engine.ts';
import { checkStore } from '../../../../runtime/storage/lmdb/check-store.ts';
import { openLmdbEngine } from '../../../../runtime/storage/lmdb/lmdb-engine.ts';
import { createMemoryEngine } from '../../../../runtime/storage/memory/memory-engine.ts';
import { Random } from '../../../support/random.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'kubeloom-history-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const open = () => openLmdbEngine({ path: dir, unsafeNoFsync: true });

async function everything(engine: Engine) {
  const states: unknown[] = [];
  for (let revision = engine.compactedRevision() + 1; revision <= engine.revision(); revision += 1) {
    states.push((await engine.range('a', 'z', { revision })).items.map(plain));
  }
  return { states, notes: await engine.changes(engine.compactedRevision() + 1, Number.POSITIVE_INFINITY) };
}

const plain = ({ key, value, createRevision, modRevision }: Change['current']) => ({
  key,
  value: Buffer.from(value).toString(),
  createRevision,
  modRevision,
});
describe('the data on disk', () => {
  test('equals that of the memory engine, over writes, compactions and restarts', async () => {
    const random = new Random(11);
    const memory = createMemoryEngine();
    let engine = await open();
    for (let step = 0; step < 40; step += 1) {
      const writes = Array.from({ length: random.between(1, 12) }, (_, at) => {
        const key = random.pick(['a', 'a/b', 'ab', 'b', 'c', 'c!']);
        return random.chance(0.25)
          ? ({ type: 'delete', key, expect: 'any' } as const)
          : ({
              type: 'put',
              key,
              value: Buffer.from(`${step}.${at} ${'v'.repeat(random.between(0, 600))}`),
              expect: 'any',
            } as const);
      });
      const run = (on: Engine) => Promise.all(writes.map((write) => on.write(write)));
      const [got, want] = [await run(engine), await run(memory)];
      expect(got.map(({ ok }) => ok)).toEqual(want.map(({ ok }) => ok));
      if (random.chance(0.15)) {
        const revision = random.between(1, engine.revision());
        await Promise.all([engine.compact(revision), memory.compact(revision)]);
      }
      if (random.chance(0.2)) {
        await engine.close();
        engine = await open();
      }
      expect(engine.revision()).toBe(memory.revision());
      expect(engine.compactedRevision()).toBe(memory.compactedRevision());
      if (step % 4 === 0) expect(await everything(engine)).toEqual(await everything(memory));
    }
    await engine.close();
    const { problems } = await checkStore(dir);
    const found = problems.filter((problem) => !/its value is not|the key is not below/.test(problem));
    expect(found).toEqual([]);
  });

  test('keeps its revision when compaction has removed every record', async () => {
    const engine = await open();
    await engine.write({ type: 'put', key: 'a', value: new Uint8Array(1), expect: 0 });
    await engine.write({ type: 'delete', key: 'a', expect: 2 });
    await engine.compact(3);
    await engine.close();
    const again = await open();
    expect(again.revision()).toBe(3);
    expect(again.compactedRevision()).toBe(2);
    expect((await again.range('a', 'z')).items).toEqual([]);
    await again.close();
  });
});
