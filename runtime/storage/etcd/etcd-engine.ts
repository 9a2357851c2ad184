import type { Clock } from '../../machinery/clock.ts';
import type { Logger } from '../../machinery/logger.ts';
import { StorageError } from '../errors.ts';
import type { Change, Engine, EngineListener, EngineResult, KeyValue, Range, RangeOptions, Write } from '../kv/engine.ts';
import { checkKey, orderKey } from '../mvcc/keys.ts';
import { checkNotCompacted, futureError } from '../mvcc/readable.ts';
import { StoredValue } from '../mvcc/stored-value.ts';
import { changeOf, storedValue } from './changes.ts';
import { oldestReadable } from './compacted-revision.ts';
import { Compactor, compactRevKey } from './compactor.ts';
import { CurrentRevision } from './current-revision.ts';
import { cannotOpen, isCompacted, isFuture, isLeaseNotFound, toStorageError } from './errors.ts';
import type { EtcdClient } from './etcd-client.ts';
import { HistoryReader } from './history-reader.ts';
import { LeaseManager } from './lease-manager.ts';
import type { EtcdKeyValue, RangeRequest, RangeResponse, TxnRequest, TxnResponse } from './messages/kv.ts';
import type { EtcdEvent } from './messages/watch.ts';
import type { EtcdMetrics, EtcdOperation } from './metrics.ts';
import { PendingWrites } from './pending-writes.ts';
import { Watcher } from './watcher.ts';

export interface EtcdEngineOptions {
  /** The engine owns it and closes it. */
  readonly client: EtcdClient;
  /** The prefix of the engine's keys. The empty prefix matches all keys. */
  readonly prefix: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Milliseconds between two compactions; 0 for none. */
  readonly compactionInterval: number;
  /** Seconds for which new expiring keys share a lease. Default: 60. */
  readonly leaseReuseDurationSeconds?: number | undefined;
  readonly metrics?: EtcdMetrics | undefined;
  /**
   * Milliseconds to wait for etcd at the start. Default: 20,000. (apiserver storagebackend/factory/etcd3.go
   * dialTimeout)
   */
  readonly openTimeout?: number | undefined;
}

/**
 * The keys of a range's first page, the most keys of a page, the approximate bytes of a page, and its timeout in
 * milliseconds.
 */
const [firstPage, maxPage, pageBytes, pageTimeout] = [100, 2_000, 2 * 2 ** 20, 60_000];

/**
 * Opens an engine on an etcd cluster, which other engines and API servers may share. Waits for etcd to appear.
 *
 * @throws StorageError `unavailable`
 */
export async function openEtcdEngine(options: EtcdEngineOptions): Promise<Engine> {
  const { client, openTimeout = 20_000 } = options;
  try {
    await client.connect(openTimeout);
    const { revision } = await client.range({ key: compactRevKey, keysOnly: true });
    const oldest = await oldestReadable(client, 0, revision);
    const engine = new EtcdEngine(options, revision, oldest);
    await engine.start();
    return engine;
  } catch (error) {
    client.close();
    throw cannotOpen(error);
  }
}

class EtcdEngine implements Engine {
  readonly isShared = true;
  readonly limitsRequests = true;
  readonly #client: EtcdClient;
  readonly #prefix: string;
  readonly #watcher: Watcher;
  readonly #history: HistoryReader;
  readonly #leases: LeaseManager;
  readonly #compactor: Compactor | undefined;
  readonly #current: CurrentRevision;
  readonly #metrics: EtcdMetrics | undefined;
  readonly #writes = new PendingWrites();
  readonly #listeners = new Set<EngineListener>();
  #revision: number;
  #compacted: number;
  #closed: Promise<void> | undefined;

