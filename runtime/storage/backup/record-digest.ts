import { createHash } from 'node:crypto';
import type { SnapshotRecord } from '../kv/snapshot.ts';

/** A summary of records. */
export interface RecordSum {
  /** The number of all records, and of those that do not expire. */
  readonly records: number;
  readonly lasting: number;
  /** The newest revision of records that do not expire. */
  readonly newest: number;
  /** SHA-256 of the keys and values that do not expire, in order. */
  readonly digest: string;
}

/** Summarizes records. Expiring records are only counted, because they may be gone when summaries are compared. */
export class RecordDigest {
  readonly #hash = createHash('sha256');
  #records = 0;
  #lasting = 0;
  #newest = 0;

  add(records: readonly SnapshotRecord[]): void {
    this.#records += records.length;
    for (const { key, value, expires, modRevision } of records) {
      if (expires !== undefined) continue;
      const bytes = Buffer.from(key);
      const sizes = Buffer.allocUnsafe(8);
      sizes.writeUInt32BE(bytes.length, 0);
      sizes.writeUInt32BE(value.length, 4);
      this.#hash.update(sizes).update(bytes).update(value);
      this.#lasting += 1;
      this.#newest = Math.max(this.#newest, modRevision);
    }
  }

  end(): RecordSum {
    const digest = this.#hash.digest('hex');
    return { records: this.#records, lasting: this.#lasting, newest: this.#newest, digest };
  }
}
