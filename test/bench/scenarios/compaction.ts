import { rm } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { openLmdbEngine } from '../../../runtime/storage/lmdb/lmdb-engine.ts';
import { percentile, type Report } from '../report.ts';
import { newFolder } from '../target.ts';

const objects = 100_000;
const writers = 4;
const quietMs = 5_000;
const value = Buffer.alloc(2048, 'x');

const keyOf = (index: number): string => `/registry/pods/default/p-${index % objects}`;

/** Measures writes to LMDB during the compaction of 100,000 objects' history, against writes without compaction. */
export async function compaction(report: Report): Promise<void> {
  const folder = newFolder();
  const engine = await openLmdbEngine({ path: folder });
  let written = 0;
  const write = (): Promise<unknown> => engine.write({ type: 'put', key: keyOf(written++), value: Buffer.from(value), expect: 'any' });
  // twice, so that each object has a revision to compact
  while (written < 2 * objects) await Promise.all(Array.from({ length: 1000 }, write));
  await latencies(write, setTimeout(1_000));
  const alone = await latencies(write, setTimeout(quietMs));
  const beside = await latencies(write, engine.compact(engine.revision()));
  await engine.close();
  await rm(folder, { recursive: true, force: true });
  for (const [share, name, target] of [
    [0.5, 'half of them', ''],
    [0.99, '99%', ''],
    [1, 'the longest', 'at most 50 ms longer'],
  ] as const) {
    const [ours, limit] = [beside, alone].map((times) => percentile(times, share).toFixed(1));
    const what = `durable writes to LMDB beside a compaction of ${objects} changes, ${writers} at once: ${name}`;
    report.row(what, `${ours} ms`, `${limit} ms (without it)`, target);
  }
}

/** Returns the milliseconds of each write until a promise resolves, in order. */
async function latencies(write: () => Promise<unknown>, until: Promise<unknown>): Promise<number[]> {
  let isOver = false;
  const ended = until.then(() => {
    isOver = true;
  });
  const times: number[] = [];
  const loop = async (): Promise<void> => {
    while (!isOver) {
      const start = performance.now();
      await write();
      times.push(performance.now() - start);
    }
  };
  await Promise.all([...Array.from({ length: writers }, loop), ended]);
  return times.sort((a, b) => a - b);
}
