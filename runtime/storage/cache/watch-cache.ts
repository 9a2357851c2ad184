import type { Change, KeyValue } from '../kv/engine.ts';
import { orderKey } from '../mvcc/keys.ts';
import { newEdit, type Tree, treeGet, treePut, treeRemove, treeScan } from '../mvcc/ordered-tree.ts';
import { checkNotCompacted, checkReadable } from '../mvcc/readable.ts';
import type { CollectionSnapshot, StoredObject, WatchRequest } from '../object-store/contract.ts';
import type { CollectionKeys } from '../object-store/keys.ts';
import type { CachedObject, ObjectAttributes } from './cached-object.ts';
import { History, ObjectChange, type TreeCheckpoint } from './history.ts';
import type { IndexedWatchers } from './indexed-watchers.ts';
import type { ObjectReader } from './object-reader.ts';
import { TreeSnapshot } from './snapshot.ts';

/** The revisions of the whole store. */
export interface StoreRevisions {
  revision(): number;
  compactedRevision(): number;
  /** Returns the revision up to which watchers know all changes. */
  dispatchedRevision(): number;
}

/** The loaded objects of a collection. */
export interface LoadedObjects {
  readonly root: Tree<CachedObject>;
  readonly corrupt: readonly CachedObject[];
}

/** Options that the caches of a collection share: a new cache replaces the old one after lost changes. */
export interface WatchCacheOptions {
  readonly reader: ObjectReader;
  readonly keys: CollectionKeys;
  readonly watchers: IndexedWatchers;
  /** Attributes of objects being written, by their bytes. */
  readonly pending: ReadonlyMap<Uint8Array, ObjectAttributes>;
}

/** A change from before the collection was loaded. */
export interface PastChange extends Pick<Change, 'type' | 'key' | 'revision'> {
  /** May be absent if it is among the loaded objects. */
  readonly current: KeyValue | undefined;
  /** May be absent if it is the current state of an earlier change. */
  readonly previous?: KeyValue | undefined;
}

/**
 * The objects of one resource in memory, their history within the compaction window, and their watchers. Every commit
 * updates it. It never reads from the engine. (cacher watchCache)
 */
export class WatchCache {
  readonly options: WatchCacheOptions;
  #revisions: StoreRevisions;
  #isFrozen = false;
  readonly #history = new History();
  readonly #corrupt = new Map<string, CachedObject>();
  #root: Tree<CachedObject>;
  /** Replaced whenever the root is shared. */
  #edit = newEdit();
  /** The snapshot of the newest revision. Dropped on every change, since it would keep replaced objects alive. */
  #latest: CollectionSnapshot | undefined;

  constructor(options: WatchCacheOptions, revisions: StoreRevisions, loaded: LoadedObjects) {
    this.options = options;
    this.#revisions = revisions;
    this.#root = loaded.root;
    for (const object of loaded.corrupt) this.#corrupt.set(object.orderKey, object);
  }

  /** The revision of reads. */
  get revision(): number {
    return this.#revisions.revision();
  }

  /** The revision up to which watchers know all changes. */
  get progress(): number {
    return this.options.watchers.heldAt ?? this.#revisions.dispatchedRevision();
  }

  /** Whether the cache stays at its revision because changes were lost. */
  get isFrozen(): boolean {
    return this.#isFrozen;
  }

