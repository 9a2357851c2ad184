import { stringifyJson } from '../../codec/json.ts';
import { type Clock, systemClock } from '../../machinery/clock.ts';
import { yieldToEventLoop } from '../../machinery/event-loop/yield.ts';
import { EncodingCache } from '../cache/encoding-cache.ts';
import type { ObjectChange } from '../cache/history.ts';
import { Interner } from '../cache/interner.ts';
import { loadObjects } from '../cache/load.ts';
import { ObjectReader, type ReaderOptions } from '../cache/object-reader.ts';
import { Retention } from '../cache/retention.ts';
import { WatchCache } from '../cache/watch-cache.ts';
import { StorageError } from '../errors.ts';
import type { Change, Engine } from '../kv/engine.ts';
import { checkNotFuture } from '../mvcc/readable.ts';
import { SlabAllocator } from '../mvcc/slab-allocator.ts';
import { valueLength } from '../mvcc/stored-value.ts';
import type { ResourceTransformers } from '../value/transformer.ts';
import { TransformingEngine } from '../value/transforming-engine.ts';
import { ByPrefix } from './by-prefix.ts';
import { ChangeBacklog } from './change-backlog.ts';
import { StoredCollection } from './collection.ts';
import type { Collection, ObjectStore, StoredResource } from './contract.ts';
import { type KeyedResource, KeyedResources } from './keyed-resources.ts';
import { keyPrefix, prefixEnd, registryPrefix } from './keys.ts';
import { rewriteReadable } from './rewrite-readable.ts';
import { RevisionWaiters } from './waiters.ts';

export interface ObjectStoreOptions {
  /** The store owns the engine and closes it. Nothing else may write to it. */
  readonly engine: Engine;
  /** Transform the values of the engine. Default: they are stored as they are. */
  readonly transformers?: ResourceTransformers | undefined;
  /** What all keys begin with, without a slash at the end. Default: `/registry`. */
  readonly prefix?: string | undefined;
  /** All resources whose prefix is not `<group>/<plural>`, unless `collection` is called before their values are read. */
  readonly resources?: readonly KeyedResource[] | undefined;
  /** Default: the system clock. */
  readonly clock?: Clock;
  /** Milliseconds for which history can be read and watched. Default: five minutes, as upstream. */
  readonly compactionWindowMs?: number;
  /** The most bytes of replaced objects in the history; more of them shorten the window. Default: 512 MiB. */
  readonly historyBytes?: number;
}

/** How many states are examined before yielding to the event loop: about a millisecond, if all have to be moved. */
const packChunk = 500;

/** How many compactions there are during one window. Encodings that are unused during a window are dropped. */
const ticksInWindow = 10;

/**
 * The budget of the encoding cache in bytes: enough for one encoding of every stored object, as lists in protobuf need, within
 * limits.
 */
const encodingBudget = (stored: number): number => Math.min(Math.max(stored, 64 * 2 ** 20), 512 * 2 ** 20);

/** Opens a store of objects in a key-value engine, with a watch cache for each loaded resource. */
export function openObjectStore(options: ObjectStoreOptions): ObjectStore {
  return new CachedObjectStore(options);
}

