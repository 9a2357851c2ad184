import { stringifyJson } from '../../codec/json.ts';
import { type Clock, systemClock } from '../../machinery/clock.ts';
import { yieldToEventLoop } from '../../machinery/event-loop/yield.ts';
import { CollectionCache } from '../cache/collection-cache.ts';
import { EncodingCache } from '../cache/encoding-cache.ts';
import type { ObjectChange } from '../cache/history.ts';
import { Interner } from '../cache/interner.ts';
import { loadObjects } from '../cache/load.ts';
import { ObjectReader, type ReaderParts } from '../cache/object-reader.ts';
import { Retention } from '../cache/retention.ts';
import { StorageError } from '../errors.ts';
import type { Change, Engine } from '../kv/engine.ts';
import { checkHappened } from '../mvcc/readable.ts';
import { Slabs } from '../mvcc/slabs.ts';
import { valueLength } from '../mvcc/stored-value.ts';
import { ChangeBacklog } from './change-backlog.ts';
import { StoredCollection } from './collection.ts';
import type { Collection, ObjectStore, StoredResource } from './contract.ts';
import { prefixEnd, prefixOf, resourcePrefix } from './keys.ts';
import { RevisionWaiters } from './waiters.ts';

export interface ObjectStoreOptions {
  /** Owned by the store from now on: closing the store closes it. Nobody else may write to it. */
  readonly engine: Engine;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** How long history can be read and watched from, in milliseconds. Default five minutes, as upstream's. */
  readonly compactionWindowMs?: number;
  /** How many bytes of replaced objects history may hold; more shortens the window. Default 512 MiB. */
  readonly historyBytes?: number;
}

/** States looked at between two turns of the event loop: about a millisecond, if all have to be moved. */
const packChunk = 500;

/** How often the window moves on while it passes once. What is not asked for as long is cold. */
const ticksInWindow = 10;

/**
 * Bytes of other encodings that are kept, over all objects: enough for one of everything that is stored, as lists in
 * protobuf need, as long as that is not too much to ask for.
 */
const encodingBudget = (stored: number): number => Math.min(Math.max(stored, 64 * 2 ** 20), 512 * 2 ** 20);

/** Objects over a key-value engine, with the watch cache between. */
export function openObjectStore(options: ObjectStoreOptions): ObjectStore {
  return new CachedObjectStore(options);
}

