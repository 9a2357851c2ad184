import type { Clock } from '../../machinery/clock.ts';
import type { GroupResource } from '../../machinery/gvk.ts';
import type { KubeObject, ObjectMeta } from '../../machinery/object.ts';

/** How the objects of a resource are stored. One for all versions of a resource. */
export interface StoredResource {
  readonly group: string;
  /** The plural. */
  readonly resource: string;
  /** As ResourceFacts.resourcePrefix. */
  readonly resourcePrefix: string;
  readonly namespaced: boolean;
  /** Objects are deleted this many seconds after they were last written. Default: never. (genericregistry.Store TTLFunc) */
  readonly ttlSeconds?: number | undefined;
  /** The values that field selectors can select by. Called once for each write. */
  selectableFields(object: KubeObject): Readonly<Record<string, string>>;
  /** Whether reads change the object. Called once for each write, and never when objects are loaded. Default: they do not. */
  changesWhenRead?(object: KubeObject): boolean;
  /** How many bytes kube-apiserver stores of a large object. Called before it is written. Default: its JSON and a newline. */
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
   * JSON at the storage version with metadata.resourceVersion, as clients get it. Every read of the property makes a copy
   * (about 0.5 us for 2 KiB), which may be a view of a larger buffer.
   */
  readonly json: Uint8Array;
  /** The size of `json`. */
  readonly jsonLength: number;
  /** Writes `json` to `target` at `offset` and returns the offset behind it. Cheaper for lists than `json`. */
  writeJson(target: Uint8Array, offset: number): number;
  /** The size of what `writeItem` writes. */
  readonly itemLength: number;
  /** As `writeJson`, without kind and apiVersion, which items of lists of built-in kinds do not have. */
  writeItem(target: Uint8Array, offset: number): number;
  readonly labels: Readonly<Record<string, string>>;
  /** metadata.name, metadata.namespace and the selectable fields of the resource. */
  readonly fields: Readonly<Record<string, string>>;
  /** What StoredResource.changesWhenRead said at the write; undefined for an object that was loaded. */
  readonly changesWhenRead: boolean | undefined;
  /** Why the stored bytes could not be transformed from storage. Only corrupt objects have it. */
  readonly transformError?: string | undefined;
  /** Why the stored bytes could not be decoded, if that is known without `decode`. Only corrupt objects have it. */
  readonly decodeError?: string | undefined;
  /** Decodes `json`. Every call returns a new object, which the caller owns. Throws StorageError `corrupt`. */
  decode(): KubeObject;
  /** What `decode` returns, shared by all who ask while somebody holds it (Collection.holdDecoded): nobody may change it. */
  shared(): KubeObject;
  /** The same of `metadata`. */
  sharedMetadata(): ObjectMeta;
  /** Decodes only the metadata, at a fraction of the cost of `decode`. Throws StorageError `corrupt`. */
  metadata(): ObjectMeta;
  /** Whether the stored bytes contain `text`. Decodes nothing: about 0.2 us for 2 KiB. */
  mentions(text: Uint8Array): boolean;
  /** Another encoding of this object: the cached one with this key, or what `encode` returns. (runtime.CacheableObject) */
  cacheEncode(key: string, encode: () => Uint8Array): Uint8Array;
}

/** An object in its stored encoding. */
export interface EncodedObject {
  readonly namespace: string;
  readonly name: string;
  /** From encodeStored. */
  readonly value: Uint8Array;
  readonly labels: Readonly<Record<string, string>>;
  /** From StoredResource.selectableFields. */
  readonly selectable: Readonly<Record<string, string>>;
  /** From StoredResource.changesWhenRead. */
  readonly changesWhenRead: boolean;
  /** From storedLength. */
  readonly storedLength: number;
}

/** A consistent view of a resource at one revision. Cheap to hold for a while. */
export interface CollectionSnapshot {
  readonly revision: number;
  get(namespace: string, name: string): StoredObject | undefined;
  /** Objects in key order, of all namespaces or one, strictly after `after`. */
  scan(options?: { namespace?: string | undefined; after?: { namespace: string; name: string } }): Iterable<StoredObject>;
  /** The number of objects, in all namespaces or one. Exact; O(log n). */
  count(namespace?: string): number;
  /** The number of objects strictly after `after`, in all namespaces or one. Exact; O(log n). */
  countAfter(after: { namespace: string; name: string }, namespace?: string): number;
}

export interface ObjectEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly revision: number;
  /** For DELETED: the last state, with the revision of the deletion as its resourceVersion. */
  readonly object: StoredObject;
  readonly previous?: StoredObject;
  /** For MODIFIED: `previous` with this event's revision. Watchers that no longer see the object get it as DELETED. */
  readonly deletedObject?: () => StoredObject;
}

export interface WatchRequest {
  readonly namespace?: string;
  readonly name?: string;
  /** Events strictly after this revision; throws StorageError `compacted`. */
  readonly after: number;
  /** Called for both states: an object that begins or ceases to match is ADDED or DELETED. */
  readonly matches?: (object: StoredObject) => boolean;
  /** Called synchronously, in revision order; must not throw. `watch` delivers the history after `after` before it returns. */
  readonly onEvent: (event: ObjectEvent) => void;
  /**
   * Called if changes were lost, which ends the watch. Without it, the watch goes on with events for the differences between
   * the objects before and after, as an informer after it has listed again: all have one revision, at most the newest change of
   * an object is told, and an object that was deleted and created again is DELETED and ADDED.
   *
   * @param isExpired whether the store was restored so that clients have to list again; the watch ends then, too
   */
  readonly onLost?: (isExpired: boolean) => void;
}