  /** Stays at the current revision from now on. Called when changes were lost, before the store's revision grows. */
  freeze(): void {
    const revision = this.#revisions.revision();
    const compacted = this.#revisions.compactedRevision();
    this.#isFrozen = true;
    this.#revisions = {
      revision: () => revision,
      compactedRevision: () => compacted,
      dispatchedRevision: () => revision,
    };
  }

  /** Applies a committed change to the tree. Returns undefined if no client can see it, as for corrupt objects. */
  apply(change: Change): ObjectChange | undefined {
    this.#latest = undefined;
    const key = orderKey(change.key);
    const previous = treeGet(this.#root, key);
    const current = this.#currentOf(change, key);
    if (current === undefined && previous === undefined) return undefined;
    this.#root = current === undefined ? treeRemove(this.#root, key, this.#edit) : treePut(this.#root, current, this.#edit);
    const applied = new ObjectChange(change.revision, current, previous);
    if (this.#history.push(applied, this.#root)) this.#edit = newEdit();
    return applied;
  }

  /**
   * Adds a change to the history that the loaded objects already contain. Called in revision order, before any `apply`.
   *
   * @param states the objects after the previous change, by key; updated with this change
   */
  replay(change: PastChange, states: Map<string, CachedObject | undefined>): void {
    this.#latest = undefined;
    const key = orderKey(change.key);
    const isKnown = states.has(key);
    const previous = isKnown || change.previous === undefined ? states.get(key) : this.#readable(change.previous);
    const newest = treeGet(this.#root, key);
    const current =
      change.type === 'delete'
        ? undefined
        : newest?.revision === change.revision
          ? newest
          : change.current === undefined
            ? undefined
            : this.#readable(change.current);
    states.set(key, current);
    if (current === undefined && previous === undefined) return;
    // a watch from the past reads all of them at once
    current?.decodeAttributes();
    previous?.decodeAttributes();
    this.#history.pushLoaded(new ObjectChange(change.revision, current, previous));
  }

  /** Adds checkpoints after `replay`, so that objects at any revision are found as fast as after `apply`. */
  addLoadedCheckpoints(): Promise<void> {
    return this.#history.addLoadedCheckpoints(this.#shareRoot());
  }

  /** Reports whether this revision is a key's newest. */
  isNewest(key: string, revision: number): boolean {
    return treeGet(this.#root, orderKey(key))?.revision === revision;
  }

  dispatch(change: ObjectChange): void {
    this.options.watchers.dispatch(change);
  }

  /** Returns the change of a key at a revision; undefined if no client can see it, or it is not in the history. */
  find(revision: number, key: string): ObjectChange | undefined {
    return this.#history.find(revision, orderKey(key));
  }

  /** Returns the changes after `revision`, in order. */
  changesAfter(revision: number): Iterable<ObjectChange> {
    return this.#history.after(revision);
  }

  corrupt(): readonly (StoredObject & { readonly key: string })[] {
    return [...this.#corrupt.values()];
  }

  /** Returns the newest snapshot. Reads between two changes share it. */
  latest(): CollectionSnapshot {
    const revision = this.#revisions.revision();
    if (this.#latest?.revision !== revision) {
      this.#latest = this.#snapshot(revision, { position: this.#history.end, root: this.#shareRoot() });
    }
    return this.#latest;
  }

  at(revision: number): CollectionSnapshot {
    checkReadable(revision, this.#revisions.compactedRevision(), this.#revisions.revision());
    return this.#snapshot(revision, this.#history.treeAt(revision, this.#shareRoot()));
  }

  requireHistory(after: number): void {
    checkNotCompacted(after, this.#revisions.compactedRevision());
  }

  watch(request: WatchRequest): () => void {
    this.requireHistory(request.after);
    return this.options.watchers.add(request, this.#history.after(request.after), this.#revisions.revision());
  }

  /** Discards the history before `oldest` and returns it. */
  discardBefore(oldest: number): readonly ObjectChange[] {
    return this.#history.discardBefore(oldest);
  }

  /** Returns the current objects for another cache. They stay unchanged. */
  contents(): LoadedObjects {
    return { root: this.#shareRoot(), corrupt: [...this.#corrupt.values()] };
  }

  /** Returns the newest objects, in key order. */
  objects(): Iterable<CachedObject> {
    return treeScan(this.#shareRoot());
  }

  /** Yields the objects that only this cache holds after another one has replaced it. */
  *held(): Generator<CachedObject, void, undefined> {
    yield* this.objects();
    yield* this.#corrupt.values();
    for (const { previous } of this.#history.all()) if (previous !== undefined) yield previous;
  }

  /** Yields all objects in memory including the history, some of them twice. May miss changes during the iteration. */
  *allStates(): Generator<CachedObject, void, undefined> {
    yield* this.objects();
    for (const { current, previous } of this.#history.all()) {
      if (current !== undefined) yield current;
      if (previous !== undefined) yield previous;
    }
  }

  #shareRoot(): Tree<CachedObject> {
    this.#edit = newEdit();
    return this.#root;
  }

  #snapshot(revision: number, checkpoint: TreeCheckpoint): CollectionSnapshot {
    return new TreeSnapshot(revision, checkpoint.root, this.options.keys, () => this.#history.retainListed(checkpoint));
  }

  #currentOf(change: Change, key: string): CachedObject | undefined {
    if (this.#corrupt.size > 0) this.#corrupt.delete(key);
    if (change.type === 'delete') return undefined;
    const { reader, pending } = this.options;
    const object = reader.read(change.current, pending.get(change.current.value));
    if (object.offset >= 0) return object;
    this.#corrupt.set(key, object);
    return undefined;
  }

  #readable(stored: KeyValue): CachedObject | undefined {
    const object = this.options.reader.read(stored);
    return object.offset < 0 ? undefined : object;
  }
}
