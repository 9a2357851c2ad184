import type { Clock } from '../../machinery/clock.ts';
import type { GroupResource } from '../../machinery/gvk.ts';
import type { KubeObject, ObjectMeta } from '../../machinery/object.ts';

/** The storage of a resource's objects. All versions of a resource share it. */
export interface StoredResource {
  readonly group: string;
  /** The plural. */
  readonly resource: string;
  /** See ResourceFacts.resourcePrefix. */
  readonly resourcePrefix: string;
  readonly namespaced: boolean;
  /** Seconds after the last write when objects are deleted. Default: never. (genericregistry.Store TTLFunc) */
  readonly ttlSeconds?: number | undefined;
  /** Whether reads of a version are those of a resource without a watch cache. Default: false. */
  readonly isUncached?: boolean | undefined;
  /** Returns the values for field selectors. Called once for each write. */
  selectableFields(object: KubeObject): Readonly<Record<string, string>>;
  /**
   * Reports whether reads change the object. Called once for each write, and never when objects are loaded. Default:
   * false.
   */
  changesWhenRead?(object: KubeObject): boolean;
  /**
   * Returns the bytes of a large object in kube-apiserver's storage. Called before it is written. Default: its JSON and
   * a newline.
   */
  readonly storedLength?: ((object: KubeObject) => number) | undefined;
}

/** One revision of one object. Immutable; the cache, snapshots and events share it. */
export interface StoredObject {
  /** "" for cluster-scoped resources. */
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly revision: number;
  readonly createRevision: number;
  /**
   * JSON at the storage version with metadata.resourceVersion, as clients get it. Every read of the property makes a
   * copy (about 0.5 us for 2 KiB), possibly a view of a larger buffer.
   */
  readonly json: Uint8Array;
  /** The bytes of `json`. */
  readonly jsonLength: number;
  /** Writes `json` to `target` at `offset`, and returns the offset after it. Cheaper for lists than `json`. */
  writeJson(target: Uint8Array, offset: number): number;
  /** The bytes that `writeItem` writes. */
  readonly itemLength: number;
  /** Writes like `writeJson`, without kind and apiVersion, which list items of built-in kinds do not have. */
  writeItem(target: Uint8Array, offset: number): number;
  readonly labels: Readonly<Record<string, string>>;
  /** metadata.name, metadata.namespace and the selectable fields of the resource. */
  readonly fields: Readonly<Record<string, string>>;
  /** The result of StoredResource.changesWhenRead at the write; undefined for a loaded object. */
  readonly changesWhenRead: boolean | undefined;
  /** The reason why the stored bytes could not be transformed from storage. Only corrupt objects have it. */
  readonly transformError?: string | undefined;
  /**
   * The reason why the stored bytes could not be decoded, if it is known without `decode`. Only corrupt objects have
   * it.
   */
  readonly decodeError?: string | undefined;
  /** Decodes `json`. Every call returns a new object, which the caller owns. Throws StorageError `corrupt`. */
  decode(): KubeObject;
  /**
   * Returns the same as `decode`. While Collection.holdDecoded holds the object, all callers share the result. It must
   * not be changed.
   */
  shared(): KubeObject;
  /** Returns the metadata of `shared`. It must not be changed. */
  sharedMetadata(): ObjectMeta;
  /** Decodes only the metadata, at a fraction of the cost of `decode`. Throws StorageError `corrupt`. */
  metadata(): ObjectMeta;
  /** Reports whether the stored bytes contain `text`, without decoding them: about 0.2 us for 2 KiB. */
  mentions(text: Uint8Array): boolean;
  /**
   * Returns the cached encoding of this object with the key, or calls and caches `encode`. (runtime.CacheableObject)
   */
  cacheEncode(key: string, encode: () => Uint8Array): Uint8Array;
}

/** An object in its stored encoding. */
export interface EncodedObject {
  readonly namespace: string;
  readonly name: string;
  /** The result of encodeStored. */
  readonly value: Uint8Array;
  readonly labels: Readonly<Record<string, string>>;
  /** The result of StoredResource.selectableFields. */
  readonly selectable: Readonly<Record<string, string>>;
  /** The result of StoredResource.changesWhenRead. */
  readonly changesWhenRead: boolean;
  /** The result of storedLength. */
  readonly storedLength: number;
}

