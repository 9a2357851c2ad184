import type { KubeObject, ObjectMeta } from '../../machinery/object.ts';

/** Where a resource lives and what is kept of its objects beside their bytes. One for all versions of a resource. */
export interface StoredResource {
  readonly group: string;
  /** The plural. */
  readonly resource: string;
  readonly namespaced: boolean;
  /** Values that field selectors may ask for, computed once a write. */
  selectableFields(object: KubeObject): Readonly<Record<string, string>>;
}

/**
 * One version of one object. Immutable; shared by the cache, the snapshots that hold it and the events that carry it.
 */
export interface StoredObject {
  /** "" for cluster-scoped resources. */
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly revision: number;
  readonly createRevision: number;
  /**
   * JSON at the storage version, metadata.resourceVersion included: the bytes a client gets. Copied together anew on
   * every read of the property (about 0.5 us for 2 KiB), and possibly a piece of a larger buffer.
   */
  readonly json: Uint8Array;
  /** The size of `json`. */
  readonly jsonLength: number;
  /** Writes `json` to `target` at `offset`, which must have room; gives the place behind. Cheaper than `json` for lists. */
  writeJson(target: Uint8Array, offset: number): number;
  /** The size of what `writeItem` writes. */
  readonly itemLength: number;
  /** As `writeJson`, without kind and apiVersion: items of lists of built-in kinds do not say what they are. */
  writeItem(target: Uint8Array, offset: number): number;
  readonly labels: Readonly<Record<string, string>>;
  /** metadata.name, metadata.namespace and the resource's selectable fields. */
  readonly fields: Readonly<Record<string, string>>;
  /** Decodes `json`, afresh on every call: the caller owns the result. Throws StorageError `corrupt`. */
  decode(): KubeObject;
  /** The metadata alone, decoded afresh: a fraction of the cost of `decode`. Throws StorageError `corrupt`. */
  metadata(): ObjectMeta;
  /** Whether the bytes hold these somewhere. Decodes nothing: about 0.2 us for 2 KiB. */
  mentions(text: Uint8Array): boolean;
  /** Other encodings of this object, made when first asked for and dropped when cold. */
  cacheEncode(key: string, encode: () => Uint8Array): Uint8Array;
}

/** An object as it is to be stored. */
export interface EncodedObject {
  readonly namespace: string;
  readonly name: string;
  /** From encodeStored. */
  readonly value: Uint8Array;
  readonly labels: Readonly<Record<string, string>>;
  /** What StoredResource.selectableFields gives. */
  readonly selectable: Readonly<Record<string, string>>;
}

/** A consistent view of a resource at one revision. Costs nothing to hold for a while. */
export interface Snapshot {
  readonly revision: number;
  get(namespace: string, name: string): StoredObject | undefined;
  /** Objects in key order, all or of one namespace, strictly after `after`. */
  scan(options?: { namespace?: string; after?: { namespace: string; name: string } }): Iterable<StoredObject>;
  /** How many objects, all or of one namespace; exact, O(log n). */
  count(namespace?: string): number;
  /** How many objects of all or of one namespace come strictly after `after`; exact, O(log n). */
  countAfter(after: { namespace: string; name: string }, namespace?: string): number;
}

export interface ObjectEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly revision: number;
  /** For DELETED the last state, with the revision of the deletion as its resourceVersion. */
  readonly object: StoredObject;
  readonly previous?: StoredObject;
  /** Of MODIFIED: `previous` with this event's revision, for those who have ceased to see the object. */
  readonly deletedObject?: () => StoredObject;
}

export interface WatchRequest {
  readonly namespace?: string;
  readonly name?: string;
  /** Events strictly after this revision; throws StorageError `compacted`. */
  readonly after: number;
  /** Both states are asked, so that beginning or ceasing to match becomes ADDED or DELETED. */
  readonly matches?: (object: StoredObject) => boolean;
  /** Called with events in revision order; synchronous, must not throw. History after `after` is delivered before `watch` returns. */
  readonly onEvent: (event: ObjectEvent) => void;
}

export interface Collection {
  readonly resource: StoredResource;
  /** The newest consistent view this process has. */
  latest(): Snapshot;
  /** Exactly this revision. Throws StorageError `compacted` or `future`. */
  at(revision: number): Snapshot;
  /** A view at least as new as `revision`; waits until there is one. Rejects with `future` after `timeoutMs`, or when `signal` aborts. */
  notOlderThan(revision: number, options: { timeoutMs: number; signal?: AbortSignal }): Promise<Snapshot>;
  /** A view that holds every write acknowledged before the call, by anybody. */
  mostRecent(): Snapshot | Promise<Snapshot>;
  /**
   * Objects whose stored bytes cannot be decoded: not in snapshots, no events. Their `json` is the bytes as they are,
   * labels and fields are empty; `delete` removes them, `create` finds them in the way.
   */
  corrupt(): readonly StoredObject[];
  /** Throws StorageError `compacted` where a watch after this revision would. */
  requireHistory(after: number): void;
  /** Calls `onEvent` until the returned function is called. */
  watch(request: WatchRequest): () => void;
  /** Resolves when durable and visible in `latest`. Undefined: the key exists. */
  create(object: KubeObject): Promise<StoredObject | undefined>;
  /** Replaces the object if it is still at `expect`. Undefined: it is not. */
  update(object: KubeObject, expect: number): Promise<StoredObject | undefined>;
  /** As `create`, where `expect` is 0, or `update`, of what somebody else has encoded: a worker thread. */
  put(encoded: EncodedObject, expect: number): Promise<StoredObject | undefined>;
  /** Removes it if still at `expect`; gives the last state with the deletion's revision. Undefined: it is not at `expect`. */
  delete(namespace: string, name: string, expect: number): Promise<StoredObject | undefined>;
}

export interface ObjectStore {
  /** The collection of a resource, loaded when first asked for. The same object for every call with one group and plural. */
  collection(resource: StoredResource): Promise<Collection>;
  /**
   * Lets go of a collection that is empty, so that the resource can come back with another scope. Who still has it must
   * not use it any more.
   */
  forget(resource: Pick<StoredResource, 'group' | 'resource'>): void;
  /** Whether a resource has objects, readable or not. Loads none of them. */
  holds(resource: Pick<StoredResource, 'group' | 'resource'>): Promise<boolean>;
  /** The newest revision of the whole store. */
  revision(): number;
  /** Revisions up to this one cannot be read any more. */
  compactedRevision(): number;
  /** Makes revisions before this one unreadable. */
  compact(revision: number): Promise<void>;
  /** Ends waits with `unavailable`, finishes the writes under way and closes the engine. */
  close(): Promise<void>;
}
