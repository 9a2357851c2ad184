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

/** How many keys are read at a time. */
const pageKeys = 256;

/**
 * The newest state of a store, which a server may have open: it is read in one transaction. While the snapshot is open, the
 * data file grows by what is written, since no page of the snapshot is used again. Throws StorageError: `unavailable` if there
 * is no store, `corrupt` if it is not readable.
 */
export async function openLmdbSnapshot(path: string): Promise<StoreSnapshot> {
  requireStore(path);
  const dir = realpathSync(path);
  await checkMarker(dir);
  let owner: Ownership | undefined;
  try {
    owner = await Ownership.take(dir);
  } catch {
    // the server that has it open has checked the data file, and changes it
  }
  try {
    if (owner !== undefined) checkFile(dir);
    return open(dir, () => undefined);
  } finally {
    owner?.release();
  }
}

/**
 * The same of a store that nobody has open, and can open before the snapshot is closed. Throws `unavailable` if it is in use,
 * too.
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
    // after the last key with the prefix: no key contains this byte
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

  /** The records of the next keys, and the last key if there may be more. */
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
