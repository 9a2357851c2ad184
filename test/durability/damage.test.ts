import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openLmdbEngine } from '../../runtime/storage/lmdb/lmdb-engine.ts';
import { Random } from '../support/random.ts';
import { damages } from './damage.ts';
import type { StoreContent } from './reader.ts';
import { StoreReader } from './store-reader.ts';

/** `DAMAGES=234 SEED=1` damages more stores, from one seed. */
const rounds = Number(process.env.DAMAGES ?? 24);
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);

let base: string;
let want: StoreContent;
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'kubeloom-damage-'));
  want = await writeStore(join(base, 'sound'), new Random(7));
});
afterAll(() => rm(base, { recursive: true, force: true }));

/** Writes a store with history, deleted keys, large values and free pages. */
async function writeStore(path: string, random: Random): Promise<StoreContent> {
  const engine = await openLmdbEngine({ path, unsafeNoFsync: true });
  const values: Record<string, string> = {};
  for (let round = 0; round < 30; round += 1) {
    const writes = Array.from({ length: 25 }, () => {
      const key = `/registry/pods/ns/p${random.between(0, 150)}`;
      if (random.chance(0.2)) {
        delete values[key];
        return engine.write({ type: 'delete', key, expect: 'any' });
      }
      // nearly incompressible, so that most of the file is values
      const words = random.chance(0.03) ? 1000 : random.between(1, 200);
      const pad = Array.from({ length: words }, () => random.next().toString(36).slice(2)).join(' ');
      const value = JSON.stringify({ metadata: { name: key.slice(18) }, pad, at: round });
      values[key] = value;
      return engine.write({ type: 'put', key, value: Buffer.from(value), expect: 'any' });
    });
    await Promise.all(writes);
    if (round === 15) await engine.compact(engine.revision() - 40);
  }
  const revision = engine.revision();
  await engine.close();
  return { revision, values };
}

/** Returns the losses that no message reports. */
function silentLosses(got: StoreContent, named: readonly string[]): string[] {
  const losses = Object.entries(want.values)
    .filter(([key, value]) => got.values[key] !== value && got.values[key] !== null && !names(named, key))
    .map(([key]) => `${key} is ${got.values[key] === undefined ? 'gone' : 'another'}`);
  const invented = Object.keys(got.values).filter((key) => want.values[key] === undefined && !names(named, key));
  if (got.revision < want.revision) losses.push(`the revision is ${got.revision}`);
  return [...losses, ...invented.map((key) => `${key} is back`)];
}

const names = (lines: readonly string[], key: string): boolean => lines.some((line) => line.startsWith(`${key}: `));

test(`of ${rounds} damaged stores, none is silently wrong, crashes or hangs`, async () => {
  const sound = await readFile(join(base, 'sound', 'data.mdb'));
  const reader = new StoreReader();
  const outcomes = { refused: 0, opened: 0, named: 0, repaired: 0, saved: 0, hopeless: 0 };
  try {
    for (let round = 0; round < rounds; round += 1) {
      const random = new Random(seed + round);
      const kind = Object.keys(damages)[round % Object.keys(damages).length];
      const path = join(base, String(round));
      await cp(join(base, 'sound'), path, { recursive: true });
      await writeFile(join(path, 'data.mdb'), damages[kind](Buffer.from(sound), random));
      const at = { seed: seed + round, kind };
      const { opened, problems, repaired } = await reader.read(path).catch((error: Error) => {
        throw new Error(`${JSON.stringify(at)}: ${error.message}`);
      });
      if (typeof opened === 'string') {
        outcomes.refused += 1;
        expect({ ...at, opened }).toEqual({ ...at, opened: expect.stringMatching(/^corrupt: .*(damaged|not hold)/) });
        expect(problems).not.toEqual([]);
      } else {
        outcomes.opened += 1;
        if (Object.values(opened.values).includes(null)) outcomes.named += 1;
        expect({ ...at, losses: silentLosses(opened, []) }).toEqual({ ...at, losses: [] });
      }
      if (typeof repaired === 'string') {
        outcomes.hopeless += 1;
        expect({ ...at, repaired }).toEqual({ ...at, repaired: expect.stringMatching(/^corrupt: /) });
        continue;
      }
      outcomes.repaired += 1;
      outcomes.saved += Object.keys(repaired.values).length;
      expect(Object.values(repaired.values)).not.toContain(null);
      const isPartlyLost = repaired.losses.some((line) => !line.startsWith('/'));
      const losses = silentLosses(repaired, repaired.losses);
      // a lost index page hides the names of its keys
      expect({ ...at, losses: isPartlyLost ? [] : losses }).toEqual({ ...at, losses: [] });
    }
  } finally {
    await reader.close();
    process.stdout.write(`seed ${seed}: ${JSON.stringify(outcomes)}\n`);
  }
});
