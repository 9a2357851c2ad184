import { stringifyJson } from '../../codec/json.ts';
import { type Clock, systemClock } from '../../machinery/clock.ts';
import { messageOf } from '../../machinery/errors/message-of.ts';
import type { GroupResource } from '../../machinery/gvk.ts';
import type { ObjectAttributes } from '../cache/cached-object.ts';
import { DecodedObjects } from '../cache/decoded-objects.ts';
import { EncodingCache } from '../cache/encoding-cache.ts';
import type { ObjectChange } from '../cache/history.ts';
import { IndexedWatchers } from '../cache/indexed-watchers.ts';
import { Interner } from '../cache/interner.ts';
import { loadObjects } from '../cache/load.ts';
import { ObjectReader, type ReaderOptions } from '../cache/object-reader.ts';
import { WatchCache, type WatchCacheOptions } from '../cache/watch-cache.ts';
import { StorageError } from '../errors.ts';
import type { Change, Engine } from '../kv/engine.ts';
import { hasStates } from '../kv/engine-states.ts';
import { checkNotFuture } from '../mvcc/readable.ts';
import { SlabAllocator } from '../mvcc/slab-allocator.ts';
import { valueLength } from '../mvcc/stored-value.ts';
import { CodecEngine } from '../storage-codec/codec-engine.ts';
import type { StorageCodec } from '../storage-codec/storage-codec.ts';
import type { ResourceTransformers } from '../value/transformer.ts';
import { TransformingEngine } from '../value/transforming-engine.ts';
import { CacheReload } from './cache-reload.ts';
import { ChangeBacklog } from './change-backlog.ts';
import { CachedCollection } from './collection.ts';
import { Compaction } from './compaction.ts';
import type { Collection, ObjectStore, StoredResource, StoreStates } from './contract.ts';
import { type KeyedResource, KeyedResources } from './keyed-resources.ts';
import { keyPrefix, prefixEnd, registryPrefix } from './keys.ts';
import { Packing } from './packing.ts';
import { PrefixMap } from './prefix-map.ts';
import { rewriteReadable } from './rewrite-readable.ts';
import { SharedObjects } from './shared-objects.ts';
import { EngineStoreStates } from './store-states.ts';
import { RevisionWaiters } from './waiters.ts';

export interface ObjectStoreOptions {
  /** The store owns the engine and closes it. Nothing else may write to it. */
  readonly engine: Engine;
  /** Transformers of the engine's values. Default: values are stored unchanged. */
  readonly transformers?: ResourceTransformers | undefined;
  /** The format of the engine's values. Default: JSON. */
  readonly codec?: StorageCodec | undefined;
  /** The prefix of all keys, without a slash at the end. Default: `/registry`. */
  readonly prefix?: string | undefined;
  /**
   * All resources whose prefix is not `<group>/<plural>`, unless `collection` is called before their values are read.
   */
  readonly resources?: readonly KeyedResource[] | undefined;
  /** Default: the system clock. */
  readonly clock?: Clock;
  /** Milliseconds for which history can be read and watched. Default: five minutes, as upstream. */
  readonly compactionWindowMs?: number | undefined;
  /** The most bytes of replaced objects in the history. More of them shorten the window. Default: 512 MiB. */
  readonly historyBytes?: number;
  /** Called before the first read with the engine below the caches, whose values are JSON. */
  readonly onOpen?: ((engine: Engine, root: string) => void) | undefined;
  /** Whether only `compact` discards history; the window and `historyBytes` are ignored. Default: false. */
  readonly keepsHistory?: boolean | undefined;
  /** The objects of the store from which this one is forked. Default: objects are read from the engine. */
  readonly shared?: SharedObjects | undefined;
}

/** Bytes of a fork's first slab: most forks write little. */
const forkSlabBytes = 4096;

/** Milliseconds before a failed reload of a collection is repeated. */
const reloadMs = 1000;

/**
 * Returns the budget of the encoding cache in bytes: one encoding of every stored object, as protobuf lists need,
 * within limits.
 */
