import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type LmdbEngine, openLmdbEngine } from '../../runtime/storage/lmdb/lmdb-engine.ts';
import { Random } from '../support/random.ts';
import type { StoreContent } from './reader.ts';
import { StoreReader } from './store-reader.ts';

/*
 * Possible disk contents after a power failure, from copies of the data file between the syncs of commits. A commit
 * writes data pages in any order, syncs them, writes one of the two meta pages, and syncs again. The tests assume this
 * order: they do not observe the kernel and the disk, only the results of any order within it.
 */

const rounds = Number(process.env.POWER_LOSSES ?? 12);
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
const pageBytes = 4096;
const sectorBytes = 512;

interface Commit {
  readonly before: Buffer;
  readonly after: Buffer;
  readonly contentBefore: StoreContent;
  readonly contentAfter: StoreContent;
}

let base: string;
const commits: Commit[] = [];

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'kubeloom-power-'));
  const path = join(base, 'store');
  const engine = await openLmdbEngine({ path });
  const random = new Random(seed);
  let last: Pick<Commit, 'after' | 'contentAfter'> | undefined;
  for (let round = 0; round < rounds; round += 1) {
    for (let batch = 0; batch < 4; batch += 1) await writeBatch(engine, random);
    if (round % 3 === 2) await engine.compact(engine.revision() - 20);
    last = { after: readFileSync(join(path, 'data.mdb')), contentAfter: await contentOf(engine) };
    await writeBatch(engine, random);
    const after = readFileSync(join(path, 'data.mdb'));
    commits.push({
      before: last.after,
      after,
      contentBefore: last.contentAfter,
      contentAfter: await contentOf(engine),
    });
  }
  await engine.close();
});
afterAll(() => rm(base, { recursive: true, force: true }));

/** Writes several values in one commit. */
async function writeBatch(engine: LmdbEngine, random: Random): Promise<void> {
  const writes = Array.from({ length: random.between(1, 15) }, (_, at) => {
    const key = `/registry/pods/ns/p${random.between(0, 60)}`;
    const pad = Array.from({ length: random.chance(0.1) ? 800 : 20 }, () => random.next().toString(36)).join('');
    // not all of them: deleting an absent key makes no commit
    return at > 0 && random.chance(0.2)
      ? engine.write({ type: 'delete', key, expect: 'any' })
      : engine.write({ type: 'put', key, value: Buffer.from(JSON.stringify({ pad })), expect: 'any' });
  });
  await Promise.all(writes);
}

async function contentOf(engine: LmdbEngine): Promise<StoreContent> {
  const { items } = await engine.range('/', '0');
  return {
    revision: engine.revision(),
    values: Object.fromEntries(items.map(({ key, value }) => [key, Buffer.from(value).toString()])),
  };
}

/** Returns the pages of a commit: data pages and the meta page. */
function writtenPages({ before, after }: Commit): { data: number[]; meta: number[] } {
  const pages = Array.from({ length: after.length / pageBytes }, (_, page) => page).filter((page) => {
    const at = page * pageBytes;
    return at >= before.length || before.compare(after, at, at + pageBytes, at, at + pageBytes) !== 0;
  });
  return { data: pages.filter((page) => page >= 2), meta: pages.filter((page) => page < 2) };
}

/** Returns the file before the commit, with some of its pages or sectors written. */
function partlyWritten(commit: Commit, pages: readonly number[], random: Random): Buffer {
  const file = Buffer.alloc(Math.max(commit.before.length, commit.after.length));
  commit.before.copy(file);
  for (const page of pages) {
    if (random.chance(0.4)) continue;
    const isTorn = random.chance(0.3);
    for (let sector = 0; sector < pageBytes; sector += sectorBytes) {
      const at = page * pageBytes + sector;
      if (!isTorn || random.chance(0.5)) commit.after.copy(file, at, at, at + sectorBytes);
    }
  }
  const used = random.chance(0.3) ? commit.before.length : file.length;
  return file.subarray(0, used);
}

function storeOf(name: string, file: Buffer): string {
  const path = join(base, name);
  mkdirSync(path);
  copyFileSync(join(base, 'store', 'store.json'), join(path, 'store.json'));
  writeFileSync(join(path, 'data.mdb'), file);
  return path;
}

async function openedContent(path: string): Promise<StoreContent> {
  const engine = await openLmdbEngine({ path, unsafeNoFsync: true });
  try {
    return await contentOf(engine);
  } finally {
    await engine.close();
  }
}

test(`power lost in ${rounds} commits loses no acknowledged write, whatever reached the disk`, async () => {
  const random = new Random(seed);
  for (const [round, commit] of commits.entries()) {
    const { data, meta } = writtenPages(commit);
    expect({ seed, round, meta: meta.length }).toEqual({ seed, round, meta: 1 });
    for (let variant = 0; variant < 3; variant += 1) {
      const path = storeOf(`${round}-${variant}`, partlyWritten(commit, data, random));
      expect({ seed, round, content: await openedContent(path) }).toEqual({
        seed,
        round,
        content: commit.contentBefore,
      });
    }
    const path = storeOf(`${round}-synced`, commit.after);
    expect({ seed, round, content: await openedContent(path) }).toEqual({ seed, round, content: commit.contentAfter });
  }
});

test('a disk that lost what it had promised to keep is noticed', async () => {
  const random = new Random(seed + 1);
  const reader = new StoreReader();
  let noticed = 0;
  try {
    for (const [round, commit] of commits.entries()) {
      const { data, meta } = writtenPages(commit);
      const file = partlyWritten(commit, data, random);
      for (const page of meta) commit.after.copy(file, page * pageBytes, page * pageBytes, (page + 1) * pageBytes);
      const path = storeOf(`${round}-lost`, file);
      cpSync(path, `${path}-copy`, { recursive: true });
      const { opened, problems } = await reader.read(`${path}-copy`);
      const isWrong = typeof opened === 'string' || !isEqual(opened, commit.contentAfter);
      if (isWrong) noticed += 1;
      expect({ seed, round, isNamed: !isWrong || problems.length > 0 }).toEqual({ seed, round, isNamed: true });
    }
  } finally {
    await reader.close();
  }
  expect(noticed).toBeGreaterThan(0);
});

function isEqual(got: StoreContent, want: StoreContent): boolean {
  return JSON.stringify(Object.entries(got.values)) === JSON.stringify(Object.entries(want.values));
}
