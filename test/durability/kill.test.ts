import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { checkStore } from '../../runtime/storage/lmdb/check-store.ts';
import { openLmdbEngine } from '../../runtime/storage/lmdb/lmdb-engine.ts';

/** `KILLS=100` kills more often. */
const rounds = Number(process.env.KILLS ?? 8);
/** Acknowledged writes before a kill, so that a round on a slow disk is meaningful. */
const enough = 100;
const loader = fileURLToPath(new URL('../support/ts-loader.mjs', import.meta.url));
const writer = fileURLToPath(new URL('./writer.ts', import.meta.url));

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'kubeloom-kill-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

interface Acknowledged {
  readonly key: string;
  readonly revision: number;
  /** Undefined for a delete. */
  readonly counter?: number;
}

/** Kills a process `ms` after enough acknowledged writes. Returns these writes. */
function writeAndKill(seed: number, ms: number): Promise<Acknowledged[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', loader, writer, dir, String(seed)], {
      stdio: ['ignore', 'pipe', 'pipe'],
      // The loader's mark in the environment would prevent its registration in the child.
      env: { ...process.env, KUBELOOM_TS_LOADER: '', NODE_OPTIONS: '' },
    });
    let output = '';
    let errors = '';
    let lines = 0;
    let dying = false;
    child.stdout.on('data', (data: Buffer) => {
      output += data;
      lines += data.toString().split('\n').length - 1;
      if (dying || lines < enough) return;
      dying = true;
      setTimeout(() => child.kill('SIGKILL'), ms);
    });
    child.stderr.on('data', (data) => {
      errors += data;
    });
    child.on('close', (_code, signal) => {
      if (signal !== 'SIGKILL') return reject(new Error(`the writer ended by itself: ${errors}`));
      // The last line may be incomplete.
      const acknowledged = output.split('\n').slice(0, -1);
      resolve(
        acknowledged.map((line) => {
          const [key, revision, value] = line.split(' ');
          return { key, revision: Number(revision), ...(value === '-' ? {} : { counter: Number(value) }) };
        }),
      );
    });
  });
}

function counterOf(value: Uint8Array): number {
  const { counter, sum, pad } = JSON.parse(Buffer.from(value).toString('utf8'));
  expect(createHash('sha256').update(pad).digest('hex')).toBe(sum);
  return counter;
}

test(`acknowledged writes survive kill -9, ${rounds} times`, async () => {
  const seed = Number(process.env.SEED ?? Date.now() % 100_000);
  let random = seed;
  const next = () => {
    random = (random * 1_103_515_245 + 12_345) % 2_147_483_648;
    return random / 2_147_483_648;
  };
  let revision = 1;
  let checked = 0;
  for (let round = 0; round < rounds; round += 1) {
    const acknowledged = await writeAndKill(round + 1, Math.floor(next() * 200));
    const engine = await openLmdbEngine({ path: dir });
    try {
      const newest = Math.max(revision, ...acknowledged.map((write) => write.revision));
      expect(engine.revision()).toBeGreaterThanOrEqual(newest);
      expect(new Set(acknowledged.map((write) => write.revision)).size).toBe(acknowledged.length);
      for (const write of acknowledged) {
        expect(write.revision).toBeGreaterThan(revision);
        if (write.revision <= engine.compactedRevision()) continue;
        checked += 1;
        const stored = await engine.get(write.key, write.revision);
        expect([seed, round, write.key, stored && counterOf(stored.value)]).toEqual([seed, round, write.key, write.counter]);
      }
      // All other values are complete too.
      const { items } = await engine.range('/registry/', '/registry0');
      for (const { value } of items) counterOf(value);
      revision = engine.revision();
    } finally {
      await engine.close();
    }
  }
  expect(checked).toBeGreaterThanOrEqual(rounds * enough);
  const { problems } = await checkStore(dir);
  expect(problems.filter((problem) => !problem.includes('metadata.name'))).toEqual([]);
});
