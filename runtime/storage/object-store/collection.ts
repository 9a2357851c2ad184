import type { KubeObject } from '../../machinery/object.ts';
import type { ObjectAttributes } from '../cache/cached-object.ts';
import type { ObjectReader } from '../cache/object-reader.ts';
import type { WatchCache } from '../cache/watch-cache.ts';
import { StorageError } from '../errors.ts';
import type { Engine, WriteResult } from '../kv/engine.ts';
import type { SlabAllocator } from '../mvcc/slab-allocator.ts';
import type { Collection, EncodedObject, Snapshot, StoredObject, StoredResource, WatchRequest } from './contract.ts';
import { objectSuffix } from './keys.ts';
import { encodeStored } from './stored-json.ts';
import type { RevisionWaiters } from './waiters.ts';

/** What a collection needs of its store. */
export interface CollectionOptions {
  readonly engine: Engine;
  readonly cache: WatchCache;
  readonly reader: ObjectReader;
  readonly prefix: string;
  readonly encode: (value: unknown) => Uint8Array;
  readonly slabs: SlabAllocator;
  readonly waiters: RevisionWaiters;
  readonly revision: () => number;
  /** Absent if values are stored as they are. */
  readonly isStale?: (key: string, revision: number) => Promise<boolean>;
}

/** Reads from the watch cache and writes to the engine, whose commits update the cache. */
export class StoredCollection implements Collection {
  readonly resource: StoredResource;
  readonly #options: CollectionOptions;

  constructor(resource: StoredResource, options: CollectionOptions) {
    this.resource = resource;
    this.#options = options;
  }

  latest(): Snapshot {
    return this.#options.cache.latest();
  }

  at(revision: number): Snapshot {
    return this.#options.cache.at(revision);
  }

  async notOlderThan(revision: number, limits: { timeoutMs: number; signal?: AbortSignal }): Promise<Snapshot> {
    const { waiters, revision: newest } = this.#options;
    if (revision > newest()) await waiters.wait(revision, newest, limits.timeoutMs, limits.signal);
    return this.latest();
  }

  /** Every engine has only one process, so this cache has every acknowledged write. */
  mostRecent(): Snapshot {
    return this.latest();
  }

  corrupt(): readonly StoredObject[] {
    return this.#options.cache.corrupt();
  }

  isStale({ namespace, name, revision }: StoredObject): boolean | Promise<boolean> {
    return this.#options.isStale?.(this.#keyOf(namespace, name), revision) ?? false;
  }

  requireHistory(after: number): void {
    this.#options.cache.requireHistory(after);
  }

  watch(request: WatchRequest): () => void {
    return this.#options.cache.watch(request);
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
    const bytes = slabs.allocate(value.length);
    bytes.set(value);
    return this.#put(key, bytes, reader.intern(encoded), expect);
  }

  async delete(namespace: string, name: string, expect: number): Promise<StoredObject | undefined> {
    const { engine, reader, cache } = this.#options;
    const result = await engine.write({ type: 'delete', key: this.#keyOf(namespace, name), expect });
    if (!result.ok) return undefined;
    const { revision, current } = result.change;
    return cache.find(revision)?.deletedObject ?? reader.read(current).at(revision);
  }

  #keyOf(namespace: string, name: string): string {
    return this.#options.prefix + objectSuffix(this.resource.namespaced, namespace, name);
  }

  async #write(object: KubeObject, expect: number): Promise<StoredObject | undefined> {
    const { reader, encode } = this.#options;
    const { namespace = '', name = '' } = object.metadata;
    const key = this.#keyOf(namespace, name);
    const attributes = reader.attributesOf(object);
    return this.#put(key, encodeStored(object, encode), attributes, expect);
  }

  async #put(
    key: string,
    value: Uint8Array,
    attributes: ObjectAttributes,
    expect: number,
  ): Promise<StoredObject | undefined> {
    const { engine, cache, slabs } = this.#options;
    cache.pending.set(value, attributes);
    let result: WriteResult | undefined;
    try {
      result = await engine.write({ type: 'put', key, value, expect });
    } finally {
      cache.pending.delete(value);
      if (!result?.ok) slabs.discard(value);
    }
    if (!result.ok) return undefined;
    const stored = cache.find(result.change.revision)?.current;
    if (stored === undefined) throw new StorageError('corrupt', `the object written to ${key} cannot be read back`);
    return stored;
  }
}
