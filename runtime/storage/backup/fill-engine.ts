import { isStorageError, StorageError } from '../errors.ts';
import type { Engine } from '../kv/engine.ts';
import type { SnapshotRecord } from '../kv/snapshot.ts';
import type { CopyProgress } from './progress.ts';
import { RecordDigest, type RecordSum } from './record-digest.ts';

/**
 * Writes records into an engine that has none of their keys, and discards their history. Each record gets its own new
 * revision. Expired records are left out.
 *
 * @param now milliseconds since 1970
 * @throws StorageError `unavailable` if a key already exists, and errors of reading and writing
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
    await Promise.all(alive.map((record) => create(engine, record, now)));
    digest.add(alive);
    progress.add(page);
  }
  await engine.compact(engine.revision());
  return digest.end();
}

async function create(engine: Engine, { key, value, expires }: SnapshotRecord, now: number): Promise<void> {
  const ttlSeconds = expires === undefined ? undefined : Math.ceil((expires - now) / 1000);
  let isNew: boolean;
  try {
    ({ ok: isNew } = await engine.write({ type: 'put', key, value, expect: 0, ttlSeconds }));
  } catch (error) {
    // etcd may be configured to refuse values of this size
    if (isStorageError(error)) throw new StorageError(error.code, `${key} cannot be written: ${error.message}`);
    throw error;
  }
  if (!isNew) throw new StorageError('unavailable', `${key} is in the store already`);
}