export interface Collection {
  readonly resource: StoredResource;
  /**
   * The key of an object in storage, which errors contain. (apiserver registry/generic/registry/store.go NamespaceKeyFunc)
   *
   * @param name of a corrupt object: whatever follows the prefix in its key
   */
  storageKey(namespace: string, name: string): string;
  /** The newest view that this process has. */
  latest(): CollectionSnapshot;
  /** The view at exactly this revision. Throws StorageError `compacted` or `future`. */
  at(revision: number): CollectionSnapshot;
  /** Waits for a view at least as new as `revision`. Rejects with `future` after `timeoutMs`, or when `signal` aborts. */
  notOlderThan(revision: number, options: { timeoutMs: number; signal?: AbortSignal }): Promise<CollectionSnapshot>;
  /**
   * A view with every write that any server acknowledged before the call; a promise only if that has to be waited for. Rejects
   * with a StatusError 504 if it takes longer than ten seconds.
   */
  mostRecent(): CollectionSnapshot | Promise<CollectionSnapshot>;
  /**
   * Every watcher knows all changes up to this revision, but for those that are being told what changed while changes were lost.
   * Older than `latest` while changes are being told.
   */
  progress(): number;
  /**
   * Objects whose stored bytes cannot be decoded. They are not in snapshots and cause no events. Their `json` is the
   * stored bytes; labels and fields are empty. `delete` removes them; `create` finds that their key exists.
   */
  corrupt(): readonly StoredObject[];
  /** Whether the object should be written again although it has not changed, to be transformed as it would be now. */
  isStale(stored: StoredObject): boolean | Promise<boolean>;
  /** Throws StorageError `compacted` if a watch after this revision would. */
  requireHistory(after: number): void;
  /** Calls `onEvent` until the returned function is called. */
  watch(request: WatchRequest): () => void;
  /**
   * What `find` returns is shared with all who ask for the object at this revision, until the returned function is called.
   *
   * @param find an object as `decode` returns it, of any revision; called for each object that is asked for
   */
  holdDecoded(find: (namespace: string, name: string) => KubeObject | undefined): () => void;
  /**
   * Resolves when the object is durable and visible in `latest`, with undefined if the key exists. Rejects with StorageError
   * `unavailable`, as the other writes, if the object is too large for etcd.
   */
  create(object: KubeObject): Promise<StoredObject | undefined>;
  /** Replaces the object if it is at revision `expect`; else resolves with undefined. */
  update(object: KubeObject, expect: number): Promise<StoredObject | undefined>;
  /** As `create` if `expect` is 0, else as `update`, for an object that a worker thread has encoded. */
  put(encoded: EncodedObject, expect: number): Promise<StoredObject | undefined>;
  /** Deletes the object if it is at revision `expect`, and returns the last state with the deletion's revision; else undefined. */
  delete(namespace: string, name: string, expect: number): Promise<StoredObject | undefined>;
}

/** A store at one revision. It stays as it is, whatever is written or compacted later. */
export interface StoreState {
  readonly revision: number;
  /** How many objects there are. */
  readonly objects: number;
}

/** What watchers see of a restoration: each change, as if somebody had made it, or that they have to list again. */
export type RestoredWatches = 'Continue' | 'Expire';

/** A store whose states can be kept and come back. */
export interface StoreStates {
  /** Costs the same however many objects there are. */
  state(): StoreState;
  /**
   * Makes the objects what they are in a state of this store, or of one that it is a fork of, by changes with new revisions:
   * first deletions, then the others. Objects that are equal stay as they are. Resolves when watchers know.
   */
  restore(state: StoreState, watches: RestoredWatches): Promise<void>;
  /**
   * Another store, which begins with a state. Both share what is the same.
   *
   * @param clock Default: that of this store
   */
  fork(state: StoreState, clock?: Clock): ObjectStore;
}

export interface ObjectStore {
  /** Absent if the engine keeps no states, or values are not stored as they are. */
  readonly states?: StoreStates | undefined;
  /** Whether other processes may write to the same store. */
  readonly isShared: boolean;
  /** The collection of a resource, loaded on first use. Calls with the same prefix return the same object. */
  collection(resource: StoredResource): Promise<Collection>;
  /**
   * Forgets an empty collection, so that the resource can be defined again with another scope. The collection must not be
   * used after that.
   */
  forget(resource: Pick<StoredResource, 'resourcePrefix'>): void;
  /** Whether a resource has objects, corrupt ones included. Loads none of them. */
  hasObjects(resource: Pick<StoredResource, 'resourcePrefix'>): Promise<boolean>;
  /**
   * Calls the listener when an object of a resource without a loaded collection has been written, by whomever; with undefined
   * when it is not known of which, because changes were lost. Until the returned function is called.
   */
  onUnloadedWrite(listener: (resource: GroupResource | undefined) => void): () => void;
  /** Calls the listener after each commit that can be read here, when watchers know it, until the returned function is called. */
  onCommit(listener: () => void): () => void;
  /** The newest revision of the whole store. */
  revision(): number;
  /** The newest revision that can no longer be read. */
  compactedRevision(): number;
  /** Makes the revisions before this one unreadable. */
  compact(revision: number): Promise<void>;
  /** Rejects waits with `unavailable`, finishes pending writes and closes the engine. */
  close(): Promise<void>;
}
