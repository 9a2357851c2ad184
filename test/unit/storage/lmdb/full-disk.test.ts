import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { checkStore } from '../../../../runtime/storage/lmdb/check-store.ts';
import { type LmdbEngine, openLmdbEngine } from '../../../../runtime/storage/lmdb/lmdb-engine.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { describeUnless } from '../../../support/skipping.ts';
import { missingSmallDisk, SmallDisk } from '../../../support/small-disk.ts';

let path: string;
let clock: ManualClock;
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'kubeloom-full-'));
  clock = new ManualClock();
});
afterEach(() => rm(path, { recursive: true, force: true }));

const value = (text: string) => Buffer.from(JSON.stringify({ text, pad: randomBytes(15_000).toString('base64') }));
const put = (engine: LmdbEngine, key: string) =>
  engine.write({ type: 'put', key, value: value(key), expect: 'any' }).then(
    () => 'ok',
    (error: Error) => error.message,
  );

describeUnless(missingSmallDisk)('on a full disk', () => {
  let disk: SmallDisk;
  beforeEach(() => {
    disk = new SmallDisk(8);
  });
  afterEach(() => disk.unmount());

  const full = (dir: string) => `cannot write to the store in ${dir}: no space left on device`;

  /** Writes until the disk is full. Returns the acknowledged keys. */
  async function fill(engine: LmdbEngine, prefix: string): Promise<string[]> {
    const keys: string[] = [];
    for (;;) {
      const key = `${prefix}${String(keys.length).padStart(5, '0')}`;
      if ((await put(engine, key)) !== 'ok') return keys;
      keys.push(key);
    }
  }

  test('writes say so, reads go on, and deleting and compacting make room', async () => {
    const dir = join(disk.path, 'data');
    const engine = await openLmdbEngine({ path: dir, clock });
    expect(await put(engine, 'a')).toBe('ok');
    const keys = await fill(engine, 'k');
    expect(await put(engine, 'b')).toBe(full(dir));
    expect(() => engine.checkWritable()).toThrow(full(dir));
    expect((await engine.range('k', 'l')).items).toHaveLength(keys.length);
    const rest = keys.splice(keys.length / 2);
    for (const key of rest) {
      expect(await engine.write({ type: 'delete', key, expect: 'any' })).toMatchObject({ ok: true });
      if (engine.revision() % 50 === 0) await engine.compact(engine.revision());
    }
    await engine.compact(engine.revision());
    clock.advance(1000);
    expect(await put(engine, 'b')).toBe('ok');
    engine.checkWritable();
    await engine.close();
    expect((await checkStore(dir)).keys).toBe(keys.length + 2);
  });

  test('writes succeed again when others free space', async () => {
    const dir = join(disk.path, 'data');
    const ballast = join(disk.path, 'ballast');
    await writeFile(ballast, Buffer.alloc(4 * 2 ** 20));
    const engine = await openLmdbEngine({ path: dir, clock });
    const keys = await fill(engine, 'k');
    await rm(ballast);
    expect(await put(engine, 'b')).toBe(full(dir));
    clock.advance(1000);
    expect(await put(engine, 'b')).toBe('ok');
    engine.checkWritable();
    await engine.close();
    expect((await checkStore(dir)).keys).toBe(keys.length + 1);
  });

  test('a new store is not opened', async () => {
    disk.fill();
    await expect(openLmdbEngine({ path: join(disk.path, 'data') })).rejects.toMatchObject({
      isStorageError: true,
      message: expect.stringMatching(/no space|ENOSPC/i),
    });
  });
});