class CachedObjectStore implements ObjectStore {
  readonly isShared: boolean;
  readonly #engine: Engine;
  /** For keys alone, which can be read even if the values cannot. */
  readonly #untransformed: Engine;
  readonly #clock: Clock;
  readonly #shared: ReaderOptions;
  readonly #encodings: EncodingCache;
  readonly #waiters: RevisionWaiters;
  readonly #retention: Retention;
  readonly #backlog: ChangeBacklog;
  readonly #collections = new Map<string, Promise<Collection>>();
  readonly #caches = new ByPrefix<WatchCache>();
  readonly #resources: KeyedResources;
  readonly #root: string;
  readonly #isStale: ((key: string, revision: number) => Promise<boolean>) | undefined;
  readonly #stopTransformers: (() => void) | undefined;
  #rewriting: Promise<void> = Promise.resolve();
  readonly #tickMs: number;
  readonly #stopListening: () => void;
  #revision: number;
  /** The newest revision that the caches cannot read; at least that of the engine. */
  #compacted: number;
  #ticks = 0;
  #cancelTick: () => void = () => undefined;
  #compacting: Promise<void> = Promise.resolve();
  #packing: Promise<void> | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: ObjectStoreOptions) {
    const { transformers, clock = systemClock, compactionWindowMs = 300_000, historyBytes = 512 * 2 ** 20 } = options;
    this.#root = options.prefix ?? registryPrefix;
    this.#resources = new KeyedResources(this.#root, options.resources ?? []);
    const resourceOf = (key: string): KeyedResource => this.#resources.of(key);
    const transforming = transformers && new TransformingEngine(options.engine, { transformers, resourceOf });
    const engine = transforming ?? options.engine;
    this.isShared = engine.isShared ?? false;
    this.#engine = engine;
    this.#untransformed = options.engine;
    this.#isStale = transforming && ((key, revision) => transforming.isStale(key, revision));
    this.#stopTransformers = transformers?.onChange(() => this.#rewriteReadable());
    this.#clock = clock;
    const slabs = new SlabAllocator();
    this.#shared = { encode: (value) => slabs.write(stringifyJson(value)), interner: new Interner(), slabs };
    this.#encodings = new EncodingCache(() => encodingBudget(slabs.held));
    this.#waiters = new RevisionWaiters(clock);
    this.#retention = new Retention(compactionWindowMs, historyBytes);
    this.#backlog = new ChangeBacklog(engine, { budget: historyBytes, root: this.#root });
    this.#revision = engine.revision();
    this.#compacted = engine.compactedRevision();
    // revisions from before this process count as old as the process
    this.#retention.record(this.#revision, 0, clock.now());
    this.#tickMs = Math.max(1, Math.floor(compactionWindowMs / ticksInWindow));
    this.#stopListening = engine.listen({
      onCommit: (changes) => this.#onCommit(changes),
      // no engine that other processes write to is in use
      onLost: () => undefined,
    });
    this.#scheduleTick();
  }

  collection(resource: StoredResource): Promise<Collection> {
    const prefix = keyPrefix(resource, this.#root);
    let collection = this.#collections.get(prefix);
    if (collection === undefined) {
      this.#resources.add(resource);
      collection = this.#load(resource, prefix);
      this.#collections.set(prefix, collection);
      // the next call loads it again
      collection.catch(() => this.#collections.delete(prefix));
    }
    return collection;
  }

  forget(resource: Pick<StoredResource, 'resourcePrefix'>): void {
    const prefix = keyPrefix(resource, this.#root);
    this.#collections.delete(prefix);
    this.#caches.delete(prefix);
  }

  async hasObjects(resource: Pick<StoredResource, 'resourcePrefix'>): Promise<boolean> {
    const prefix = keyPrefix(resource, this.#root);
    const { items } = await this.#untransformed.range(prefix, prefixEnd(prefix), { limit: 1 });
    return items.length > 0;
  }

  revision(): number {
    return this.#revision;
  }

  compactedRevision(): number {
    return this.#compacted;
  }

  async compact(revision: number): Promise<void> {
    checkNotFuture(revision, this.#revision);
    await this.#compact(revision);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#cancelTick();
    this.#stopTransformers?.();
    await this.#rewriting;
    this.#waiters.close();
    await this.#compacting.catch(() => undefined);
    await this.#engine.close();
    this.#stopListening();
  }

  async #load(resource: StoredResource, prefix: string): Promise<Collection> {
    if (this.#closed !== undefined) throw new StorageError('unavailable', 'the store is closed');
    await this.#backlog.ready();
    const { namespaced } = resource;
    const context = { encodings: this.#encodings, namespaced, prefixLength: prefix.length, lastFields: undefined };
    const reader = new ObjectReader(resource, context, this.#shared);
    const loaded = await loadObjects(this.#engine, prefix, reader);
    const cache = new WatchCache(reader, { namespaced, prefix }, this, loaded);
    this.#raiseCompacted(this.#backlog.oldest - 1);
    await this.#backlog.drain(prefix, loaded.revision, cache, () => this.#caches.set(prefix, cache));
    this.#release(cache.discardBefore(this.#compacted + 1));
    return new StoredCollection(resource, {
      engine: this.#engine,
      cache,
      reader,
      prefix,
      ...this.#shared,
      waiters: this.#waiters,
      revision: () => this.#revision,
      isStale: this.#isStale,
    });
  }

  /** Makes all changes visible first, then notifies watchers in revision order. */
  #onCommit(changes: readonly Change[]): void {
    const applied: { cache: WatchCache; change: ObjectChange }[] = [];
    let bytes = 0;
    for (const change of changes) {
      bytes += change.previous === undefined ? 0 : valueLength(change.previous);
      const cache = this.#caches.find(change.key);
      if (cache === undefined) {
        this.#backlog.add(change);
        continue;
      }
      const visible = cache.apply(change);
      if (visible !== undefined) applied.push({ cache, change: visible });
    }
    this.#revision = changes[changes.length - 1].revision;
    this.#retention.record(this.#revision, bytes, this.#clock.now());
    for (const { cache, change } of applied) cache.dispatch(change);
    this.#waiters.reached(this.#revision);
    const oldest = this.#retention.overflow();
    if (oldest !== undefined) this.#raiseCompacted(oldest - 1);
  }

  #rewriteReadable(): void {
    const isClosed = (): boolean => this.#closed !== undefined;
    this.#rewriting = this.#rewriting.then(() => rewriteReadable(this.#engine, this.#caches.values(), isClosed));
  }

  #scheduleTick(): void {
    this.#cancelTick = this.#clock.after(this.#tickMs, () => {
      const oldest = this.#retention.expire(this.#clock.now());
      // the next tick compacts what could not be compacted now
      if (oldest !== undefined) this.#compact(oldest).catch(() => undefined);
      this.#ticks += 1;
      if (this.#ticks % ticksInWindow === 0) this.#encodings.cool();
      this.#scheduleTick();
    });
  }

  #compact(oldest: number): Promise<void> {
    this.#raiseCompacted(oldest - 1);
    this.#compacting = this.#compacting.catch(() => undefined).then(() => this.#engine.compact(oldest));
    return this.#compacting;
  }

  #raiseCompacted(compacted: number): void {
    if (compacted <= this.#compacted) return;
    this.#compacted = compacted;
    for (const cache of this.#caches.values()) this.#release(cache.discardBefore(compacted + 1));
    this.#backlog.discardBefore(compacted + 1);
  }

  /** Frees the values that only discarded changes held. */
  #release(discarded: readonly ObjectChange[]): void {
    const { slabs } = this.#shared;
    for (const { previous } of discarded) if (previous !== undefined) slabs.release(previous.stored);
    if (slabs.isSparse && this.#packing === undefined) {
      this.#packing = this.#pack().finally(() => {
        this.#packing = undefined;
      });
    }
  }

  /** Moves the live values out of sparse slabs. Yields to the event loop between chunks. */
  async #pack(): Promise<void> {
    const { slabs } = this.#shared;
    await yieldToEventLoop();
    const sparse = slabs.sparse();
    let examined = 0;
    for (const cache of this.#caches.values()) {
      for (const { stored } of cache.allStates()) {
        slabs.moveFrom(sparse, stored);
        examined += 1;
        if (examined % packChunk === 0) await yieldToEventLoop();
        if (this.#closed !== undefined) return;
      }
    }
    slabs.abandon(sparse);
  }
}