const encodingBudget = (stored: number): number => Math.min(Math.max(stored, 64 * 2 ** 20), 512 * 2 ** 20);

type IsStale = (key: string, revision: number) => Promise<boolean>;

/**
 * Returns a function that reports whether any engine would now write a value differently; undefined without such
 * engines.
 */
function staleness(engines: readonly ({ readonly isStale: IsStale } | undefined)[]): IsStale | undefined {
  const present = engines.filter((engine) => engine !== undefined);
  if (present.length === 0) return undefined;
  return async (key, revision) => {
    for (const engine of present) if (await engine.isStale(key, revision)) return true;
    return false;
  };
}

/** Opens a store of objects in a key-value engine, with a watch cache for each loaded resource. */
export function openObjectStore(options: ObjectStoreOptions): ObjectStore {
  return new CachedObjectStore(options);
}

class CachedObjectStore implements ObjectStore {
  readonly isShared: boolean;
  readonly #engine: Engine;
  /** The engine for reading keys, which works even if values cannot be read. */
  readonly #untransformed: Engine;
  readonly #clock: Clock;
  readonly #shared: ReaderOptions;
  readonly #encodings: EncodingCache;
  readonly #waiters: RevisionWaiters;
  readonly #compaction: Compaction;
  readonly #packing: Packing;
  readonly #historyBytes: number;
  readonly #keepsHistory: boolean;
  /** Replaced when changes were lost. */
  #backlog: ChangeBacklog;
  readonly #collections = new Map<string, Promise<CachedCollection>>();
  readonly #commitListeners = new Set<() => void>();
  readonly #unloadedListeners = new Set<(resource: GroupResource | undefined) => void>();
  /** The loaded caches that commits update. Caches with lost changes are not among them. */
  readonly #caches = new PrefixMap<WatchCache>();
  readonly #resources: KeyedResources;
  readonly #root: string;
  readonly #isStale: IsStale | undefined;
  readonly #stopTransformers: (() => void) | undefined;
  #rewriting: Promise<void> = Promise.resolve();
  /** Absent if the engine keeps no states. */
  readonly states: StoreStates | undefined;
  /** The objects of collections that are not open yet, in a fork. */
  readonly #sharedObjects: SharedObjects | undefined;
  /** The revision at which the watches that began before it end. */
  #expireAt = Number.POSITIVE_INFINITY;
  readonly #stopListening: () => void;
  #revision: number;
  #dispatched: number;
  #closed: Promise<void> | undefined;

