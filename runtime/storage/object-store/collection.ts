import { tooLargeResourceVersion } from '../../machinery/errors/status.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { CachedObject, ObjectAttributes } from '../cache/cached-object.ts';
import type { DecodedObjects, FindDecoded } from '../cache/decoded-objects.ts';
import type { ObjectReader } from '../cache/object-reader.ts';
import type { WatchCache } from '../cache/watch-cache.ts';
import { isStorageError, StorageError } from '../errors.ts';
import type { Engine, EngineResult, KeyValue } from '../kv/engine.ts';
import type { SlabAllocator } from '../mvcc/slab-allocator.ts';
import { StoredValue } from '../mvcc/stored-value.ts';
import type { Collection, CollectionSnapshot, EncodedObject, StoredObject, StoredResource, WatchRequest } from './contract.ts';
import { type CollectionKeys, objectSuffix } from './keys.ts';
import { requestProblem, storedLength } from './request-size.ts';
import { encodeStored } from './stored-json.ts';
import { catchUpTimeoutMs, type RevisionWaiters } from './waiters.ts';

/** The parts of a store that a collection uses. */
export interface CollectionOptions {
  readonly engine: Engine;
  readonly reader: ObjectReader;
  readonly decoded: DecodedObjects;
  /** Attributes of objects being written, by their bytes. */
  readonly pending: Map<Uint8Array, ObjectAttributes>;
  readonly keys: CollectionKeys;
  readonly encode: (value: unknown) => Uint8Array;
  readonly slabs: SlabAllocator;
  readonly waiters: RevisionWaiters;
  /** Absent if values are stored unchanged. */
  readonly isStale?: ((key: string, revision: number) => Promise<boolean>) | undefined;
}

/** Milliseconds that a write waits for objects to be loaded again: as long as most requests. */
const reloadTimeoutMs = 60_000;

/** Reads from the watch cache and writes to the engine, whose commits update the cache. */
export class CachedCollection implements Collection {
  readonly resource: StoredResource;
  /** Replaced when changes were lost. */
  cache: WatchCache;
  readonly #options: CollectionOptions;
  readonly #newest = (): number => this.cache.revision;

  constructor(resource: StoredResource, cache: WatchCache, options: CollectionOptions) {
    this.resource = resource;
    this.cache = cache;
    this.#options = options;
  }

  storageKey(namespace: string, name: string): string {
    return `${this.#options.keys.prefix}${namespace === '' ? '' : `${namespace}/`}${name}`;
  }

  latest(): CollectionSnapshot {
    return this.cache.latest();
  }

  at(revision: number): CollectionSnapshot {
    return this.cache.at(revision);
  }

  async notOlderThan(revision: number, limits: { timeoutMs: number; signal?: AbortSignal }): Promise<CollectionSnapshot> {
    await this.#options.waiters.wait(revision, this.#newest, limits);
    return this.latest();
  }

  mostRecent(): CollectionSnapshot | Promise<CollectionSnapshot> {
    const current = this.#options.engine.currentRevision();
    return current instanceof Promise ? this.#atLeast(current) : this.latest();
  }

  async #atLeast(asked: Promise<number>): Promise<CollectionSnapshot> {
    const revision = await asked;
    try {
      return await this.notOlderThan(revision, { timeoutMs: catchUpTimeoutMs });
    } catch (error) {
      if (!isStorageError(error) || error.code !== 'future') throw error;
      throw tooLargeResourceVersion(revision, this.#newest());
    }
  }

  progress(): number {
    return this.cache.progress;
  }

  corrupt(): readonly StoredObject[] {
    return this.cache.corrupt();
  }

  isStale({ namespace, name, revision }: StoredObject): boolean | Promise<boolean> {
    return this.#options.isStale?.(this.#keyOf(namespace, name), revision) ?? false;
  }

  requireHistory(after: number): void {
    this.cache.requireHistory(after);
  }

