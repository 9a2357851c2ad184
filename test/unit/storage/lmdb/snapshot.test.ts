import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Engine } from '../../../../runtime/storage/kv/engine.ts';
import type { SnapshotRecord, StoreSnapshot } from '../../../../runtime/storage/kv/snapshot.ts';
import { openLmdbEngine } from '../../../../runtime/storage/lmdb/lmdb-engine.ts';
import { makeLmdbStore } from '../../../../runtime/storage/lmdb/new-store.ts';
import { openLmdbSnapshot } from '../../../../runtime/storage/lmdb/snapshot.ts';

let path: string;
let engine: Engine;
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'kubeloom-snapshot-'));
  engine = await openLmdbEngine({ path, unsafeNoFsync: true });
});
afterEach(async () => {
  await engine.close();
  await rm(path, { recursive: true, force: true });
});

const putAll = (count: number, text: string) =>
  Promise.all(
    Array.from({ length: count }, (_, at) =>
      engine.write({ type: 'put', key: `/registry/pods/ns/p${at}`, value: Buffer.from(text), expect: 'any' }),
    ),
  );

async function read(snapshot: StoreSnapshot, prefix?: string): Promise<SnapshotRecord[]> {
  const records: SnapshotRecord[] = [];
  for await (const page of snapshot.pages(prefix)) records.push(...page);
  return records;
}

describe('a snapshot of a data directory', () => {
  test('has every key once, in order, at one revision, whatever is written and compacted meanwhile', async () => {
    await putAll(1000, 'old');
    await engine.compact(engine.revision() - 10);
    const snapshot = await openLmdbSnapshot(path);
    expect([snapshot.revision, snapshot.compactedRevision]).toEqual([1001, 990]);
    await putAll(1200, 'new');
    await engine.write({ type: 'delete', key: '/registry/pods/ns/p7', expect: 'any' });
    await engine.compact(engine.revision());
    const records = await read(snapshot);
    await snapshot.close();
    expect(records).toHaveLength(1000);
    expect(records.map(({ key }) => key)).toEqual(records.map(({ key }) => key).sort());
    for (const { value, modRevision, createRevision } of records) {
      expect([Buffer.from(value).toString(), modRevision <= 1001, createRevision]).toEqual(['old', true, modRevision]);
    }
    expect((await engine.get('/registry/pods/ns/p8'))?.value).toEqual(Buffer.from('new'));
  });

  test('has the keys of a prefix', async () => {
    await putAll(300, 'x');
    const snapshot = await openLmdbSnapshot(path);
    const keys = (await read(snapshot, '/registry/pods/ns/p1')).map(({ key }) => key);
    await snapshot.close();
    expect([keys.length, keys.every((key) => key.startsWith('/registry/pods/ns/p1'))]).toEqual([111, true]);
  });

  test('of an empty store has no keys', async () => {
    const snapshot = await openLmdbSnapshot(path);
    expect([snapshot.revision, await read(snapshot)]).toEqual([1, []]);
    await snapshot.close();
  });
});

describe('making a store', () => {
  test('begins after a revision, which cannot be read', async () => {
    const made = join(path, 'made');
    const write = { type: 'put', key: '/registry/pods/ns/p', value: Buffer.from('{}'), expect: 0 } as const;
    await makeLmdbStore(made, 5_000_000_000, (inside) => inside.write(write));
    const again = await openLmdbEngine({ path: made, unsafeNoFsync: true });
    expect([again.revision(), again.compactedRevision()]).toEqual([5_000_000_001, 4_999_999_999]);
    await expect(again.changes(4_999_999_999, 10)).rejects.toMatchObject({ code: 'compacted' });
    await again.compact(again.revision());
    await again.close();
  });

  test('leaves nothing behind if it fails', async () => {
    const made = join(path, 'made');
    const failing = makeLmdbStore(made, 10, () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    await expect(openLmdbSnapshot(made)).rejects.toThrow(`there is no store in ${made}`);
    await makeLmdbStore(made, 10, async () => undefined);
  });

  test('owns the folder, and takes no notice of what a killed process left', async () => {
    const made = join(path, 'made');
    await mkdir(join(made, 'restoring', 'x'), { recursive: true });
    await makeLmdbStore(made, 10, async () => {
      const message = expect.stringContaining('is in use by process');
      await expect(openLmdbEngine({ path: made })).rejects.toMatchObject({ code: 'unavailable', message });
      await expect(makeLmdbStore(made, 10, async () => undefined)).rejects.toMatchObject({ message });
    });
    expect((await readdir(made)).sort()).toEqual(['data.mdb', 'owner.lock', 'store.json']);
  });

  test.each(['data.mdb', 'anything'])('refuses a folder with %s', async (name) => {
    const made = join(path, 'made');
    await makeLmdbStore(join(made, name), 10, async () => undefined);
    await expect(makeLmdbStore(made, 10, async () => undefined)).rejects.toMatchObject({
      code: 'unavailable',
      message: `cannot make a store in ${made}, which is not empty: it has ${name}`,
    });
  });
});