  constructor(options: EtcdEngineOptions, revision: number, oldest: number) {
    const { client, prefix, clock, logger, compactionInterval, leaseReuseDurationSeconds, metrics } = options;
    this.#client = client;
    this.#prefix = prefix;
    this.#revision = revision;
    this.#compacted = oldest - 1;
    this.#watcher = new Watcher({
      client,
      clock,
      logger,
      key: prefix === '' ? '\0' : prefix,
      rangeEnd: prefix === '' ? '\0' : rangeEndOf(prefix),
      onProgress: (seen, events) => this.#onProgress(seen, events),
      onLost: (seen) => this.#onLost(seen),
      onCompaction: (value) => this.#onCompaction(Number(value)),
    });
    this.#history = new HistoryReader(client, prefix);
    this.#metrics = metrics;
    this.#leases = new LeaseManager({
      client,
      clock,
      reuseDurationSeconds: leaseReuseDurationSeconds,
      onLeaseFull: (objectCount) => metrics?.recordLease(objectCount),
    });
    this.#compactor =
      compactionInterval > 0
        ? new Compactor({
            client,
            clock,
            logger,
            interval: compactionInterval,
            onCompacted: (compacted) => this.#onCompaction(compacted),
          })
        : undefined;
    this.#current = new CurrentRevision(() => this.#readRevision());
  }

  /** @throws GRPCError */
  start(): Promise<void> {
    return this.#watcher.start(this.#revision);
  }

  revision(): number {
    return this.#revision;
  }

  async currentRevision(): Promise<number> {
    this.#checkOpen();
    return this.#current.get();
  }

  compactedRevision(): number {
    return this.#compacted;
  }

  async get(key: string, revision?: number): Promise<KeyValue | undefined> {
    const { kvs } = await this.#recorded('get', key, () => this.#range({ key, revision }));
    const [kv] = kvs;
    return kv && storedValue(kv);
  }

  async range(start: string, end: string, options: RangeOptions = {}): Promise<Range> {
    const { limit = Number.POSITIVE_INFINITY, allocate } = options;
    let { revision } = options;
    const items: KeyValue[] = [];
    // for an empty range, etcd would read one key
    const isEmpty = orderKey(start) >= orderKey(end);
    let pageSize = firstPage;
    for (let key = start; ; ) {
      const keys = isEmpty ? { keysOnly: true } : { rangeEnd: end, limit: Math.min(limit - items.length, pageSize) };
      const page = { key, ...keys, revision };
      const response = await this.#recorded('list', start, () => this.#range(page, pageTimeout));
      revision ??= response.revision;
      if (isEmpty) return { items, more: false, revision };
      for (const kv of response.kvs) items.push(allocate === undefined ? storedValue(kv) : copied(kv, allocate));
      const last = response.kvs.at(-1);
      if (!response.more || last === undefined || items.length >= limit) return { items, more: response.more, revision };
      pageSize = nextPageSize(response.kvs);
      key = `${last.key}\0`;
    }
  }

  async write(write: Write): Promise<EngineResult> {
    this.#checkOpen();
    checkKey(write.key);
    if (!write.key.startsWith(this.#prefix)) throw new TypeError(`${write.key} does not begin with ${this.#prefix}`);
    const { key, type, expect } = write;
    if (type === 'delete' && expect === 0) return { ok: false, ...currentOf((await this.#range({ key })).kvs) };
    const value = type === 'put' ? write.value : undefined;
    return this.#writes.run({ key, value }, async (acknowledged) => {
      const { succeeded, revision, kvs } = expect === 'any' ? await this.#overwrite(write) : await this.#writeAt({ ...write, expect });
      if (!succeeded) return { ok: false, ...currentOf(kvs) };
      const heard = acknowledged(revision, this.#revision);
      this.#watcher.need(revision);
      return { ok: true, change: (await heard) ?? unheardChange(write, revision) };
    });
  }

  #writeAt(write: ConditionalWrite): Promise<WriteResponse> {
    return this.#recorded(operationOf(write), write.key, () => this.#txn(write));
  }

  /** Repeats a write at the newest revision of its key. kube-apiserver has no unconditional writes, and kine refuses them. */
  async #overwrite(write: Write): Promise<WriteResponse> {
    let { revision, kvs } = await this.#range({ key: write.key });
    for (;;) {
      const expect = kvs[0]?.modRevision ?? 0;
      if (write.type === 'delete' && expect === 0) return { succeeded: false, revision, kvs };
      const response = await this.#writeAt({ ...write, expect });
      if (response.succeeded) return response;
      ({ revision, kvs } = response);
    }
  }

  async changes(revision: number, limit: number): Promise<readonly Change[]> {
    this.#checkOpen();
    checkNotCompacted(revision, this.#compacted);
    if (revision >= this.#revision) return [];
    const changes = await this.#history.read(revision, this.#revision, limit);
    if (changes !== undefined) return changes;
    throw await this.#compactedError(revision);
  }

  listen(listener: EngineListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async compact(revision: number): Promise<void> {
    this.#checkOpen();
    if (revision - 1 <= this.#compacted) return;
    try {
      await this.#client.compact(revision);
    } catch (error) {
      if (isFuture(error)) throw futureError(revision, this.#revision);
      if (!isCompacted(error)) throw toStorageError(error, false);
    }
    this.#onCompaction(revision);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await this.#writes.idle();
    await this.#compactor?.close();
    this.#watcher.close();
    this.#history.close();
    this.#client.close();
  }

  #checkOpen(): void {
    if (this.#closed !== undefined) throw new StorageError('unavailable', 'the store is closed');
  }

  async #readRevision(): Promise<number> {
    const known = this.#revision;
    const { revision } = await this.#range({ key: compactRevKey, keysOnly: true });
    if (revision < known) {
      // after a restore, other servers' writes reuse revisions that this server has seen
      throw new StorageError(
        'unavailable',
        `etcd is at revision ${revision}, but this server has seen revision ${known}: after a restore, servers must be restarted`,
      );
    }
    this.#watcher.need(revision);
    return revision;
  }

  async #range(request: RangeRequest, timeout?: number): Promise<RangeResponse> {
    this.#checkOpen();
    const { revision } = request;
    if (revision !== undefined) checkNotCompacted(revision, this.#compacted);
    try {
      return await this.#client.range(request, timeout);
    } catch (error) {
      if (revision !== undefined && isFuture(error)) throw futureError(revision, this.#revision);
      if (revision !== undefined && isCompacted(error)) throw await this.#compactedError(revision);
      throw toStorageError(error, false);
    }
  }

  async #recorded<T>(operation: EtcdOperation, key: string, call: () => Promise<T>): Promise<T> {
    if (this.#metrics === undefined) return call();
    const start = performance.now();
    let hasFailed = true;
    try {
      const response = await call();
      hasFailed = false;
      return response;
    } finally {
      this.#metrics.recordRequest(operation, key, start, hasFailed);
    }
  }

  async #txn(write: ConditionalWrite): Promise<TxnResponse> {
    const lease = write.type === 'put' && write.ttlSeconds !== undefined ? write.ttlSeconds : undefined;
    try {
      if (lease === undefined) return await this.#client.txn(txnOf(write));
      const id = await this.#leases.getLease(lease);
      try {
        return await this.#client.txn(txnOf(write, id));
      } catch (error) {
        if (!isLeaseNotFound(error)) throw error;
        // the lease was revoked, or the clocks differ much
        await this.#leases.forget(id);
        return await this.#client.txn(txnOf(write, await this.#leases.getLease(lease)));
      }
    } catch (error) {
      throw toStorageError(error, true);
    }
  }

  #onProgress(revision: number, events: readonly EtcdEvent[]): void {
    const changes: Change[] = [];
    for (const event of events) {
      if (!event.kv.key.startsWith(this.#prefix)) continue;
      this.#metrics?.recordEvent(event.kv.key);
      changes.push(changeOf(event, (key, value) => this.#writes.ownValue(key, value)));
    }
    this.#revision = revision;
    for (const listener of this.#listeners) notify(() => listener.onCommit(changes));
    this.#writes.heard(changes);
  }

  #onLost(revision: number): void {
    this.#revision = revision;
    for (const listener of this.#listeners) notify(() => listener.onLost());
    this.#writes.lost(revision);
  }

  /** @param oldest the oldest revision that can still be read */
  #onCompaction(oldest: number): void {
    if (Number.isSafeInteger(oldest) && oldest - 1 > this.#compacted) this.#compacted = oldest - 1;
  }

  async #compactedError(revision: number): Promise<StorageError> {
    try {
      const { revision: newest } = await this.#client.range({ key: compactRevKey, keysOnly: true });
      this.#onCompaction(await oldestReadable(this.#client, revision, newest));
      checkNotCompacted(revision, this.#compacted);
      throw new StorageError('unavailable', 'the compacted revision is unknown');
    } catch (error) {
      return toStorageError(error, false);
    }
  }
}

/** Keeps pages short enough for the event loop, whatever the size of values. */
function nextPageSize(page: readonly EtcdKeyValue[]): number {
  const bytes = page.reduce((sum, { value }) => sum + value.length, 0);
  return Math.max(1, Math.min(maxPage, Math.floor((pageBytes * page.length) / (bytes + 1))));
}

/** Calls a listener. An error is a bug: it becomes an uncaught exception, but writers resolve. */
function notify(call: () => void): void {
  try {
    call();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

/** The outcome of a write, with the key's current value if it failed. */
type WriteResponse = Pick<TxnResponse, 'succeeded' | 'revision' | 'kvs'>;

/** A write that succeeds only at a revision of its key; 0 if the key must not exist. */
type ConditionalWrite = Write & { readonly expect: number };

/** Returns the first key after all keys with a prefix that ends with an ASCII character. */
function rangeEndOf(prefix: string): string {
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
}

function operationOf({ type, expect }: Write): EtcdOperation {
  if (type === 'delete') return 'delete';
  return expect === 0 ? 'create' : 'update';
}

/** Returns the transaction in the form of kube-apiserver's, the only one that kine accepts. An absent key has the revision 0. */
function txnOf(write: ConditionalWrite, lease?: bigint): TxnRequest {
  const { key, type, expect } = write;
  return {
    compare: [{ key, target: 'mod', to: expect }],
    success: [type === 'put' ? { put: { key, value: write.value, ...(lease === undefined ? {} : { lease }) } } : { deleteRange: { key } }],
    failure: [{ range: { key } }],
  };
}

function currentOf([kv]: readonly EtcdKeyValue[]): { readonly current?: KeyValue } {
  return kv === undefined ? {} : { current: storedValue(kv) };
}

function copied({ key, value, createRevision, modRevision }: EtcdKeyValue, allocate: (size: number) => Uint8Array) {
  const copy = allocate(value.length);
  copy.set(value);
  return new StoredValue(key, copy, createRevision, modRevision);
}

/** Returns the known part of a write's change that the watch has not delivered. */
function unheardChange(write: Write, revision: number): Change {
  const { key, type } = write;
  if (type === 'put') return { type, key, revision, current: new StoredValue(key, write.value, revision, revision) };
  const current = new StoredValue(key, new Uint8Array(), 0, revision - 1);
  return { type, key, revision, current, previous: current };
}