  constructor(options: ObjectStoreOptions) {
    const { transformers, clock = systemClock, compactionWindowMs = 300_000, keepsHistory = false } = options;
    const { historyBytes = 512 * 2 ** 20 } = options;
    this.#root = options.prefix ?? registryPrefix;
    this.#resources = new KeyedResources(this.#root, options.resources ?? []);
    const resourceOf = (key: string): KeyedResource => this.#resources.of(key);
    const transforming = transformers && new TransformingEngine(options.engine, { transformers, resourceOf });
    const transformed = transforming ?? options.engine;
    const decoding = options.codec && new CodecEngine(transformed, options.codec);
    const engine = decoding ?? transformed;
    this.isShared = engine.isShared ?? false;
    options.onOpen?.(engine, this.#root);
    this.#engine = engine;
    this.#untransformed = options.engine;
    this.#isStale = staleness([transforming, decoding]);
    this.#stopTransformers = transformers?.onChange(() => this.#rewriteReadable());
    this.#clock = clock;
    const { shared } = options;
    this.#sharedObjects = shared;
    const slabs = shared === undefined ? new SlabAllocator() : new SlabAllocator(forkSlabBytes);
    const { isVerified = false } = engine;
    const encode = (value: unknown): Uint8Array => slabs.write(stringifyJson(value));
    const interner = shared?.interner ?? new Interner();
    this.#shared = { encode, interner, slabs, isVerified };
    this.#encodings = shared?.encodings ?? new EncodingCache(() => encodingBudget(slabs.held));
    this.states = this.#statesOf(options);
    this.#waiters = new RevisionWaiters(clock);
    this.#packing = new Packing(slabs, () => this.#caches.values());
    this.#historyBytes = historyBytes;
    this.#keepsHistory = keepsHistory;
    this.#backlog = this.#newBacklog();
    this.#revision = engine.revision();
    this.#dispatched = this.#revision;
    this.#compaction = new Compaction({
      engine,
      clock,
      windowMs: compactionWindowMs,
      historyBytes,
      keepsHistory,
      onCompacted: (compacted) => this.#discardBefore(compacted + 1),
      onWindow: () => this.#coolEncodings(),
    });
    this.#compaction.record(this.#revision, 0);
    this.#stopListening = engine.listen({
      onCommit: (changes) => this.#onCommit(changes),
      onLost: () => this.#onLost(),
    });
  }

  collection(resource: StoredResource): Promise<Collection> {
    const prefix = keyPrefix(resource, this.#root);
    let collection = this.#collections.get(prefix);
    if (collection === undefined) {
      this.#resources.add(resource);
      collection = this.#open(resource, prefix);
      this.#collections.set(prefix, collection);
      // the next call loads the collection again
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

  onUnloadedWrite(listener: (resource: GroupResource | undefined) => void): () => void {
    this.#unloadedListeners.add(listener);
    return () => this.#unloadedListeners.delete(listener);
  }

  #statesOf(options: ObjectStoreOptions): StoreStates | undefined {
    const engine = this.#engine;
    // transformed values belong to this store alone
    if (engine !== options.engine || !hasStates(engine)) return undefined;
    const { interner } = this.#shared;
    return new EngineStoreStates(engine, {
      open: (fork, shared, clock = this.#clock) => new CachedObjectStore({ ...options, engine: fork, shared, clock }),
      shared: (revision) => new SharedObjects(revision, { interner, encodings: this.#encodings, caches: this.#caches }),
      expireWatchesAt: (revision) => {
        this.#expireAt = revision;
      },
    });
  }

  onCommit(listener: () => void): () => void {
    this.#commitListeners.add(listener);
    return () => this.#commitListeners.delete(listener);
  }

  #notifyUnloaded(resource: GroupResource | undefined): void {
    for (const listener of this.#unloadedListeners) listener(resource);
  }

  revision(): number {
    return this.#revision;
  }

  compactedRevision(): number {
    return this.#compaction.revision;
  }

  dispatchedRevision(): number {
    return this.#dispatched;
  }

  async compact(revision: number): Promise<void> {
    checkNotFuture(revision, this.#revision);
    await this.#compaction.compact(revision);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#compaction.stop();
    this.#packing.stop();
    this.#stopTransformers?.();
    await this.#rewriting;
    this.#waiters.close();
    await this.#compaction.finished();
    await this.#engine.close();
    this.#stopListening();
  }

  async #open(resource: StoredResource, prefix: string): Promise<CachedCollection> {
    const { namespaced } = resource;
    const decoded = new DecodedObjects();
    const context = { decoded, encodings: this.#encodings, namespaced, prefixLength: prefix.length };
    const options = {
      reader: new ObjectReader(resource, context, this.#shared),
      keys: { namespaced, prefix },
      watchers: new IndexedWatchers(),
      pending: new Map<Uint8Array, ObjectAttributes>(),
    };
    return new CachedCollection(resource, await this.#load(options), {
      engine: this.#engine,
      ...options,
      ...this.#shared,
      decoded,
      waiters: this.#waiters,
      isStale: this.#isStale,
    });
  }

  /** Loads the objects and their history. */
  async #load(options: WatchCacheOptions, replacement?: CacheReload): Promise<WatchCache> {
    const { prefix } = options.keys;
    for (;;) {
      if (this.#closed !== undefined) throw new StorageError('unavailable', 'the store is closed');
      const backlog = this.#backlog;
      await backlog.ready();
      const loaded =
        this.#sharedObjects?.take(prefix, backlog.oldest) ??
        (await loadObjects(this.#engine, prefix, options.reader, () => this.#waiters.catchUp(this.#engine)));
      const cache = new WatchCache(options, this, loaded);
      await replacement?.compare(cache, loaded.revision);
      this.#compaction.raiseTo(backlog.oldest - 1);
      let isComplete = false;
      await backlog.drain(prefix, loaded.revision, cache, () => {
        isComplete = backlog === this.#backlog;
        if (!isComplete) return;
        this.#caches.set(prefix, cache);
        replacement?.complete(cache);
      });
      if (isComplete) {
        this.#packing.release(cache.discardBefore(this.#compaction.revision + 1));
        if (this.#keepsHistory) await cache.addLoadedCheckpoints();
        return cache;
      }
      await this.#packing.releaseAll(cache);
    }
  }

  /**
   * Reloads the collections. Until then, their caches stay unchanged, and commits go to the backlog, as before the
   * first load.
   */
  #onLost(): void {
    const incomplete = [...this.#caches.values()];
    for (const cache of incomplete) {
      cache.freeze();
      this.#caches.delete(cache.options.keys.prefix);
    }
    this.#backlog = this.#newBacklog();
    this.#revision = this.#engine.revision();
    this.#dispatched = this.#revision;
    this.#compaction.record(this.#revision, 0);
    this.#waiters.advance();
    for (const cache of incomplete) void this.#reload(cache);
    this.#notifyUnloaded(undefined);
  }

  #newBacklog(): ChangeBacklog {
    return new ChangeBacklog(this.#engine, {
      budget: this.#keepsHistory ? Number.POSITIVE_INFINITY : this.#historyBytes,
      maxSharedPast: this.#keepsHistory ? Number.POSITIVE_INFINITY : undefined,
      root: this.#root,
    });
  }

  async #reload(cache: WatchCache): Promise<void> {
    const { prefix } = cache.options.keys;
    const opened = this.#collections.get(prefix);
    const collection = await opened;
    while (collection !== undefined && opened === this.#collections.get(prefix) && this.#closed === undefined) {
      try {
        await this.#load(cache.options, new CacheReload(collection, cache.options.watchers));
        this.#waiters.advance();
        await this.#packing.releaseAll(cache);
        return;
      } catch (error) {
        process.emitWarning(`the objects below ${prefix} are not up to date: ${messageOf(error)}`);
        await new Promise<void>((resolve) => this.#clock.after(reloadMs, resolve));
      }
    }
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
        if (this.#unloadedListeners.size > 0) this.#notifyUnloaded(this.#resources.of(change.key));
        continue;
      }
      const visible = cache.apply(change);
      if (visible !== undefined) applied.push({ cache, change: visible });
    }
    this.#revision = this.#engine.revision();
    this.#compaction.recordCommit(this.#revision, bytes);
    if (this.#revision >= this.#expireAt) this.#expireWatches();
    for (const { cache, change } of applied) cache.dispatch(change);
    this.#dispatched = this.#revision;
    this.#waiters.advance();
    for (const listener of this.#commitListeners) listener();
    this.#compaction.limitBytes();
  }

  /** Makes all watchers list again, including those that reconnect. */
  #expireWatches(): void {
    this.#compaction.compact(this.#expireAt).catch(() => undefined);
    this.#expireAt = Number.POSITIVE_INFINITY;
    for (const { options } of this.#caches.values()) options.watchers.endAfterLoss(true);
  }

  #rewriteReadable(): void {
    const isClosed = (): boolean => this.#closed !== undefined;
    const resourceOf = (key: string): KeyedResource => this.#resources.of(key);
    this.#rewriting = this.#rewriting.then(() => rewriteReadable(this.#engine, this.#caches.values(), { isClosed, resourceOf }));
  }

  #discardBefore(revision: number): void {
    for (const cache of this.#caches.values()) this.#packing.release(cache.discardBefore(revision));
    this.#backlog.discardBefore(revision);
  }

  /** Drops encodings that were unused during a window. A fork uses the encodings of the first store. */
  #coolEncodings(): void {
    if (this.#sharedObjects === undefined) this.#encodings.cool();
  }
}
