import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Change, Engine } from '../../../runtime/storage/kv/engine.ts';
import { checkStore } from '../../../runtime/storage/lmdb/check-store.ts';
import { openLmdbEngine } from '../../../runtime/storage/lmdb/lmdb-engine.ts';
import { createMemoryEngine } from '../../../runtime/storage/memory/memory-engine.ts';
import { listenToCommits } from '../../support/commits.ts';
import { ManualClock } from '../../support/manual-clock.ts';

let dir: string;
let clock: ManualClock;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'kubeloom-expiry-'));
  clock = new ManualClock();
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const openLmdb = () => openLmdbEngine({ path: dir, unsafeNoFsync: true, clock });
const engines: readonly { name: string; open: () => Promise<Engine> }[] = [
  { name: 'memory', open: async () => createMemoryEngine(clock) },
  { name: 'lmdb', open: openLmdb },
];

const put = (engine: Engine, key: string, ttlSeconds?: number) =>
  engine.write({ type: 'put', key, value: Buffer.from('{"metadata":{}}'), expect: 'any', ttlSeconds });
const keysOf = async (engine: Engine) => (await engine.range('a', 'z')).items.map(({ key }) => key);

/** Resolves with the next `count` deletions. */
function deletions(engine: Engine, count: number): Promise<readonly Change[]> {
  return new Promise((resolve) => {
    const heard: Change[] = [];
    const stop = listenToCommits(engine, (changes) => {
      heard.push(...changes.filter(({ type }) => type === 'delete'));
      if (heard.length < count) return;
      stop();
      resolve(heard);
    });
  });
}

for (const { name, open } of engines) {
  describe(`a key with a ttl, in ${name}`, () => {
    test('is deleted when it expires, and not before, as a change of its own', async () => {
      const engine = await open();
      await put(engine, 'short', 10);
      await put(engine, 'long', 3600);
      await put(engine, 'kept');
      clock.advance(9_999);
      await put(engine, 'other');
      expect(await keysOf(engine)).toEqual(['kept', 'long', 'other', 'short']);
      const first = deletions(engine, 1);
      clock.advance(1);
      expect(await first).toMatchObject([{ key: 'short', revision: 6, previous: { modRevision: 2 } }]);
      expect(await keysOf(engine)).toEqual(['kept', 'long', 'other']);
      expect((await engine.get('short', 5))?.modRevision).toBe(2);
      const second = deletions(engine, 1);
      clock.advance(3_600_000);
      expect(await second).toMatchObject([{ key: 'long', revision: 7 }]);
      expect(await keysOf(engine)).toEqual(['kept', 'other']);
      await engine.close();
    });

    test('lives on if it is written again, for as long as that says', async () => {
      const engine = await open();
      for (const key of ['longer', 'forever', 'again']) await put(engine, key, 10);
      await put(engine, 'longer', 20);
      await put(engine, 'forever');
      await engine.write({ type: 'delete', key: 'again', expect: 'any' });
      await put(engine, 'again', 30);
      await put(engine, 'end', 11);
      const ended = deletions(engine, 1);
      clock.advance(11_000);
      expect(await ended).toMatchObject([{ key: 'end' }]);
      expect(await keysOf(engine)).toEqual(['again', 'forever', 'longer']);
      for (const key of ['longer', 'again']) {
        const next = deletions(engine, 1);
        clock.advance(10_000);
        expect(await next).toMatchObject([{ key }]);
      }
      expect(await keysOf(engine)).toEqual(['forever']);
      await engine.close();
    });

    test('does not expire alone: thousands are deleted in turn', async () => {
      const engine = await open();
      const keys = Array.from({ length: 1200 }, (_, at) => `k${String(at).padStart(4, '0')}`);
      await Promise.all(keys.map((key) => put(engine, key, 5)));
      const all = deletions(engine, keys.length);
      clock.advance(5000);
      expect((await all).map(({ key }) => key)).toEqual(keys);
      expect(await keysOf(engine)).toEqual([]);
      await engine.close();
    });
  });
}

describe('a key with a ttl, on disk', () => {
  test('expires after a restart, and leaves nothing behind', async () => {
    const engine = await openLmdb();
    await put(engine, 'a', 10);
    await put(engine, 'b', 30);
    await engine.close();
    clock.advance(20_000);
    const again = await openLmdb();
    const first = deletions(again, 1);
    clock.advance(0);
    expect(await first).toMatchObject([{ key: 'a' }]);
    const second = deletions(again, 1);
    clock.advance(10_000);
    expect(await second).toMatchObject([{ key: 'b' }]);
    await again.compact(again.revision());
    await again.close();
    expect(await checkStore(dir)).toMatchObject({ keys: 0, problems: [] });
  });
});