/** A consistent view of a resource at one revision. Cheap to hold for a while. */
export interface CollectionSnapshot {
  readonly revision: number;
  get(namespace: string, name: string): StoredObject | undefined;
  /**
   * Yields objects in key order, of all namespaces or one, strictly after `after`.
   *
   * @param options.from the first key, as text behind the prefix of the namespace or of the collection. It need not be a key.
   */
  scan(options?: {
    namespace?: string | undefined;
    after?: { namespace: string; name: string };
    from?: string | undefined;
  }): Iterable<StoredObject>;
  /** Returns the exact number of objects, in all namespaces or one, in O(log n). */
  count(namespace?: string): number;
  /** Returns the exact number of objects strictly after `after`, in all namespaces or one, in O(log n). */
  countAfter(after: { namespace: string; name: string }, namespace?: string): number;
}

export interface ObjectEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly revision: number;
  /** For DELETED: the last state, with the revision of the deletion as its resourceVersion. */
  readonly object: StoredObject;
  readonly previous?: StoredObject | undefined;
  /**
   * For MODIFIED: returns `previous` with this event's revision. Watchers that no longer see the object get it as
   * DELETED.
   */
  readonly deletedObject?: (() => StoredObject) | undefined;
}

export interface WatchRequest {
  readonly namespace?: string;
  readonly name?: string;
  /** The revision after which events begin. Throws StorageError `compacted` if it is too old. */
  readonly after: number;
  /** Called with both states: an object that begins to match is ADDED, one that ceases is DELETED. */
  readonly matches?: (object: StoredObject) => boolean;
  /**
   * Called synchronously, in revision order. Must not throw. `watch` delivers the history after `after` before it
   * returns.
   */
  readonly onEvent: (event: ObjectEvent) => void;
  /**
   * Called if changes were lost; the watch then ends. Without it, the watch goes on with the differences between the
   * objects before and after, like an informer that lists again: all events have one revision, only the newest change
   * of an object is delivered, and an object that was deleted and created again is DELETED and ADDED.
   *
   * @param isExpired whether the cause is a restored store whose clients must list again
   */
  readonly onLost?: (isExpired: boolean) => void;
}

/** The stored objects of one resource. (storage.Interface) */
export interface Collection {
  readonly resource: StoredResource;
  /**
   * Returns the storage key of an object, which errors contain. (apiserver registry/generic/registry/store.go
   * NamespaceKeyFunc)
   *
   * @param name for a corrupt object, the part of its key after the prefix
   */
  storageKey(namespace: string, name: string): string;
  /** Returns the newest view of this process. */
  latest(): CollectionSnapshot;
  /** Returns the view at exactly this revision. Throws StorageError `compacted` or `future`. */
  at(revision: number): CollectionSnapshot;
  /** Waits for a view at least as new as `revision`. Rejects with `future` after `timeoutMs`, or when `signal` aborts. */
  notOlderThan(revision: number, options: { timeoutMs: number; signal?: AbortSignal }): Promise<CollectionSnapshot>;
  /**
   * Returns a view with every write that any server acknowledged before the call. Returns a promise only if it must
   * wait. Rejects with a StatusError 504 after ten seconds.
   */
  mostRecent(): CollectionSnapshot | Promise<CollectionSnapshot>;
  /**
   * Returns the revision up to which every watcher knows all changes, except for watchers that are catching up after
   * lost changes. It is older than `latest` while changes are delivered.
   */
  progress(): number;
  /**
   * Returns objects whose stored bytes cannot be decoded. They are not in snapshots and cause no events. Their `json`
   * is the stored bytes; labels and fields are empty. `delete` removes them; for `create`, their key exists.
   */
  corrupt(): readonly StoredObject[];
  /** Whether writes are refused that etcd would refuse for their size. False if the engine does so itself. */
  readonly checksSize: boolean;
  /** Reports whether an unchanged object should be rewritten to update its transformation. */
  isStale(stored: StoredObject): boolean | Promise<boolean>;
  /** Throws StorageError `compacted` if a watch after this revision would throw it. */
  requireHistory(after: number): void;
  /** Calls `onEvent` until the returned function is called. */
  watch(request: WatchRequest): () => void;
  /**
   * Shares decoded objects: callers that ask for an object at the revision of `find`'s result get that result. The
   * returned function ends that.
   *
   * @param find returns an object in the form of `decode`, of any revision; called for each requested object
   */
  holdDecoded(find: (namespace: string, name: string) => KubeObject | undefined): () => void;
  /**
   * Resolves when the object is durable and visible in `latest`, with undefined if the key exists. Rejects with
   * StorageError `unavailable`, like other writes, if the object is too large for etcd.
   */
  create(object: KubeObject): Promise<StoredObject | undefined>;
  /** Replaces the object if it is at revision `expect`; otherwise resolves with undefined. */
  update(object: KubeObject, expect: number): Promise<StoredObject | undefined>;
  /** Writes an object that a worker thread has encoded, like `create` if `expect` is 0, else like `update`. */
  put(encoded: EncodedObject, expect: number): Promise<StoredObject | undefined>;
  /**
   * Deletes the object if it is at revision `expect`. Resolves with the last state and the deletion's revision, else
   * undefined.
   */
  delete(namespace: string, name: string, expect: number): Promise<StoredObject | undefined>;
}

