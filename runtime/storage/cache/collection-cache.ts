import type { Change, KeyValue } from '../kv/engine.ts';
import { orderKey } from '../mvcc/keys.ts';
import { newEdit, type Tree, treeGet, treePut, treeRemove, treeScan } from '../mvcc/ordered-tree.ts';
import { checkNotCompacted, checkReadable } from '../mvcc/readable.ts';
import type { Snapshot, StoredObject, WatchRequest } from '../object-store/contract.ts';
import type { CachedObject, ObjectIndex } from './cached-object.ts';
import { History, ObjectChange, type TreeMark } from './history.ts';
import type { ObjectReader } from './object-reader.ts';
import { TreeSnapshot } from './snapshot.ts';
import { WatchHub } from './watch-hub.ts';

/** How far the whole store is. */
export interface StoreRevisions {
  revision(): number;
  compactedRevision(): number;
}

/** What the collection held when it was loaded. */
export interface LoadedState {
  readonly root: Tree<CachedObject>;
  readonly corrupt: readonly CachedObject[];
}

/** A change of before the loaded state. */
export interface RecalledChange extends Pick<Change, 'type' | 'key' | 'revision'> {
  /** May be absent where the loaded state has it. */
  readonly current: KeyValue | undefined;
  /** May be absent where a change before told. */
  readonly previous?: KeyValue | undefined;
}

/**
 * The objects of one resource in memory: the newest ones, what they were within the compaction window, and who
 * watches them. Fed with every commit; never asks the engine.
 */
export class CollectionCache {
  /** By the bytes on their way to the engine: what was computed of the object when it was encoded. */
  readonly pending = new Map<Uint8Array, ObjectIndex>();
  readonly #reader: ObjectReader;
  readonly #namespaced: boolean;
  readonly #prefix: string;
  readonly #revisions: StoreRevisions;
  readonly #history = new History();
  readonly #hub = new WatchHub();
  readonly #corrupt = new Map<string, CachedObject>();
  #root: Tree<CachedObject>;
  /** Begun anew whenever the root is given to somebody. */
  #edit = newEdit();
  /** What reads were given last, until something changes: it would keep alive what is gone. */
  #latest: Snapshot | undefined;

  constructor(
    reader: ObjectReader,
    namespaced: boolean,
    prefix: string,
    revisions: StoreRevisions,
    loaded: LoadedState,
  ) {
    this.#reader = reader;
    this.#namespaced = namespaced;
    this.#prefix = prefix;
    this.#revisions = revisions;
    this.#root = loaded.root;
    for (const object of loaded.corrupt) this.#corrupt.set(object.orderKey, object);
  }

  /** Puts a committed change into the tree; undefined where nobody can see it, as with corrupt objects. */
  apply(change: Change): ObjectChange | undefined {
    this.#latest = undefined;
    const key = orderKey(change.key);
    const previous = treeGet(this.#root, key);
    const current = this.#currentOf(change, key);
    if (current === undefined && previous === undefined) return undefined;
    this.#root =
      current === undefined ? treeRemove(this.#root, key, this.#edit) : treePut(this.#root, current, this.#edit);
    const applied = new ObjectChange(change.revision, current, previous);
    if (this.#history.push(applied, this.#root)) this.#edit = newEdit();
    return applied;
  }

  /**
   * Adds a change to the history that the loaded state has already. Called in revision order, before any `apply`.
   *
   * @param states the objects as of the change before, by key; brought up to date
   */
  recall(change: RecalledChange, states: Map<string, CachedObject | undefined>): void {
    this.#latest = undefined;
    const key = orderKey(change.key);
    const known = states.has(key);
    const previous = known || change.previous === undefined ? states.get(key) : this.#readable(change.previous);
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
    this.#history.pushLoaded(new ObjectChange(change.revision, current, previous));
  }

  /** Whether the newest state of a key is that of this revision. */
  holds(key: string, revision: number): boolean {
    return treeGet(this.#root, orderKey(key))?.revision === revision;
  }

  dispatch(change: ObjectChange): void {
    this.#hub.dispatch(change);
  }

  find(revision: number): ObjectChange | undefined {
    return this.#history.find(revision);
  }

  corrupt(): readonly StoredObject[] {
    return [...this.#corrupt.values()];
  }

  /** The same one until something changes: reads are many, and come between few writes. */
  latest(): Snapshot {
    const revision = this.#revisions.revision();
    if (this.#latest?.revision !== revision) {
      this.#latest = this.#snapshot(revision, { position: this.#history.end, root: this.#shareRoot() });
    }
    return this.#latest;
  }

  at(revision: number): Snapshot {
    checkReadable(revision, this.#revisions.compactedRevision(), this.#revisions.revision());
    return this.#snapshot(revision, this.#history.treeAt(revision, this.#shareRoot()));
  }

  requireHistory(after: number): void {
    checkNotCompacted(after, this.#revisions.compactedRevision());
  }

  watch(request: WatchRequest): () => void {
    this.requireHistory(request.after);
    return this.#hub.add(request, this.#history.after(request.after), this.#revisions.revision());
  }

  /** Gives what nobody can ask for any more. */
  forget(oldest: number): readonly ObjectChange[] {
    return this.#history.forget(oldest);
  }

  /** All that is kept, in history too; some of it twice. Changes made while this is read may be missing. */
  *everything(): Generator<CachedObject, void, undefined> {
    yield* treeScan(this.#shareRoot());
    for (const { current, previous } of this.#history.all()) {
      if (current !== undefined) yield current;
      if (previous !== undefined) yield previous;
    }
  }

  #shareRoot(): Tree<CachedObject> {
    this.#edit = newEdit();
    return this.#root;
  }

  #snapshot(revision: number, mark: TreeMark): Snapshot {
    return new TreeSnapshot(revision, mark.root, { namespaced: this.#namespaced, prefix: this.#prefix }, () =>
      this.#history.remember(mark),
    );
  }

  #currentOf(change: Change, key: string): CachedObject | undefined {
    if (this.#corrupt.size > 0) this.#corrupt.delete(key);
    if (change.type === 'delete') return undefined;
    const object = this.#reader.read(change.current, this.pending.get(change.current.value));
    if (object.offset >= 0) return object;
    this.#corrupt.set(key, object);
    return undefined;
  }

  #readable(stored: KeyValue): CachedObject | undefined {
    const object = this.#reader.read(stored);
    return object.offset < 0 ? undefined : object;
  }
}
