import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Transaction } from 'lmdb';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { yieldToEventLoop } from '../../machinery/event-loop/yield.ts';
import { StorageError } from '../errors.ts';
import type { SnapshotRecord, StoreSnapshot } from '../kv/snapshot.ts';
import { registryPrefix } from '../object-store/keys.ts';
import { type Buckets, openBucketsForReading } from './buckets.ts';
import { checkDataFile } from './data-file/check.ts';
import { entryProblem } from './entry-problem.ts';
import { dataName } from './file-names.ts';
import { Ownership } from './owner.ts';
import { decodeLogRecord, decodeStateRef } from './records.ts';
import { readRevisions, recordBytes } from './states.ts';
import { checkMarker, damagedError, notAStoreError, requireStore } from './store-directory.ts';

/** The number of keys read at a time. */
const pageKeys = 256;

/**
 * Opens the newest state of a store, which a server may have open, in one read transaction. The data file grows with
 * each write while the snapshot is open, because the snapshot's pages are not reused.
 *
 * @throws StorageError `unavailable` if there is no store, `corrupt` if it is not readable
 */
export async function openLmdbSnapshot(path: string): Promise<StoreSnapshot> {
  requireStore(path);
  const dir = realpathSync(path);
  await checkMarker(dir);
  let owner: Ownership | undefined;
  try {
    owner = await Ownership.take(dir);
  } catch {
    // the server that has the store open has checked the data file, and is changing it
  }
  try {
    if (owner !== undefined) checkFile(dir);
    return open(dir, () => undefined);
  } finally {
    owner?.release();
  }
}

/**
 * Opens the newest state of a store, and owns the store until the snapshot is closed.
 *
 * @throws StorageError as openLmdbSnapshot, and `unavailable` if the store is in use
 */
export async function openLastLmdbSnapshot(path: string): Promise<StoreSnapshot> {
  requireStore(path);
  const dir = realpathSync(path);
  await checkMarker(dir);
  const owner = await Ownership.take(dir);
  try {
    checkFile(dir);
    return open(dir, () => owner.release());
  } catch (error) {
    owner.release();
    throw error;
  }
}

function checkFile(dir: string): void {
  const [problem] = checkDataFile(join(dir, dataName), entryProblem);
  if (problem !== undefined) throw damagedError(dir, problem);
}

function open(dir: string, onClosed: () => void): StoreSnapshot {
  try {
    return new LmdbSnapshot(openBucketsForReading(dir), onClosed);
  } catch (error) {
    throw notAStoreError(dir, messageOf(error));
  }
}

class LmdbSnapshot implements StoreSnapshot {
  readonly engine = 'lmdb';
  readonly root = registryPrefix;
  readonly #buckets: Buckets;
  readonly #transaction: Transaction;
  readonly #onClosed: () => void;
  readonly revision: number;
  readonly compactedRevision: number;

  constructor(buckets: Buckets, onClosed: () => void) {
    this.#buckets = buckets;
    this.#onClosed = onClosed;
    this.#transaction = buckets.root.useReadTransaction();
    const { compacted, newest } = readRevisions(buckets, this.#transaction);
    this.compactedRevision = compacted;
    this.revision = newest;
  }

  async *pages(prefix = ''): AsyncGenerator<readonly SnapshotRecord[], void, undefined> {
    // follows the last key with the prefix: no key contains this byte
    const end = Buffer.concat([Buffer.from(prefix), Buffer.of(0xff)]);
    for (let start = Buffer.from(prefix === '' ? '\x01' : prefix); ; ) {
      const { records, last } = this.#page(start, end);
      if (records.length > 0) yield records;
      if (last === undefined) return;
      start = Buffer.concat([last, Buffer.of(1)]);
      await yieldToEventLoop();
    }
  }

  async close(): Promise<void> {
    this.#transaction.done();
    await this.#buckets.root.close();
    this.#onClosed();
  }

  /** Returns the records of the next keys, and the last key if there may be more. */
  #page(start: Buffer, end: Buffer): { records: SnapshotRecord[]; last: Buffer | undefined } {
    const { keys } = this.#buckets;
    const records: SnapshotRecord[] = [];
    let last: Buffer | undefined;
    for (const { key, value } of keys.getRange({ start, end, limit: pageKeys, transaction: this.#transaction })) {
      records.push(this.#record(key, decodeStateRef(value).modRevision));
      last = key;
    }
    return { records, last: records.length < pageKeys ? undefined : last };
  }

  #record(key: Buffer, modRevision: number): SnapshotRecord {
    const name = key.toString('utf8');
    const bytes = recordBytes(this.#buckets, modRevision, this.#transaction);
    const record = bytes === undefined ? undefined : decodeLogRecord(bytes, modRevision);
    if (record === undefined || record.type !== 'put' || record.key !== name) {
      throw new StorageError('corrupt', `${name}: its value of revision ${modRevision} is missing or damaged`);
    }
    const { value, createRevision, expires } = record;
    return { key: name, value, createRevision, modRevision, expires };
  }
}