/** A store at one revision. Later writes and compactions do not change it. */
export interface StoreState {
  readonly revision: number;
  /** The number of objects. */
  readonly objects: number;
}

/**
 * The effect of a restoration on watches: `Continue` delivers each change like an ordinary one, `Expire` makes clients
 * list again.
 */
export type RestoredWatches = 'Continue' | 'Expire';

/** A store whose states can be kept and restored. */
export interface StoreStates {
  /** Keeps the current state. The cost does not depend on the number of objects. */
  state(): StoreState;
  /**
   * Restores the objects of a state of this store, or of a store that it was forked from, by changes with new
   * revisions: first deletions, then writes. Equal objects stay unchanged. Resolves when watchers know the changes.
   */
  restore(state: StoreState, watches: RestoredWatches): Promise<void>;
  /**
   * Returns another store that starts with a state. Both share equal data.
   *
   * @param clock Default: that of this store
   */
  fork(state: StoreState, clock?: Clock): ObjectStore;
}

/** The stored objects of all resources. */
export interface ObjectStore {
  /** Absent if the engine keeps no states, or values are transformed for storage. */
  readonly states?: StoreStates | undefined;
  /** Whether other processes may write to the same store. */
  readonly isShared: boolean;
  /** The collection of a resource, loaded on first use. Calls with the same prefix return the same object. */
  collection(resource: StoredResource): Promise<Collection>;
  /**
   * Forgets an empty collection, so that the resource can be defined again with another scope. The collection must not
   * be used afterwards.
   */
  forget(resource: Pick<StoredResource, 'resourcePrefix'>): void;
  /** Reports whether a resource has objects, including corrupt ones. Loads none of them. */
  hasObjects(resource: Pick<StoredResource, 'resourcePrefix'>): Promise<boolean>;
  /**
   * Calls the listener when any process writes an object whose collection is not loaded, or with undefined if lost
   * changes may have been such writes. The returned function ends that.
   */
  onUnloadedWrite(listener: (resource: GroupResource | undefined) => void): () => void;
  /** Calls the listener after each readable commit, when watchers know it. The returned function ends that. */
  onCommit(listener: () => void): () => void;
  /** Returns the newest revision of the whole store. */
  revision(): number;
  /** Returns the newest unreadable revision. */
  compactedRevision(): number;
  /** Makes the revisions before this one unreadable. */
  compact(revision: number): Promise<void>;
  /** Rejects waiting reads with `unavailable`, finishes pending writes and closes the engine. */
  close(): Promise<void>;
}
