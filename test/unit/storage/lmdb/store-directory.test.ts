import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, rm, truncate, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { checkStore } from '../../../../runtime/storage/lmdb/check-store.ts';
import { compactStore } from '../../../../runtime/storage/lmdb/compact-store.ts';
import { checkDataFile } from '../../../../runtime/storage/lmdb/data-file/check.ts';
import { openLmdbEngine } from '../../../../runtime/storage/lmdb/lmdb-engine.ts';
import { openLmdbSnapshot } from '../../../../runtime/storage/lmdb/snapshot.ts';

const json = (value: unknown) => Buffer.from(JSON.stringify(value));
const object = (name: string, size = 10) => json({ metadata: { name }, pad: 'x'.repeat(size) });

let base: string;
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'kubeloom-directory-'));
  const engine = await openLmdbEngine({ path: join(base, 'sound') });
  const writes = Array.from({ length: 300 }, (_, at) =>
    engine.write({
      type: 'put',
      key: `/registry/pods/ns/p${at % 100}`,
      value: object(`p${at % 100}`, 50 * at),
      expect: 'any',
    }),
  );
  await Promise.all(writes);
  await engine.close();
});
afterAll(() => rm(base, { recursive: true, force: true }));

/** Copies the intact store, for the test to damage. */
async function copy(name: string): Promise<string> {
  const path = join(base, name);
  await cp(join(base, 'sound'), path, { recursive: true });
  return path;
}

describe('a data directory', () => {
  const spoilt: { name: string; spoil: (path: string) => Promise<void>; message: RegExp }[] = [
    {
      name: 'of a newer format',
      spoil: (path) => writeFile(join(path, 'store.json'), '{"store":"kubeloom-lmdb","format":4}'),
      message: /has format 4, but this version reads only format 3/,
    },
    {
      name: 'of an older format',
      spoil: (path) => writeFile(join(path, 'store.json'), '{"store":"kubeloom-lmdb","format":2}'),
      message: /has format 2, but this version reads only format 3/,
    },
    {
      name: 'with an unreadable marker',
      spoil: (path) => writeFile(join(path, 'store.json'), '{'),
      message: /store\.json/,
    },
    {
      name: 'with the marker of another program',
      spoil: (path) => writeFile(join(path, 'store.json'), '{"store":"other","format":1}'),
      message: /store\.json/,
    },
    {
      name: 'with a data file only',
      spoil: (path) => unlink(join(path, 'store.json')),
      message: /without store\.json/,
    },
    {
      name: 'with garbage for data',
      spoil: (path) => writeFile(join(path, 'data.mdb'), Buffer.alloc(100_000, 7)),
      message: /not an LMDB file/,
    },
    {
      name: 'truncated',
      spoil: (path) => truncate(join(path, 'data.mdb'), 40_960),
      message: /truncated to 40960 bytes/,
    },
    { name: 'truncated to a few bytes', spoil: (path) => truncate(join(path, 'data.mdb'), 5000), message: /truncated/ },
  ];
  for (const { name, spoil, message } of spoilt) {
    test(`${name} is rejected`, async () => {
      const path = await copy(`spoilt ${name}`);
      await spoil(path);
      await expect(openLmdbEngine({ path })).rejects.toMatchObject({
        isStorageError: true,
        code: 'corrupt',
        message: expect.stringMatching(message),
      });
    });
  }

  test('that cannot be created is rejected', async () => {
    const path = join(base, 'file');
    await writeFile(path, '');
    for (const bad of [path, join(path, 'below')]) {
      await expect(openLmdbEngine({ path: bad })).rejects.toMatchObject({ code: 'unavailable' });
    }
  });

  test('whose last pages were never written is consistent', async () => {
    const path = join(await copy('short'), 'data.mdb');
    const bytes = readFileSync(path);
    // Both meta pages now name a last page far beyond the end of the file.
    for (const page of [0, 4096]) bytes.writeBigUInt64LE(1_000_000n, page + 24 + 120);
    await writeFile(path, bytes);
    expect(checkDataFile(path, () => undefined)).toEqual([]);
    await writeFile(path, bytes.subarray(0, bytes.length / 2));
    expect(checkDataFile(path, () => undefined)).toContainEqual(expect.stringMatching(/truncated/));
  });
});

describe('tools', () => {
  test('check finds no errors in a sound store', async () => {
    expect(await checkStore(await copy('checked'))).toMatchObject({
      revision: 301,
      compactedRevision: 0,
      keys: 100,
      changes: 300,
      problems: [],
    });
  });

  test('check names values that are not objects', async () => {
    const path = await copy('with problems');
    const engine = await openLmdbEngine({ path });
    for (const [name, value] of Object.entries({ a: Buffer.from('{'), b: json({}), c: object('d') })) {
      await engine.write({ type: 'put', key: `/registry/pods/ns/${name}`, value, expect: 'any' });
    }
    await engine.close();
    const { problems } = await checkStore(path);
    expect(problems).toHaveLength(3);
    expect(problems[0]).toMatch(/^\/registry\/pods\/ns\/a: its value is not JSON/);
  });

  test('compact removes history and frees its space', async () => {
    const path = await copy('compacted');
    const report = await compactStore(path);
    expect(report).toMatchObject({ revision: 301, compactedRevision: 300 });
    expect(report.bytesAfter).toBeLessThan(report.bytesBefore);
    expect(existsSync(join(path, 'compacting'))).toBe(false);
    expect(await checkStore(path)).toMatchObject({ revision: 301, keys: 100, changes: 0, problems: [] });
    await expect(compactStore(path, 302)).rejects.toMatchObject({ code: 'future' });
    const engine = await openLmdbEngine({ path });
    const write = { type: 'put', key: '/registry/pods/ns/new', value: object('new'), expect: 0 } as const;
    expect(await engine.write(write)).toMatchObject({ ok: true, change: { revision: 302 } });
    await engine.close();
  });

  test('fail without a store', async () => {
    const path = join(base, 'absent');
    const message = `there is no store in ${path}`;
    await expect(checkStore(path)).rejects.toMatchObject({ code: 'unavailable', message });
    await expect(compactStore(path)).rejects.toMatchObject({ message });
    await expect(openLmdbSnapshot(path)).rejects.toMatchObject({ message });
    expect(existsSync(path)).toBe(false);
  });
});
