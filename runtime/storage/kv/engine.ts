/** The state of a key since the write at `modRevision`. */
export interface KeyValue {
  readonly key: string;
  /** Immutable; callers may keep it. */
  readonly value: Uint8Array;
  readonly createRevision: number;
  readonly modRevision: number;
  /** Why the value could not be transformed from storage. It is as it is in storage. */
  readonly transformError?: string | undefined;
  /** Why the value is no object that can be decoded. It is as it is in storage, but for transformations. */
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
   * The key is not at the expected revision, or there is no key to delete. `current` is the state of the key, absent if
   * it does not exist.
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

/** Hears of the changes of a store, whichever process wrote them. Its methods must not throw. */
export interface EngineListener {
  /**
   * A durable batch, in revision order. It has all changes of its revisions, each key at most once at a revision. revision() is
   * already that of its last change or a later one, and no later batch has changes up to it. An empty batch says only that
   * revision() grew.
   */
  onCommit(changes: readonly Change[]): void;
  /**
   * Changes up to revision() were compacted before this engine could read them, and no listener will hear of them: what was
   * read before must be read again. Later batches follow as usual.
   */
  onLost(): void;
}

/**
 * A storage engine: an ordered map of keys to values with the history of etcd. Keys are ordered by their UTF-8 bytes, are
 * not empty, do not contain NUL and have at most 1,024 bytes. Every successful write takes a new revision of one counter for
 * the whole store. The counter starts at 1 and never goes back, not even after a crash. Other processes may write to the
 * same store, if the engine allows it, and take revisions too.
 *
 * Reads, listeners and the writer see a write only when it is durable. Failures are StorageErrors; a write whose expected
 * revision does not match is a result, not a failure.
 */
export interface Engine {
  /** Whether other processes may write to the same store. The engine then compacts by itself, as all agree. Default: false. */
  readonly isShared?: boolean;
  /**
   * Whether values are read as this software wrote them: nobody else writes them, and checksums say if they are damaged. Then
   * those that look like JSON of the object store are. Default: false.
   */
  readonly isVerified?: boolean;
  /** Whether the store refuses requests for their size, by a limit of its own. Default: false. */
  readonly limitsRequests?: boolean;
  /** The revision up to which listeners know all changes; 1 in an empty store. */
  revision(): number;
  /**
   * The revision of the last durable write of any process that was acknowledged before the call. If revision() is older,
   * listeners hear of what is missing soon, without another call.
   */
  currentRevision(): number | Promise<number>;
  /** The newest revision that can no longer be read, as far as this engine knows; 0 if nothing was compacted. */
  compactedRevision(): number;
  /**
   * The state at `revision`. Default: the newest, with every write that any process acknowledged before the call, of which
   * listeners may not know yet. Throws `compacted` and `future`.
   */
  get(key: string, revision?: number): Promise<KeyValue | undefined>;
  /** Keys in [start, end) at a revision, with the same default. Throws `compacted` and `future`. */
  range(start: string, end: string, options?: RangeOptions): Promise<Range>;
  /**
   * Writes if the key has the modRevision `expect`; 0 means that it must not exist. Resolves when the write is durable and
   * listeners know it, or heard that it is lost. Of writes at the same time, any can be the first. The engine owns `value` after
   * the call; listeners of this engine get the same array.
   *
   * What a conflict is due to may be a write that listeners do not know yet.
   *
   * Rejects with `unknown-outcome` if the write may or may not happen, or have happened.
   */
  write(write: Write): Promise<EngineResult>;
  /**
   * The first durable changes after `revision`, in order: about `limit`, never only a part of those of one revision. None if
   * there are none. Whole changes if the engine would read their values anyway. Throws `compacted`.
   */
  changes(revision: number, limit: number): Promise<readonly (Change | ChangeSummary)[]>;
  /** Calls the listener until the returned function is called. */
  listen(listener: EngineListener): () => void;
  /** Makes `revision` the oldest readable one, for all processes, and discards what only older revisions need. */
  compact(revision: number): Promise<void>;
  /** Waits for pending writes; later calls reject with `unavailable`. Other engines of the same store continue. */
  close(): Promise<void>;
}
