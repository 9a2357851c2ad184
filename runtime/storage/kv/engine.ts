/** A key as it is after the write with revision `modRevision`. */
export interface KeyValue {
  readonly key: string;
  readonly value: Uint8Array;
  readonly createRevision: number;
  readonly modRevision: number;
}

/** A change, as watchers see it. `previous` is absent for the first write of a key. */
export interface Change {
  readonly type: 'put' | 'delete';
  readonly key: string;
  readonly revision: number;
  /** For a delete, the last value. */
  readonly current: KeyValue;
  readonly previous?: KeyValue;
}

export type Write =
  | { readonly type: 'put'; readonly key: string; readonly value: Uint8Array; readonly expect: number | 'any' }
  | { readonly type: 'delete'; readonly key: string; readonly expect: number | 'any' };

export type WriteResult =
  | { readonly ok: true; readonly change: Change }
  /** The key is not at the expected revision; `current` is what it is now, absent where there is none. */
  | { readonly ok: false; readonly current?: KeyValue };

export interface Range {
  readonly items: readonly KeyValue[];
  /** True when `limit` cut the range short. */
  readonly more: boolean;
  /** The revision the range was read at. */
  readonly revision: number;
}

/**
 * What a storage engine must do. Keys are ordered by their UTF-8 bytes. Every successful write takes the next
 * revision of one counter for the whole store, which starts at 1 and never goes back, not even over a crash.
 *
 * Failures are StorageError; a guard that does not hold is a result, not a failure.
 */
export interface Engine {
  /** The revision of the last durable write; 1 in an empty store. */
  revision(): number;
  /** Revisions up to this one cannot be read any more; 0 when nothing was compacted. */
  compactedRevision(): number;
  /** The value at `revision`, or the newest. Throws `compacted` and `future`. */
  get(key: string, revision?: number): Promise<KeyValue | undefined>;
  /** Keys in [start, end). Throws `compacted` and `future`. */
  range(start: string, end: string, options?: { limit?: number; revision?: number }): Promise<Range>;
  /**
   * Applies one guarded write; resolves when it is durable. `expect` is the modRevision the key must have, 0 for
   * absent. Writes called in one order take revisions in that order; concurrent ones share a durable commit.
   */
  write(write: Write): Promise<WriteResult>;
  /** Changes after `revision`, in order, each once, none left out: history first, then live ones. Throws `compacted`. Ends when `signal` aborts. */
  changes(revision: number, signal: AbortSignal): AsyncIterable<readonly Change[]>;
  /** Called with every durable batch, in revision order, before the writes in it resolve. */
  onCommit(listener: (changes: readonly Change[]) => void): () => void;
  /** Forgets what only revisions before `revision` need. */
  compact(revision: number): Promise<void>;
  close(): Promise<void>;
}
