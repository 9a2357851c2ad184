import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fillEngine } from '../../../../runtime/storage/backup/fill-engine.ts';
import { blockDigest, encodeRecords, noDigest } from '../../../../runtime/storage/backup/format.ts';
import { openBackup } from '../../../../runtime/storage/backup/read-backup.ts';
import { writeBackup } from '../../../../runtime/storage/backup/write-backup.ts';
import type { SnapshotRecord, StoreSnapshot } from '../../../../runtime/storage/kv/snapshot.ts';
import { createMemoryEngine } from '../../../../runtime/storage/memory/memory-engine.ts';

const quiet = { add: () => undefined };
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubeloom-backup-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function snapshotOf(...pages: readonly SnapshotRecord[][]): StoreSnapshot {
  return {
    engine: 'lmdb',
    root: '/registry',
    revision: 700,
    compactedRevision: 600,
    async *pages() {
      yield* pages;
    },
    close: async () => undefined,
  };
}

function record(key: string, size: number, expires?: number): SnapshotRecord {
  return { key, value: randomBytes(size), createRevision: 5, modRevision: 600, expires };
}

async function write(snapshot: StoreSnapshot): Promise<string> {
  const path = join(folder, randomBytes(6).toString('hex'));
  await writeBackup(path, snapshot, new Date('2026-01-02T03:04:05Z'), quiet);
  return path;
}

async function read(path: string): Promise<SnapshotRecord[]> {
  const snapshot = await openBackup(path);
  try {
    const records: SnapshotRecord[] = [];
    for await (const page of snapshot.pages()) records.push(...page);
    return records;
  } finally {
    await snapshot.close();
  }
}

describe('a backup', () => {
  test('gives back what was written, in chunks, with large and empty values', async () => {
    const records = [record('/a', 0), record('/b', 3_000_000, 1_800_000_000_000), record('/é', 700_000)];
    const path = await write(snapshotOf([records[0]], records.slice(1)));
    const snapshot = await openBackup(path);
    expect([snapshot.revision, snapshot.compactedRevision]).toEqual([700, 600]);
    await snapshot.close();
    const again = await read(path);
    // without values, because jest compares large ones slowly
    expect(again.map(({ value: _, ...rest }) => rest)).toEqual(records.map(({ value: _, ...rest }) => rest));
    expect(again.map(({ value }, at) => Buffer.compare(value, records[at].value))).toEqual([0, 0, 0]);
  });

  test('is for its owner only, and leaves no other file', async () => {
    const path = await write(snapshotOf([record('/a', 10)]));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('begins with a line of JSON that says what it is', async () => {
    const text = await readFile(await write(snapshotOf()), 'latin1');
    expect(JSON.parse(text.slice(0, text.indexOf('\n')))).toEqual({
      kind: 'KubeloomBackup',
      format: 1,
      engine: 'lmdb',
      root: '/registry',
      revision: 700,
      compactedRevision: 600,
      created: '2026-01-02T03:04:05.000Z',
    });
  });

  test('that fails leaves the older one in place', async () => {
    const path = await write(snapshotOf([record('/a', 10)]));
    const before = await readFile(path);
    const failing: StoreSnapshot = {
      ...snapshotOf(),
      // biome-ignore lint/correctness/useYield: it fails before there is a page
      async *pages() {
        throw new Error('the disk is gone');
      },
    };
    await expect(writeBackup(path, failing, new Date(0), quiet)).rejects.toMatchObject({ code: 'unavailable' });
    expect([await readFile(path), (await readdir(folder)).filter((name) => name.endsWith('.tmp'))]).toEqual([before, []]);
  });

  test('is refused wherever a byte of it is flipped, lost or added', async () => {
    const path = await write(snapshotOf([record('/a', 40)], [record('/b', 40)]));
    const sound = await readFile(path);
    const damaged = join(folder, 'damaged');
    await fc.assert(
      fc.asyncProperty(fc.nat(sound.length - 1), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
        const flipped = Buffer.from(sound);
        flipped[at] ^= flip;
        for (const bytes of [flipped, sound.subarray(0, at), Buffer.concat([sound, sound.subarray(0, at + 1)])]) {
          await writeFile(damaged, bytes);
          await expect(read(damaged)).rejects.toMatchObject({ isStorageError: true, code: 'corrupt' });
        }
      }),
    );
  });

  test.each([
    ['that is empty', '', 'it is not a backup of a store'],
    ['of YAML', 'apiVersion: v1\nkind: List\n', 'it is not a backup of a store'],
    ['of null', 'null\n', 'it is not a backup of a store'],
    ['of one long line', `${'x'.repeat(10_000)}\n`, 'it is not a backup of a store'],
    ['of a newer format', '{"kind":"KubeloomBackup","format":2}\n', 'it has format 2, but this version reads only formats up to 1'],
    [
      'without a revision',
      '{"kind":"KubeloomBackup","format":1,"engine":"lmdb","root":"","created":"","revision":-1}\n',
      'its header lacks a revision',
    ],
  ])('is not a file %s', async (_name, text, why) => {
    const path = join(folder, 'foreign');
    await writeFile(path, text);
    await expect(openBackup(path)).rejects.toMatchObject({
      code: 'corrupt',
      message: `the backup ${path} cannot be used: ${why}`,
    });
  });

  test('has no key twice, even if its checksums match', async () => {
    await expect(read(await write(snapshotOf([record('/a', 1), record('/a', 1)])))).rejects.toThrow('"/a" is not after the key before it');
  });

  test('has only whole records, even if its checksums match', async () => {
    const path = await write(snapshotOf());
    const sound = await readFile(path);
    const line = sound.subarray(0, sound.indexOf(10) + 1);
    const digest = blockDigest(noDigest, line);
    const payload = encodeRecords([record('/a', 9)]).subarray(0, -1);
    const chunk = Buffer.concat([Buffer.from([0, 0, 0, payload.length]), payload]);
    await writeFile(path, Buffer.concat([line, digest, chunk, blockDigest(digest, chunk)]));
    await expect(read(path)).rejects.toMatchObject({ code: 'corrupt' });
  });
});

describe('filling an engine', () => {
  test('copies what has not expired, and leaves no history', async () => {
    const engine = createMemoryEngine();
    const pages = snapshotOf([record('/a', 10), record('/b', 10, 1000)], [record('/c', 10)]).pages();
    const copied = await fillEngine(engine, pages, 2000, quiet);
    const { items } = await engine.range('/', '0');
    const keys = items.map(({ key }) => key);
    expect([copied.records, keys, engine.revision(), engine.compactedRevision()]).toEqual([2, ['/a', '/c'], 3, 2]);
    await engine.close();
  });

  test('writes over nothing', async () => {
    const engine = createMemoryEngine();
    await engine.write({ type: 'put', key: '/b', value: Buffer.from('mine'), expect: 0 });
    await expect(fillEngine(engine, snapshotOf([record('/b', 1)]).pages(), 0, quiet)).rejects.toThrow('/b is in the store already');
    await engine.close();
  });

  test('names the record that the engine refuses', async () => {
    const engine = createMemoryEngine();
    await engine.close();
    await expect(fillEngine(engine, snapshotOf([record('/b', 1)]).pages(), 0, quiet)).rejects.toMatchObject({
      code: 'unavailable',
      message: '/b cannot be written: the store is closed',
    });
  });
});
