import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Engine } from '../../../../runtime/storage/kv/engine.ts';
import { openEnvironment } from '../../../../runtime/storage/lmdb/environment.ts';
import { openLmdbEngine } from '../../../../runtime/storage/lmdb/lmdb-engine.ts';
import { mappedBytes } from '../../../../runtime/storage/lmdb/mapped-pages.ts';
import { listenToCommits } from '../../../support/commits.ts';
import { testUnless } from '../../../support/skipping.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'kubeloom-reopening-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const keys = Array.from({ length: 20 }, (_, at) => `k${String(at).padStart(2, '0')}`);

describe('reopening a data file', () => {
  test('makes readers, writers and followers wait, and changes nothing for them', async () => {
    // reopens at every check after any growth
    const engine = await openLmdbEngine({ path: dir, unsafeNoFsync: true, reopen: { bytes: 0, ms: 0 } });
    let revision = engine.revision();
    let isDone = false;
    const heard: number[] = [];
    listenToCommits(engine, (changes) => heard.push(...changes.map((change) => change.revision)));
    const read: number[] = [];
    const following = (async () => {
      while (!isDone || read.at(-1) !== revision) {
        const notes = await engine.changes(read.at(-1) ?? 1, 16);
        read.push(...notes.map((note) => note.revision));
        if (notes.length === 0) await setImmediate();
      }
    })();
    for (let round = 0; round < 60; round += 1) {
      const writes = keys.map((key) => {
        revision += 1;
        return engine.write({ type: 'put', key, value: Buffer.from(`${key} ${revision}`), expect: 'any' });
      });
      const reads = [engine.range('a', 'z'), engine.get('k01')];
      const results = await Promise.all(writes);
      expect(results.map((result) => result.ok && result.change.revision).at(-1)).toBe(revision);
      await Promise.all(reads);
      expect(await valuesOf(engine)).toEqual(keys.map((key, at) => `${key} ${revision - keys.length + 1 + at}`));
      if (round % 10 === 9) void engine.compact(revision - 50);
      // lets the file be reopened occasionally
      for (let turns = 0; turns < round % 4; turns += 1) await setImmediate();
    }
    isDone = true;
    await following;
    const all = Array.from({ length: revision - 1 }, (_, at) => at + 2);
    expect({ heard, read }).toEqual({ heard: all, read: all });
    await engine.close();
  });

  test('can be interrupted by closing at any time', async () => {
    for (let turns = 0; turns < 6; turns += 1) {
      const engine = await openLmdbEngine({ path: dir, unsafeNoFsync: true, reopen: { bytes: 0, ms: 0 } });
      await engine.write({ type: 'put', key: 'a', value: Buffer.from(`${turns}`), expect: 'any' });
      expect(await valuesOf(engine)).toEqual([`${turns}`]);
      for (let turn = 0; turn < turns; turn += 1) await setImmediate();
      await engine.close();
    }
  });

  const testIfReported = testUnless(mappedBytes() === undefined ? 'the system does not report mapped pages' : undefined);
  testIfReported('unmaps pages after a burst of writes', async () => {
    const value = randomBytes(64 * 1024);
    const writeMuch = async (ms: number): Promise<Engine> => {
      const engine = await openLmdbEngine({ path: dir, unsafeNoFsync: true, reopen: { bytes: 6 * 2 ** 20, ms } });
      for (let round = 0; round < 2; round += 1) {
        await Promise.all(Array.from({ length: 300 }, (_, at) => engine.write({ type: 'put', key: `k${at}`, value, expect: 'any' })));
      }
      return engine;
    };
    const never = await writeMuch(2 ** 31 - 1);
    const most = await mappedData();
    expect(most).toBeGreaterThan(8 * 2 ** 20);
    await never.close();
    const engine = await writeMuch(100);
    while ((await mappedData()) > most / 2) await setTimeout(1);
    expect(await engine.get('k299')).toMatchObject({ key: 'k299', modRevision: engine.revision() });
    await engine.close();
  });

  test('unmaps the memory and keeps the lock', async () => {
    const environment = await openEnvironment({ path: dir });
    await environment.meta.put(Buffer.from('large'), Buffer.alloc(8 * 2 ** 20, 1));
    const touch = () => environment.meta.get(Buffer.from('large'))?.length;
    expect(touch()).toBe(8 * 2 ** 20);
    const before = await mappedData();
    await environment.reopen();
    expect(before - (await mappedData())).toBeGreaterThan(4 * 2 ** 20);
    expect(touch()).toBe(8 * 2 ** 20);
    await expect(openEnvironment({ path: dir })).rejects.toMatchObject({ code: 'unavailable' });
    await environment.close();
    expect(await readdir(dir)).toContain('store.json');
  });
});

async function valuesOf(engine: Engine): Promise<string[]> {
  const { items } = await engine.range('a', 'z');
  return items.map(({ value }) => Buffer.from(value).toString());
}

/** Returns the bytes of the data file in this process's memory. */
async function mappedData(): Promise<number> {
  let bytes = 0;
  let isData = false;
  for (const line of (await readFile('/proc/self/smaps', 'utf8')).split('\n')) {
    if (/^[0-9a-f]+-/.test(line)) isData = line.includes(join(dir, 'data.mdb'));
    else if (isData && line.startsWith('Rss:')) bytes += Number(/(\d+) kB/.exec(line)?.[1]) * 1024;
  }
  return bytes;
}
