import type { KubeObject } from '../../machinery/object.ts';
import type { ObjectIndex } from '../cache/cached-object.ts';
import type { CollectionCache } from '../cache/collection-cache.ts';
import type { ObjectReader } from '../cache/object-reader.ts';
import { StorageError } from '../errors.ts';
import type { Engine, WriteResult } from '../kv/engine.ts';
import type { Slabs } from '../mvcc/slabs.ts';
import type { Collection, EncodedObject, Snapshot, StoredObject, StoredResource, WatchRequest } from './contract.ts';
import { objectSuffix } from './keys.ts';
import { encodeStored } from './stored-json.ts';
import type { RevisionWaiters } from './waiters.ts';

/** What a collection shares with its store. */
export interface CollectionParts {
  readonly engine: Engine;
  readonly cache: CollectionCache;
  readonly reader: ObjectReader;
  readonly prefix: string;
  readonly encode: (value: unknown) => Uint8Array;
  readonly slabs: Slabs;
  readonly waiters: RevisionWaiters;
  readonly revision: () => number;
}

/** Reads are the cache's; writes go to the engine and come back to the cache with the commit. */
export class StoredCollection implements Collection {
  readonly resource: StoredResource;
  readonly #parts: CollectionParts;

  constructor(resource: StoredResource, parts: CollectionParts) {
    this.resource = resource;
    this.#parts = parts;
  }

  latest(): Snapshot {
    return this.#parts.cache.latest();
  }

  at(revision: number): Snapshot {
    return this.#parts.cache.at(revision);
  }

  async notOlderThan(revision: number, options: { timeoutMs: number; signal?: AbortSignal }): Promise<Snapshot> {
    const { waiters, revision: newest } = this.#parts;
    if (revision > newest()) await waiters.wait(revision, newest, options.timeoutMs, options.signal);
    return this.latest();
  }

  /** The engines so far have one process: what was acknowledged went through this cache. */
  mostRecent(): Snapshot {
    return this.latest();
  }

  corrupt(): readonly StoredObject[] {
    return this.#parts.cache.corrupt();
  }

  requireHistory(after: number): void {
    this.#parts.cache.requireHistory(after);
  }

  watch(request: WatchRequest): () => void {
    return this.#parts.cache.watch(request);
  }

  create(object: KubeObject): Promise<StoredObject | undefined> {
    return this.#write(object, 0);
  }

  update(object: KubeObject, expect: number): Promise<StoredObject | undefined> {
    return this.#write(object, expect);
  }

  async put(encoded: EncodedObject, expect: number): Promise<StoredObject | undefined> {
    const { reader, slabs } = this.#parts;
    const { namespace, name, value } = encoded;
    const key = this.#keyOf(namespace, name);
    const kept = slabs.take(value.length);
    kept.set(value);
    return this.#put(key, kept, reader.intern(encoded), expect);
  }

  async delete(namespace: string, name: string, expect: number): Promise<StoredObject | undefined> {
    const { engine, reader, cache } = this.#parts;
    const result = await engine.write({ type: 'delete', key: this.#keyOf(namespace, name), expect });
    if (!result.ok) return undefined;
    const { revision, current } = result.change;
    return cache.find(revision)?.deletedObject ?? reader.read(current).at(revision);
  }

  #keyOf(namespace: string, name: string): string {
    return this.#parts.prefix + objectSuffix(this.resource.namespaced, namespace, name);
  }

  async #write(object: KubeObject, expect: number): Promise<StoredObject | undefined> {
    const { reader, encode } = this.#parts;
    const { namespace = '', name = '' } = object.metadata;
    const key = this.#keyOf(namespace, name);
    const index = reader.index(object);
    return this.#put(key, encodeStored(object, encode), index, expect);
  }

  async #put(key: string, value: Uint8Array, index: ObjectIndex, expect: number): Promise<StoredObject | undefined> {
    const { engine, cache, slabs } = this.#parts;
    cache.pending.set(value, index);
    let result: WriteResult | undefined;
    try {
      result = await engine.write({ type: 'put', key, value, expect });
    } finally {
      cache.pending.delete(value);
      if (!result?.ok) slabs.discard(value);
    }
    if (!result.ok) return undefined;
    const stored = cache.find(result.change.revision)?.current;
    if (stored === undefined) throw new StorageError('corrupt', `what was written to ${key} cannot be read back`);
    return stored;
  }
}
