import { quoteBytes } from '../../machinery/go/quote.ts';
import { StorageError } from '../errors.ts';
import type { SnapshotRecord, StoreSnapshot } from '../kv/snapshot.ts';
import { prefixEnd } from '../object-store/keys.ts';
import { oldestReadable } from './compacted-revision.ts';
import { compactRevKey } from './compactor.ts';
import { cannotOpen, isCompacted, toStorageError } from './errors.ts';
import type { EtcdClient } from './etcd-client.ts';
import type { EtcdKeyValue } from './messages/kv.ts';

/** The keys read at a time: values may have several MiB. */
const pageKeys = 256;

export interface EtcdSnapshotOptions {
  /** The snapshot owns it and closes it. */
  readonly client: EtcdClient;
  /** The snapshot's `root`. The snapshot has all keys below it. */
  readonly root: string;
  /** Returns milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Opens a snapshot of etcd's newest revision. The revision must not be compacted while it is read: by default, servers
 * compact every five minutes.
 *
 * @throws StorageError `unavailable`
 */
export async function openEtcdSnapshot(options: EtcdSnapshotOptions): Promise<StoreSnapshot> {
  const { client } = options;
  try {
    const { revision } = await client.range({ key: compactRevKey, keysOnly: true });
    return new EtcdSnapshot(options, revision, (await oldestReadable(client, 0, revision)) - 1);
  } catch (error) {
    client.close();
    throw cannotOpen(error);
  }
}

class EtcdSnapshot implements StoreSnapshot {
  readonly engine = 'etcd';
  readonly root: string;
  readonly #options: EtcdSnapshotOptions;
  readonly revision: number;
  readonly compactedRevision: number;
  /** The ends of leases by ID, in milliseconds since 1970. */
  readonly #leases = new Map<bigint, number>();

  constructor(options: EtcdSnapshotOptions, revision: number, compactedRevision: number) {
    this.#options = options;
    this.root = options.root;
    this.revision = revision;
    this.compactedRevision = compactedRevision;
  }

  async *pages(prefix = ''): AsyncGenerator<readonly SnapshotRecord[], void, undefined> {
    const all = `${this.root}/`;
    if (!prefix.startsWith(all) && !all.startsWith(prefix)) return;
    const from = prefix.length > all.length ? prefix : all;
    const rangeEnd = prefixEnd(from);
    for (let key = from; ; ) {
      const { kvs, more } = await this.#range(key, rangeEnd);
      const last = kvs.at(-1);
      if (last !== undefined) yield await Promise.all(kvs.map((kv) => this.#record(kv)));
      if (!more || last === undefined) return;
      key = `${last.key}\0`;
    }
  }

  async close(): Promise<void> {
    this.#options.client.close();
  }

  async #range(key: string, rangeEnd: string) {
    const { revision } = this;
    try {
      return await this.#options.client.range({ key, rangeEnd, revision, limit: pageKeys });
    } catch (error) {
      if (!isCompacted(error)) throw toStorageError(error, false);
      throw new StorageError('compacted', `revision ${revision} was compacted before all of it was read`, revision);
    }
  }

  async #record({ key, rawKey, value, createRevision, modRevision, lease }: EtcdKeyValue): Promise<SnapshotRecord> {
    if (rawKey !== undefined) throw new StorageError('corrupt', `${quoteBytes(rawKey)}: the key is not UTF-8`);
    const record = { key, value, createRevision, modRevision };
    return lease === undefined ? record : { ...record, expires: await this.#expiryOf(lease) };
  }

  async #expiryOf(lease: bigint): Promise<number> {
    const known = this.#leases.get(lease);
    if (known !== undefined) return known;
    const { client, now } = this.#options;
    try {
      const seconds = await client.leaseTimeToLive(lease);
      // keys of an ended lease are deleted now
      const expires = now() + Math.max(0, seconds) * 1000;
      this.#leases.set(lease, expires);
      return expires;
    } catch (error) {
      throw toStorageError(error, false);
    }
  }
}
