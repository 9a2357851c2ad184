/** The state of a key since the write at `modRevision`. */
export interface KeyValue {
  readonly key: string;
  /** Immutable; callers may keep it. */
  readonly value: Uint8Array;
  readonly createRevision: number;
  readonly modRevision: number;
  /** Why the value could not be transformed from storage. It is as it is in storage. */
  readonly transformError?: string | undefined;
}

/** A change of one key. `previous` is absent if the key did not exist before. (etcd mvccpb.Event) */
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
  | { readonly type: 'put'; readonly key: string; readonly value: Uint8Array; readonly expect: number | 'any' }
  | { readonly type: 'delete'; readonly key: string; readonly expect: number | 'any' };

export type WriteResult =
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

/**
 * A storage engine: an ordered map of keys to values with the history of etcd. Keys are ordered by their UTF-8 bytes, are
 * not empty, do not contain NUL and have at most 1,024 bytes. Every successful write takes the next revision of one counter
 * for the whole store. The counter starts at 1 and never goes back, not even after a crash.
 *
 * Reads, listeners and the writer see a write only when it is durable. Failures are StorageErrors; a write whose expected
 * revision does not match is a result, not a failure.
 */
export interface Engine {
  /** The revision of the last durable write; 1 in an empty store. */
  revision(): number;
  /** The newest revision that can no longer be read; 0 if nothing was compacted. */
  compactedRevision(): number;
  /** The state at `revision`. Default: the newest. Throws `compacted` and `future`. */
  get(key: string, revision?: number): Promise<KeyValue | undefined>;
  /** Keys in [start, end). Throws `compacted` and `future`. */
  range(start: string, end: string, options?: RangeOptions): Promise<Range>;
  /**
   * Writes if the key has the modRevision `expect`; 0 means that it must not exist. Resolves when the write is durable.
   * Writes take revisions in the order of the calls, and each sees the ones before it; concurrent writes share a commit.
   * The engine owns `value` after the call.
   */
  write(write: Write): Promise<WriteResult>;
  /** The first `limit` durable changes after `revision`, in order. Throws `compacted`. */
  changes(revision: number, limit: number): Promise<readonly ChangeSummary[]>;
  /** Calls the listener with every durable batch, in revision order, before the writes in it resolve. It must not throw. */
  onCommit(listener: (changes: readonly Change[]) => void): () => void;
  /** Makes `revision` the oldest readable one and discards what only older revisions need. */
  compact(revision: number): Promise<void>;
  /** Waits for pending writes; later calls reject with `unavailable`. */
  close(): Promise<void>;
}
