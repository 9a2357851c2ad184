/** A key as it is after the write with revision `modRevision`. */
export interface KeyValue {
  readonly key: string;
  /** Never changed after it was written or read; whoever gets it may keep it. */
  readonly value: Uint8Array;
  readonly createRevision: number;
  readonly modRevision: number;
}

/** A change, as watchers see it. `previous` is absent for the first write of a key. */
export interface Change {
  readonly type: 'put' | 'delete';
  readonly key: string;
  readonly revision: number;
  /** For a delete, the last value as it was written: the same as `previous`. */
  readonly current: KeyValue;
  readonly previous?: KeyValue;
}

/** That a change happened, without its values. */
export interface ChangeNote extends Pick<Change, 'type' | 'key' | 'revision'> {
  readonly hasPrevious: boolean;
  /** The bytes of the values that the change has as current and previous. */
  readonly size: number;
}

export type Write =
  | { readonly type: 'put'; readonly key: string; readonly value: Uint8Array; readonly expect: number | 'any' }
  | { readonly type: 'delete'; readonly key: string; readonly expect: number | 'any' };

export type WriteResult =
  | { readonly ok: true; readonly change: Change }
  /**
   * The key is not at the expected revision, or a delete found nothing; `current` is what it is now, absent where
   * there is none.
   */
  | { readonly ok: false; readonly current?: KeyValue };

export interface RangeOptions {
  readonly limit?: number;
  readonly revision?: number;
  /** Gives memory for values that are copied for the caller, all of which is written. Default: some of their own. */
  readonly allocate?: (size: number) => Uint8Array;
}

export interface Range {
  readonly items: readonly KeyValue[];
  /** True when `limit` cut the range short. */
  readonly more: boolean;
  /** The revision the range was read at. */
  readonly revision: number;
}

/**
 * What a storage engine must do. Keys are ordered by their UTF-8 bytes; they are not empty, hold no NUL and at
 * most 1,024 bytes. Every successful write takes the next revision of one counter for the whole store, which
 * starts at 1 and never goes back, not even over a crash.
 *
 * Nothing is seen before it is durable: not by reads, not by listeners, not by the writer. Failures are
 * StorageError; a guard that does not hold is a result, not a failure.
 */
export interface Engine {
  /** The revision of the last durable write; 1 in an empty store. */
  revision(): number;
  /** Revisions up to this one cannot be read any more; 0 when nothing was compacted. */
  compactedRevision(): number;
  /** The value at `revision`, or the newest. Throws `compacted` and `future`. */
  get(key: string, revision?: number): Promise<KeyValue | undefined>;
  /** Keys in [start, end). Throws `compacted` and `future`. */
  range(start: string, end: string, options?: RangeOptions): Promise<Range>;
  /**
   * Applies one guarded write; resolves when it is durable. `expect` is the modRevision the key must have, 0 for
   * absent. Writes called in one order take revisions in that order, and the later sees the earlier; concurrent
   * ones share a durable commit. `value` belongs to the engine from now on.
   */
  write(write: Write): Promise<WriteResult>;
  /** At most `limit` of the durable changes after `revision`, in order, none left out. Throws `compacted`. */
  notes(revision: number, limit: number): Promise<readonly ChangeNote[]>;
  /** Called with every durable batch, in revision order, before the writes in it resolve. Must not throw. */
  onCommit(listener: (changes: readonly Change[]) => void): () => void;
  /** Forgets what only revisions before `revision` need: from now on it is the oldest that can be read. */
  compact(revision: number): Promise<void>;
  /** Waits for the writes under way, then refuses everything with `unavailable`. */
  close(): Promise<void>;
}
