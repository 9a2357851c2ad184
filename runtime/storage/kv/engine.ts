/** The state of a key since the write at `modRevision`. */
export interface KeyValue {
  readonly key: string;
  /** Immutable; callers may keep it. */
  readonly value: Uint8Array;
  readonly createRevision: number;
  readonly modRevision: number;
  /** The reason why the value could not be transformed from storage. The value is then in its stored form. */
  readonly transformError?: string | undefined;
  /**
   * The reason why the value cannot be decoded as an object. The value is then in its stored form, after
   * transformations.
   */
  readonly decodeError?: string | undefined;
}

/**
 * A change of one key. `previous` is absent if the key did not exist before. Keys that expire together are deleted at one
 * revision; every other change has its own. (etcd mvccpb.Event)
 */
export interface Change {
  readonly type: 'put' | 'delete';
  readonly key: string;
  readonly revision: number;
  /** For a delete: the last state of the key, the same as `previous`. */
  readonly current: KeyValue;
  readonly previous?: KeyValue;
}

/** A change without its values. */
export interface ChangeSummary extends Pick<Change, 'type' | 'key' | 'revision'> {
  readonly hasPrevious: boolean;
  /** The size of the current and the previous value together, in bytes. */
  readonly size: number;
}

export type Write =
  | {
      readonly type: 'put';
      readonly key: string;
      readonly value: Uint8Array;
      readonly expect: number | 'any';
      /** The key is deleted at least this many seconds after the write, unless it is written again. Default: never. */
      readonly ttlSeconds?: number | undefined;
    }
  | { readonly type: 'delete'; readonly key: string; readonly expect: number | 'any' };

export type EngineResult =
  | { readonly ok: true; readonly change: Change }
  /**
   * The key is not at the expected revision, or does not exist for a delete. `current` is the state of the key, if it
   * exists.
   */
  | { readonly ok: false; readonly current?: KeyValue };

export interface RangeOptions {
  readonly limit?: number;
  readonly revision?: number;
  /** Allocates memory for values that the engine copies for the caller. The engine writes all of it. */
  readonly allocate?: (size: number) => Uint8Array;
}

export interface Range {
  readonly items: readonly KeyValue[];
  /** Whether `limit` cut off keys of the range. */
  readonly more: boolean;
  /** The revision at which the range was read. */
  readonly revision: number;
}

/** A listener for the changes of a store by any process. Its methods must not throw. */
export interface EngineListener {
  /**
   * Called with a durable batch, in revision order. It has all changes of its revisions, and each key at most once at a
   * revision. revision() has already reached its last change or a later one. No later batch has changes up to that
   * revision. An empty batch only reports that revision() grew.
   */
  onCommit(changes: readonly Change[]): void;
  /**
   * Called if changes up to revision() were compacted before this engine could read them. No listener gets them, so
   * earlier reads must be repeated. Later batches follow as usual.
   */
  onLost(): void;
}

/**
 * A storage engine: an ordered map of keys to values with the history of etcd. Keys are ordered by their UTF-8 bytes,
 * are not empty, do not contain NUL and have at most 1,024 bytes. Every successful write takes a new revision of one
 * counter for the whole store. The counter starts at 1 and never goes back, not even after a crash. If the engine
 * allows it, other processes may write to the same store, and take revisions too.
 *
 * Reads, listeners and the writer see a write only when it is durable. Failures are StorageErrors; a write whose
 * expected revision does not match is a result, not a failure.
 */
export interface Engine {
  /**
   * Whether other processes may write to the same store. The engine then compacts by itself, in agreement with them.
   * Default: false.
   */
  readonly isShared?: boolean;
  /**
   * Whether values are as this software wrote them: nothing else writes to the store, and checksums detect damage. A
   * value that looks like JSON of the object store then is. Default: false.
   */
  readonly isVerified?: boolean;
  /** Whether the store limits the size of requests by itself. Default: false. */
  readonly limitsRequests?: boolean;
  /** Returns the revision up to which listeners know all changes; 1 in an empty store. */
  revision(): number;
  /**
   * Returns the revision of the last durable write of any process that was acknowledged before the call. If revision()
   * is older, listeners get the missing changes soon, without another call.
   */
  currentRevision(): number | Promise<number>;
  /** Returns the newest unreadable revision that this engine knows; 0 if nothing was compacted. */
  compactedRevision(): number;
  /**
   * Returns the state at `revision`. Default: the newest, with every write of any process acknowledged before the call.
   * Listeners may not know these writes yet. Throws `compacted` and `future`.
   */
  get(key: string, revision?: number): Promise<KeyValue | undefined>;
  /**
   * Returns keys in [start, end) at a revision, by default the newest as for `get`. Throws `compacted` and `future`.
   */
  range(start: string, end: string, options?: RangeOptions): Promise<Range>;
  /**
   * Writes if the key has the modRevision `expect`; 0 means that it must not exist. Resolves when the write is durable,
   * and listeners know the write or its loss. Concurrent writes may take effect in any order. The engine owns `value`
   * after the call; its listeners get the same array.
   *
   * The write behind a conflict may not be known to listeners yet.
   *
   * @throws StorageError `unknown-outcome` if the write may have happened, or may happen later
   */
  write(write: Write): Promise<EngineResult>;
  /**
   * Returns the first durable changes after `revision`, in order: about `limit`, in whole revisions. May be empty. The
   * changes are whole if the engine would read their values anyway. Throws `compacted`.
   */
  changes(revision: number, limit: number): Promise<readonly (Change | ChangeSummary)[]>;
  /** Calls the listener until the returned function is called. */
  listen(listener: EngineListener): () => void;
  /**
   * Makes `revision` the oldest readable one for all processes, and discards the history that only older revisions
   * need.
   */
  compact(revision: number): Promise<void>;
  /** Waits for pending writes. Later calls reject with `unavailable`. Other engines of the same store continue. */
  close(): Promise<void>;
}
