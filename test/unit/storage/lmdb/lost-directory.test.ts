import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { checkStore } from '../../../../runtime/storage/lmdb/check-store.ts';
import { type LmdbEngine, openLmdbEngine } from '../../../../runtime/storage/lmdb/lmdb-engine.ts';
import { openLmdbSnapshot } from '../../../../runtime/storage/lmdb/snapshot.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { openElsewhere } from '../../../support/open-elsewhere.ts';
import { testUnless } from '../../../support/skipping.ts';

let path: string;
let dir: string;
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'kubeloom-lost-'));
  dir = join(path, 'data');
});
afterEach(() => rm(path, { recursive: true, force: true }));

const value = (bytes: number) => Buffer.from(JSON.stringify({ pad: randomBytes(bytes / 2).toString('hex') }));
const quick = { unsafeNoFsync: true, lookMs: 20 };
const write = (engine: LmdbEngine, key: string, bytes = 1) => engine.write({ type: 'put', key, value: value(bytes), expect: 'any' });
const refusal = (engine: LmdbEngine, key: string, bytes?: number) =>
  write(engine, key, bytes).then(
    () => 'written',
    ({ message }: Error) => message,
  );
const stored = async (engine: LmdbEngine) => (await engine.range('a', 'z')).items.map(({ key }) => key);

interface Row {
  readonly what: string;
  readonly happens: () => Promise<unknown>;
  readonly want: (dir: string) => string;
}

const elsewhere = () => join(path, 'elsewhere');

const losses: readonly Row[] = [
  {
    what: 'is moved',
    happens: () => rename(dir, elsewhere()),
    want: (dir) => `${dir} was moved or removed`,
  },
  {
    what: 'is removed',
    happens: () => rm(dir, { recursive: true }),
    want: (dir) => `${dir} was moved or removed`,
  },
  {
    what: 'is replaced by another folder',
    happens: () => rename(dir, elsewhere()).then(() => mkdir(dir)),
    want: (dir) => `${dir}/owner.lock was moved or removed`,
  },
  {
    what: 'is replaced by a file',
    happens: () => rename(dir, elsewhere()).then(() => writeFile(dir, '')),
    want: (dir) => `${dir}/owner.lock was moved or removed`,
  },
  {
    what: 'loses its owner file',
    happens: () => rm(join(dir, 'owner.lock')),
    want: (dir) => `${dir}/owner.lock was moved or removed`,
  },
  {
    what: 'has the owner file of another process',
    happens: () => otherOwner({ pid: 4711, host: hostname() }),
    want: (dir) => `process 4711 has taken ${dir}/owner.lock`,
  },
  {
    what: 'has the owner file of a process on another machine',
    happens: () => otherOwner({ pid: 4711, host: 'elsewhere' }),
    want: (dir) => `process 4711 on elsewhere has taken ${dir}/owner.lock`,
  },
  {
    what: 'has the owner file of somebody',
    happens: () => otherOwner('somebody'),
    want: (dir) => `another process has taken ${dir}/owner.lock`,
  },
  {
    what: 'loses its data file',
    happens: () => rm(join(dir, 'data.mdb')),
    want: (dir) => `${dir}/data.mdb was moved, removed or replaced`,
  },
  {
    what: 'has a copy of its data file',
    happens: () => copyFile(join(dir, 'data.mdb'), elsewhere()).then(() => rename(elsewhere(), join(dir, 'data.mdb'))),
    want: (dir) => `${dir}/data.mdb was moved, removed or replaced`,
  },
];

async function otherOwner(content: unknown): Promise<void> {
  await writeFile(elsewhere(), JSON.stringify(content));
  await rename(elsewhere(), join(dir, 'owner.lock'));
}

describe('a data directory is lost, which an idle store notices and its writer is told, when it', () => {
  test.each(losses)('$what', async ({ happens, want }) => {
    const engine = await openLmdbEngine({ path: dir, ...quick });
    await write(engine, 'a');
    engine.checkWritable();
    await happens();
    const message = `the store in ${dir} is lost: ${want(dir)}`;
    expect(await engine.lost).toMatchObject({ isStorageError: true, code: 'unavailable', message });
    expect(await refusal(engine, 'b')).toBe(message);
    expect(() => engine.checkWritable()).toThrow(message);
    expect(await stored(engine)).toEqual(['a']);
    await engine.close();
  });
});

