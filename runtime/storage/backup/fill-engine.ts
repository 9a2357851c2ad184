import { createHash } from 'node:crypto';
import { StorageError } from '../errors.ts';
import type { Engine } from '../kv/engine.ts';
import type { SnapshotRecord, StoreSnapshot } from '../kv/snapshot.ts';
import type { CopyProgress } from './progress.ts';

/** What was copied. */
export interface CopiedRecords {
  readonly records: number;
  /** SHA-256 of all keys and values, in their order. */
  readonly digest: string;
}

/**
 * Writes all records of a snapshot into an engine that has none of their keys, and discards the history of that. Each record
 * gets a revision of its own, newer than what the engine had. A record that expired meanwhile is left out. Throws StorageError:
 * `unavailable` if a key is there already, and what reading and writing throw.
 *
 * @param now milliseconds since 1970
 */
export async function fillEngine(
  engine: Engine,
  snapshot: StoreSnapshot,
  now: number,
  progress: CopyProgress,
): Promise<CopiedRecords> {
  const digest = new RecordDigest();
  for await (const page of snapshot.pages()) {
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

/** Sums up keys and values. */
export class RecordDigest {
  readonly #hash = createHash('sha256');
  readonly #sizes = Buffer.alloc(8);
  #records = 0;

  add(records: readonly Pick<SnapshotRecord, 'key' | 'value'>[]): void {
    for (const { key, value } of records) {
      const bytes = Buffer.from(key);
      this.#sizes.writeUInt32BE(bytes.length, 0);
      this.#sizes.writeUInt32BE(value.length, 4);
      this.#hash.update(this.#sizes).update(bytes).update(value);
    }
    this.#records += records.length;
  }

  end(): CopiedRecords {
    return { records: this.#records, digest: this.#hash.digest('hex') };
  }
}
