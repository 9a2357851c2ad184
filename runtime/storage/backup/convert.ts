import { isDecodeError } from '../../machinery/errors/decode-error.ts';
import { quote } from '../../machinery/go/quote.ts';
import { StorageError } from '../errors.ts';
import type { SnapshotEngine, SnapshotRecord, StoreSnapshot } from '../kv/snapshot.ts';
import { vouchedValue } from '../object-store/stored-json.ts';
import type { StorageCodec } from '../storage-codec/storage-codec.ts';
import { isEncrypted } from '../value/encrypt/identity.ts';
import { recordProblem } from './record-problem.ts';

/** The destination of records. */
export interface Destination {
  readonly engine: SnapshotEngine;
  readonly root: string;
  /** Returns the codec between LMDB's and etcd's values. */
  codec(): Promise<StorageCodec>;
}

/**
 * Yields the records of a snapshot in the form of another store. Encrypted values stay unchanged.
 *
 * @throws StorageError `corrupt` for a record that is not an object or cannot be decoded; `unavailable` for encrypted
 *   values that the other store could not read, because their content is not JSON, or their key, which authenticates
 *   them, would change; and errors of the snapshot
 */
export async function* convertedPages(
  snapshot: StoreSnapshot,
  to: Destination,
): AsyncGenerator<readonly SnapshotRecord[], void, undefined> {
  const convert = await conversion(snapshot.engine, to);
  for await (const page of snapshot.pages()) {
    for (const record of page) requireObject(record, snapshot);
    yield await Promise.all(
      page.map(async (record) => {
        const key = to.root + record.key.slice(snapshot.root.length);
        if (!isEncrypted(record.value)) return { ...record, key, value: await converted(record, convert) };
        const why = whyNot(record.key, key, snapshot.engine, to.engine);
        if (why === undefined) return record;
        throw new StorageError('unavailable', `${record.key} is encrypted, and ${why}`);
      }),
    );
  }
}

function requireObject(record: SnapshotRecord, source: StoreSnapshot): void {
  const problem = recordProblem(record, source);
  if (problem !== undefined) throw new StorageError('corrupt', problem);
}

type Convert = (value: Uint8Array) => Uint8Array | Promise<Uint8Array>;

async function conversion(from: SnapshotEngine, to: Destination): Promise<Convert> {
  if (from === to.engine) return to.engine === 'lmdb' ? vouchedValue : (value) => value;
  const codec = await to.codec();
  if (to.engine === 'etcd') return (value) => codec.encode(value);
  return async (value) => vouchedValue(await codec.decode(value));
}

async function converted({ key, value }: SnapshotRecord, convert: Convert): Promise<Uint8Array> {
  try {
    return await convert(value);
  } catch (error) {
    if (!isDecodeError(error)) throw error;
    throw new StorageError('corrupt', `${quote(key)}: ${error.message}`);
  }
}

/** Returns why an encrypted value would be unreadable in the new store. */
function whyNot(key: string, newKey: string, from: SnapshotEngine, to: SnapshotEngine): string | undefined {
  if (key !== newKey) return `its key, which authenticates it, would be ${newKey}`;
  if (from === 'etcd' && to === 'lmdb') return 'what is encrypted may not be JSON: store it without encryption first';
  return undefined;
}