describe('a lost data directory', () => {
  test('is never made anew, and stays lost when it is back, with all that was acknowledged', async () => {
    const engine = await openLmdbEngine({ path: dir, ...quick });
    await write(engine, 'a');
    await rename(dir, elsewhere());
    const message = `the store in ${dir} is lost: ${dir} was moved or removed`;
    expect(await refusal(engine, 'b')).toBe(message);
    expect(existsSync(dir)).toBe(false);
    await rename(elsewhere(), dir);
    expect(await refusal(engine, 'b')).toBe(message);
    await engine.close();
    expect(await checkStore(dir)).toMatchObject({ keys: 1 });
  });

  test('is noticed by a store that is being closed', async () => {
    const engine = await openLmdbEngine({ path: dir, ...quick });
    await rm(dir, { recursive: true });
    await engine.close();
    expect((await engine.lost).message).toContain('is lost');
  });

  test('can still be read by a backup that is under way', async () => {
    const engine = await openLmdbEngine({ path: dir, ...quick });
    const keys = Array.from({ length: 600 }, (_, at) => `k${String(at).padStart(3, '0')}`);
    await Promise.all(keys.map((key) => write(engine, key)));
    const snapshot = await openLmdbSnapshot(dir);
    const found: string[] = [];
    for await (const page of snapshot.pages()) {
      if (found.length === 0) await rm(dir, { recursive: true });
      found.push(...page.map(({ key }) => key));
    }
    await snapshot.close();
    expect(found).toEqual(keys);
    await engine.close();
  });

  test('goes to the next owner when this one has closed it, without losing a write', async () => {
    const engine = await openLmdbEngine({ path: dir });
    await write(engine, 'a');
    await rm(join(dir, 'owner.lock'));
    const { child, said } = openElsewhere(dir);
    const acknowledged = ['a'];
    const written = (async () => {
      for (let at = 0; (await refusal(engine, `k${at}`)) === 'written'; at += 1) acknowledged.push(`k${at}`);
    })();
    expect((await engine.lost).message).toMatch(new RegExp(`(process ${child.pid} has taken|moved or removed)`));
    await written;
    await engine.close();
    expect(await said).toBe(`open at ${1 + acknowledged.length}`);
    const next = await openLmdbEngine({ path: dir });
    expect(await stored(next)).toEqual(acknowledged.sort());
    await next.close();
  });
});

describe('a data file that may not become larger', () => {
  const cannotProtect = (() => {
    const folder = mkdtempSync(join(tmpdir(), 'kubeloom-lost-'));
    const file = join(folder, 'file');
    writeFileSync(file, '');
    try {
      for (const flag of ['+i', '-i']) execFileSync('chattr', [flag, file], { stdio: 'pipe' });
      return undefined;
    } catch {
      return 'chattr cannot make files immutable here, which root can on some file systems';
    } finally {
      rmSync(folder, { recursive: true });
    }
  })();

  testUnless(cannotProtect)('refuses writes and is read, until it may', async () => {
    const clock = new ManualClock();
    const engine = await openLmdbEngine({ path: dir, ...quick, clock });
    await write(engine, 'a');
    const file = join(dir, 'data.mdb');
    execFileSync('chattr', ['+i', file]);
    try {
      const message = await refusal(engine, 'b', 40 * 2 ** 20);
      expect(message).toMatch(`cannot write to the store in ${dir}: EPERM: operation not permitted`);
      expect(() => engine.checkWritable()).toThrow(message);
      expect(await stored(engine)).toEqual(['a']);
    } finally {
      execFileSync('chattr', ['-i', file]);
    }
    clock.advance(1000);
    expect(await refusal(engine, 'c')).toBe('written');
    engine.checkWritable();
    await engine.close();
    expect(await checkStore(dir)).toMatchObject({ keys: 2 });
  });
});
