import { StorageError } from '../errors.ts';
import type { Engine } from '../kv/engine.ts';
import type { SnapshotRecord } from '../kv/snapshot.ts';
import type { CopyProgress } from './progress.ts';
import { RecordDigest, type RecordSum } from './record-digest.ts';

/**
 * Writes records into an engine that has none of their keys, and discards the history of that. Each record gets a revision of
 * its own, newer than what the engine had. A record that expired meanwhile is left out. Throws StorageError: `unavailable` if
 * a key is there already, and what reading and writing throw.
 *
 * @param now milliseconds since 1970
 */
export async function fillEngine(
  engine: Engine,
  pages: AsyncIterable<readonly SnapshotRecord[]>,
  now: number,
  progress: CopyProgress,
): Promise<RecordSum> {
  const digest = new RecordDigest();
  for await (const page of pages) {
    const alive = page.filter(({ expires }) => expires === undefined || expires > now);
    const results = await Promise.all(alive.map((record) => engine.write(creation(record, now))));
    const taken = results.findIndex(({ ok }) => !ok);
    if (taken >= 0) throw new StorageError('unavailable', `${alive[taken].key} is in the store already`);
    digest.add(alive);
    progress.add(page);
  }
  await engine.compact(engine.revision());
  return digest.end();
}

function creation({ key, value, expires }: SnapshotRecord, now: number): Parameters<Engine['write']>[0] {
  const ttlSeconds = expires === undefined ? undefined : Math.ceil((expires - now) / 1000);
  return { type: 'put', key, value, expect: 0, ttlSeconds };
}