  watch(request: WatchRequest): () => void {
    return this.cache.watch(request);
  }

  holdDecoded(find: FindDecoded): () => void {
    return this.#options.decoded.hold(find);
  }

  create(object: KubeObject): Promise<StoredObject | undefined> {
    return this.#write(object, 0);
  }

  update(object: KubeObject, expect: number): Promise<StoredObject | undefined> {
    return this.#write(object, expect);
  }

  async put(encoded: EncodedObject, expect: number): Promise<StoredObject | undefined> {
    const { reader, slabs } = this.#options;
    const { namespace, name, value } = encoded;
    const key = this.#keyOf(namespace, name);
    this.#checkSize(key, encoded.storedLength, expect);
    const bytes = slabs.allocate(value.length);
    bytes.set(value);
    return this.#put(key, bytes, reader.intern(encoded), expect);
  }

  async delete(namespace: string, name: string, expect: number): Promise<StoredObject | undefined> {
    const key = this.#keyOf(namespace, name);
    const result = await this.#options.engine.write({ type: 'delete', key, expect });
    if (!result.ok) return undefined;
    const { revision, current } = result.change;
    if (this.cache.isFrozen) await this.#reloaded(revision);
    return this.cache.find(revision, key)?.deletedObject ?? this.#detached(current).at(revision);
  }

  #keyOf(namespace: string, name: string): string {
    return this.#options.keys.prefix + objectSuffix(this.resource.namespaced, namespace, name);
  }

  async #write(object: KubeObject, expect: number): Promise<StoredObject | undefined> {
    const { reader, encode, slabs } = this.#options;
    const { namespace = '', name = '' } = object.metadata;
    const key = this.#keyOf(namespace, name);
    const attributes = reader.attributesOf(object);
    const value = encodeStored(object, encode);
    try {
      this.#checkSize(key, storedLength(this.resource, object, value), expect);
    } catch (error) {
      slabs.discard(value);
      throw error;
    }
    return this.#put(key, value, attributes, expect);
  }

  get checksSize(): boolean {
    return this.#options.engine.limitsRequests !== true;
  }

  #checkSize(key: string, length: number, expect: number): void {
    if (!this.checksSize) return;
    const hasLease = this.resource.ttlSeconds !== undefined;
    const problem = requestProblem({ key, length, expect, hasLease });
    if (problem !== undefined) throw new StorageError('unavailable', problem);
  }

  async #put(key: string, value: Uint8Array, attributes: ObjectAttributes, expect: number): Promise<StoredObject | undefined> {
    const { engine, pending, slabs } = this.#options;
    const { ttlSeconds } = this.resource;
    pending.set(value, attributes);
    let result: EngineResult | undefined;
    try {
      result = await engine.write({ type: 'put', key, value, expect, ttlSeconds });
    } finally {
      pending.delete(value);
      if (!result?.ok) slabs.discard(value);
    }
    if (!result.ok) return undefined;
    const { revision, current } = result.change;
    if (this.cache.isFrozen) await this.#reloaded(revision);
    const stored = this.cache.find(revision, key)?.current ?? this.#detached(current);
    if (stored.offset < 0) throw new StorageError('corrupt', `the object written to ${key} cannot be read back`);
    return stored;
  }

  /** Waits until the objects are loaded again after lost changes, which may include this write. */
  async #reloaded(revision: number): Promise<void> {
    try {
      await this.#options.waiters.wait(revision, this.#newest, { timeoutMs: reloadTimeoutMs });
    } catch (error) {
      if (!isStorageError(error) || error.code !== 'future') throw error;
      throw new StorageError('unknown-outcome', 'the object was written, but cannot be read again yet');
    }
  }

  /** Returns the written object if the history lacks it. The cache does not hold it. */
  #detached(written: KeyValue): CachedObject {
    const { reader } = this.#options;
    const object = reader.read(new StoredValue(written.key, written.value, written.createRevision, written.modRevision));
    reader.release(object.stored);
    return object;
  }
}