class CachedObjectStore implements ObjectStore {
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #shared: ReaderParts;
  readonly #encodings: EncodingCache;
  readonly #waiters: RevisionWaiters;
  readonly #retention: Retention;
  readonly #unclaimed: ChangeBacklog;
  readonly #collections = new Map<string, Promise<Collection>>();
  readonly #caches = new Map<string, CollectionCache>();
  readonly #tickMs: number;
  readonly #stopListening: () => void;
  #revision: number;
  /** The newest revision the cache cannot read; never below the engine's. */
  #compacted: number;
  #ticks = 0;
  #cancelTick: () => void = () => undefined;
  #compacting: Promise<void> = Promise.resolve();
  #packing: Promise<void> | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: ObjectStoreOptions) {
    const { engine, clock = systemClock, compactionWindowMs = 300_000, historyBytes = 512 * 2 ** 20 } = options;
    this.#engine = engine;
    this.#clock = clock;
    const slabs = new Slabs();
    this.#shared = { encode: (value) => slabs.write(stringifyJson(value)), interner: new Interner(), slabs };
    this.#encodings = new EncodingCache(() => encodingBudget(slabs.held));
    this.#waiters = new RevisionWaiters(clock);
    this.#retention = new Retention(compactionWindowMs, historyBytes);
    this.#unclaimed = new ChangeBacklog(engine, historyBytes);
    this.#revision = engine.revision();
    this.#compacted = engine.compactedRevision();
    // What happened before this process is as old as the process.
    this.#retention.note(this.#revision, 0, clock.now());
    this.#tickMs = Math.max(1, Math.floor(compactionWindowMs / ticksInWindow));
    this.#stopListening = engine.onCommit((changes) => this.#onCommit(changes));
    this.#scheduleTick();
  }

  collection(resource: StoredResource): Promise<Collection> {
    const prefix = resourcePrefix(resource);
    let collection = this.#collections.get(prefix);
    if (collection === undefined) {
      collection = this.#load(resource, prefix);
      this.#collections.set(prefix, collection);
      // One that failed to load is tried again when asked for again.
      collection.catch(() => this.#collections.delete(prefix));
    }
    return collection;
  }

  forget(resource: Pick<StoredResource, 'group' | 'resource'>): void {
    const prefix = resourcePrefix(resource);
    this.#collections.delete(prefix);
    this.#caches.delete(prefix);
  }

  async holds(resource: Pick<StoredResource, 'group' | 'resource'>): Promise<boolean> {
    const prefix = resourcePrefix(resource);
    const { items } = await this.#engine.range(prefix, prefixEnd(prefix), { limit: 1 });
    return items.length > 0;
  }

  revision(): number {
    return this.#revision;
  }

  compactedRevision(): number {
    return this.#compacted;
  }

  async compact(revision: number): Promise<void> {
    checkHappened(revision, this.#revision);
    await this.#compact(revision);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#cancelTick();
    this.#waiters.close();
    await this.#compacting.catch(() => undefined);
    await this.#engine.close();
    this.#stopListening();
  }

  async #load(resource: StoredResource, prefix: string): Promise<Collection> {
    if (this.#closed !== undefined) throw new StorageError('unavailable', 'the store is closed');
    await this.#unclaimed.ready();
    const context = { encodings: this.#encodings, namespaced: resource.namespaced, prefixLength: prefix.length };
    const reader = new ObjectReader(resource, context, this.#shared);
    const loaded = await loadObjects(this.#engine, prefix, reader);
    const cache = new CollectionCache(reader, resource.namespaced, prefix, this, loaded);
    this.#raiseCompacted(this.#unclaimed.oldest - 1);
    await this.#unclaimed.claim(prefix, loaded.revision, cache, () => this.#caches.set(prefix, cache));
    this.#release(cache.forget(this.#compacted + 1));
    return new StoredCollection(resource, {
      engine: this.#engine,
      cache,
      reader,
      prefix,
      ...this.#shared,
      waiters: this.#waiters,
      revision: () => this.#revision,
    });
  }

  /** First everything becomes visible, then everybody hears of it, in revision order. */
  #onCommit(changes: readonly Change[]): void {
    const applied: { cache: CollectionCache; change: ObjectChange }[] = [];
    let bytes = 0;
    for (const change of changes) {
      bytes += change.previous === undefined ? 0 : valueLength(change.previous);
      const prefix = prefixOf(change.key);
      const cache = prefix === undefined ? undefined : this.#caches.get(prefix);
      if (cache === undefined) {
        if (prefix !== undefined) this.#unclaimed.add(prefix, change);
        continue;
      }
      const seen = cache.apply(change);
      if (seen !== undefined) applied.push({ cache, change: seen });
    }
    this.#revision = changes[changes.length - 1].revision;
    this.#retention.note(this.#revision, bytes, this.#clock.now());
    for (const { cache, change } of applied) cache.dispatch(change);
    this.#waiters.reached(this.#revision);
    const oldest = this.#retention.overflow();
    if (oldest !== undefined) this.#raiseCompacted(oldest - 1);
  }

  #scheduleTick(): void {
    this.#cancelTick = this.#clock.after(this.#tickMs, () => {
      const oldest = this.#retention.expire(this.#clock.now());
      // What could not be compacted now is part of what the next tick compacts.
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
    for (const cache of this.#caches.values()) this.#release(cache.forget(compacted + 1));
    this.#unclaimed.forget(compacted + 1);
  }

  /** What changes replaced is gone with them. */
  #release(forgotten: readonly ObjectChange[]): void {
    const { slabs } = this.#shared;
    for (const { previous } of forgotten) if (previous !== undefined) slabs.release(previous.stored);
    if (slabs.isSparse && this.#packing === undefined) {
      this.#packing = this.#pack().finally(() => {
        this.#packing = undefined;
      });
    }
  }

  /** Moves what lies between dead bytes, in slices. */
  async #pack(): Promise<void> {
    const { slabs } = this.#shared;
    await yieldToEventLoop();
    const sparse = slabs.sparse();
    let seen = 0;
    for (const cache of this.#caches.values()) {
      for (const { stored } of cache.everything()) {
        slabs.moveFrom(sparse, stored);
        seen += 1;
        if (seen % packChunk === 0) await yieldToEventLoop();
        if (this.#closed !== undefined) return;
      }
    }
    slabs.giveUp(sparse);
  }
}
